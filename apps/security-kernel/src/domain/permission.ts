export const LONGEST_PERMISSION = 2048;

/** The first part of a permission; permissions of another schema never imply it, wildcards aside. */
export function schemaOf(permission: string): string {
  const end = permission.indexOf(':');
  return end < 0 ? permission : permission.slice(0, end);
}
