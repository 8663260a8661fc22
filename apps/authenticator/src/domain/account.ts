/** Letters first seen by the security kernel, which gives every user a role of that name: at most 58 characters. */
export const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]*$/;
export const LONGEST_ACCOUNT_NAME = 58;
export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 1024;

/** Why nobody should have this password; undefined when it will do. */
export function passwordProblem(username: string, password: string): string | undefined {
  if (password.length < SHORTEST_PASSWORD)
    return `password: must have at least ${SHORTEST_PASSWORD} characters`;
  if (password.toLowerCase() === username.toLowerCase())
    return 'password: must differ from the user name';
  return new Set(password).size < 4
    ? 'password: must have at least 4 different characters'
    : undefined;
}
