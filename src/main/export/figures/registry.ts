/**
 * Views as charts without a window: what their charts ask is read of the run, and drawn as the window draws
 * it.
 */
import { schemeDefinitions } from '@engine/model/settings/schemes';
import type { AnalysisOutcome, RunInfo } from '@contract/methods';
import type { Margins } from '@figures/axes';
import { runWords, type RunWords } from '@figures/run-legend';
import { analysisCharts, type ChartView, isOfAnalyses, runCharts } from '@views/charts';
import type { AnalysisChart } from '@views/shared/analysis-chart';
import type { Chart, ChartLook, ChartQuestion } from '@views/shared/chart';
import type { PlaneUnits } from '@views/shared/plane-chart';
import type { EChartsOption } from 'echarts';
import { computedAnalysis } from '../../analysis/computed-analysis';
import type { FigureSources } from './figure-sources';
import { pngDataUrl } from './png-pixels';

/** Points of a curve: more than a printer shows in a column of the page. */
const BUCKETS = 2000;
/** Cells of a picture of a density for each px: a printed page is finer than a screen. */
const FINENESS = 3;

/** What runs are called where several are drawn; the titles of schemes are those of the window. */
const wordsFor = (run: RunInfo, compared: readonly RunInfo[]): RunWords =>
  runWords(
    [run, ...compared],
    (scheme) => schemeDefinitions.find(({ type }) => type === scheme)?.title ?? scheme,
  );

const picture: ChartLook['picture'] = (_source, _key, pixels) => {
  const { data, width, height } = pixels();
  return pngDataUrl(data, width, height);
};

async function ofRun(
  asked: ChartView,
  chart: Chart<ChartView, unknown>,
  sources: FigureSources,
): Promise<EChartsOption> {
  const { dispatcher, run, compared, units, theme, width, height, from, to } = sources;
  const view = chart.settle?.(asked, run) ?? asked;
  const { left, right, top, bottom }: Margins = chart.margins(view, null);
  const cells = { width: FINENESS * (width - left - right), height: FINENESS * (height - top - bottom) };
  const question: Omit<ChartQuestion, 'run'> = { from, to, buckets: BUCKETS, cells, isFile: true };
  const ask = (one: RunInfo): Promise<unknown> => chart.ask(view, { ...question, run: one }, dispatcher);
  const behind = compared.filter((one) => chart.compares?.(view, one) === true);
  const current = await ask(run);
  return chart.draw(
    view,
    { current, compared: await Promise.all(behind.map(ask)) },
    {
      ...{ units, theme, width, height, run, from, to, picture },
      compared,
      signals: run.signals,
      x: null,
      y: null,
      runs: wordsFor(run, behind),
      isFile: true,
    },
  );
}

/** The analyses are computed of the model as the run has it, if they are not known. */
async function ofAnalyses(
  view: ChartView,
  chart: AnalysisChart<ChartView, { readonly units: PlaneUnits }>,
  sources: FigureSources,
): Promise<EChartsOption> {
  const { dispatcher, run, units, theme, width, height } = sources;
  const { document } = await dispatcher.dispatch('run.document', { runId: run.runId });
  const outcomes: AnalysisOutcome[] = [];
  for (const id of chart.choose(view, document.analyses ?? [])) {
    const { outcome } = await computedAnalysis(dispatcher, document, id);
    if (outcome !== null) outcomes.push(outcome);
  }
  const shown = chart.shown(view, outcomes, units);
  return chart.draw(view, shown, { theme, width, height, x: null, y: null, picture });
}

/** @throws {MoreauError} what reading the run says */
export function figureOption(view: ChartView, sources: FigureSources): Promise<EChartsOption> {
  const { type } = view;
  return isOfAnalyses(type)
    ? ofAnalyses(view, analysisCharts[type], sources)
    : ofRun(view, runCharts[type], sources);
}
