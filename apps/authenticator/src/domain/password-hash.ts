import { argon2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Memory in KiB, passes, lanes: the figures OWASP gives for argon2id. */
interface Cost {
  m: number;
  t: number;
  p: number;
}
const COST: Cost = { m: 19_456, t: 2, p: 1 };
/** For accounts whose password everybody knows: a fresh start should not wait for their hashes. */
export const SEED_COST: Cost = { m: 12_288, t: 1, p: 1 };
const KEY_LENGTH = 32;
const SALT_LENGTH = 16;

const argon = promisify(argon2);
type ScryptCost = { N: number; r: number; p: number };
const deriveScrypt = promisify<string, Buffer, number, ScryptCost, Buffer>(scrypt);

/** A salted argon2id hash in the usual form, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`: the cost can change later. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_LENGTH);
  return written(cost, salt, await derive(password, salt, cost, KEY_LENGTH));
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
  const hash = stored ?? madeUp(like);
  const right = hash.startsWith('scrypt$')
    ? await checkScrypt(password, hash)
    : await checkArgon(password, hash);
  return right && stored !== undefined;
}

/** Whether the hash was made with another function or cost than a new one would be. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$${costText(COST)}$`);
}

async function checkArgon(password: string, stored: string): Promise<boolean> {
  const [, , , costs = '', salt = '', hash = ''] = stored.split('$');
  const [m, t, p] = costs.split(',').map((part) => Number(part.slice(2)));
  const expected = Buffer.from(hash, 'base64');
  const cost = { m: m!, t: t!, p: p! };
  const key = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length);
  return timingSafeEqual(key, expected);
}

/** Hashes of the first release, `scrypt$N$r$p$salt$hash`. */
async function checkScrypt(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt, hash] = stored.split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash!, 'base64');
  const key = await deriveScrypt(password, Buffer.from(salt!, 'base64'), expected.length, cost);
  return timingSafeEqual(key, expected);
}

function derive(message: string, nonce: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  const { m: memory, t: passes, p: parallelism } = cost;
  return argon('argon2id', { message, nonce, parallelism, tagLength, memory, passes });
}

const costText = ({ m, t, p }: Cost): string => `m=${m},t=${t},p=${p}`;
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
const written = (cost: Cost, salt: Buffer, key: Buffer): string =>
  ['', 'argon2id', 'v=19', costText(cost), base64(salt), base64(key)].join('$');

/** No password has this hash; only its cost counts. */
function madeUp(like?: string): string {
  if (like?.startsWith('scrypt$')) {
    const random = (length: number) => randomBytes(length).toString('base64');
    return [...like.split('$').slice(0, 4), random(SALT_LENGTH), random(KEY_LENGTH)].join('$');
  }
  const [, , , costs] = like?.split('$') ?? [];
  const [salt, key] = [randomBytes(SALT_LENGTH), randomBytes(KEY_LENGTH)];
  return ['', 'argon2id', 'v=19', costs ?? costText(COST), base64(salt), base64(key)].join('$');
}
