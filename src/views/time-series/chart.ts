/** Signals of a run over time, with those of runs to compare behind. */
import { MoreauError } from '@contract/errors';
import type { ReadResult, RunInfo } from '@contract/methods';
import type { TimeSeriesView } from '@engine/document/types';
import { type BandWords, shownErrorBand } from '@figures/error-band';
import { factorsOf, shownAnnotations, shownAxes, shownInfos, shownResult } from '@figures/shown-units';
import { axisGroups } from '@figures/vertical-axes';
import { type Chart, spanOf, timeAxis } from '../shared/chart';
import { timeSeriesMargins, timeSeriesOption } from './drawing';

/** What bands of errors are called. */
const BAND_WORDS: BandWords = {
  error: '± error',
  noDigits: (time) => `no digits after t = ${time}`,
};

/** Signals of the view that a run has. */
const knownSignals = ({ signals }: TimeSeriesView, run: RunInfo): string[] =>
  signals.filter((name) => run.signals.some((signal) => signal.name === name));

export const timeSeries: Chart<TimeSeriesView, ReadResult> = {
  // A run by another scheme may have other signals.
  compares: (view, run) => knownSignals(view, run).length > 0,
  margins: () => timeSeriesMargins(1),
  ask: (view, question, dispatcher) => {
    const signals = knownSignals(view, question.run);
    if (signals.length === 0)
      throw new MoreauError({
        code: 'no-signals',
        message: `The run has none of the signals that the view “${view.title ?? view.id}” draws.`,
        where: view.id,
        remedy: 'Choose signals of the model for it.',
      });
    const { run, buckets } = question;
    return dispatcher.dispatch('run.read', { runId: run.runId, signals, buckets, ...spanOf(question) });
  },
  draw: (view, { current, compared }, look) => {
    const { run, units } = look;
    const signals = run === null ? [] : knownSignals(view, run);
    const factors = factorsOf(look.signals, units.of);
    const recorded = { from: current?.recordedFrom ?? 0, to: current?.recordedTo ?? 1 };
    const { timeFactor, ...across } = timeAxis(look, recorded);
    const seen = (result: ReadResult): ReadResult => shownResult(result, factors, timeFactor);
    const infos = shownInfos(look.signals, units.of);
    const axes = shownAxes(view.axes, look.signals, signals, factors);
    const [firstAxis] = axisGroups(signals, infos, axes);
    const band =
      view.hasErrorBand === true && run?.accuracy?.state === 'measured'
        ? shownErrorBand(run.accuracy.accuracy, factors, timeFactor, BAND_WORDS)
        : null;
    const hasLegend = view.signals.length > 1 || look.compared.length > 0 || band !== null;
    return timeSeriesOption({
      signals,
      infos,
      current: current === null ? null : seen(current),
      compared: compared.map(seen),
      runs: look.runs,
      ...across,
      y: [],
      theme: look.theme,
      width: look.width,
      height: look.height,
      legend: view.legend ?? (hasLegend ? 'above' : 'none'),
      band,
      axes,
      styles: view.styles,
      annotations: shownAnnotations(
        view.annotations,
        timeFactor,
        factors.get(firstAxis?.signals[0] ?? '') ?? 1,
      ),
      eventDriven: new Set(
        look.compared
          .concat(run ?? [])
          .flatMap(({ runId, scheme }) => (scheme === 'event-driven' ? [runId] : [])),
      ),
    });
  },
};
