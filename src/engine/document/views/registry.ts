/**
 * The kinds of views of a dashboard. A view says what is shown and how; physics never reads it. Signals stand
 * under the keys `x`, `y`, `z` and `signals` in every kind, so that renaming an element reaches them all.
 */
import { z } from 'zod';
import { animation, type AnimationView } from './animation';
import { attractor, type AttractorView } from './attractor';
import { basins, type BasinsView } from './basins';
import { bifurcation, type BifurcationView } from './bifurcation';
import { certificate, type CertificateView } from './certificate';
import { energyLedger, type EnergyLedgerView, indexSets, type IndexSetsView } from './constraints';
import { heatMap, type HeatMapView } from './heat-map';
import { matrix, type MatrixView } from './matrix';
import { phasePortrait, type PhasePortraitView } from './phase-portrait';
import { section, type SectionView } from './section';
import { spectrum, type SpectrumView } from './spectrum';
import { table, type TableView } from './table';
import { timeSeries, type TimeSeriesView } from './time-series';

export type ViewDocument =
  | TimeSeriesView
  | PhasePortraitView
  | SectionView
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
