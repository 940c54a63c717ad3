/** Models with Coulomb friction. */
import type { EventDriven } from '@engine/event-driven/event-driven';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import type { LagrangianForm, LawForm, RelationForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import { expect } from 'vitest';
import type { Matrix } from '../support/dense';
import { linearLagrangian } from '../support/forms';
import { simulateEvents } from './support';

/** Contact with restitution and Coulomb friction: rows gap, slip. */
export const coulomb = (
  mu: number,
  e = 0,
  { et = 0, hypothesis }: { et?: number; hypothesis?: 'newton' | 'poisson' } = {},
): LawForm => ({
  size: 2,
  rows: [
    { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY },
    { kind: 'friction', coefficient: mu, restitution: et },
  ],
  level: 'velocity',
  multiplier: 'impulse',
  restitution: e,
  ...(hypothesis && { hypothesis }),
});

/** Constant friction of at most `limit` N, as a law on the velocity. */
export const dryFriction = (limit: number): LawForm => ({
  size: 1,
  rows: [{ kind: 'box', lower: -limit, upper: limit }],
  level: 'velocity',
  multiplier: 'force',
  restitution: null,
});

/** M v̇ = F(t, q, v), as a function. */
export const forced = (
  q0: readonly number[],
  v0: readonly number[],
  mass: Matrix,
  force: (t: number, q: Float64Array, v: Float64Array, out: Float64Array) => void,
): LagrangianForm => ({
  ...linearLagrangian(q0, v0, mass),
  linear: null,
  force: (clock, q, v, out) => {
    force(clock[0], q, v, out);
  },
});

/** y = h(q) with C = ∇h as functions. */
export const curved = (
  size: number,
  columns: number,
  output: (q: Float64Array, out: Float64Array) => void,
  jacobian: (q: Float64Array, out: Float64Array) => void,
): RelationForm => ({
  order: 2,
  size,
  columns,
  C: null,
  D: null,
  B: null,
  hasFeedthrough: false,
  hasStateInput: false,
  isAffine: false,
  isTimeDependent: false,
  output: (_clock, q, _lambda, out) => {
    output(q, out);
  },
  outputJacobians: (_clock, q, _lambda, outC) => {
    jacobian(q, outC);
  },
  timeDerivative: (_clock, _q, out) => {
    out.fill(0);
  },
  input: () => undefined,
  inputJacobians: () => undefined,
});

/** Runs to the end. */
export function ran(model: NonSmoothDynamicalSystem, settings: Partial<EventDrivenSettings>): EventDriven {
  const simulation = simulateEvents(model, settings);
  simulation.run();
  return simulation;
}

/** What the certificate of a run without blemish says. @param force largest contact force, N */
export function expectCertified(simulation: EventDriven, force: number, motion = 1e-6): void {
  const { worst } = simulation.certificate;
  // drift of speeds is taken out at the same time
  expect(worst.impact).toBeLessThan(1e-10);
  expect(worst.law).toBeLessThan(1e-9);
  expect(worst.energy).toBeLessThan(1e-11);
  expect(worst.motion).toBeLessThan(motion);
  expect(worst.cone).toBeLessThan(1e-8 * force);
  expect(worst.slip).toBeLessThan(1e-9 * force);
  expect(worst.penetration).toBeLessThan(1e-10);
  expect(worst.pull).toBeLessThan(1e-8 * force);
}
