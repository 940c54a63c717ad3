import type { AnimationView } from '@engine/document/types';
import { Box } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

export const animation: ViewKind<AnimationView> = {
  type: 'animation',
  title: 'animation.title',
  icon: Box,
  // A picture of bodies needs more height than a curve, and has a bar of time below.
  share: 1.7,
  create: (id) => ({ type: 'animation', id }),
};
