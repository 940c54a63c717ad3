/** Texts and names as netlists have them. */

/** One line of whatever text: nothing in it begins another statement. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();

/** Names of SPICE, which does not tell capital letters from small ones. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken);
  }

  /** @param letter with which it has to begin */
  of(id: string, letter = ''): string {
    const plain = id.replaceAll(/[^A-Za-z0-9_]/g, '_');
    const begins = plain.toLowerCase().startsWith(letter.toLowerCase());
    const base = begins ? plain : `${letter}_${plain}`;
    let name = base;
    for (let k = 2; this.#taken.has(name.toLowerCase()); k++) name = `${base}_${k}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}
