/**
 * Positions by half steps, Solfec, basics (5)–(7): q_* = q_½, at the time t_½ that loads belong to as well
 * (`HalfStep`, `BodyMotion`).
 */
import { BodyMotion, type BodyMotionSettings, HalfStep } from '../../spatial/body-motion';
import type { SpatialStatus } from '../../spatial/status';
import type { SpatialSystem } from '../../spatial/system';
import type { Reactions, Revision, StepScheme } from './scheme';

export class SpatialHalfSteps implements StepScheme {
  readonly part = 0.5;
  readonly aim = 0.5;
  readonly lag = 0;
  readonly forecast = 0;
  readonly newPart = 0.5;
  readonly oldPart = 0;
  readonly #motion: BodyMotion;
  readonly #step: HalfStep;
  /** [0] t_½; and [0] h */
  readonly #halfway = new Float64Array(1);
  readonly #length = new Float64Array(1);
  readonly #middle: Float64Array;

  constructor(
    private readonly system: SpatialSystem,
    settings: BodyMotionSettings,
  ) {
    this.#motion = new BodyMotion(system, settings);
    this.#step = new HalfStep(this.#motion);
    this.#middle = new Float64Array(system.positions);
  }

  get force(): Float64Array {
    return this.#motion.force;
  }

  expectReactions(reactions: Reactions): void {
    this.#motion.reactions = reactions;
  }

  begin(clock: Float64Array, q: Float64Array, u: Float64Array, h: number): SpatialStatus {
    this.#halfway[0] = clock[0] + 0.5 * h;
    this.#length[0] = h;
    const status = this.#step.begin(clock, q, u, h);
    this.#middle.set(q);
    return status;
  }

  /** Loads are those of the middle. */
  revise(): Revision {
    return 'ok';
  }

  addConservative(mean: Float64Array, _: Float64Array, out: Float64Array): void {
    this.system.addPotentialForce(this.#halfway, this.#middle, mean, out);
  }

  addDamping(_: Float64Array, out: Float64Array): void {
    this.system.addDamping(this.#middle, this.#motion.loadVelocity, out);
  }

  finish(q: Float64Array, u: Float64Array): SpatialStatus {
    return this.#step.finish(q, u, this.#length[0], null);
  }
}
