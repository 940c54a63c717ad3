/** Forces that stand on the left of the equation of motion, such as F_int, with their Jacobians. */
import type { FieldReader } from '../field-reader';
import type { ModelFunction } from '../plugin';

/** Each is subtracted from what `out` holds. */
export interface LeftForce {
  readonly subtract: ModelFunction;
  readonly subtractJacobians: readonly [ModelFunction, ModelFunction];
}

const subtracted = (evaluate: ModelFunction, length: number): ModelFunction => {
  const work = new Float64Array(length);
  return (clock, q, v, out) => {
    evaluate(clock, q, v, work);
    for (let i = 0; i < length; i++) out[i] -= work[i];
  };
};

/** Reads the force of a field and the Jacobians of the fields `${key}JacobianQ` and `${key}JacobianV`. */
export function readForce(fields: FieldReader, key: string, n: number): LeftForce | null {
  for (const by of ['Q', 'V']) {
    if (fields.has(key) || !fields.has(`${key}Jacobian${by}`)) continue;
    fields.reject(
      key,
      'jacobian-without-function',
      `A Jacobian is given, and not the function it belongs to (${key}).`,
      'Give the function, or remove the Jacobian.',
    );
  }
  const force = fields.function(key);
  if (force === null) return null;
  return {
    subtract: subtracted(force, n),
    subtractJacobians: [
      subtracted(fields.jacobian(`${key}JacobianQ`, n, n).evaluate, n * n),
      subtracted(fields.jacobian(`${key}JacobianV`, n, n).evaluate, n * n),
    ],
  };
}
