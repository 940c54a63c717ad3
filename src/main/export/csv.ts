import type { TableSource } from './table-source';
import { textFormat } from './text-table';

/**
 * Quotes as RFC 4180 asks: fields with a comma, a quote or a line break. Spreadsheets take fields that begin
 * with =, +, - or @ for formulas: names of signals begin with a letter or an underscore, and all else is a
 * number.
 */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What made the table, a line for each fact, its value as JSON: nothing in it breaks a line. */
function comments({ provenance, columns }: TableSource): string {
  const { model, ...plain } = provenance;
  const signals = columns.map(({ name, unit, description }) => ({ name, unit, description }));
  // The model is longest: it comes last.
  return Object.entries({ program: 'Moreau', ...plain, signals, model })
    .map(([key, value]) => `# ${key}: ${JSON.stringify(value)}\r\n`)
    .join('');
}

/**
 * Comma-separated values. The header names each signal with its unit; numbers are texts that read back to
 * the same float64. Comments come above the header on request: readers must be told to skip them
 * (`comment='#'`).
 */
export const csvFormat = textFormat(
  '.csv',
  'CSV, comma-separated values',
  'Text, one row per line; units are in the header. For spreadsheets, pandas, R.',
  (source, options) => ({
    begin: (out) => {
      if (options.comments === true) out.text(comments(source));
      const header = source.columns.map(({ name, unit }) => field(unit === '' ? name : `${name} [${unit}]`));
      out.text(`${header.join(',')}\r\n`);
    },
    row: (columns, row, out) => {
      for (let c = 0; c < columns.length; c++) {
        if (c > 0) out.text(',');
        out.number(columns[c][row]);
      }
      out.text('\r\n');
    },
    end: () => undefined,
  }),
);
