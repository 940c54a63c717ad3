/** The one-step problem at a time: its matrix, and what its rows are. */
import { z } from 'zod';
import { head, type ViewHead } from '../../engine/document/views/common';

const MATRIX_STYLES = ['magnitude', 'sign', 'pattern'] as const;
export type MatrixStyle = (typeof MATRIX_STYLES)[number];
/** Decades of double precision. */
const MOST_DECADES = 32;

/** How entries are drawn. */
export interface MatrixLook {
  /** whether colours tell sign and magnitude, the sign alone, or only where entries are; default magnitude */
  style?: MatrixStyle;
  /** decades below the largest entry over which colours fade; default 6 */
  decades?: number;
}

export interface MatrixView extends ViewHead<'matrix'>, MatrixLook {
  /** s; the time of the cursor when absent, else the end of the run */
  time?: number;
  /** whether the list of rows is shown; where there is room when absent */
  hasRows?: boolean;
}

export const matrix = z.strictObject({
  ...head<MatrixView>('matrix'),
  time: z.number().optional().describe('Time of the step, s; that of the cursor when absent.'),
  style: z.enum(MATRIX_STYLES).optional().meta({
    description: 'What colours tell: sign and magnitude, the sign, or no more than the place.',
    default: 'magnitude',
  }),
  decades: z
    .number()
    .min(1)
    .max(MOST_DECADES)
    .optional()
    .describe('Decades below the largest entry over which colours fade; 6 when absent.'),
  hasRows: z.boolean().optional().describe('Whether the rows are listed; where there is room when absent.'),
});
