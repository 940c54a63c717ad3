/** The one class of user-facing failures, and the shape in which they leave the engine. */

export interface ScriptPlace {
  name: string;
  /** 1-based */
  line: number;
  /** 1-based */
  column: number;
}

/** A value at the moment of a failure, as text: long vectors are cut, and no transport has to carry a NaN. */
export interface ScriptValue {
  name: string;
  /** `local` is a variable inside the function */
  kind: 'argument' | 'parameter' | 'local';
  value: string;
}

/** The call of a script function in which something failed. */
export interface ScriptCallDetails {
  /** name of the function */
  function: string;
  /** id of the element that called it */
  element: string;
  /** whether its derivative was called */
  isDerivative: boolean;
  /** step of the simulation, from 1; 0 before the first */
  step?: number;
  /** the statement that gave a value that is not finite, as it stands in the script */
  statement?: string;
  values: ScriptValue[];
}

export interface EngineErrorDetails {
  /** stable identifier of the kind of failure */
  code: string;
  message: string;
  /** JSON pointer or element id */
  where?: string;
  /** place of the value that failed, of those that an expression or a function gives */
  entry?: number;
  /** simulated time, s */
  time?: number;
  remedy?: string;
  script?: ScriptPlace;
  call?: ScriptCallDetails;
}

/** A failure that is the model's, not the program's: it names the place and the remedy. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  constructor(readonly details: EngineErrorDetails) {
    super(details.message);
  }
}
