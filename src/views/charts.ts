/**
 * Kinds of views that are charts: what each asks and draws, in the window and in files. One line for each
 * kind.
 */
import type { ViewDocument } from '@engine/document/types';
import { attractor } from './attractor/chart';
import { bifurcation } from './bifurcation/chart';
import { certificate } from './certificate/chart';
import { energyLedger } from './energy-ledger/chart';
import { heatMap } from './heat-map/chart';
import { indexSets } from './index-sets/chart';
import { matrix } from './matrix/chart';
import { phasePortrait } from './phase-portrait/chart';
import { returnMap } from './return-map/chart';
import { section } from './section/chart';
import { spectrum } from './spectrum/chart';
import { timeSeries } from './time-series/chart';
import { basinsChart } from './basins/chart';
import { basinWords } from './basins/words';
import type { AnalysisChart } from './shared/analysis-chart';
import type { Chart } from './shared/chart';
import type { PlaneUnits } from './shared/plane-chart';

type AnalysisType = 'bifurcation' | 'basins' | 'heat-map';
/** A view that is a chart; the others are drawn in files of their own. */
export type ChartView = Exclude<ViewDocument, { type: 'animation' | 'table' }>;

/** Of a run. */
export const runCharts: Readonly<
  Record<Exclude<ChartView['type'], AnalysisType>, Chart<ChartView, unknown>>
> = {
  'time-series': timeSeries,
  'phase-portrait': phasePortrait,
  section,
  'return-map': returnMap,
  spectrum,
  'index-sets': indexSets,
  'energy-ledger': energyLedger,
  certificate,
  attractor,
  matrix,
};

/** Of what analyses have found. */
export const analysisCharts: Readonly<
  Record<AnalysisType, AnalysisChart<ChartView, { readonly units: PlaneUnits }>>
> = {
  bifurcation,
  basins: basinsChart(() => basinWords),
  'heat-map': heatMap,
};

export const isOfAnalyses = (type: ChartView['type']): type is AnalysisType => type in analysisCharts;
