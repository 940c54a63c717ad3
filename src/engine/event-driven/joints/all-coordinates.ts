/**
 * Formulations that integrate all coordinates, with the multipliers of the index-reduced equations: direct integration, Baumgarte's
 * stabilisation, which is in the rows (`relation-rows.ts`), and projection, which is the drift control.
 */
import type { OdeSystem } from '../../smooth/ode-system';
import type { MotionStatus } from '../../multibody/status';
import type { JointFormulation } from './formulation';

export class AllCoordinates implements JointFormulation {
  readonly partition = null;

  constructor(readonly system: OdeSystem) {}

  begin(): void {
    // Any state will do.
  }

  complete(): MotionStatus {
    return 'ok';
  }

  review(): boolean {
    return false;
  }

  isSingular(): boolean {
    return false;
  }
}
