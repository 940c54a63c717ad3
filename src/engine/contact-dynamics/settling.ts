/** Which rows of a solved step hold bodies at rest (`rest.ts`), and what they lose by that. */
import type { FrictionContactProblem } from '../problems/friction-contact';
import type { ActiveFrames } from './contacts/active-frames';
import type { KinematicBodies } from './contacts/kinematic-bodies';
import type { ImpactPhase } from './impact-phase';
import type { JointRows } from './joint-rows';
import type { LawTerms } from './law-terms';
import type { BodyMobility } from './mobility';
import type { RestingGroups } from './rest';
import type { SpatialGalerkinSteps } from './schemes/galerkin-steps';
import type { StepAims } from './step-aims';

interface SettlingParts {
  readonly resting: RestingGroups;
  readonly active: ActiveFrames;
  readonly aims: StepAims;
  readonly mobility: BodyMobility;
  readonly jointRows: JointRows;
  readonly impacts: ImpactPhase | null;
  readonly terms: LawTerms | null;
  readonly kinematicBodies: KinematicBodies | null;
  readonly stages: SpatialGalerkinSteps | null;
}

export class Settling {
  constructor(private readonly parts: SettlingParts) {}

  /**
   * Velocities of what is held at rest.
   * @param former e U⁻ by row
   * @param noise what the solver leaves of velocities that should be zero, m/s
   * @param u velocities of all bodies @param free the same without contacts
   */
  settle(
    problem: FrictionContactProblem,
    former: Float64Array,
    noise: number,
    u: Float64Array,
    free: Float64Array,
  ): void {
    const { resting, active, aims, terms, impacts, kinematicBodies, jointRows: rows } = this.parts;
    const { count, contactCount, jointCount, jointRows, momentRowCount, momentRows } = active;
    resting.begin(count, noise);
    for (let row = 0; row < contactCount; row++)
      if (
        !aims.moves(row) &&
        terms?.isRigid(row) !== false &&
        impacts?.pushes(row) !== true &&
        kinematicBodies?.moves(row) !== true
      )
        resting.addContact(row, problem, former);
    for (let k = 0; k < jointCount; k++)
      if (rows.aims[jointRows[k]] === 0)
        resting.addJointRow(contactCount + k, problem, rows.list[jointRows[k]], former);
    for (let k = 0; k < momentRowCount; k++)
      if (kinematicBodies?.moves(contactCount + jointCount + k) !== true)
        resting.addMomentRow(contactCount + jointCount + k, problem, momentRows[k]);
    resting.settle(u, free);
  }

  /** See `RestingGroups.haveLost`. Of bodies without joints, in steps with one problem. */
  haveLost(problem: FrictionContactProblem, tolerance: number): boolean {
    const { mobility, impacts, terms, stages, resting } = this.parts;
    if (mobility.rows > 0 || impacts !== null || stages !== null || terms !== null) return false;
    return resting.haveLost(problem, tolerance);
  }
}
