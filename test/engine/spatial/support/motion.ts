/** Motions for the tests: by half steps, and of constrained bodies by the classical Runge–Kutta method. */
import { ConstrainedAcceleration } from '../../oracles/constrained-acceleration';
import { BodyMotion, type BodyMotionSettings, HalfStep } from '@engine/contact-dynamics/schemes/half-steps';
import { normaliseQuaternion, quaternionRate } from '@engine/spatial/quaternion';
import type { SpatialSystem } from '@engine/spatial/system';

export interface State {
  clock: Float64Array;
  q: Float64Array;
  v: Float64Array;
}

export const start = (system: SpatialSystem): State => ({
  clock: new Float64Array(1),
  q: system.initialPositions(),
  v: system.initialVelocities(),
});

/** @throws when a step fails */
export function runHalfSteps(
  system: SpatialSystem,
  settings: BodyMotionSettings,
  h: number,
  steps: number,
  each?: (state: State) => void,
): State {
  const state = start(system);
  const scheme = new HalfStep(new BodyMotion(system, settings));
  for (let k = 0; k < steps; k++) {
    state.clock[0] = k * h;
    const free = scheme.begin(state.clock, state.q, state.v, h);
    if (free !== 'ok') throw new Error(free);
    const end = scheme.finish(state.q, state.v, h, null);
    if (end !== 'ok') throw new Error(end);
    state.clock[0] = (k + 1) * h;
    each?.(state);
  }
  return state;
}

/** q̇ = T v */
export function positionRate(system: SpatialSystem, q: Float64Array, v: Float64Array): Float64Array {
  const out = new Float64Array(system.positions);
  for (let k = 0; k < system.bodies.length; k++) {
    for (let i = 0; i < 3; i++) out[7 * k + i] = v[6 * k + i];
    quaternionRate(q, 7 * k + 3, v, 6 * k + 3, out, 7 * k + 3);
  }
  return out;
}

/**
 * Bodies with their joints, RK4 on the index-reduced equations; quaternions are normalised after each step.
 */
export class RungeKutta {
  readonly state: State;
  readonly multipliers: Float64Array;
  readonly #acceleration: ConstrainedAcceleration;

  constructor(readonly system: SpatialSystem) {
    this.state = start(system);
    this.#acceleration = new ConstrainedAcceleration(system);
    this.multipliers = new Float64Array(system.equations.count);
  }

  rate(t: number, q: Float64Array, v: Float64Array): { dq: Float64Array; dv: Float64Array } {
    const dv = new Float64Array(this.system.velocities);
    const status = this.#acceleration.solve(Float64Array.of(t), q, v, dv, this.multipliers);
    if (status !== 'ok') throw new Error(status);
    return { dq: positionRate(this.system, q, v), dv };
  }

  step(h: number): void {
    const { clock, q, v } = this.state;
    const at = (x: Float64Array, d: Float64Array, s: number): Float64Array => x.map((y, i) => y + s * d[i]);
    const t = clock[0];
    const a = this.rate(t, q, v);
    const b = this.rate(t + h / 2, at(q, a.dq, h / 2), at(v, a.dv, h / 2));
    const c = this.rate(t + h / 2, at(q, b.dq, h / 2), at(v, b.dv, h / 2));
    const d = this.rate(t + h, at(q, c.dq, h), at(v, c.dv, h));
    for (let i = 0; i < q.length; i++) q[i] += (h / 6) * (a.dq[i] + 2 * b.dq[i] + 2 * c.dq[i] + d.dq[i]);
    for (let i = 0; i < v.length; i++) v[i] += (h / 6) * (a.dv[i] + 2 * b.dv[i] + 2 * c.dv[i] + d.dv[i]);
    for (let k = 0; k < this.system.bodies.length; k++) normaliseQuaternion(q, 7 * k + 3);
    clock[0] = t + h;
  }

  energy(): number {
    const { clock, q, v } = this.state;
    return this.system.kineticEnergy(v) + this.system.potentialEnergy(clock, q);
  }
}
