/** Points of a Poincaré section in the plane of two signals. */
import type { SectionResult } from '@contract/methods';
import type { SectionView } from '@engine/document/types';
import { shownSection } from '@figures/shown-units';
import { cellsOf, hasSignals } from '../shared/chart';
import { type PlaneChart, planeInput } from '../shared/plane-chart';
import { SECTION_MARGINS, sectionOption, sectionRanges } from './drawing';

/** More points than this come as a picture of their density: on the screen, and on a page. */
const MOST_POINTS = 50_000;
const MOST_PRINTED = 20_000;

export const section: PlaneChart<SectionView, SectionResult> = {
  settle: (view, { sections }) => ({ ...view, section: view.section || (sections[0]?.id ?? '') }),
  compares: ({ section: id, x, y }, run) =>
    hasSignals(run, [x, y]) && run.sections.some((one) => one.id === id),
  margins: () => SECTION_MARGINS,
  ask: ({ section: id, x, y }, question, dispatcher) =>
    dispatcher.dispatch('run.section', {
      runId: question.run.runId,
      section: id,
      x,
      y,
      view: question.part,
      maxPoints: question.isFile ? MOST_PRINTED : MOST_POINTS,
      ...cellsOf(question),
    }),
  ranges: sectionRanges,
  scaled: shownSection,
  draw: (view, answers, look) =>
    sectionOption({ ...planeInput(section, view, answers, look), mark: look.mark ?? null }),
};
