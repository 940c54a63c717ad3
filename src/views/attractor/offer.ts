import type { AttractorView } from '@engine/document/types';
import { Rotate3d } from '@lucide/vue';
import { positionNames, signalNames } from '../shared/signal-choice';
import type { ViewKind } from '../shared/offer';

export const attractor: ViewKind<AttractorView> = {
  type: 'attractor',
  title: 'views.attractor.title',
  icon: Rotate3d,
  share: 1.4,
  needs: { x: 'text', y: 'text', z: 'text' },
  create(id, { signals }) {
    // Three states; of bodies, positions and then velocities.
    const worth = [
      ...signalNames(signals, 'state'),
      ...positionNames(signals),
      ...signalNames(signals, 'velocity'),
    ];
    const all = [...worth, ...signalNames(signals, 'observable', 'gap', 'time')];
    const [x = '', y = x, z = y] = all;
    return { type: 'attractor', id, x, y, z };
  },
};
