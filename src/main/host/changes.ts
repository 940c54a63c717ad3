/** Changes of something that callers wait for. */
export class Changes {
  #waiting: (() => void)[] = [];

  /** Wakes those who wait, who look whether what they wait for has come. */
  tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Waits from change to change until the condition holds, at most for the patience, ms. */
  async until(condition: () => boolean, patience: number): Promise<void> {
    if (condition()) return;
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<'expired'>((resolve) => {
      if (Number.isFinite(patience)) timer = setTimeout(() => resolve('expired'), patience);
    });
    while (!condition()) {
      const changed = new Promise<'changed'>((resolve) => this.#waiting.push(() => resolve('changed')));
      if ((await Promise.race([changed, expired])) === 'expired') break;
    }
    clearTimeout(timer);
  }
}
