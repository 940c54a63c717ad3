/** Systems with known solutions, event functions, and integrators for them. */
import { EITHER, type EventFunctions, type LinearForm } from '@engine/smooth/event-functions';
import type { OdeSystem } from '@engine/smooth/ode-system';
import { SmoothIntegrator, type SmoothSettings } from '@engine/smooth/smooth-integrator';

export const system = (
  size: number,
  rate: (t: number, x: Float64Array, out: Float64Array) => void,
): OdeSystem => ({ size, rate: (clock, x, out) => rate(clock[0], x, out) });

/** ẍ = −x. */
export const oscillator = system(2, (_t, x, out) => {
  out[0] = x[1];
  out[1] = -x[0];
});

/** ẍ = −9.81. */
export const fall = system(2, (_t, x, out) => {
  out[0] = x[1];
  out[1] = -9.81;
});

/** ẋ = x (1 − x): x = 1/(1 + e^−t) from ½. */
export const logistic = system(1, (_t, x, out) => {
  out[0] = x[0] * (1 - x[0]);
});

export const settings = (
  size: number,
  tolerance: number,
  more: Partial<SmoothSettings> = {},
): SmoothSettings => ({
  tolerances: { relative: tolerance, absolute: new Float64Array(size).fill(tolerance) },
  method: 'automatic',
  maxSteps: 100_000,
  ...more,
});

export function integrator(
  ode: OdeSystem,
  start: readonly number[],
  tolerance = 1e-10,
  more: Partial<SmoothSettings> = {},
  events?: EventFunctions,
): SmoothIntegrator {
  const made = new SmoothIntegrator(ode, settings(ode.size, tolerance, more), events);
  made.x.set(start);
  return made;
}

/** Σ values_i x_i + constant + rate t. */
export const form = (values: readonly number[], constant = 0, rate = 0): LinearForm => ({
  indices: Int32Array.from(values, (_, i) => i),
  values: Float64Array.from(values),
  offset: Float64Array.of(constant, rate),
});

type General = (t: number, x: Float64Array) => number;

/** Event functions, linear or not, watched in both directions unless said otherwise. */
export function events(
  functions: readonly (LinearForm | General)[],
  watch: readonly number[] = functions.map(() => EITHER),
  more: Partial<EventFunctions> = {},
): EventFunctions {
  return {
    count: functions.length,
    linear: (j) => {
      const found = functions[j];
      return typeof found === 'function' ? null : found;
    },
    value: (j, clock, x, out) => {
      const found = functions[j];
      out[0] = typeof found === 'function' ? found(clock[0], x) : NaN;
    },
    watch: Int8Array.from(watch),
    ...more,
  };
}

/** The same functions without what is known of them: for the general enclosure. */
export const asGeneral =
  (linear: LinearForm): General =>
  (t, x) =>
    linear.indices.reduce(
      (sum, i, k) => sum + linear.values[k] * x[i],
      linear.offset[0] + linear.offset[1] * t,
    );

/** Times and kinds of all roots up to tEnd, the integration going on after each. */
export function allRoots(
  made: SmoothIntegrator,
  tEnd: number,
): { time: number; index: number; kind: number }[] {
  const found: { time: number; index: number; kind: number }[] = [];
  for (let guard = 0; guard < 10_000; guard++) {
    const status = made.advance(tEnd);
    if (status === 'reached') return found;
    if (status !== 'root') throw new Error(status);
    for (let k = 0; k < made.roots.count; k++) {
      found.push({ time: made.clock[0], index: made.roots.indices[k], kind: made.roots.kinds[k] });
    }
  }
  throw new Error('roots without end');
}
