/** The kinds of views, in the order in which they are offered. */
import type { ViewDocument } from '@engine/document/types';
import { animation } from './animation/offer';
import { attractor } from './attractor/offer';
import { basins } from './basins/offer';
import { bifurcation } from './bifurcation/offer';
import { certificate } from './certificate/offer';
import { energyLedger } from './energy-ledger/offer';
import { heatMap } from './heat-map/offer';
import { indexSets } from './index-sets/offer';
import { matrix } from './matrix/offer';
import { phasePortrait } from './phase-portrait/offer';
import { returnMap } from './return-map/offer';
import { section } from './section/offer';
import { spectrum } from './spectrum/offer';
import { table } from './table/offer';
import { timeSeries } from './time-series/offer';
import type { ViewKind } from './shared/offer';

export const viewKinds: readonly ViewKind[] = [
  timeSeries,
  phasePortrait,
  section,
  returnMap,
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
