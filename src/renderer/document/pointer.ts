/** JSON pointers (RFC 6901) of the places the window shows. */

/** Joins reference tokens to a pointer, escaped. */
export function pointer(...tokens: (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** True when `place` is `root` or lies inside it. */
export function isWithin(place: string, root: string): boolean {
  return place === root || place.startsWith(`${root}/`);
}

/** Reference tokens of a pointer, unescaped. */
export function tokens(place: string): string[] {
  return place
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}
