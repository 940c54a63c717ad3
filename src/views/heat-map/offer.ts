import type { HeatMapView } from '@engine/document/types';
import { asksForPlane } from './drawing';
import { LayoutGrid } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

export const heatMap: ViewKind<HeatMapView> = {
  type: 'heat-map',
  title: 'views.heatMap.title',
  icon: LayoutGrid,
  share: 1.4,
  needs: { analysis: 'text', y: 'text' },
  create: (id, { document }) => ({
    type: 'heat-map',
    id,
    analysis: document.analyses?.find(asksForPlane)?.id ?? '',
    y: '',
  }),
};
