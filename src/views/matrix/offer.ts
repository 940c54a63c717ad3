import type { MatrixView } from '@engine/document/types';
import { Grid3x3 } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

export const matrix: ViewKind<MatrixView> = {
  type: 'matrix',
  title: 'views.matrix.title',
  icon: Grid3x3,
  share: 1.2,
  create: (id) => ({ type: 'matrix', id }),
};
