/**
 * Views as charts without a window: each kind reads what it needs of a run and builds the same chart that the
 * window draws. A new kind is one line here.
 */
import { MoreauError } from '@contract/errors';
import type { PortraitResult, ReadResult, RunInfo } from '@contract/methods';
import type {
  AttractorView,
  CertificateView,
  EnergyLedgerView,
  IndexSetsView,
  MatrixView,
  PhasePortraitView,
  SectionView,
  SignalInfo,
  SpectrumView,
  TimeSeriesView,
  ViewDocument,
} from '@engine/document/types';
import { attractorOption, START_CAMERA } from '@views/attractor/drawing';
import { axisName } from '@figures/axes';
import { textsOfPlane } from '@figures/annotations';
import { certificateOption, type ResidualKind } from '@views/certificate/drawing';
import { densityPixels } from '@figures/density';
import type { DisplayUnits } from '@figures/display-units';
import { densityRamp, type PlotTheme } from '@figures/palette';
import { ledgerCurves, type LedgerWords } from '@views/energy-ledger/drawing';
import { matrixOption } from '@views/matrix/drawing';
import { PORTRAIT_MARGINS, portraitOption } from '@views/phase-portrait/drawing';
import { SECTION_MARGINS, sectionOption, type SectionSet } from '@views/section/drawing';
import { runWords, type RunWords } from '@figures/run-legend';
import {
  factorsOf,
  scaledEnds,
  scaledRange,
  shownAnnotations,
  shownAxes,
  shownInfos,
  shownPlane,
  shownPortrait,
  shownResult,
  shownSection,
  type ShownUnit,
} from '@figures/shown-units';
import { shownFrequencies, shownSpectrum, spectrumFactor, spectrumOption } from '@views/spectrum/drawing';
import { type BandWords, shownErrorBand } from '@figures/error-band';
import { timeSeriesOption } from '@views/time-series/drawing';
import { timelineOption } from '@views/index-sets/drawing';
import { axisGroups } from '@figures/vertical-axes';
import { schemeDefinitions } from '@engine/model/settings/schemes';
import type { EChartsOption } from 'echarts';
import { basins, bifurcation, heatMap } from './analysis-charts';
import type { Draw, FigureSources } from './figure-sources';
import { pngDataUrl } from './png-pixels';

/** Points of a curve: more than a printer shows in a column of the page. */
const BUCKETS = 2000;
/** More points become a picture of their density. */
const MOST_POINTS = 100_000;
const MOST_SECTION_POINTS = 20_000;
/** Cells of such a picture for each px: a printed page is finer than a screen. */
const FINENESS = 3;

const unitOf = (signals: readonly SignalInfo[], name: string): string =>
  signals.find((signal) => signal.name === name)?.unit ?? '';

/** How values of a signal are shown. */
const shownOf = ({ signals }: RunInfo, name: string, units: DisplayUnits): ShownUnit =>
  units.of(unitOf(signals, name));

const axisOf = (name: string, { unit }: ShownUnit): string => axisName([name], [unit]);

/** Visible part of an axis of time, as it is drawn. */
const timeAxis = (from: number, to: number, units: DisplayUnits) => {
  const { unit: timeUnit, factor: timeFactor } = units.of('s');
  return { x: scaledRange({ min: from, max: to }, timeFactor), timeUnit, timeFactor };
};

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

/** What bands of errors are called. */
const BAND_WORDS: BandWords = {
  error: '± error',
  noDigits: (time) => `no digits after t = ${time}`,
};

const timeSeries: Draw<TimeSeriesView> = async (
  view,
  { dispatcher, run, compared, units, from, to, ...look },
) => {
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
  const signals = knownOf(run);
  const factors = factorsOf(run.signals, units.of);
  const { timeFactor, ...across } = timeAxis(from ?? current.recordedFrom, to ?? current.recordedTo, units);
  const seen = (result: ReadResult): ReadResult => shownResult(result, factors, timeFactor);
  const infos = shownInfos(run.signals, units.of);
  const axes = shownAxes(view.axes, run.signals, signals, factors);
  const [firstAxis] = axisGroups(signals, infos, axes);
  const band =
    view.hasErrorBand === true && run.accuracy?.state === 'measured'
      ? shownErrorBand(run.accuracy.accuracy, factors, timeFactor, BAND_WORDS)
      : null;
  return timeSeriesOption({
    signals,
    infos,
    current: seen(current),
    compared: (await Promise.all(behind.map(read))).map(seen),
    runs: wordsFor(run, behind),
    ...across,
    y: [],
    ...look,
    legend:
      view.legend ?? (view.signals.length > 1 || compared.length > 0 || band !== null ? 'above' : 'none'),
    band,
    axes,
    styles: view.styles,
    annotations: shownAnnotations(
      view.annotations,
      timeFactor,
      factors.get(firstAxis?.signals[0] ?? '') ?? 1,
    ),
    eventDriven: new Set(all.filter(({ scheme }) => scheme === 'event-driven').map(({ runId }) => runId)),
  });
};

const phasePortrait: Draw<PhasePortraitView> = async (
  view,
  { dispatcher, run, compared, units, from, to, ...look },
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
  const [across, upwards] = [shownOf(run, view.x, units), shownOf(run, view.y, units)];
  const seen = (result: PortraitResult): PortraitResult =>
    shownPortrait(result, across.factor, upwards.factor);
  const current = await read(run);
  const behind = having(compared, [view.x, view.y]);
  const pictured = await Promise.all(
    behind.map(async (one, k) => {
      const result = await read(one);
      return {
        result: seen(result),
        image: result.kind === 'density' ? pictureOf(result, look.theme, k) : null,
      };
    }),
  );
  return portraitOption({
    xName: axisOf(view.x, across),
    yName: axisOf(view.y, upwards),
    current: seen(current),
    compared: pictured,
    runs: wordsFor(run, behind),
    x: null,
    y: null,
    ...look,
    image: current.kind === 'density' ? pictureOf(current, look.theme, null) : null,
    reach: 0,
    options: shownPlane(view, across.factor, upwards.factor),
    texts: textsOfPlane(view.annotations, { x: across.factor, y: upwards.factor }),
  });
};

/** Id of the section that a view shows of a run: the first one where it names none. */
const sectionOf = ({ sections }: RunInfo, view: SectionView): string =>
  view.section || (sections[0]?.id ?? '');

const section: Draw<SectionView> = async (
  view,
  { dispatcher, run, compared, units, from: _from, to: _to, ...look },
) => {
  const [across, upwards] = [shownOf(run, view.x, units), shownOf(run, view.y, units)];
  const width = cells(look.width - SECTION_MARGINS.left - SECTION_MARGINS.right);
  const height = cells(look.height - SECTION_MARGINS.top - SECTION_MARGINS.bottom);
  const read = async ({ runId }: RunInfo, behind: number | null): Promise<SectionSet> => {
    const query = { runId, section: sectionOf(run, view), x: view.x, y: view.y };
    const result = await dispatcher.dispatch('run.section', {
      ...query,
      maxPoints: MOST_SECTION_POINTS,
      width,
      height,
    });
    return {
      result: shownSection(result, across.factor, upwards.factor),
      image: result.kind === 'density' ? pictureOf(result, look.theme, behind) : null,
    };
  };
  const behind = having(compared, [view.x, view.y]).filter(({ sections }) =>
    sections.some(({ id }) => id === sectionOf(run, view)),
  );
  return sectionOption({
    xName: axisOf(view.x, across),
    yName: axisOf(view.y, upwards),
    current: await read(run, null),
    compared: await Promise.all(behind.map(read)),
    runs: wordsFor(run, behind),
    x: null,
    y: null,
    ...look,
    options: shownPlane(view, across.factor, upwards.factor),
    texts: textsOfPlane(view.annotations, { x: across.factor, y: upwards.factor }),
  });
};

const spectrum: Draw<SpectrumView> = async (
  view,
  { dispatcher, run, units, from: _from, to: _to, compared: _, ...look },
) => {
  const { window = 'hann', quantity = 'amplitude', from, to } = view;
  const curves = [];
  for (const name of view.signals.filter((one) => run.signals.some((signal) => signal.name === one))) {
    const query = { runId: run.runId, signal: name, window, quantity, from, to, buckets: BUCKETS };
    const { spectrum: all } = await dispatcher.dispatch('run.spectrum', query);
    if (all === null) continue;
    const range = shownFrequencies([{ name, unit: '', lines: all }], view);
    const { spectrum: lines } = await dispatcher.dispatch('run.spectrum', { ...query, range });
    if (lines !== null) curves.push(shownSpectrum(name, lines, shownOf(run, name, units), quantity));
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
    factor: spectrumFactor(shownOf(run, curves[0]?.name ?? '', units), quantity),
    x: null,
    ...look,
    legend: curves.length > 1,
  });
};

/** Rows of a curve in space: more than a printer shows. */
const MOST_CURVE_POINTS = 200_000;

const attractor: Draw<AttractorView> = async (
  { x, y, z, azimuth, elevation, zoom, from: begin, to: end, byTime = false, ...look },
  { dispatcher, run, compared, units, from = begin, to = end, theme, width, height },
) => {
  const curves = [];
  for (const { runId } of [run, ...having(compared, [x, y, z])])
    curves.push(
      await dispatcher.dispatch('run.curve', { runId, x, y, z, from, to, maxPoints: MOST_CURVE_POINTS }),
    );
  const shown = [shownOf(run, x, units), shownOf(run, y, units), shownOf(run, z, units)] as const;
  return attractorOption({
    curves,
    names: [axisOf(x, shown[0]), axisOf(y, shown[1]), axisOf(z, shown[2])],
    factors: [shown[0].factor, shown[1].factor, shown[2].factor],
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
  { dispatcher, run, units, from, to, compared: _, ...look },
) => {
  const { runId } = run;
  const asked = { runId, buckets: BUCKETS, from, to, ...(constraints === undefined ? {} : { constraints }) };
  const { lanes, recordedFrom, recordedTo } = await dispatcher.dispatch('run.lanes', asked);
  return timelineOption({
    lanes,
    ...timeAxis(from ?? recordedFrom, to ?? recordedTo, units),
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
  { dispatcher, run, units, from, to, theme, width, height },
) => {
  const found = await dispatcher.dispatch('run.certificate', { runId: run.runId });
  return certificateOption({
    found,
    limit: Math.max(TOLERANCE, run.statistics.certificate.limit ?? 0),
    ...timeAxis(from ?? found.from, to ?? found.t.at(-1) ?? run.tEnd, units),
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
  { dispatcher, run, units, from, to, compared: _, ...look },
) => {
  const { runId } = run;
  const asked = { runId, buckets: BUCKETS, from, to, ...(constraints === undefined ? {} : { constraints }) };
  const found = await dispatcher.dispatch('run.losses', asked);
  const { infos, current } = ledgerCurves(found, LEDGER_WORDS);
  const { timeFactor, ...across } = timeAxis(from ?? current.recordedFrom, to ?? current.recordedTo, units);
  return timeSeriesOption({
    signals: infos.map(({ name }) => name),
    infos: shownInfos(infos, units.of),
    current: shownResult(current, factorsOf(infos, units.of), timeFactor),
    compared: [],
    ...across,
    y: [],
    ...(yRange === undefined ? {} : { axes: [scaledEnds(yRange, units.of('J').factor)] }),
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
