/** Why something cannot be written in Python or for Siconos. */

/** A piece of a script that has no Python here. */
export class Untranslatable extends Error {
  override readonly name = 'Untranslatable';

  /** @param line 1-based, in the user's source */
  constructor(
    what: string,
    readonly line: number,
  ) {
    super(what);
  }
}
