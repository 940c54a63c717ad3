/** Views as charts without a window: each kind reads what it needs of a run and builds the same chart that the window draws. A new kind is one line here. */
import { MoreauError } from '@contract/errors';
import type { Dispatcher, RunInfo } from '@contract/methods';
import type {
  AnalysisDocument,
  AttractorView,
  BasinsView,
  BifurcationView,
  CertificateView,
  EnergyLedgerView,
  HeatMapView,
  IndexSetsView,
  MatrixView,
  PhasePortraitView,
  SectionView,
  SignalInfo,
  SpectrumView,
  TimeSeriesView,
  ViewDocument,
} from '@engine/document/types';
import { attractorOption, START_CAMERA } from '@figures/attractor';
import { basinPixels, basinsOption } from '@figures/basins';
import { diagramOption, type DiagramPart, type DiagramWords, isDiagramPart } from '@figures/bifurcation';
import { axisName } from '@figures/axes';
import { textsOfPlane } from '@figures/annotations';
import { barPixels } from '@figures/heat-colours';
import { asksForPlane, heatMapOf, heatMapOption, heatPixels, isPlaneSweep } from '@figures/heat-map';
import { certificateOption, type ResidualKind } from '@figures/certificate';
import { densityPixels, type Pixels } from '@figures/density';
import { densityRamp, type PlotTheme } from '@figures/palette';
import { ledgerCurves, type LedgerWords } from '@figures/ledger';
import { matrixOption } from '@figures/matrix';
import { PORTRAIT_MARGINS, portraitOption } from '@figures/phase-portrait';
import { SECTION_MARGINS, sectionOption, type SectionSet } from '@figures/section';
import { runWords, type RunWords } from '@figures/run-legend';
import { shownFrequencies, spectrumOption } from '@figures/spectrum';
import { timeSeriesOption } from '@figures/time-series';
import { timelineOption } from '@figures/timeline';
import { plural } from '@engine/plural';
import { schemeDefinitions } from '@engine/model/settings-schemes';
import type { EChartsOption } from 'echarts';
import { type ComputedAnalysis, computedAnalysis } from '../../analysis/computed-analysis';
import { pngDataUrl } from './png-pixels';

/** What figures are drawn of. */
export interface FigureSources {
  readonly dispatcher: Dispatcher;
  readonly run: RunInfo;
  /** runs that are drawn behind it, dashed */
  readonly compared: readonly RunInfo[];
  readonly theme: PlotTheme;
  /** of the chart, px */
  readonly width: number;
  readonly height: number;
  /** visible span of time, s; all where it is left out */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** moment that animations show, s; the end of what is visible where it is left out */
  readonly time?: number | undefined;
}

type Draw<V extends ViewDocument> = (view: V, sources: FigureSources) => Promise<EChartsOption>;

/** Points of a curve: more than a printer shows in a column of the page. */
const BUCKETS = 2000;
/** More points become a picture of their density. */
const MOST_POINTS = 100_000;
const MOST_SECTION_POINTS = 20_000;
/** Cells of such a picture for each px: a printed page is finer than a screen. */
const FINENESS = 3;

/** Figures are drawn in the units of the model. */
const PLAIN = { x: 1, y: 1 };

const unitOf = (signals: readonly SignalInfo[], name: string): string =>
  signals.find((signal) => signal.name === name)?.unit ?? '';

const axisOf = ({ signals }: RunInfo, name: string): string => axisName([name], [unitOf(signals, name)]);

const cells = (pixels: number): number => Math.max(16, Math.min(2048, Math.round(FINENESS * pixels)));

/** What runs are called where several are drawn; the titles of schemes are those of the window. */
const wordsFor = (run: RunInfo, compared: readonly RunInfo[]): RunWords =>
  runWords(
    [run, ...compared],
    (scheme) => schemeDefinitions.find(({ type }) => type === scheme)?.title ?? scheme,
  );

/** The runs that have recorded these signals: one of another model may not. */
const having = (compared: readonly RunInfo[], names: readonly string[]): RunInfo[] =>
  compared.filter(({ signals }) => names.every((name) => signals.some((signal) => signal.name === name)));

const timeSeries: Draw<TimeSeriesView> = async (view, { dispatcher, run, compared, from, to, ...look }) => {
  const knownOf = ({ signals }: RunInfo) =>
    view.signals.filter((name) => signals.some((signal) => signal.name === name));
  if (knownOf(run).length === 0)
    throw new MoreauError({
      code: 'no-signals',
      message: `The run has none of the signals that the view “${view.title ?? view.id}” draws.`,
      where: view.id,
      remedy: 'Choose signals of the model for it.',
    });
  const read = async (one: RunInfo) => {
    const { runId } = one;
    return dispatcher.dispatch('run.read', { runId, signals: knownOf(one), buckets: BUCKETS, from, to });
  };
  const current = await read(run);
  // A run by another scheme may have other signals.
  const behind = compared.filter((one) => knownOf(one).length > 0);
  const all = [run, ...behind];
  return timeSeriesOption({
    signals: knownOf(run),
    infos: run.signals,
    current,
    compared: await Promise.all(behind.map(read)),
    runs: wordsFor(run, behind),
    x: { min: from ?? current.recordedFrom, max: to ?? current.recordedTo },
    y: [],
    ...look,
    legend: view.legend ?? (view.signals.length > 1 || compared.length > 0 ? 'above' : 'none'),
    axes: view.axes,
    styles: view.styles,
    annotations: view.annotations,
    eventDriven: new Set(all.filter(({ scheme }) => scheme === 'event-driven').map(({ runId }) => runId)),
  });
};

const phasePortrait: Draw<PhasePortraitView> = async (
  view,
  { dispatcher, run, compared, from, to, ...look },
) => {
  const width = cells(look.width - PORTRAIT_MARGINS.left - PORTRAIT_MARGINS.right);
  const height = cells(look.height - PORTRAIT_MARGINS.top - PORTRAIT_MARGINS.bottom);
  const read = ({ runId }: RunInfo) => {
    const { x, y } = view;
    return dispatcher.dispatch('run.portrait', {
      runId,
      x,
      y,
      from,
      to,
      maxPoints: MOST_POINTS,
      width,
      height,
    });
  };
  const current = await read(run);
  const behind = having(compared, [view.x, view.y]);
  const pictured = await Promise.all(
    behind.map(async (one, k) => {
      const result = await read(one);
      return { result, image: result.kind === 'density' ? pictureOf(result, look.theme, k) : null };
    }),
  );
  return portraitOption({
    xName: axisOf(run, view.x),
    yName: axisOf(run, view.y),
    current,
    compared: pictured,
    runs: wordsFor(run, behind),
    x: null,
    y: null,
    ...look,
    image: current.kind === 'density' ? pictureOf(current, look.theme, null) : null,
    reach: 0,
    options: view,
    texts: textsOfPlane(view.annotations, PLAIN),
  });
};

const section: Draw<SectionView> = async (
  view,
  { dispatcher, run, compared, from: _from, to: _to, ...look },
) => {
  const width = cells(look.width - SECTION_MARGINS.left - SECTION_MARGINS.right);
  const height = cells(look.height - SECTION_MARGINS.top - SECTION_MARGINS.bottom);
  const read = async ({ runId }: RunInfo, behind: number | null): Promise<SectionSet> => {
    const query = { runId, section: view.section, x: view.x, y: view.y };
    const result = await dispatcher.dispatch('run.section', {
      ...query,
      maxPoints: MOST_SECTION_POINTS,
      width,
      height,
    });
    return { result, image: result.kind === 'density' ? pictureOf(result, look.theme, behind) : null };
  };
  const behind = having(compared, [view.x, view.y]).filter(({ sections }) =>
    sections.some(({ id }) => id === view.section),
  );
  return sectionOption({
    xName: axisOf(run, view.x),
    yName: axisOf(run, view.y),
    current: await read(run, null),
    compared: await Promise.all(behind.map(read)),
    runs: wordsFor(run, behind),
    x: null,
    y: null,
    ...look,
    options: view,
    texts: textsOfPlane(view.annotations, PLAIN),
  });
};

const spectrum: Draw<SpectrumView> = async (
  view,
  { dispatcher, run, from: _from, to: _to, compared: _, ...look },
) => {
  const { window = 'hann', quantity = 'amplitude', from, to } = view;
  const curves = [];
  for (const name of view.signals.filter((one) => run.signals.some((signal) => signal.name === one))) {
    const query = { runId: run.runId, signal: name, window, quantity, from, to, buckets: BUCKETS };
    const { spectrum: all } = await dispatcher.dispatch('run.spectrum', query);
    if (all === null) continue;
    const range = shownFrequencies([{ name, unit: '', lines: all }], view);
    const { spectrum: lines } = await dispatcher.dispatch('run.spectrum', { ...query, range });
    if (lines !== null) curves.push({ name, unit: unitOf(run.signals, name), lines });
  }
  return spectrumOption({
    curves,
    quantity,
    isLinear: view.isLinear === true,
    isLogFrequency: view.isLogFrequency,
    xRange: view.xRange,
    yRange: view.yRange,
    size: view.size,
    annotations: view.annotations,
    x: null,
    ...look,
    legend: curves.length > 1,
  });
};

/** Rows of a curve in space: more than a printer shows. */
const MOST_CURVE_POINTS = 200_000;

const attractor: Draw<AttractorView> = async (
  { x, y, z, azimuth, elevation, zoom, from: begin, to: end, byTime = false, ...look },
  { dispatcher, run, compared, from = begin, to = end, theme, width, height },
) => {
  const curves = [];
  for (const { runId } of [run, ...having(compared, [x, y, z])])
    curves.push(
      await dispatcher.dispatch('run.curve', { runId, x, y, z, from, to, maxPoints: MOST_CURVE_POINTS }),
    );
  return attractorOption({
    curves,
    names: [axisOf(run, x), axisOf(run, y), axisOf(run, z)],
    factors: [1, 1, 1],
    camera: {
      azimuth: azimuth ?? START_CAMERA.azimuth,
      elevation: elevation ?? START_CAMERA.elevation,
      zoom: zoom ?? START_CAMERA.zoom,
    },
    byTime,
    look,
    theme,
    width,
    height,
  });
};

function pictureOf(
  { counts, width, height }: { counts: Uint32Array; width: number; height: number },
  theme: PlotTheme,
  behind: number | null,
): string {
  return pngDataUrl(densityPixels(counts, width, height, densityRamp(theme, behind)), width, height);
}

/** What stands in the legend of a diagram. */
const DIAGRAM_WORDS: DiagramWords = {
  up: 'upwards',
  down: 'downwards',
  initial: 'from the initial state',
  stable: 'stable orbits',
  unstable: 'unstable orbits',
  fold: 'fold',
  periodDoubling: 'period doubling',
  torus: 'torus',
  grazing: 'grazing',
};

/** Its analyses are computed of the model as the run has it. */
const bifurcation: Draw<BifurcationView> = async (view, { dispatcher, run, theme, width, height }) => {
  const { document } = await dispatcher.dispatch('run.document', { runId: run.runId });
  const parts: DiagramPart[] = [];
  for (const id of view.analyses) {
    const { outcome } = await computedAnalysis(dispatcher, document, id);
    if (outcome !== null && isDiagramPart(outcome)) parts.push(outcome);
  }
  return diagramOption({
    parts,
    y: view.y,
    x: null,
    yRange: null,
    options: view,
    theme,
    width,
    height,
    words: DIAGRAM_WORDS,
  });
};

/** The analysis that a view names, or the first one of its kind, as the window takes it; null of a model that has none. */
async function outcomeFor(
  { analysis }: { readonly analysis: string },
  fits: (one: AnalysisDocument) => boolean,
  { dispatcher, run }: FigureSources,
): Promise<ComputedAnalysis['outcome']> {
  const { document } = await dispatcher.dispatch('run.document', { runId: run.runId });
  const offered = (document.analyses ?? []).filter(fits);
  const chosen = offered.find(({ id }) => id === analysis) ?? offered[0];
  return chosen === undefined ? null : (await computedAnalysis(dispatcher, document, chosen.id)).outcome;
}

const pngOf = ({ data, width, height }: Pixels): string => pngDataUrl(data, width, height);

const eventWords = (events: number | null): string =>
  events === null ? 'accumulating impacts' : plural(events, 'event');

const basins: Draw<BasinsView> = async (view, sources) => {
  const { theme, width, height } = sources;
  const outcome = await outcomeFor(view, ({ type }) => type === 'basins', sources);
  const found = outcome?.kind === 'basins' ? outcome : null;
  const words = {
    attractor: (number: number) => `attractor ${number}`,
    kind: (cycle: number, events: number | null) => `${plural(cycle, 'period')}, ${eventWords(events)}`,
    limit: (limit: 'rest' | 'cycle', number: number | null, events: number | null) => {
      const what = limit === 'rest' ? 'rest' : 'limit cycle';
      if (number !== null) return `attractor ${number}, ${what}`;
      return limit === 'rest' ? what : `${what}, ${eventWords(events)}`;
    },
    undecided: 'undecided',
    notSimulated: 'not simulated',
  };
  const image = found === null ? null : pngOf(basinPixels(found, theme));
  return basinsOption({ found, image, x: null, y: null, options: view, theme, width, height, words });
};

const heatMap: Draw<HeatMapView> = async (view, sources) => {
  const { theme, width, height } = sources;
  const outcome = await outcomeFor(view, asksForPlane, sources);
  const part = outcome !== null && isPlaneSweep(outcome) ? outcome : null;
  const map = part === null ? null : heatMapOf(part, view.y, view.direction);
  const image = map === null ? null : pngOf(heatPixels(map, view));
  const bar = pngOf(barPixels(view));
  return heatMapOption({ map, image, bar, x: null, y: null, options: view, theme, width, height });
};

/** What stands in the legend of a timeline. */
const STATE_WORDS: Readonly<Record<string, string>> = {
  stick: 'sticking',
  slideForward: 'sliding forwards',
  slideBackward: 'sliding backwards',
  lower: 'at the lower bound',
  between: 'sliding mode',
  upper: 'at the upper bound',
};

const indexSets: Draw<IndexSetsView> = async (
  { interactions: constraints },
  { dispatcher, run, from, to, compared: _, ...look },
) => {
  const { runId } = run;
  const asked = { runId, buckets: BUCKETS, from, to, ...(constraints === undefined ? {} : { constraints }) };
  const { lanes, recordedFrom, recordedTo } = await dispatcher.dispatch('run.lanes', asked);
  return timelineOption({
    lanes,
    x: { min: from ?? recordedFrom, max: to ?? recordedTo },
    ...look,
    words: (state) => STATE_WORDS[state] ?? state.replace(/^piece/, 'piece '),
    legend: true,
  });
};

const RESIDUAL_WORDS: Readonly<Record<ResidualKind | 'limit', string>> = {
  dynamics: 'equations of motion',
  complementarity: 'laws',
  coneViolation: 'cones',
  energyDrift: 'energy balance',
  limit: 'limit',
};

/** Largest residual that counts as satisfied, where the solver was not asked for less. */
const TOLERANCE = 1e-8;

const certificate: Draw<CertificateView> = async (
  view,
  { dispatcher, run, from, to, theme, width, height },
) => {
  const found = await dispatcher.dispatch('run.certificate', { runId: run.runId });
  return certificateOption({
    found,
    limit: Math.max(TOLERANCE, run.statistics.certificate.limit ?? 0),
    x: { min: from ?? found.from, max: to ?? found.t.at(-1) ?? run.tEnd },
    y: null,
    options: view,
    theme,
    width,
    height,
    words: (kind) => RESIDUAL_WORDS[kind],
    legend: true,
  });
};

/** A step without rows is an empty picture. */
const matrix: Draw<MatrixView> = async ({ time, ...options }, { dispatcher, run, theme, width, height }) => {
  const at = time ?? run.statistics.simulatedTime;
  const { problem } = await dispatcher.dispatch('run.problem', { runId: run.runId, time: at });
  if (problem === null) return { backgroundColor: theme.background };
  return matrixOption({ problem, rows: null, columns: null, options, theme, width, height });
};

const LEDGER_WORDS: LedgerWords = {
  total: 'total',
  supplied: 'supplied by forces',
  others: 'taken by others',
  lost: (name, part, isAlone) =>
    `taken by ${name}${isAlone ? '' : part === 'normal' ? ', normal' : ', friction'}`,
};

const energyLedger: Draw<EnergyLedgerView> = async (
  { interactions: constraints, yRange },
  { dispatcher, run, from, to, compared: _, ...look },
) => {
  const { runId } = run;
  const asked = { runId, buckets: BUCKETS, from, to, ...(constraints === undefined ? {} : { constraints }) };
  const found = await dispatcher.dispatch('run.losses', asked);
  const { infos, current } = ledgerCurves(found, LEDGER_WORDS);
  return timeSeriesOption({
    signals: infos.map(({ name }) => name),
    infos,
    current,
    compared: [],
    x: { min: from ?? current.recordedFrom, max: to ?? current.recordedTo },
    y: [],
    ...(yRange === undefined ? {} : { axes: [yRange] }),
    ...look,
    legend: 'above',
    eventDriven: new Set(run.scheme === 'event-driven' ? [runId] : []),
  });
};

/** A view that is a chart; the others are drawn in files of their own. */
export type ChartView = Exclude<ViewDocument, { type: 'animation' | 'table' }>;

const draws: { readonly [K in ChartView['type']]: Draw<Extract<ViewDocument, { type: K }>> } = {
  'time-series': timeSeries,
  'phase-portrait': phasePortrait,
  section,
  spectrum,
  bifurcation,
  basins,
  'heat-map': heatMap,
  'index-sets': indexSets,
  'energy-ledger': energyLedger,
  certificate,
  attractor,
  matrix,
};

/** @throws {MoreauError} what reading the run says */
export function figureOption(view: ChartView, sources: FigureSources): Promise<EChartsOption> {
  return (draws[view.type] as Draw<ChartView>)(view, sources);
}
