/** Whether the matrices of a model can be expanded, where a scheme computes with all of their numbers. */
import { EngineError } from '../errors';
import type { NonSmoothDynamicalSystem } from '../model/nsds';

/** States of a system of first order: dense matrices of this size are 32 MB. */
const MOST_STATES = 2000;
/** Numbers of a matrix of a relation, 200 MB. */
const MOST_NUMBERS = 25_000_000;

/** @throws {EngineError} for a model that is too large for schemes with dense matrices */
export function checkSize({ systems, interactions }: NonSmoothDynamicalSystem): void {
  const system = systems.find(({ form }) => form.order === 1 && form.size > MOST_STATES);
  const relation = interactions.find(
    ({ relation: { size, columns, entries } }) =>
      entries !== undefined && size * Math.max(size, columns) > MOST_NUMBERS,
  );
  const where = system?.id ?? relation?.id;
  if (where === undefined) return;
  throw new EngineError({
    code: 'model-too-large',
    message: `“${where}” has more than ${MOST_STATES} states, or as many laws: models of this size are computed by their entries, and that by steps only.`,
    where,
    remedy:
      'Choose time-stepping by EulerMoreau with θ_r = 1 and no γ, the automatic solver and a constant step; or divide the model.',
  });
}
