import { inspect, kindOfViolation, type Class, type ViolationKind } from '@libs/fields';

const CODES: Readonly<Record<ViolationKind, string>> = {
  missing: 'SYSLIB_CREATE_MISSING_ATTR',
  'too-long': 'SYSLIB_TOO_LONG_ATTR',
  'control-character': 'SYSLIB_CTL_CHR_ATTR',
  malformed: 'SYSLIB_INVALID_STR_ATTR',
};

/** A body about a system, what is wrong with it (each with its code), and which attributes that makes unclear. */
export function readBody<T extends object>(
  of: Class<T>,
  body: unknown,
  ignore: readonly string[] = [],
) {
  const options = { code: 'SYSLIB_CREATE_INVALID_ERRORLIST', what: 'the system', ignore };
  const { value, violations, broken } = inspect(of, body === undefined ? {} : body, options);
  const coded = violations.map((text) => `${CODES[kindOfViolation(text)]} ${text}`);
  return { value, violations: coded, unclear: broken };
}
