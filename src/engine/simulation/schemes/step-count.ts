/** Number of steps of length h from t₀ to the end. */
import type { SimulationSettings } from '../../document/settings';

/** Fraction of a step by which an end time may miss a multiple of h before it counts as one more step. */
const STEP_ROUNDING = 1e-6;

export interface StepCount {
  readonly steps: number;
  /** whether the end time is their end, to rounding */
  readonly isExact: boolean;
}

export function countSteps({ t0, tEnd, h }: Pick<SimulationSettings, 't0' | 'tEnd' | 'h'>): StepCount {
  const exact = (tEnd - t0) / h;
  const nearest = Math.round(exact);
  if (nearest > 0 && Math.abs(exact - nearest) <= STEP_ROUNDING) return { steps: nearest, isExact: true };
  return { steps: Math.max(1, Math.ceil(exact)), isExact: false };
}

/** What the user is told of an end that is no multiple of h. */
export function endWarnings(
  settings: Pick<SimulationSettings, 't0' | 'tEnd' | 'h'>,
  { steps, isExact }: StepCount,
): string[] {
  if (isExact) return [];
  const { t0, tEnd, h } = settings;
  return [
    `The end time is not a multiple of the step: the run ends at ${t0 + steps * h} s instead of ${tEnd} s.`,
  ];
}
