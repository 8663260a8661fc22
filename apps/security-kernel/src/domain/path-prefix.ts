export interface PrefixChange {
  oldSystemId: string;
  newSystemId: string;
  oldPrefix?: string;
  newPrefix?: string;
}

/** schema:tenant:operation:system:path */
const PATH_PERMISSION = /^([^:]*:[^:]*:[^:]*):([^:]*):(.*)$/s;

/** The permission with its system and the beginning of its path exchanged; undefined when it is not meant. */
export function withNewPrefix(permission: string, change: PrefixChange): string | undefined {
  const [, head, system, path] = PATH_PERMISSION.exec(permission) ?? [];
  if (head === undefined || system !== change.oldSystemId) return undefined;
  const prefix = change.oldPrefix ?? '';
  if (!below(path!, prefix)) return undefined;
  return `${head}:${change.newSystemId}:${change.newPrefix ?? ''}${path!.slice(prefix.length)}`;
}

/** `/a` covers `/a` and `/a/b`, never `/ab`. */
function below(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false;
  return (
    prefix === '' ||
    prefix.endsWith('/') ||
    path.length === prefix.length ||
    path[prefix.length] === '/'
  );
}
