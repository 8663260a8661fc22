/** Schemas whose part at this index is a path: everything from there on is one part, matched by segments. */
const PATH_PART: Readonly<Record<string, number>> = { files: 4 };

/** One permission string taken apart, for example `system:dev:READ,MODIFY:vm1` (platform contract, 5.6). */
export interface Permission {
  parts: ReadonlyArray<ReadonlySet<string>>;
  path?: string;
}

/** The first part of a permission; permissions of another schema never imply it, wildcards aside. */
export function schemaOf(permission: string): string {
  const end = permission.indexOf(':');
  return end < 0 ? permission : permission.slice(0, end);
}

/** Takes a permission string apart. A path part is kept whole, colons, commas and stars included. */
export function parsePermission(text: string): Permission {
  const pieces = text.split(':');
  const pathIndex = PATH_PART[pieces[0] ?? ''];
  if (pathIndex === undefined || pieces.length <= pathIndex) {
    return { parts: pieces.map(alternatives) };
  }
  return {
    parts: pieces.slice(0, pathIndex).map(alternatives),
    path: pieces.slice(pathIndex).join(':'),
  };
}

/** Whether whoever holds `assigned` is allowed what `requested` asks for. */
export function implies(assigned: Permission | string, requested: Permission | string): boolean {
  const a = typeof assigned === 'string' ? parsePermission(assigned) : assigned;
  const r = typeof requested === 'string' ? parsePermission(requested) : requested;
  const shared = Math.min(a.parts.length, r.parts.length);
  for (let i = 0; i < shared; i++) {
    if (!partImplies(a.parts[i]!, r.parts[i]!)) return false;
  }
  if (a.parts.slice(shared).some((part) => !part.has('*'))) return false;
  if (a.path === undefined) return true;
  return r.path !== undefined && pathImplies(a.path, r.path);
}

/** A folder covers itself and what lies below it; `/home/bud` never covers `/home/bud2`. */
export function pathImplies(assigned: string, requested: string): boolean {
  const folder = assigned.endsWith('/') ? assigned : `${assigned}/`;
  return requested === assigned || requested.startsWith(folder);
}

function alternatives(part: string): ReadonlySet<string> {
  return new Set(part.split(','));
}

function partImplies(assigned: ReadonlySet<string>, requested: ReadonlySet<string>): boolean {
  return assigned.has('*') || requested.isSubsetOf(assigned);
}
