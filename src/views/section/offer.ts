import type { SectionView } from '@engine/document/types';
import { ChartScatter } from '@lucide/vue';
import { portraitAxes } from '../shared/signal-choice';
import type { ViewKind } from '../shared/offer';

export const section: ViewKind<SectionView> = {
  type: 'section',
  title: 'plot.section',
  icon: ChartScatter,
  share: 1.2,
  needs: { section: 'text', x: 'text', y: 'text' },
  create(id, { document, signals }) {
    const [first, second] = signals;
    const [x, y] = portraitAxes(signals) ?? [first, second ?? first];
    // The first section that no other plot shows yet.
    const shown = document.views.map((view) => (view.type === 'section' ? view.section : ''));
    const sections = document.simulation.sections ?? [];
    const chosen = sections.find((one) => !shown.includes(one.id)) ?? sections[0];
    return { type: 'section', id, section: chosen?.id ?? '', x: x?.name ?? '', y: y?.name ?? '' };
  },
};
