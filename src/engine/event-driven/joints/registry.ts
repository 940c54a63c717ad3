/** The formulation that settings name. */
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { EventRecord } from '../event-record';
import type { RelationRows } from '../relation-rows';
import type { RowLaws } from '../row-laws';
import type { SmoothFlow } from '../smooth-flow';
import { AllCoordinates } from './all-coordinates';
import type { ConstraintSettings, JointFormulation } from './formulation';
import { JointSystem } from './joint-system';
import { Partitioned } from './partitioned';

/** What a formulation works with. */
export interface FormulationContext {
  readonly model: NonSmoothDynamicalSystem;
  readonly laws: RowLaws;
  readonly rows: RelationRows;
  readonly flow: SmoothFlow;
  /** δ of the differences for relations without exact curvature, s */
  readonly difference: number;
  /** y₀ of joints, by row; read where it stands */
  readonly targets: Float64Array;
  /** takes changes of the dependent coordinates */
  readonly events: EventRecord[];
}

/** Without joints there is nothing to formulate: each name then means the same. */
export function createFormulation(
  settings: ConstraintSettings,
  { model, laws, rows, flow, difference, targets, events }: FormulationContext,
): JointFormulation {
  if (!laws.kind.includes('joint')) return new AllCoordinates(flow);
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
