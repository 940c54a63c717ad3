/**
 * The kinds of views of a dashboard. A view says what is shown and how; physics never reads it. Signals stand
 * under the keys `x`, `y`, `z` and `signals` in every kind, so that renaming an element reaches them all.
 */
import { z } from 'zod';
import { animation, type AnimationView } from './animation/document';
import { attractor, type AttractorView } from './attractor/document';
import { basins, type BasinsView } from './basins/document';
import { bifurcation, type BifurcationView } from './bifurcation/document';
import { certificate, type CertificateView } from './certificate/document';
import { indexSets, type IndexSetsView } from './index-sets/document';
import { energyLedger, type EnergyLedgerView } from './energy-ledger/document';
import { heatMap, type HeatMapView } from './heat-map/document';
import { matrix, type MatrixView } from './matrix/document';
import { phasePortrait, type PhasePortraitView } from './phase-portrait/document';
import { returnMap, type ReturnMapView } from './return-map/document';
import { section, type SectionView } from './section/document';
import { spectrum, type SpectrumView } from './spectrum/document';
import { table, type TableView } from './table/document';
import { timeSeries, type TimeSeriesView } from './time-series/document';

export type ViewDocument =
  | TimeSeriesView
  | PhasePortraitView
  | SectionView
  | ReturnMapView
  | SpectrumView
  | TableView
  | AnimationView
  | BifurcationView
  | BasinsView
  | HeatMapView
  | IndexSetsView
  | EnergyLedgerView
  | CertificateView
  | AttractorView
  | MatrixView;

export const viewSchemas = [
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
] as const;

export const viewSchema = z.discriminatedUnion('type', [...viewSchemas]);

/** Keys of all kinds in the order in which they are written. */
export const viewKeys: readonly string[] = [
  ...new Set(viewSchemas.flatMap(({ shape }) => Object.keys(shape))),
];
