import { Repeat } from '@lucide/vue';
import type { ViewDocument } from '@engine/document/types';
import type { ViewKind } from '../shared/offer';
import { portraitAxes } from '../shared/signal-choice';

export const returnMap: ViewKind<Extract<ViewDocument, { type: 'return-map' }>> = {
  type: 'return-map',
  title: 'views.returnMap.title',
  icon: Repeat,
  share: 1.2,
  needs: { section: 'text', x: 'text' },
  create: (id, { document, signals }) => ({
    type: 'return-map',
    id,
    section: document.simulation.sections?.[0]?.id ?? '',
    x: (portraitAxes(signals)?.[0] ?? signals[0])?.name ?? '',
  }),
};
