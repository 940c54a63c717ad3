/**
 * One question in flight: while it is, only the newest of the following ones is remembered. Keeps a plot from
 * queueing up windows that are no longer visible.
 */
export class LatestWins<Question, Answer> {
  readonly #ask: (question: Question) => Promise<Answer>;
  readonly #apply: (answer: Answer, question: Question) => void;
  readonly #fail: (error: unknown, question: Question) => void;
  /** pending while a question is under way */
  #running: Promise<void> | null = null;
  #next: { question: Question } | null = null;
  #closed = false;

  constructor(
    ask: (question: Question) => Promise<Answer>,
    apply: (answer: Answer, question: Question) => void,
    fail: (error: unknown, question: Question) => void,
  ) {
    this.#ask = ask;
    this.#apply = apply;
    this.#fail = fail;
  }

  /**
   * Asks now, or as soon as the present answer has come.
   * @returns resolves when no question is under way any more; it never rejects
   */
  ask(question: Question): Promise<void> {
    if (this.#running !== null) this.#next = { question };
    else this.#running = this.#run(question);
    return this.#running;
  }

  /** Answers that still come are dropped. */
  close(): void {
    this.#closed = true;
    this.#next = null;
  }

  async #run(question: Question): Promise<void> {
    try {
      const answer = await this.#ask(question);
      if (!this.#closed) this.#apply(answer, question);
    } catch (error) {
      if (!this.#closed) this.#fail(error, question);
    }
    const next = this.#next;
    this.#next = null;
    if (next !== null && !this.#closed) await this.#run(next.question);
    else this.#running = null;
  }
}
