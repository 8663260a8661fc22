import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const KEY_LENGTH = 32;
/** The figures OWASP gives for scrypt. */
const COST = { N: 16_384, r: 8, p: 5 };
/** For accounts whose password everybody knows: a fresh start should not wait for their hashes. */
export const SEED_COST = { ...COST, p: 1 };
const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** A salted scrypt hash, `scrypt$N$r$p$salt$hash`, so that the cost can change later. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, KEY_LENGTH, cost);
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
}

/**
 * Whether the password is the one that was hashed. Without a hash to compare with it takes as long: one of the same
 * cost as `like`, an existing hash of somebody else, is made up.
 */
export async function checkPassword(
  password: string,
  stored: string | undefined,
  like?: string,
): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? madeUp(like)).split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash!, 'base64');
  const key = await derive(password, Buffer.from(salt!, 'base64'), expected.length, cost);
  return timingSafeEqual(key, expected) && stored !== undefined;
}

/** No password has this hash; only its cost counts. */
function madeUp(like?: string): string {
  const [, N, r, p] = like?.split('$') ?? ['', COST.N, COST.r, COST.p];
  const random = (length: number) => randomBytes(length).toString('base64');
  return ['scrypt', N, r, p, random(16), random(KEY_LENGTH)].join('$');
}
