/**
 * Control of the step of 3D bodies (`time-stepping/step-control.ts`): steps that are too long for their
 * error, or that something is passed in, are taken back and repeated with shorter ones.
 */
import type { ContactDetection } from '../../collision/contact-detection';
import { CONTACT_SIZE } from '../../collision/narrow-phase/pair-contacts';
import type { ContactDynamics, ContactDynamicsStatus } from '../../contact-dynamics/contact-dynamics';
import type { SimulationSettings } from '../../document/settings';
import { moreauJean } from '../../model/settings/integrators';
import type { CompiledSpace } from '../../preparation/spatial/compile';
import { POSITIONS } from '../../spatial/bodies/rigid-body';
import type { SpatialSystem } from '../../spatial/system';
import { type Archived, StateArchive } from '../../state-archive';
import { StepControl, type StepControlSettings } from '../../time-stepping/step-control';

/**
 * What step control measures together, since none of it has a size of its own: places, quaternions, linear
 * and angular velocities of all rigid bodies, and places, F and their rates of pseudo-rigid ones. q, then u.
 */
function scaleGroups({
  bodies,
  positions,
  positionsAt,
  velocities,
  velocitiesAt,
}: SpatialSystem): Int32Array {
  const groups = new Int32Array(positions + velocities);
  bodies.forEach(({ positions: own, velocities: rates }, k) => {
    const [q, u] = [positionsAt[k], positions + velocitiesAt[k]];
    const kind = own === POSITIONS ? 0 : 1;
    groups.fill(0, q, q + 3).fill(1 + kind, q + 3, q + own);
    groups.fill(3, u, u + 3).fill(4 + kind, u + 3, u + rates);
  });
  return groups;
}

export class SpaceStepControl implements Archived {
  readonly #control: StepControl;
  /** what is judged: q, then u */
  readonly #present: Float64Array;
  /** [0] time at the start of the step, s; and all that it is repeated from */
  readonly #startTime: Float64Array;
  readonly #start = new StateArchive();
  readonly #tEnd: number;
  /** looks at the end of a step; null where nothing touches */
  readonly #probe: ContactDetection | null;
  readonly #poses: Float64Array;

  /** @param detection that of the dynamics */
  constructor(
    private readonly space: CompiledSpace,
    private readonly dynamics: ContactDynamics,
    private readonly detection: ContactDetection,
    control: StepControlSettings,
    { tEnd, integrators: [{ type, numbers }] }: SimulationSettings,
  ) {
    const { q, u, clock, length: h } = dynamics;
    this.#tEnd = tEnd;
    this.#probe = space.materials.length > 0 ? space.detection() : null;
    this.#poses = new Float64Array(q.length + POSITIONS * space.motions.length);
    this.#present = new Float64Array(q.length + u.length);
    this.#startTime = clock.slice();
    // Positions by half steps are of the second order, as those of the θ-method with θ = ½.
    const theta = type === moreauJean.type ? numbers.theta : 0.5;
    const context = { clock, clock0: this.#startTime, h };
    this.#control = new StepControl(control, context, this.#present, [theta], scaleGroups(space.system));
  }

  /** Steps that were taken back. */
  get rejected(): number {
    return this.#control.rejected;
  }

  /** Begins with the present state. @param stop time that no step goes beyond, s */
  start(stop: number): void {
    this.#startTime[0] = this.dynamics.time;
    this.#readPresent();
    this.#control.start();
    this.#control.limit(Math.min(this.#tEnd, stop));
  }

  /** A load has jumped: what was before says nothing of the error behind it. */
  forget(): void {
    this.#control.forget();
  }

  /** One step that stands, or one that fails with the smallest length. */
  advance(): ContactDynamicsStatus {
    const { dynamics } = this;
    const control = this.#control;
    this.#startTime[0] = dynamics.time;
    this.#start.save(dynamics);
    const { events } = dynamics;
    for (;;) {
      const status = dynamics.advance();
      this.#readPresent();
      const stands =
        status === 'ok'
          ? control.accept(dynamics.events > events || this.#endsInOverlap())
          : !control.shrink();
      if (stands) return status;
      this.#start.load(dynamics);
    }
  }

  /**
   * The length of the next step, once all has been read that belongs to the last.
   * @param stop time that it must not go beyond, s
   */
  next(stop: number): void {
    this.#control.next(Math.min(this.#tEnd, stop));
  }

  exchange(archive: StateArchive): void {
    this.#control.exchange(archive);
  }

  #readPresent(): void {
    this.#present.set(this.dynamics.q);
    this.#present.set(this.dynamics.u, this.dynamics.q.length);
  }

  /** Whether something touches at the end of the step that had no active contact in it. */
  #endsInOverlap(): boolean {
    if (this.dynamics.endsInOverlap) return true;
    const probe = this.#probe;
    if (probe === null || probe.step(this.#endPoses()) !== 'ok') return false;
    const { count, values, first, second } = probe.manifolds;
    for (let c = 0; c < count; c++)
      if (values[CONTACT_SIZE * c] < 0 && !this.#touched(first[c], second[c])) return true;
    return false;
  }

  /** Whether two shapes had an active contact in the last step. */
  #touched(one: number, other: number): boolean {
    const { active, activeCount } = this.dynamics;
    const { first, second } = this.detection.manifolds;
    for (let row = 0; row < activeCount; row++)
      if (first[active[row]] === one && second[active[row]] === other) return true;
    return false;
  }

  /** As the detection numbers them, now. */
  #endPoses(): Float64Array {
    const { motions } = this.space;
    const { q, clock } = this.dynamics;
    this.#poses.set(q);
    for (let k = 0; k < motions.length; k++) motions[k].pose(clock, this.#poses, q.length + POSITIONS * k);
    return this.#poses;
  }
}
