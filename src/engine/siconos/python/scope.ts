/** Variables of a translated function: JavaScript has blocks, Python has functions only, so inner names get new ones. */
import { identifier, RESERVED } from './names';

export class Scope {
  readonly #own = new Map<string, string>();

  /**
   * @param taken names of the function so far, shared by its blocks
   * @param isFunction whether a function begins here
   */
  constructor(
    readonly parent: Scope | null,
    private readonly taken: Set<string>,
    readonly isFunction: boolean,
  ) {}

  block(): Scope {
    return new Scope(this, this.taken, false);
  }

  /** Scope of a function inside: its names must not hide those it uses from outside. */
  inner(): Scope {
    return new Scope(this, new Set(this.taken), true);
  }

  declare(name: string): string {
    const base = identifier(name);
    let python = base;
    for (let k = 2; this.taken.has(python) || RESERVED.has(python); k++) python = `${base}_${k}`;
    this.taken.add(python);
    this.#own.set(name, python);
    return python;
  }

  /** Python name of a variable; null when no scope declares it. */
  find(name: string): string | null {
    return this.#own.get(name) ?? this.parent?.find(name) ?? null;
  }

  /** Whether an assignment here would reach out of the function, for which Python wants a declaration. */
  isOutside(name: string): boolean {
    if (this.#own.has(name)) return false;
    return this.isFunction || this.parent === null ? true : this.parent.isOutside(name);
  }
}
