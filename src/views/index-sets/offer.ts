import type { IndexSetsView } from '@engine/document/types';
import { ChartGantt } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

export const indexSets: ViewKind<IndexSetsView> = {
  type: 'index-sets',
  title: 'views.indexSets.title',
  icon: ChartGantt,
  share: 0.6,
  create: (id) => ({ type: 'index-sets', id }),
};
