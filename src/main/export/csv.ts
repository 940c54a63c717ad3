import { textFormat } from './text-table';

/** Quotes as RFC 4180 asks: fields with a comma, a quote or a line break. */
const field = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * Comma-separated values. The header names each signal with its unit; numbers are the shortest text that reads back
 * to the same float64.
 */
export const csvFormat = textFormat('.csv', 'comma-separated values', ({ columns: signals }) => ({
  begin: (out) => {
    const header = signals.map(({ name, unit }) => field(unit === '' ? name : `${name} [${unit}]`));
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
}));
