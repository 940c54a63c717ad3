/**
 * Points of sweeps, analyses and comparisons say what they are worth, and those of which a verdict fails end
 * with code 5.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComparisonSummary } from '@cli/compare/comparison-summary';
import { comparisonText } from '@cli/compare/comparison-table';
import type { ModelDocument } from '@engine/document/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { temporaryFolder } from '../main/support';
import { modelFile, moreau } from './support';

/** Workers load the engine in each of these tests. */
const LOADING_MS = 120_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/**
 * Its weight is another one at each second call where `swing` is not zero: what a step was solved with is not
 * what the certificate finds.
 */
function deceitfulBall(): ModelDocument {
  const document = bouncingBall({
    tEnd: 0.3,
    h: 0.01,
    force: ['calls++;', 'out[0] = -p.g - (calls % 2) * p.swing;'],
  });
  const scripts = document.scripts.map((script) => ({
    ...script,
    source: ['let calls = 0;', ...script.source],
  }));
  return { ...document, scripts, parameters: [...document.parameters, { name: 'swing', value: 0 }] };
}

const sweep = (out: string, ...more: string[]): string[] => [
  ...['sweep', modelFile(folder.path, deceitfulBall()), '--param', 'swing=0,1', '--measure', 'final ball.q'],
  ...['--workers', '1', '--json', '--out', out, ...more],
];

describe('a point of which a verdict fails', () => {
  it(
    'is reported in the columns of the table, in words, and by the exit code',
    async () => {
      const out = join(folder.path, 'ball.csv');
      const { code, out: printed, notes } = await moreau(sweep(out));
      expect(code).toBe(5);
      expect(JSON.parse(printed)).toMatchObject({ status: 'done', points: 2, failed: 0, uncertified: 1 });
      expect(notes).toContain('NOT CERTIFIED: 1 point (1 not solved), the first of them point 2');
      const [head, ...rows] = readFileSync(out, 'utf8').trimEnd().split('\r\n');
      expect(head).toBe('swing,final ball.q [m],solved,complete');
      expect(rows.map((row) => row.split(',').slice(2))).toEqual([
        ['1', '1'],
        ['0', '1'],
      ]);
    },
    LOADING_MS,
  );

  it(
    'is reported as JSON, and with its accuracy where that is asked for',
    async () => {
      const out = join(folder.path, 'ball.json');
      await moreau(sweep(out, '--accuracy'));
      const { points } = JSON.parse(readFileSync(out, 'utf8')) as {
        points: { solved: boolean; complete: boolean; accurate: boolean | null }[];
      };
      expect(points.map(({ solved, complete }) => [solved, complete])).toEqual([
        [true, true],
        [false, true],
      ]);
      // A fall of 0.3 s without an impact is accurate to 1 % of its range at 10 ms only where the error of
      // order 1 is small.
      expect(typeof points[0].accurate).toBe('boolean');
    },
    LOADING_MS,
  );

  it(
    'is reported by analyses of the document, too',
    async () => {
      const analyses = [
        {
          id: 'swings',
          type: 'sweep',
          axes: [{ type: 'values', parameter: 'swing', values: [0, 1] }],
          measures: 'final ball.q',
        },
      ];
      const model = modelFile(folder.path, { ...deceitfulBall(), analyses });
      const { code, out } = await moreau(['analyse', model]);
      expect(code).toBe(5);
      expect(out).toContain('NOT CERTIFIED: 1 point');
    },
    LOADING_MS,
  );
});

describe('runs that are compared', () => {
  it('say whether they are solved and complete', async () => {
    const model = modelFile(folder.path, deceitfulBall());
    const good = await moreau(['compare', model, '--levels', '1', '--json']);
    expect(good.code).toBe(0);
    const { runs } = JSON.parse(good.out) as ComparisonSummary;
    expect(runs).toMatchObject([
      { certified: true, complete: true },
      { certified: true, complete: true },
    ]);
    const text = comparisonText({
      status: 'done',
      title: 'Ball',
      runs: runs.map((run, k) => ({ ...run, complete: k > 0 })),
      whole: null,
      together: null,
    });
    expect(text).toContain('NOT CERTIFIED');
    expect(text.split('\n')[3]).toMatch(/yes +NO$/);
  });
});
