/** What sweeps and branches of orbits have found, over a parameter. */
import { z } from 'zod';
import {
  type PlaneAnnotation,
  type PlaneEnds,
  type PlaneMarks,
  type ViewHead,
  elementId,
  head,
  planeAnnotations,
  planeEnds,
  planeMarks,
} from '../../engine/document/views/common';

/** Parts of a diagram that can be left out: points of directions of sweeps, kinds of orbits of branches. */
const DIAGRAM_PARTS = ['initial', 'up', 'down', 'stable', 'unstable', 'special'] as const;
export type DiagramPartName = (typeof DIAGRAM_PARTS)[number];

/** `size` is the diameter of the points of sweeps. */
export interface BifurcationView extends ViewHead<'bifurcation'>, PlaneEnds, PlaneMarks {
  /** ids of analyses of the document */
  analyses: string[];
  /** signal, state or measure on the vertical axis; empty: the first one */
  y: string;
  /** what is left out */
  hides?: DiagramPartName[];
  annotations?: PlaneAnnotation[];
}

export const bifurcation = z.strictObject({
  ...head<BifurcationView>('bifurcation'),
  analyses: z.array(elementId).describe('Ids of sweeps and branches of the document.'),
  y: z.string().describe('Signal, state or measure over the parameter; the first one when empty.'),
  hides: z.array(z.enum(DIAGRAM_PARTS)).optional().describe('Points and curves that are left out.'),
  ...planeEnds,
  ...planeMarks,
  annotations: planeAnnotations,
});
