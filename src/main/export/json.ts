import type { TableFormat } from './table-writer';

/** One object: what was run, the signals with their units, and `rows`, one array a row, one line each. */
export const jsonFormat: TableFormat = {
  extension: '.json',
  title: 'JSON',
  create: (run, signals) => {
    let first = true;
    return {
      begin: (out) => {
        const head = {
          title: run.title,
          run: run.name,
          status: run.state,
          scheme: run.scheme,
          h: run.h,
          parameters: run.parameters,
          signals: signals.map(({ name, unit }) => ({ name, unit })),
        };
        out.text(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "rows": [`);
      },
      rows: (columns, out) => {
        const count = columns[0]?.length ?? 0;
        for (let row = 0; row < count; row++) {
          out.text(first ? '\n    [' : ',\n    [');
          first = false;
          for (let c = 0; c < columns.length; c++) {
            if (c > 0) out.text(', ');
            const value = columns[c][row];
            // JSON has no word for values that are not finite.
            if (Number.isFinite(value)) out.number(value);
            else out.text('null');
          }
          out.text(']');
        }
      },
      end: (out) => out.text('\n  ]\n}\n'),
    };
  },
};
