/** The formulation that settings name. */
import type { MotionStatus } from '../../multibody/constrained-system';
import { EngineError } from '../../errors';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { OdeSystem } from '../../smooth/ode-system';
import type { CompiledModel } from '../compiled-model';
import type { EventLog } from '../event-log';
import type { ConstraintSettings, JointFormulation } from './formulation';
import { JointSystem } from './joint-system';
import { Partitioned } from './partitioned';

/*
 * Formulations that integrate all coordinates, with the multipliers of the index-reduced equations: direct
 * integration, Baumgarte's stabilisation, which is in the rows (`relation-rows.ts`), and projection, which is
 * the drift control.
 */

class AllCoordinates implements JointFormulation {
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

/** What a formulation works with besides the model. */
export interface FormulationContext {
  /** δ of the differences for relations without exact curvature, s */
  readonly difference: number;
  /** y₀ of joints, by row; read where it stands */
  readonly targets: Float64Array;
  /** takes changes of the dependent coordinates */
  readonly events: Pick<EventLog, 'push'>;
}

/**
 * @throws {EngineError} where positions and velocities are not the same coordinates, of which some could
 *   depend on others
 */
function checkPartitioned({ systems }: NonSmoothDynamicalSystem): void {
  const turning = systems.find(({ form }) => form.order === 2 && form.kinematics !== undefined);
  if (turning === undefined) return;
  throw new EngineError({
    code: 'partitioning-in-space',
    where: turning.id,
    message: `Coordinates cannot be partitioned: the orientation of “${turning.id}” is a quaternion, whose numbers are no coordinates.`,
    remedy: 'Choose projection, which is the default, or stabilisation, for the constraints.',
  });
}

/** Without joints there is nothing to formulate: each name then means the same. */
export function createFormulation(
  settings: ConstraintSettings,
  { model, laws, rows, flow }: CompiledModel,
  { difference, targets, events }: FormulationContext,
): JointFormulation {
  if (!laws.kind.includes('joint')) return new AllCoordinates(flow);
  if (settings.type.endsWith('Partitioning')) checkPartitioned(model);
  switch (settings.type) {
    case 'Projection':
    case 'Direct':
      return new AllCoordinates(flow);
    case 'Baumgarte':
      rows.stabilise(settings.alpha, settings.beta, targets);
      return new AllCoordinates(flow);
    case 'SimplePartitioning':
    case 'FullPartitioning': {
      const lastRow = settings.pivoting === 'printed' ? 'asPrinted' : 'full';
      const isFull = settings.type === 'FullPartitioning';
      return new Partitioned(new JointSystem(model, difference), laws, flow, { lastRow, isFull, events });
    }
  }
}
