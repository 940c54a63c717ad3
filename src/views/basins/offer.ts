import type { BasinsView } from '@engine/document/types';
import { Grid3x3 } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

export const basins: ViewKind<BasinsView> = {
  type: 'basins',
  title: 'plot.basins',
  icon: Grid3x3,
  share: 1.4,
  needs: { analysis: 'text' },
  create: (id, { document }) => ({
    type: 'basins',
    id,
    analysis: document.analyses?.find(({ type }) => type === 'basins')?.id ?? '',
  }),
};
