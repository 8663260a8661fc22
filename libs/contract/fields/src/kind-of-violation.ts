export type ViolationKind = 'missing' | 'too-long' | 'control-character' | 'malformed';

/** What sort of mistake a violation of a field tells of, for services that have a code for each. */
export function kindOfViolation(violation: string): ViolationKind {
  if (/: (is missing|must not be empty)$/.test(violation)) return 'missing';
  if (/: must have at most \d+ characters$/.test(violation)) return 'too-long';
  return /: must not have control characters$/.test(violation) ? 'control-character' : 'malformed';
}
