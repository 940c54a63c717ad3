/**
 * Asks the worker that analyses texts. Texts may be large: nothing of it happens where the window is drawn.
 */
import type { TextAnalysis } from './analysis';

/** What can be asked of a text. */
export type Question = 'read' | 'ranges' | 'pointerAt';
type Answer<Q extends Question> = ReturnType<TextAnalysis[Q]>;

export interface TextRequest {
  id: number;
  question: Question;
  /** left out where it is that of the question before */
  source?: string;
  argument: unknown;
}

export interface TextReply {
  id: number;
  answer: unknown;
}

export class TextAnalyst {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #source: string | null = null;
  #nextId = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<TextReply>) => {
      this.#waiting.get(data.id)?.(data.answer);
      this.#waiting.delete(data.id);
    });
  }

  ask<Q extends Question>(
    question: Q,
    source: string,
    argument: Parameters<TextAnalysis[Q]>[0],
  ): Promise<Answer<Q>> {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      this.#waiting.set(id, resolve as (answer: unknown) => void);
      const isKnown = source === this.#source;
      this.#source = source;
      const request: TextRequest = { id, question, argument, ...(isKnown ? {} : { source }) };
      this.#worker.postMessage(request);
    });
  }

  /** Ends the worker; what is still asked is never answered. */
  dispose(): void {
    this.#waiting.clear();
    this.#worker.terminate();
  }
}
