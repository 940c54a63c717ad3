/** The one-step problem at a time: its matrix, and what its rows are. */
import { z } from 'zod';
import { head, type ViewHead } from './common';

export interface MatrixView extends ViewHead<'matrix'> {
  /** s; the time of the cursor when absent, else the end of the run */
  time?: number;
}

export const matrix = z.strictObject({
  ...head('matrix'),
  time: z.number().optional().describe('Time of the step, s; that of the cursor when absent.'),
});
