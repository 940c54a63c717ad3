/** Where the energy of a run goes: what there is, what contacts and friction take, what forces supply. */
import type { LossesResult, ReadResult } from '@contract/methods';
import type { EnergyLedgerView, PlotAxis, SignalInfo } from '@engine/document/types';
import type { DisplayUnits } from '@figures/display-units';
import { factorsOf, scaledEnds, shownInfos, shownResult } from '@figures/shown-units';
import { axisGroups, dataRanges } from '@figures/vertical-axes';
import { spanOf, type TimeChart, timeAxis } from '../shared/chart';
import { timeSeriesMargins, timeSeriesOption } from '../time-series/drawing';
import { ledgerCurves } from './drawing';
import { ledgerWords } from './words';

/** Curves in the units that are shown. */
export interface ShownLedger {
  readonly names: string[];
  readonly infos: SignalInfo[];
  readonly current: ReadResult | null;
}

export function shownLedger(found: LossesResult | null, units: DisplayUnits): ShownLedger {
  if (found === null) return { names: [], infos: [], current: null };
  const { infos, current } = ledgerCurves(found, ledgerWords);
  return {
    names: infos.map(({ name }) => name),
    infos: shownInfos(infos, units.of),
    current: shownResult(current, factorsOf(infos, units.of), units.of('s').factor),
  };
}

/** The axis of energies, with the ends that the view gives. */
const axesOf = ({ yRange }: EnergyLedgerView, units: DisplayUnits): PlotAxis[] | undefined =>
  yRange === undefined ? undefined : [scaledEnds(yRange, units.of('J').factor)];

export const energyLedger: TimeChart<EnergyLedgerView, LossesResult> = {
  margins: () => timeSeriesMargins(1),
  ask: ({ interactions: constraints }, question, dispatcher) =>
    dispatcher.dispatch('run.losses', {
      runId: question.run.runId,
      buckets: question.buckets,
      ...spanOf(question),
      ...(constraints === undefined ? {} : { constraints }),
    }),
  draw: (view, answers, look) => {
    const { names, infos, current } = shownLedger(answers.current, look.units);
    const recorded = { from: answers.current?.recordedFrom ?? 0, to: answers.current?.recordedTo ?? 1 };
    const { timeFactor: _, ...across } = timeAxis(look, recorded);
    return timeSeriesOption({
      signals: names,
      infos,
      current,
      compared: [],
      ...across,
      y: look.y === null ? [] : [look.y],
      axes: axesOf(view, look.units),
      theme: look.theme,
      width: look.width,
      height: look.height,
      legend: look.isFile ? 'above' : 'none',
      eventDriven: new Set(look.run?.scheme === 'event-driven' ? [look.run.runId] : []),
    });
  },
  wholeY: (view, found, { units }) => {
    const { names, infos, current } = shownLedger(found, units);
    if (current === null) return null;
    return dataRanges(axisGroups(names, infos, axesOf(view, units)), [current])[0] ?? null;
  },
  curves: (_, found) =>
    ledgerCurves(found, ledgerWords).current.signals.map(({ name, t, y }) => ({
      name,
      runId: found.runId,
      x: t,
      y,
    })),
};
