/** The one class of user-facing failures, and the shape in which they leave the engine. */

export interface ScriptPlace {
  name: string;
  /** 1-based */
  line: number;
  /** 1-based */
  column: number;
}

export interface EngineErrorDetails {
  /** stable identifier of the kind of failure */
  code: string;
  message: string;
  /** JSON pointer or element id */
  where?: string;
  /** simulated time, s */
  time?: number;
  remedy?: string;
  script?: ScriptPlace;
}

/** A failure that is the model's, not the program's: it names the place and the remedy. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  constructor(readonly details: EngineErrorDetails) {
    super(details.message);
  }
}
