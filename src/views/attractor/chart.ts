/** Three signals of a run against each other, in space. */
import type { SpaceCurve } from '@contract/methods';
import type { AttractorView } from '@engine/document/types';
import { axisOf, type Chart, hasSignals, shownOf, spanOf } from '../shared/chart';
import { attractorOption, START_CAMERA } from './drawing';

/** Rows of a curve: more than a printer shows. */
const MOST_POINTS = 200_000;

export const attractor: Chart<AttractorView, SpaceCurve> = {
  compares: ({ x, y, z }, run) => hasSignals(run, [x, y, z]),
  margins: () => ({ left: 0, right: 0, top: 0, bottom: 0 }),
  ask: ({ x, y, z, from, to }, question, dispatcher) => {
    const span = { from, to, ...spanOf(question) };
    const { runId } = question.run;
    return dispatcher.dispatch('run.curve', { runId, x, y, z, ...span, maxPoints: MOST_POINTS });
  },
  draw: (view, { current, compared }, look) => {
    const { x, y, z, azimuth, elevation, zoom, from: _begin, to: _end, byTime = false, ...marks } = view;
    const [along, across, upwards] = [shownOf(x, look), shownOf(y, look), shownOf(z, look)];
    return attractorOption({
      curves: [...(current === null ? [] : [current]), ...compared],
      names: [axisOf(x, along), axisOf(y, across), axisOf(z, upwards)],
      factors: [along.factor, across.factor, upwards.factor],
      camera: {
        azimuth: azimuth ?? START_CAMERA.azimuth,
        elevation: elevation ?? START_CAMERA.elevation,
        zoom: zoom ?? START_CAMERA.zoom,
      },
      byTime,
      look: marks,
      theme: look.theme,
      width: look.width,
      height: look.height,
    });
  },
};
