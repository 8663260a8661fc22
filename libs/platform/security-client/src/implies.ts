/** The schema whose fifth part is a path: `files:<tenant>:<op>:<system>:<path>`. */
const PATH_SCHEMA = 'files';
const PATH_PART = 4;

/** Splits a permission into its parts; the path of a path schema stays whole, colons and commas included. */
export function partsOf(permission: string): string[] {
  if (!permission.startsWith(`${PATH_SCHEMA}:`)) return permission.split(':');
  const parts = permission.split(':');
  if (parts.length <= PATH_PART) return parts;
  return [...parts.slice(0, PATH_PART), parts.slice(PATH_PART).join(':')];
}

export const isPathPermission = (permission: string): boolean =>
  permission.startsWith(`${PATH_SCHEMA}:`) && partsOf(permission).length > PATH_PART;

function partImplies(assigned: string, requested: string): boolean {
  const mine = assigned.split(',');
  if (mine.includes('*')) return true;
  return requested.split(',').every((one) => mine.includes(one));
}

/** A path allows itself and what is below it; with a final slash only what is below it and itself spelled so. */
function pathImplies(assigned: string, requested: string): boolean {
  if (assigned === requested) return true;
  return requested.startsWith(assigned.endsWith('/') ? assigned : `${assigned}/`);
}

/** Whether who holds `assigned` may do `requested` (section 5.6 of the contract). Case-sensitive. */
export function implies(assigned: string, requested: string): boolean {
  const mine = partsOf(assigned);
  const theirs = partsOf(requested);
  const withPath = mine[0] === PATH_SCHEMA && theirs[0] === PATH_SCHEMA;
  for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
    const a = mine[i];
    const r = theirs[i];
    // What the assigned permission leaves out counts as a star.
    if (a === undefined) return true;
    if (r === undefined) {
      // More parts than asked for: they must not narrow anything. A path always does.
      if ((withPath && i === PATH_PART) || !a.split(',').includes('*')) return false;
    } else if (withPath && i === PATH_PART) {
      if (!pathImplies(a, r)) return false;
    } else if (!partImplies(a, r)) return false;
  }
  return true;
}
