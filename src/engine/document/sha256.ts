/** SHA-256 of a text (FIPS 180-4), at once: that of the browser answers later. */

const ROUNDS = 64;

/** The first 32 bits of the fractional parts of the roots of the first primes. */
function fractions(count: number, root: (prime: number) => number): number[] {
  const found: number[] = [];
  for (let prime = 2; found.length < count; prime++) {
    let isPrime = true;
    for (let k = 2; k * k <= prime; k++) if (prime % k === 0) isPrime = false;
    if (isPrime) found.push(Math.floor((root(prime) % 1) * 2 ** 32) | 0);
  }
  return found;
}

const START = fractions(8, Math.sqrt);
const CONSTANTS = fractions(ROUNDS, Math.cbrt);

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** A text in UTF-8; what is half a character is U+FFFD, as everywhere. */
function utf8(text: string): number[] {
  const bytes: number[] = [];
  const more = (code: number, by: number): number => 0x80 | ((code >> by) & 0x3f);
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), more(code, 0));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), more(code, 6), more(code, 0));
    else bytes.push(0xf0 | (code >> 18), more(code, 12), more(code, 6), more(code, 0));
  }
  return bytes;
}

/** @returns 64 hexadecimal digits */
export function sha256(text: string): string {
  const bytes = utf8(text);
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const state = [...START];
  const words = new Int32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += 64) {
    for (let k = 0; k < 16; k++) words[k] = view.getInt32(at + 4 * k);
    for (let k = 16; k < ROUNDS; k++) {
      const [early, late] = [words[k - 15], words[k - 2]];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[k] = words[k - 16] + first + words[k - 7] + second;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let k = 0; k < ROUNDS; k++) {
      const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const choice = (e & f) ^ (~e & g);
      const one = (h + high + choice + CONSTANTS[k] + words[k]) | 0;
      const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, k) => (state[k] = (state[k] + word) | 0));
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
