/** The user's wish to stop, from the beginning of a command to its end. */
import type { CliContext } from './command';

export class Interruption {
  #asked = false;
  #action: () => void = () => undefined;
  readonly #unsubscribe: () => void;

  /** Listens from now on. `end` must follow. */
  constructor(context: Pick<CliContext, 'onInterrupt'>) {
    this.#unsubscribe = context.onInterrupt(() => {
      this.#asked = true;
      this.#action();
    });
  }

  get asked(): boolean {
    return this.#asked;
  }

  /** What an interrupt does from now on; an earlier one only counts in `asked`. */
  react(action: () => void): void {
    this.#action = action;
  }

  end(): void {
    this.#unsubscribe();
  }
}
