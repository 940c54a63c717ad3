/**
 * Projection of positions and velocities together (Siconos developer's notes §10; Acary 2013): q⁺ is on the
 * joints, and u⁺ obeys them there,
 *
 *     h(q⁺) = 0,     G(q⁺) u⁺ = ω,     q⁺ = Π(q_* ⊕ u⁺),
 *
 * Π being the projection of positions and ⊕ what the scheme ends a step by. By direct projection alone G(q⁺)
 * u⁺ − ω is of the order h².
 *
 * Impulses of joints keep the directions of G(q_*): those at q⁺ would make smooth motion one of order 1. It
 * is the velocity they aim at that is found again, and the problem of the step, contacts included, is solved
 * again with it:
 *
 *     b ← b − (G(q⁺) u⁺ − ω),     b = ω + aim h γ at first.
 *
 * Since G(q⁺) = G(q_*) + O(h |u|), each repetition shortens the defect to that part of it. Stops are in the
 * projection of positions, and in velocities where their rows are: a velocity that leads into one is met by
 * its law in the next step. What takes out overlaps moves positions afterwards.
 *
 * Where contacts are projected, too (`TouchingContacts`), those take part that touch at q⁺: first those that
 * touch where the step would lead by loads and joints alone, then what is found besides at the q⁺ of the
 * solution with these, until there are no more. What has been added stays, so that it ends.
 */
import { Repetitions } from '../../linalg/repetitions';
import type { SpatialStatus } from '../../spatial/status';
import type { SpatialSystem } from '../../spatial/system';
import type { ContactList } from '../contacts/contact-list';
import type { BodyMobility } from '../mobility';
import type { Revision, StepScheme } from '../schemes/scheme';
import type { CorrectedStep, JointProjection } from './position-corrections';
import type { ContactDynamicsSettings } from '../settings';
import type { ContactGaps } from './contact-gaps';
import type { TouchingContacts } from './touching-contacts';

/** Three to six are usual. */
const MAX_ITERATIONS = 40;

export class CombinedProjection {
  /** q⁺ of the last repetition */
  readonly positions: Float64Array;
  readonly #repetitions: Repetitions;
  readonly #jacobian: Float64Array;
  /** G(q⁺) u⁺ − ω by row */
  readonly #defects: Float64Array;

  /**
   * @param projection null where nothing is projected
   * @param touch makes what finds contacts that touch, where they are projected
   * @returns null where velocities satisfy joints as the scheme says
   */
  static create(
    projection: JointProjection | null,
    mobility: BodyMobility,
    scheme: StepScheme,
    { combined, projection: limits }: ContactDynamicsSettings,
    touch: (gaps: ContactGaps) => TouchingContacts,
  ): CombinedProjection | null {
    if (combined !== true || projection === null) return null;
    const touching = projection.contacts === null ? null : touch(projection.contacts);
    if (mobility.rows === 0 && touching === null) return null;
    const { system } = mobility;
    return new CombinedProjection(system, mobility, scheme, projection, touching, limits?.maxIterations);
  }

  /** @param touching null where contacts are not projected */
  private constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly scheme: StepScheme,
    private readonly projection: JointProjection,
    private readonly touching: TouchingContacts | null,
    maxIterations = MAX_ITERATIONS,
  ) {
    this.#repetitions = new Repetitions(maxIterations);
    this.positions = new Float64Array(system.positions);
    this.#jacobian = new Float64Array(mobility.rows * system.velocities);
    this.#defects = new Float64Array(mobility.rows);
  }

  /** Whether contacts of the end of a step take part in it. */
  get findsContacts(): boolean {
    return this.touching !== null;
  }

  /** At the start of a step. */
  begin(): void {
    this.#repetitions.begin();
  }

  /**
   * Chooses the contacts that take part at first. @param middle q_* @param u without contacts
   * @param contacts of the step @param reach gap up to which they are known, m
   */
  choose(middle: Float64Array, u: Float64Array, contacts: ContactList, reach: number): SpatialStatus {
    if (this.touching === null) return 'ok';
    this.touching.begin(contacts, reach);
    const status = this.#lead(middle, u);
    if (status !== 'ok') return status;
    return this.touching.find() === 'lost' ? 'contactsLost' : 'ok';
  }

  /**
   * Compares G(q⁺) u⁺ with ω, and looks for contacts at q⁺. @param middle q_* @param step with u⁺
   * @param unbound u_p, whose speed is that of what impulses hold at rest
   * @returns `again` after the mobility has been given other velocities to aim at, or contacts take part
   */
  revise(middle: Float64Array, step: CorrectedStep, unbound: Float64Array): Revision {
    const { positions, touching } = this;
    const { u } = step;
    touching?.judgeClosed(step.impulses, step.former);
    positions.set(middle);
    let status = this.scheme.finish(positions, u);
    if (status !== 'ok') return status;
    touching?.expect();
    status = this.projection.project(positions, step);
    if (status !== 'ok') return status;
    const found = touching === null ? 'none' : touching.find();
    if (found === 'lost') return 'contactsLost';
    const defect = this.#measure(u, unbound);
    if (!Number.isFinite(defect)) return 'notFinite';
    const next = this.#repetitions.next(defect, found === 'new');
    if (next === 'done') return 'ok';
    if (next === 'exceeded') return 'velocitiesNotConverged';
    if (found === 'new') {
      touching?.take();
      this.scheme.reopen?.();
    }
    this.mobility.correct(this.#defects);
    return 'again';
  }

  /** q⁺ of velocities that no contact has changed. */
  #lead(middle: Float64Array, u: Float64Array): SpatialStatus {
    const { positions } = this;
    positions.set(middle);
    const status = this.scheme.finish(positions, u);
    this.touching?.expect();
    return status === 'ok' ? this.projection.foresee(positions) : status;
  }

  /** @returns the largest defect relative to the largest speed */
  #measure(u: Float64Array, unbound: Float64Array): number {
    const { equations, drives, driveSpeeds, velocities } = this.system;
    const jacobian = this.#jacobian;
    const defects = this.#defects;
    equations.jacobian(this.positions, jacobian, velocities, 'velocity');
    drives.jacobian(this.positions, jacobian, velocities, 'velocity', equations.count);
    let fastest = 0;
    for (let i = 0; i < u.length; i++) fastest = Math.max(fastest, Math.abs(u[i]), Math.abs(unbound[i]));
    for (let k = 0; k < driveSpeeds.length; k++) fastest = Math.max(fastest, Math.abs(driveSpeeds[k]));
    let worst = 0;
    for (let r = 0; r < defects.length; r++) {
      let sum = r < equations.count ? 0 : -driveSpeeds[r - equations.count];
      for (let c = 0; c < velocities; c++) sum += jacobian[r * velocities + c] * u[c];
      defects[r] = sum;
      worst = Math.max(worst, Math.abs(sum));
    }
    return worst === 0 ? 0 : worst / fastest;
  }
}
