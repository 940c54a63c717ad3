import { textFormat } from './text-table';

/**
 * One object: where it comes from, the signals with their units and descriptions, and `rows`, one array a
 * row, one line each. JSON has no numbers that are not finite: they are the texts "NaN", "Infinity" and
 * "-Infinity", which JavaScript and Python make the numbers of again.
 */
export const jsonFormat = textFormat(
  '.json',
  'JSON',
  'One object with signals and rows.',
  ({ columns: signals, provenance }) => {
    let first = true;
    return {
      begin: (out) => {
        const { model, ...head } = provenance;
        const all = {
          ...head,
          signals: signals.map(({ name, unit, description }) => ({ name, unit, description })),
          model,
        };
        out.text(`${JSON.stringify(all, null, 2).slice(0, -2)},\n  "rows": [`);
      },
      row: (columns, row, out) => {
        out.text(first ? '\n    [' : ',\n    [');
        first = false;
        for (let c = 0; c < columns.length; c++) {
          if (c > 0) out.text(', ');
          const value = columns[c][row];
          if (Number.isFinite(value)) out.number(value);
          else out.text(`"${value}"`);
        }
        out.text(']');
      },
      end: (out) => out.text('\n  ]\n}\n'),
    };
  },
);
