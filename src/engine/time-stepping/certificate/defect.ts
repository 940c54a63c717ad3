/** What of a step is not finite, found once the time loop has been told that something is not. */
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StepMaxima } from './dynamics-check';
import type { CheckContext } from './relations';

export interface StepDefect {
  readonly what: 'state' | 'multiplier' | 'energy' | 'residual';
  /** id of the system or interaction; null when none can be named */
  readonly element: string | null;
  /** of which condition, in words; null unless it is a residual */
  readonly residual: string | null;
}

const hasDefect = (x: Float64Array): boolean => x.some((value) => !Number.isFinite(value));

/**
 * The first of these that is not finite, since each follows from the ones before it: state, multipliers,
 * energy, residuals.
 * @param energies of the present state, J
 */
export function findDefect(
  { systems, interactions }: NonSmoothDynamicalSystem,
  { state, offsets, q, v }: CheckContext,
  lambda: Float64Array,
  energies: readonly number[],
  maxima: StepMaxima,
): StepDefect {
  const phase = (i: number): Float64Array =>
    Float64Array.of(
      ...state.subarray(q + offsets[i], q + offsets[i + 1]),
      ...state.subarray(v + offsets[i], v + offsets[i + 1]),
    );
  const broken = systems.find((_, i) => hasDefect(phase(i)));
  if (broken !== undefined) return { what: 'state', element: broken.id, residual: null };
  let row = 0;
  for (const { id, relation } of interactions) {
    if (hasDefect(lambda.subarray(row, row + relation.size)))
      return { what: 'multiplier', element: id, residual: null };
    row += relation.size;
  }
  if (energies.some((energy) => !Number.isFinite(energy))) {
    // Squares overflow long before what is squared: the system that has grown most is the one to look at.
    const sizes = systems.map((_, i) => phase(i).reduce((most, value) => Math.max(most, Math.abs(value)), 0));
    const largest = systems.at(sizes.indexOf(Math.max(...sizes)));
    return { what: 'energy', element: largest?.id ?? null, residual: null };
  }
  return { what: 'residual', element: maxima.worstElement, residual: maxima.overflown };
}
