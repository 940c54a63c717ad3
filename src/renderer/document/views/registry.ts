/** The kinds of views, in the order in which they are offered. */
import type { ViewDocument } from '@engine/document/types';
import { animation } from './animation';
import { attractor } from './attractor';
import { basins } from './basins';
import { bifurcation } from './bifurcation';
import { certificate } from './certificate';
import { energyLedger } from './energy-ledger';
import { heatMap } from './heat-map';
import { indexSets } from './index-sets';
import { matrix } from './matrix';
import { phasePortrait } from './phase-portrait';
import { section } from './section';
import { spectrum } from './spectrum';
import { table } from './table';
import { timeSeries } from './time-series';
import type { ViewKind } from './view-kind';

export const viewKinds: readonly ViewKind[] = [
  timeSeries,
  phasePortrait,
  section,
  spectrum,
  table,
  animation,
  bifurcation,
  basins,
  heatMap,
  indexSets,
  energyLedger,
  certificate,
  attractor,
  matrix,
];

/** Undefined for a kind that only a later version knows, or that does not exist. */
export const viewKind = (type: ViewDocument['type']): ViewKind | undefined =>
  viewKinds.find((kind) => kind.type === type);
