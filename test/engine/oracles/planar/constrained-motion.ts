/** Motion of a constrained system with steps of constant length, in any formulation. */
import { EngineError } from '@engine/errors';
import { requireConsistent } from '@engine/multibody/consistency';
import {
  type ConstrainedSystem,
  MOTION_STATUS_HELP,
  type MotionStatus,
  allFinite,
} from '@engine/multibody/constrained-system';
import type { PartitionSwitch } from '@engine/multibody/partition';
import { requireIndependent } from '@engine/multibody/redundancy';
import type { Formulation } from './formulations/formulation';
import { type FormulationSettings, createFormulation } from './formulations/registry';

/* The classical Runge–Kutta method of order four with steps of constant length. Kutta 1901. */

export interface RateFunction {
  readonly size: number;
  rate(clock: Float64Array, x: Float64Array, out: Float64Array): MotionStatus;
}

export class RungeKutta4 {
  readonly #stageClock = new Float64Array(1);
  readonly #stage: Float64Array;
  readonly #rate: Float64Array;
  readonly #sum: Float64Array;

  constructor(readonly equation: RateFunction) {
    const { size } = equation;
    this.#stage = new Float64Array(size);
    this.#rate = new Float64Array(size);
    this.#sum = new Float64Array(size);
  }

  /**
   * x(t) → x(t + h).
   * @param clock t, is kept @param h s @param x stays as it was unless the status is `ok`
   */
  step(clock: Float64Array, h: Float64Array, x: Float64Array): MotionStatus {
    const { equation } = this;
    const stage = this.#stage;
    const rate = this.#rate;
    const sum = this.#sum;
    const stageClock = this.#stageClock;
    sum.fill(0);
    stage.set(x);
    for (let s = 0; s < 4; s++) {
      stageClock[0] = s === 0 ? clock[0] : s === 3 ? clock[0] + h[0] : clock[0] + 0.5 * h[0];
      const status = equation.rate(stageClock, stage, rate);
      if (status !== 'ok') return status;
      const weight = s === 0 || s === 3 ? h[0] / 6 : h[0] / 3;
      const next = s === 2 ? h[0] : 0.5 * h[0];
      for (let i = 0; i < x.length; i++) {
        sum[i] += weight * rate[i];
        stage[i] = x[i] + next * rate[i];
      }
    }
    for (let i = 0; i < x.length; i++) x[i] += sum[i];
    return 'ok';
  }
}

export interface MotionSettings {
  formulation: FormulationSettings;
  /** s, positive */
  h: number;
  /** s; 0 when left out */
  t0?: number;
}

/** What a motion needs to go on from where it was, bit for bit. */
export interface MotionState {
  steps: number;
  q: Float64Array;
  v: Float64Array;
  /** dependent coordinates; null where the formulation has none */
  dependent: readonly number[] | null;
}

export class ConstrainedMotion {
  /** [0] time of q and v, s */
  readonly clock: Float64Array;
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** q̈ and λ, as `dynamics` left them */
  readonly acceleration: Float64Array;
  readonly multipliers: Float64Array;
  readonly formulation: Formulation;
  /** number of steps done */
  steps = 0;
  readonly #h: Float64Array;
  readonly #t0: number;
  readonly #x: Float64Array;
  readonly #trial: Float64Array;
  readonly #endClock = new Float64Array(1);
  readonly #integrator: RungeKutta4;

  /**
   * @param q,v state at t₀, copied
   * @throws {EngineError} when constraints are redundant or contradictory, or the state does not satisfy them
   */
  constructor(
    readonly system: ConstrainedSystem,
    q: Float64Array,
    v: Float64Array,
    { formulation, h, t0 = 0 }: MotionSettings,
  ) {
    if (!(h > 0 && Number.isFinite(h)))
      throw new EngineError({
        code: 'step-not-positive',
        message: `The time step is ${h} s.`,
        remedy: 'Give a positive time step.',
      });
    this.clock = Float64Array.of(t0);
    this.q = q.slice();
    this.v = v.slice();
    requireConsistent(system, this.clock, q, v);
    requireIndependent(system, this.clock, q, v);
    this.acceleration = new Float64Array(system.size);
    this.multipliers = new Float64Array(system.rows);
    this.#h = Float64Array.of(h);
    this.#t0 = t0;
    this.formulation = createFormulation(system, formulation);
    this.#x = new Float64Array(this.formulation.size);
    this.#trial = new Float64Array(this.formulation.size);
    this.#integrator = new RungeKutta4(this.formulation);
    const status = this.formulation.begin(this.clock, q, v, this.#x);
    if (status !== 'ok') throw motionFailure(status, t0);
  }

  /** Changes of the dependent coordinates so far. */
  get switches(): readonly PartitionSwitch[] {
    return this.formulation.partition?.switches ?? [];
  }

  /**
   * One step. Where it fails with the present partition, which may have become singular within the step, it
   * is tried once more with a new one.
   * @returns `ok`, or why there was no step; time and state then stay as they were
   */
  advance(): MotionStatus {
    let status = this.#attempt();
    if (status !== 'ok' && this.formulation.recover(this.clock, this.#x)) status = this.#attempt();
    return status;
  }

  #attempt(): MotionStatus {
    const trial = this.#trial;
    trial.set(this.#x);
    this.#endClock[0] = this.#t0 + (this.steps + 1) * this.#h[0];
    let status = this.#integrator.step(this.clock, this.#h, trial);
    if (status === 'ok' && !allFinite(trial)) status = 'notFinite';
    if (status === 'ok') status = this.formulation.accept(this.#endClock, trial, this.q, this.v);
    if (status !== 'ok') return status;
    this.#x.set(trial);
    this.steps++;
    this.clock[0] = this.#endClock[0];
    return 'ok';
  }

  /** The present state, copied. */
  exportState(): MotionState {
    const { steps, q, v, formulation } = this;
    const dependent = formulation.partition === null ? null : [...formulation.partition.dependent];
    return { steps, q: q.slice(), v: v.slice(), dependent };
  }

  /**
   * Continues from a state of a motion of the same system with the same settings. The list of switches stays.
   */
  importState({ steps, q, v, dependent }: MotionState): MotionStatus {
    this.steps = steps;
    this.clock[0] = this.#t0 + steps * this.#h[0];
    this.q.set(q);
    this.v.set(v);
    return this.formulation.begin(this.clock, q, v, this.#x, dependent ?? undefined);
  }

  /** q̈ and λ of the present state into `acceleration` and `multipliers`. */
  dynamics(): MotionStatus {
    return this.formulation.accelerations(this.clock, this.q, this.v, this.acceleration, this.multipliers);
  }
}

/** What a user reads about a motion that could not go on. */
export function motionFailure(status: MotionStatus, time: number): EngineError {
  const { message, remedy } = MOTION_STATUS_HELP[status];
  return new EngineError({
    code: `motion-${status}`,
    message: `The motion stopped at t = ${time} s: ${message}.`,
    time,
    remedy,
  });
}
