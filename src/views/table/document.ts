/** Rows of a run, or points of one of its sections, as numbers. */
import { z } from 'zod';
import { elementId, head, signals, type ViewHead } from '../../engine/document/views/common';

const NUMBER_FORMATS = ['shortest', 'fixed', 'scientific'] as const;
/** Digits that a number of double precision has. */
const MOST_DIGITS = 17;

/** How numbers of a table are written. */
export interface NumberStyle {
  /** default shortest: the shorter of plain and scientific notation */
  format?: (typeof NUMBER_FORMATS)[number];
  /** significant digits, after the point where the format is fixed; default 8 */
  digits?: number;
}

export interface TableView extends ViewHead<'table'>, NumberStyle {
  signals: string[];
  /** id of a section whose points are shown in place of the rows of the run */
  section?: string;
  /** the column of the numbers of the rows is left out */
  hasNoNumbers?: boolean;
}

export const table = z.strictObject({
  ...head<TableView>('table'),
  signals,
  section: elementId.optional().describe('Points of this section, in place of the rows of the run.'),
  format: z
    .enum(NUMBER_FORMATS)
    .optional()
    .describe('How numbers are written; in the shorter of plain and scientific notation when absent.'),
  digits: z
    .number()
    .int()
    .min(1)
    .max(MOST_DIGITS)
    .optional()
    .describe('Significant digits; digits after the point where the format is fixed. 8 when absent.'),
  hasNoNumbers: z.boolean().optional().describe('Whether the column of row numbers is left out.'),
});
