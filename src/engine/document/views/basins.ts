/** Which attractor each start of a plane comes to. */
import { z } from 'zod';
import { head, type ViewHead } from './common';

export interface BasinsView extends ViewHead<'basins'> {
  /** id of an analysis of the document; empty: the first one of its kind */
  analysis: string;
}

export const basins = z.strictObject({
  ...head('basins'),
  analysis: z.string().max(64).describe('Id of an analysis of basins; the first one when empty.'),
});
