/**
 * What lasts from one step to the next, written down by those who have it. Each of them names its numbers and
 * arrays once, in `exchange`: the same lines save and load, so that neither can forget what the other knows.
 * Saving into an archive that has been used before allocates nothing where no array has grown.
 */

type StateArray = Float64Array | Int32Array | Uint8Array;

export interface Archived {
  /** Gives the archive what lasts from step to step, or takes it from there. */
  exchange(archive: StateArchive): void;
}

export class StateArchive {
  /** in the order in which they are named */
  readonly entries: unknown[] = [];
  isLoading = false;
  #at = 0;

  /** One that was saved, from its entries. */
  static of(entries: readonly unknown[]): StateArchive {
    const archive = new StateArchive();
    archive.entries.push(...entries);
    return archive;
  }

  save(owner: Archived): void {
    this.isLoading = false;
    this.#at = 0;
    owner.exchange(this);
    this.entries.length = this.#at;
  }

  /** @param owner of the same model as the one that was saved */
  load(owner: Archived): void {
    this.isLoading = true;
    this.#at = 0;
    owner.exchange(this);
    if (this.#at !== this.entries.length) throw new Error('an archive of another model');
  }

  /** What is replaced and never changed in place. @returns the one that holds from now on */
  value<T>(value: T): T {
    const k = this.#at++;
    if (!this.isLoading) this.entries[k] = value;
    return this.entries[k] as T;
  }

  /** An array whose length does not change. */
  fixed(values: StateArray): void {
    if (this.array(values) !== values) throw new Error('an archive of another model');
  }

  /** An array that may have grown. @returns the one that holds from now on */
  array<A extends StateArray>(values: A): A {
    const k = this.#at++;
    const entry = this.entries[k] as A | undefined;
    if (this.isLoading) {
      if (entry?.length !== values.length) return (entry as A).slice() as A;
      values.set(entry);
      return values;
    }
    if (entry?.length === values.length) entry.set(values);
    else this.entries[k] = values.slice();
    return values;
  }
}
