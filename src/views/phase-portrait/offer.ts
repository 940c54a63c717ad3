import type { PhasePortraitView } from '@engine/document/types';
import { Orbit } from '@lucide/vue';
import { portraitAxes } from '../shared/signal-choice';
import type { ViewKind } from '../shared/offer';

export const phasePortrait: ViewKind<PhasePortraitView> = {
  type: 'phase-portrait',
  title: 'views.phasePortrait.title',
  icon: Orbit,
  share: 1,
  needs: { x: 'text', y: 'text' },
  create(id, { signals }) {
    const [first, second] = signals;
    const [x, y] = portraitAxes(signals) ?? [first, second ?? first];
    return { type: 'phase-portrait', id, x: x?.name ?? '', y: y?.name ?? '' };
  },
};
