/**
 * What moves positions at the end of a step: overlaps that are taken out, and the projection onto joints,
 * between their stops.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { FrictionSolver } from '../../solvers/friction/solver';
import { createSolver } from '../../solvers/registry';
import { PositionProjection, type ProjectedContacts } from '../../spatial/projection';
import type { SpatialStatus } from '../../spatial/status';
import type { SpatialSystem } from '../../spatial/system';
import type { ActiveFrames } from '../contacts/active-frames';
import type { ContactFrames } from '../contacts/contact-frames';
import type { ContactList } from '../contacts/contact-list';
import type { KinematicBodies } from '../contacts/kinematic-bodies';
import { ENERGY } from '../energy-terms';
import type { JointRows } from '../joint-rows';
import type { ContactLaw } from '../../model/contact-laws/contact-law';
import { ROUNDINGS } from '../rounding';
import type { BodyMobility } from '../mobility';
import type { Revision, StepScheme } from '../schemes/scheme';
import type { ContactDynamicsSettings } from '../settings';
import { ContactGaps, contactTolerance } from './contact-gaps';
import { OverlapRemoval } from './overlaps';

/** A step as far as its velocities are known; see `ContactDynamics`. */
export interface CorrectedStep {
  readonly clock: Float64Array;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly free: Float64Array;
  readonly before: Float64Array;
  readonly problem: FrictionContactProblem;
  readonly energy: Float64Array;
  /** [0] of the step, s */
  readonly length: Float64Array;
}

/**
 * Positions onto joints, and between stops as far as bodies do not rest on them (`JointRows.writeBounds`);
 * where it is asked for, onto contacts too (`contact-gaps.ts`).
 */
export class JointProjection {
  readonly #projection: PositionProjection;
  /**
   * whether bounds of stops have been found in this step: they stay where it is repeated, or it might go on
   * between two of them
   */
  #areBound = false;

  constructor(
    system: SpatialSystem,
    private readonly rows: JointRows,
    { metric = 'mass', projection = {} }: ContactDynamicsSettings,
    contacts: ProjectedContacts | null,
  ) {
    const norms = metric === 'euclidean' ? system.rigid.length : 0;
    const count = system.equations.count + system.limits.count + norms;
    this.#projection = new PositionProjection(
      system,
      { ...projection, metric },
      createSolver('auto', count),
      contacts,
    );
  }

  /** Moves q, which belongs to the velocities of the step. */
  project(q: Float64Array, { u, free, before, problem }: CorrectedStep): SpatialStatus {
    if (!this.#areBound) {
      const { measure, count } = problem;
      const noise = count > 0 ? Math.max(measure[0], ROUNDINGS) * measure[1] : 0;
      const { bounds, holds } = this.#projection;
      this.rows.writeBounds(q, u, free, before, noise, bounds, holds);
      this.#areBound = true;
    }
    return this.#projection.project(q);
  }

  /** At the end of a step. */
  end(): void {
    this.#areBound = false;
  }
}

/** @returns null where nothing is to be projected */
export function createProjection(
  system: SpatialSystem,
  rows: JointRows,
  settings: ContactDynamicsSettings,
  laws: readonly ContactLaw[],
  kinematicBodies: KinematicBodies | null,
): JointProjection | null {
  if (!settings.projects) return null;
  const { projectedContacts: found, projection } = settings;
  const contacts =
    found === undefined
      ? null
      : new ContactGaps(system, found.source, laws, kinematicBodies, contactTolerance(projection));
  const count = system.equations.count + system.limits.count;
  return count > 0 || contacts !== null ? new JointProjection(system, rows, settings, contacts) : null;
}

export class PositionCorrections {
  readonly #overlaps: OverlapRemoval | null;
  readonly #areRigid: boolean;

  /** @param margin up to which contacts are found, m */
  constructor(
    system: SpatialSystem,
    mobility: BodyMobility,
    frames: ContactFrames,
    private readonly active: ActiveFrames,
    laws: readonly ContactLaw[],
    solver: FrictionSolver,
    scheme: StepScheme,
    kinematicBodies: KinematicBodies | null,
    private readonly projection: JointProjection | null,
    { overlap }: ContactDynamicsSettings,
    margin: number,
  ) {
    this.#areRigid = laws.every(({ isRigid }) => isRigid);
    this.#overlaps =
      overlap === undefined
        ? null
        : new OverlapRemoval(
            system,
            mobility,
            frames,
            active,
            laws,
            solver,
            overlap,
            scheme,
            kinematicBodies,
            margin,
          );
  }

  /** Positions that are nearer to what joints and contacts ask for. @param step its energy is known */
  correct(step: CorrectedStep, contacts: ContactList): SpatialStatus {
    const { clock, q, u, before, problem, energy } = step;
    if (this.#overlaps !== null && this.active.contactCount > 0) {
      // What springs take they give back.
      const { contactNormal, contactTangent, contactMoments } = ENERGY;
      const friction = energy[contactTangent] + energy[contactMoments];
      const dissipated = -friction - (this.#areRigid ? energy[contactNormal] : 0);
      if (!this.#overlaps.remove(clock, q, u, before, step.length[0], contacts, problem, dissipated))
        return 'overlapUnsolved';
    }
    if (this.projection === null) return 'ok';
    const status = this.projection.project(q, step);
    this.projection.end();
    return status;
  }
}

/*
 * Projection onto joints of positions and velocities together (Siconos developer's notes §10): q⁺ is on the
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
 */

/** Part of the largest speed below which a defect is rounding. */
const HELD = 1e-14;
/** What a solver leaves may keep defects above that; then the one that is no longer halved ends it. */
const STAGNANT = 1e-9;
/** Three to six are usual. */
const MAX_ITERATIONS = 40;

export class CombinedProjection {
  /** q⁺ of the last repetition */
  readonly positions: Float64Array;
  /** repetitions in the last step */
  iterations = 0;
  /** [0] largest defect of the last repetition relative to the largest speed */
  readonly #last = new Float64Array(1);
  readonly #jacobian: Float64Array;
  /** G(q⁺) u⁺ − ω by row */
  readonly #defects: Float64Array;

  constructor(
    private readonly system: SpatialSystem,
    private readonly mobility: BodyMobility,
    private readonly scheme: StepScheme,
    private readonly projection: JointProjection,
  ) {
    this.positions = new Float64Array(system.positions);
    this.#jacobian = new Float64Array(mobility.rows * system.velocities);
    this.#defects = new Float64Array(mobility.rows);
  }

  /** At the start of a step. */
  begin(): void {
    this.iterations = 0;
    this.#last[0] = Number.POSITIVE_INFINITY;
  }

  /**
   * Compares G(q⁺) u⁺ with ω. @param middle q_* @param step with u⁺ @param unbound u_p, whose speed is that
   * of what impulses hold at rest
   * @returns `again` after the mobility has been given other velocities to aim at
   */
  revise(middle: Float64Array, step: CorrectedStep, unbound: Float64Array): Revision {
    const { positions } = this;
    const { u } = step;
    positions.set(middle);
    let status = this.scheme.finish(positions, u);
    if (status !== 'ok') return status;
    status = this.projection.project(positions, step);
    if (status !== 'ok') return status;
    const defect = this.#measure(u, unbound);
    if (!Number.isFinite(defect)) return 'notFinite';
    const [last] = this.#last;
    this.#last[0] = defect;
    if (defect <= HELD || (defect <= STAGNANT && defect > 0.5 * last)) return 'ok';
    if (++this.iterations >= MAX_ITERATIONS) return 'velocitiesNotConverged';
    this.mobility.correct(this.#defects);
    return 'again';
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
