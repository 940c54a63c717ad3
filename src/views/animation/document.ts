/** The mechanism as it moves. */
import { z } from 'zod';
import { elementId, head, type ViewHead } from '../../engine/document/views/common';

/** What an animation draws beside the bodies. */
export type AnimationOverlay =
  'grid' | 'axes' | 'shadows' | 'frames' | 'joints' | 'contacts' | 'forces' | 'cones' | 'trails' | 'ids';

/** Where the camera of an animation stands and looks, m; with a followed body, relative to its place. */
export interface AnimationCamera {
  position: [number, number, number];
  target: [number, number, number];
}

export interface AnimationView extends ViewHead<'animation'> {
  /** absent: all bodies fit into the picture */
  camera?: AnimationCamera;
  /** id of the system that the camera moves with */
  follow?: string;
  /** absent: grid and axes */
  overlays?: AnimationOverlay[];
  /** length of the arrows of forces, relative to the automatic one; default 1 */
  forceScale?: number;
  /** simulated seconds in a second; default 1 */
  speed?: number;
  /** begins again at the end; default false */
  loop?: boolean;
}

/** x, y, z in metres */
const point = z.tuple([z.number(), z.number(), z.number()]);

export const animation = z.strictObject({
  ...head<AnimationView>('animation'),
  camera: z
    .strictObject({
      position: point.describe('Where it stands, m; with a followed body, relative to its place.'),
      target: point.describe('Where it looks, m; with a followed body, relative to its place.'),
    })
    .optional()
    .describe('From where it is seen; when absent all bodies fit into the picture.'),
  follow: elementId.optional().describe('Id of the system that the camera moves with.'),
  overlays: z
    .array(
      z.enum([
        'grid',
        'axes',
        'shadows',
        'frames',
        'joints',
        'contacts',
        'forces',
        'cones',
        'trails',
        'ids',
      ] satisfies AnimationOverlay[]),
    )
    .optional()
    .describe('What is drawn beside the bodies; grid and axes when absent.'),
  forceScale: z
    .number()
    .positive()
    .optional()
    .meta({ description: 'Length of the arrows of forces, relative to the automatic one.', default: 1 }),
  speed: z.number().positive().optional().meta({ description: 'Simulated seconds in a second.', default: 1 }),
  loop: z.boolean().optional().meta({ description: 'Whether it begins again at the end.', default: false }),
});
