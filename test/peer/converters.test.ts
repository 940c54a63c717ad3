/** The table of converters in the help, with ngspice in its last column. `--update` writes it again. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exportNetlist } from '@engine/netlist/export';
import { cellsOf, CONVERTERS, lastMean, modelOf, spanOf, withLosses } from '../support/converter-table';
import { missingNgspice, runNgspice } from './run-ngspice';

const PAGE = new URL('../../docs/theory/converters.md', import.meta.url);
const missing = missingNgspice();

it.skipIf(missing !== null)(
  'the table of converters has what ngspice finds',
  async () => {
    const rows = CONVERTERS.map((converter) => {
      const document = withLosses(modelOf(converter));
      const exported = exportNetlist(document);
      if (!exported.ok) throw new Error(exported.message);
      const columns = runNgspice(exported.text);
      const [times, values] = [columns.get('time') ?? [], columns.get('v(out)') ?? []];
      const theirs = lastMean(times, values, spanOf(document));
      const { cells } = cellsOf(converter);
      const ours = Number(cells[5].replace('−', '-'));
      // Its diodes have a few millivolts, and its steps are of a fiftieth of a period.
      expect(Math.abs(theirs - ours), converter.name).toBeLessThan(0.01 * Math.abs(ours));
      return `| ${[...cells, theirs.toFixed(2).replace('-', '−')].join(' | ')} |`;
    });
    const table = /(?<=^\| ---.*\|\n)(?:\|.*\|\n)*/m;
    const page = readFileSync(PAGE, 'utf8').replace(table, () => `${rows.join('\n')}\n`);
    await expect(page).toMatchFileSnapshot(PAGE.pathname);
  },
  600_000,
);
