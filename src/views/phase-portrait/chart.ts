/** One signal of a run against another. */
import type { PortraitResult } from '@contract/methods';
import type { PhasePortraitView } from '@engine/document/types';
import { shownPortrait } from '@figures/shown-units';
import { cellsOf, hasSignals, spanOf } from '../shared/chart';
import { type PlaneChart, planeInput } from '../shared/plane-chart';
import { PORTRAIT_MARGINS, portraitOption, portraitRanges, SCREEN_REACH } from './drawing';

/** More points than this come as a picture of their density. */
export const MOST_POINTS = 100_000;

export const phasePortrait: PlaneChart<PhasePortraitView, PortraitResult> = {
  compares: ({ x, y }, run) => hasSignals(run, [x, y]),
  margins: () => PORTRAIT_MARGINS,
  ask: ({ x, y }, question, dispatcher) =>
    dispatcher.dispatch('run.portrait', {
      runId: question.run.runId,
      x,
      y,
      ...spanOf(question),
      view: question.part,
      maxPoints: MOST_POINTS,
      ...cellsOf(question),
    }),
  ranges: portraitRanges,
  scaled: shownPortrait,
  draw: (view, answers, look) => {
    const { current, ...input } = planeInput(phasePortrait, view, answers, look);
    return portraitOption({
      ...input,
      current: current?.result ?? null,
      image: current?.image ?? null,
      reach: look.isFile ? 0 : SCREEN_REACH,
    });
  },
};
