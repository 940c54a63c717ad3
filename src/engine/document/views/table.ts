/** Rows of a run, or points of one of its sections, as numbers. */
import { z } from 'zod';
import { elementId, head, signal, type ViewHead } from './common';

export interface TableView extends ViewHead<'table'> {
  signals: string[];
  /** id of a section whose points are shown in place of the rows of the run */
  section?: string;
}

export const table = z.strictObject({
  ...head('table'),
  signals: z.array(signal),
  section: elementId.optional().describe('Points of this section, in place of the rows of the run.'),
});
