import { hash, timingSafeEqual } from 'node:crypto';

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** What a SHA-256 hash looks like in base64url; nothing else can be a challenge of method S256. */
export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

/** The challenge of method S256 for a verifier. */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** Whether the verifier is the one that the challenge was made of (RFC 7636, 4.6). */
export function proves(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = Buffer.from(challengeOf(verifier));
  const wanted = Buffer.from(challenge);
  return made.length === wanted.length && timingSafeEqual(made, wanted);
}
