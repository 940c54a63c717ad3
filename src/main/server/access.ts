/** Who may talk to the browser door. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret for one start of the server: 192 random bits, safe in a URL. */
export const createToken = (): string => randomBytes(24).toString('base64url');

/** Compares without telling by the time taken how much agreed. */
export function sameToken(given: string | null, expected: string): boolean {
  if (given === null) return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Whether the Host header names this server. A foreign name that resolves to 127.0.0.1 (DNS rebinding) would
 * let a page from elsewhere read what is served here.
 */
export const isOwnHost = (host: string | undefined, port: number): boolean =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`;

/** Whether a WebSocket comes from a page this server has served. */
export const isOwnOrigin = (origin: string | undefined, port: number): boolean =>
  origin === `http://127.0.0.1:${port}` || origin === `http://localhost:${port}`;
