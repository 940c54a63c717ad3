/**
 * What moves positions at the end of a step: overlaps that are taken out, and the projection onto joints,
 * between their stops.
 */
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { FrictionSolver } from '../../solvers/friction/solver';
import { createSolver } from '../../solvers/registry';
import { PositionProjection } from '../../spatial/projection';
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
import type { StepScheme } from '../schemes/scheme';
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
  /** R, 3 by row of contacts, and e (U⁻ + b) */
  readonly impulses: Float64Array;
  readonly former: Float64Array;
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
    readonly contacts: ContactGaps | null,
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

  /** Moves q, where the step would lead without contacts: between stops, wherever bodies rest. */
  foresee(q: Float64Array): SpatialStatus {
    this.#projection.bounds.fill(0);
    this.#projection.holds.fill(0);
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
