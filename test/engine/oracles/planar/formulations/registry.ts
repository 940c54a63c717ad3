/** The formulations that there are, and what to know when choosing one. */
import type { ConstrainedSystem } from '@engine/multibody/constrained-system';
import { DEFAULT_PARTITION, type PartitionSettings } from '@engine/multibody/partition';
import type { Formulation } from './formulation';
import { FullState } from './full-state';
import { Partitioned } from './partitioned';

export type FormulationSettings =
  | { type: 'direct' }
  /** @property alpha,beta gains, 1/s */
  | { type: 'baumgarte'; alpha: number; beta: number }
  | { type: 'projection' }
  | ({ type: 'simplePartitioning' } & Partial<PartitionSettings>)
  | ({ type: 'fullPartitioning' } & Partial<PartitionSettings>);

export interface FormulationDefinition {
  type: FormulationSettings['type'];
  title: string;
  summary: string;
  source: string;
}

export const formulationDefinitions: readonly FormulationDefinition[] = [
  {
    type: 'direct',
    title: 'Direct integration',
    summary:
      'Integrates all coordinates; the constraints hold at the start and drift with the error of integration.',
    source: 'Haug 1989, ch. 7, direct integration',
  },
  {
    type: 'simplePartitioning',
    title: 'Simple partitioning',
    summary:
      'Solves for all accelerations, integrates the independent ones; the constraints hold to rounding, the choice changes as the mechanism moves.',
    source: 'Wehage and Haug 1982',
  },
  {
    type: 'fullPartitioning',
    title: 'Full partitioning',
    summary:
      'The same with equations of motion in the independent coordinates alone: smaller systems where there are few.',
    source: 'Wehage and Haug 1982; Haug 1989, ch. 7',
  },
  {
    type: 'baumgarte',
    title: 'Baumgarte stabilisation',
    summary:
      'Lets violations decay like e^(−αt). Gains well below 1/h: larger ones make the equations stiff, and there is no rule that always holds.',
    source: 'Baumgarte 1972; Haug 1989, ch. 7',
  },
  {
    type: 'projection',
    title: 'Projection',
    summary:
      'Integrates all coordinates and projects positions and velocities onto the constraints after each step.',
    source: 'Hairer and Wanner 1996 §VII.2',
  },
];

export function createFormulation(system: ConstrainedSystem, settings: FormulationSettings): Formulation {
  switch (settings.type) {
    case 'direct':
      return new FullState(system, {});
    case 'baumgarte':
      return new FullState(system, { stabilisation: { alpha: settings.alpha, beta: settings.beta } });
    case 'projection':
      return new FullState(system, { projects: true });
    case 'simplePartitioning':
      return new Partitioned(system, partitionSettings(settings), 'indexReduced');
    case 'fullPartitioning':
      return new Partitioned(system, partitionSettings(settings), 'reduced');
  }
}

const partitionSettings = ({ lastRow, policy, limit }: Partial<PartitionSettings>): PartitionSettings => ({
  lastRow: lastRow ?? DEFAULT_PARTITION.lastRow,
  policy: policy ?? DEFAULT_PARTITION.policy,
  limit: limit ?? DEFAULT_PARTITION.limit,
});
