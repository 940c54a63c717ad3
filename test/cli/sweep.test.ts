/** `moreau sweep`: the same bytes on any worker, and after a kill. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SweepJournal } from '@main/sweep/journal';
import { computeSweep } from '@main/sweep/sweep';
import { WorkerPool } from '@main/sweep/worker-pool';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import hdf5, { type Dataset } from 'h5wasm/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { SWEEP_WORKER, temporaryFolder } from '../main/support';
import { modelFile, moreau } from './support';

/** Several workers load the engine in each of these tests. */
const LOADING_MS = 180_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** With its coefficient of restitution as a parameter. */
function ball(): ModelDocument {
  const document = bouncingBall({ tEnd: 2.5, h: 0.01 });
  return {
    ...document,
    parameters: [...document.parameters, { name: 'e', value: 0.8 }],
    interactions: document.interactions.map((one) => ({ ...one, law: { ...one.law, e: 'e' } })),
  };
}

const place = (name: string): string => join(folder.path, name);

/** A ball that bounces from several heights with several restitutions, in a section on its impacts. */
function ballArguments(out: string): string[] {
  return [
    ...['sweep', modelFile(folder.path, ball()), '--scheme', 'event-driven'],
    ...[
      '--param',
      'e=0.5:0.9:5',
      '--param',
      'g=9,10',
      '--section',
      'impact',
      '--transient',
      '0',
      '--points',
      '3',
    ],
    ...['--measure', 'max ball.q', '--measure', 'events', '--out', out],
  ];
}

describe('a sweep', () => {
  it(
    'has the same bytes with 1, 2 and 4 workers, and says what it did',
    async () => {
      const files: string[] = [];
      for (const workers of ['1', '2', '4']) {
        const out = place(`ball-${workers}.csv`);
        const { code, out: printed } = await moreau([...ballArguments(out), '--workers', workers, '--json']);
        expect(code).toBe(0);
        expect(JSON.parse(printed)).toMatchObject({
          status: 'done',
          points: 10,
          failed: 0,
          sectionPoints: 30,
        });
        files.push(readFileSync(out, 'utf8'));
        expect(existsSync(SweepJournal.place(out))).toBe(false);
      }
      expect(new Set(files).size).toBe(1);
      const [head, ...rows] = files[0].trimEnd().split('\r\n');
      expect(head).toBe('e,g [m/s^2],max ball.q [m],events,t [s],ball.q [m],ball.v [m/s],solved,complete');
      expect(rows.length).toBe(30);
      const numbers = rows.map((row) => row.split(',').map(Number));
      for (const [e, g, , , t, q, v] of numbers.filter((_, k) => k % 3 === 0)) {
        // From one metre at rest, unless the model says otherwise: the first impact.
        const speed = g * t;
        expect(Math.abs(q)).toBeLessThan(1e-12);
        expect(v).toBeCloseTo(e * speed, 9);
      }
    },
    LOADING_MS,
  );

  it(
    'that was killed goes on to the same bytes, also where the kill has cut a line',
    async () => {
      const whole = place('whole.json');
      expect((await moreau(ballArguments(whole))).code).toBe(0);
      const out = place('killed.json');
      const { document } = readDocument(JSON.stringify(ball()));
      if (document === null) throw new Error('the model cannot be opened');
      const job: SweepJob = {
        document,
        scheme: 'event-driven',
        plan: {
          kind: 'grid',
          axes: [
            { parameter: 'e', from: 0.5, to: 0.9, count: 5 },
            { parameter: 'g', values: [9, 10] },
          ],
        },
        section: {
          section: { kind: 'impact', contact: document.interactions[0].id },
          transient: 0,
          count: 3,
        },
        measures: ['max ball.q', 'events'],
      };
      const journal = await SweepJournal.begin(SweepJournal.place(out), job, 10);
      const pool = new WorkerPool(SWEEP_WORKER, 2);
      const results = await computeSweep(job, pool, new Map(), journal, (done) => {
        if (done === 4) void pool.cancel();
      });
      expect(results.size).toBeGreaterThanOrEqual(4);
      expect(results.size).toBeLessThan(10);
      appendFileSync(SweepJournal.place(out), '{"k":9,"s":"done","m":"AAAA');
      const { code, notes } = await moreau([...ballArguments(out), '--resume']);
      expect(notes).toContain(`${results.size} points known from before`);
      expect(code).toBe(0);
      expect(readFileSync(out, 'utf8')).toBe(readFileSync(whole, 'utf8'));
    },
    LOADING_MS,
  );

  it(
    'that is interrupted keeps its journal and says how to go on',
    async () => {
      const out = place('long.csv');
      const { code, notes } = await moreau([...ballArguments(out), '--workers', '1'], {
        interruptAtOnce: true,
      });
      expect(code).toBe(4);
      expect(notes).toContain('--resume');
      expect(existsSync(SweepJournal.place(out))).toBe(true);
      expect(existsSync(out)).toBe(false);
    },
    LOADING_MS,
  );

  it(
    'does not go on with the journal of another sweep, or with one that is none',
    async () => {
      const out = place('other.csv');
      await moreau([...ballArguments(out), '--workers', '1'], { interruptAtOnce: true });
      const other = await moreau([...ballArguments(out), '--resume', '--skip', '0.5']);
      expect(other.code).toBe(2);
      expect(other.notes).toContain('another sweep');
      writeFileSync(SweepJournal.place(out), 'nothing\n');
      const broken = await moreau([...ballArguments(out), '--resume']);
      expect(broken.code).toBe(2);
      expect(broken.notes).toContain('cannot be read');
    },
    LOADING_MS,
  );

  it(
    'of points that fail is complete, with NaN for them and their reasons',
    async () => {
      const out = place('failing.csv');
      const model = modelFile(folder.path, ball(), 'failing.moreau.json');
      const arguments_ = ['sweep', model, '--param', 'e=0.5,7', '--measure', 'max ball.q', '--out', out];
      const { code, notes } = await moreau(arguments_);
      expect(code).toBe(5);
      expect(notes).toContain('Point 2:');
      const rows = readFileSync(out, 'utf8').trimEnd().split('\r\n');
      expect(rows[2]).toBe('7,NaN,NaN,NaN');
    },
    LOADING_MS,
  );

  it(
    'whose runs end before they have come to the section often enough says so',
    async () => {
      const out = place('short.csv');
      const { code, notes, out: printed } = await moreau([...ballArguments(out), '--t-end', '1', '--json']);
      expect(code).toBe(0);
      expect(notes).toContain('10 points of the sweep have fewer than 3 section points');
      expect(notes).toContain('the first of them point 1, with 2');
      expect(notes).toContain('--t-end');
      expect(JSON.parse(printed)).toMatchObject({ short: 10, warnings: [expect.stringContaining('fewer')] });
    },
    LOADING_MS,
  );

  it(
    'over initial values has the same bytes with 1 and 3 workers, with columns of their own',
    async () => {
      const files: string[] = [];
      for (const workers of ['1', '3']) {
        const out = place(`heights-${workers}.csv`);
        const { code } = await moreau([
          ...['sweep', modelFile(folder.path, ball()), '--scheme', 'event-driven', '--param', 'g=9,10'],
          ...['--initial', 'ball.q=0.5:1.5:3', '--section', 'impact', '--transient', '0', '--points', '1'],
          ...['--workers', workers, '--out', out],
        ]);
        expect(code).toBe(0);
        files.push(readFileSync(out, 'utf8'));
      }
      expect(files[1]).toBe(files[0]);
      const [head, ...rows] = files[0].trimEnd().split('\r\n');
      expect(head).toBe('initial ball.q [m],g [m/s^2],t [s],ball.q [m],ball.v [m/s],solved,complete');
      expect(rows.length).toBe(6);
      const start = ball().systems[0]['v0'] as number[];
      for (const [height, g, t] of rows.map((row) => row.split(',').map(Number)))
        expect(height + start[0] * t - (g * t * t) / 2).toBeCloseTo(0, 9);
    },
    LOADING_MS,
  );

  it(
    'up and down at once has the rows of both, says which is which, and has the same bytes with 1 and 3 workers and after a kill',
    async () => {
      const rowsOf = async (out: string, ...more: string[]): Promise<string[]> => {
        const { code } = await moreau([...ballArguments(out), ...more]);
        expect(code).toBe(0);
        return readFileSync(out, 'utf8').trimEnd().split('\r\n');
      };
      const up = await rowsOf(place('up.csv'), '--start', 'up');
      const down = await rowsOf(place('down.csv'), '--start', 'down');
      expect(up.slice(1)).not.toEqual(down.slice(1));
      const both = await rowsOf(place('both.csv'), '--start', 'both', '--workers', '3');
      expect(both).toEqual([
        `direction,${up[0]}`,
        ...up.slice(1).map((row) => `1,${row}`),
        ...down.slice(1).map((row) => `-1,${row}`),
      ]);
      const one = place('one.csv');
      const arguments_ = [...ballArguments(one), '--start', 'both', '--workers', '1'];
      const cut = await moreau(arguments_, { interruptAtOnce: true });
      expect(cut.code).toBe(4);
      const resumed = await moreau([...arguments_, '--resume', '--json']);
      expect(resumed.code).toBe(0);
      const summary = JSON.parse(resumed.out) as { points: number; columns: { name: string }[] };
      expect(summary.points).toBe(20);
      expect(summary.columns[0].name).toBe('direction');
      expect(readFileSync(one, 'utf8')).toBe(readFileSync(place('both.csv'), 'utf8'));
      await rowsOf(place('both.json'), '--start', 'both');
      const { points } = JSON.parse(readFileSync(place('both.json'), 'utf8')) as {
        points: { direction: string }[];
      };
      expect(points.map(({ direction }) => direction)).toEqual([
        ...Array.from({ length: 10 }, () => 'up'),
        ...Array.from({ length: 10 }, () => 'down'),
      ]);
    },
    LOADING_MS,
  );

  it(
    'names failed points of both directions',
    async () => {
      const model = modelFile(folder.path, ball(), 'failing.moreau.json');
      const flags = ['--param', 'e=0.5,7', '--measure', 'max ball.q', '--start', 'both'];
      const { code, notes } = await moreau(['sweep', model, ...flags, '--out', place('failing.csv')]);
      expect(code).toBe(5);
      expect(notes).toContain('Point 2 (up):');
      expect(notes).toContain('Point 2 (down):');
    },
    LOADING_MS,
  );

  it(
    'is written in every format of tables, with the same bytes each time, its units and what made it',
    async () => {
      const table = place('table.csv');
      await moreau([...ballArguments(table), '--start', 'both']);
      const [head, ...rows] = readFileSync(table, 'utf8').trimEnd().split('\r\n');
      const numbers = rows.map((row) => row.split(',').map(Number));
      for (const extension of ['h5', 'npz', 'mat', 'parquet']) {
        const outs = ['1', '2'].map((workers) => ({ workers, out: place(`table-${workers}.${extension}`) }));
        for (const { workers, out } of outs)
          expect((await moreau([...ballArguments(out), '--start', 'both', '--workers', workers])).code).toBe(
            0,
          );
        const [one, two] = outs.map(({ out }) => readFileSync(out));
        // HDF5 keeps the second in which each dataset was written.
        if (extension !== 'h5') expect(two.equals(one), extension).toBe(true);
      }
      await hdf5.ready;
      const file = new hdf5.File(place('table-1.h5'), 'r');
      const names = file.keys().filter((name) => name !== 'model');
      expect([...names].sort()).toEqual(
        head
          .split(',')
          .map((name) => name.replace(/ \[.*/, ''))
          .sort(),
      );
      const { value } = file.get('max ball.q') as Dataset;
      expect([...(value as Float64Array)]).toEqual(numbers.map((row) => row[3]));
      expect((file.get('g') as Dataset).attrs['unit'].value).toBe('m/s^2');
      const sweep = JSON.parse(file.attrs['sweep'].value as string) as SweepJob;
      expect(sweep).toMatchObject({ start: 'both', measures: ['max ball.q', 'events'] });
      expect(file.attrs['scheme'].value).toBe('event-driven');
      file.close();
      const told = place('told.csv');
      await moreau([...ballArguments(told), '--start', 'both', '--comments']);
      const text = readFileSync(told, 'utf8');
      expect(text).toContain('# sweep: {"scheme":"event-driven"');
      expect(text.endsWith(readFileSync(table, 'utf8'))).toBe(true);
    },
    LOADING_MS,
  );

  it.each([
    [['--out', 'table.xlsx'], '.parquet (Parquet)'],
    [['--out', 'table'], 'no ending that says the format'],
    [['--out', 'table.h5', '--comments'], '--comments goes with --out FILE.csv'],
  ])(
    'into %j is refused before anything is computed, with what to do',
    async (flags, words) => {
      const model = modelFile(folder.path, ball());
      const arguments_ = ['sweep', model, '--param', 'e=0.5', '--measure', 'events'];
      const { code, notes } = await moreau([...arguments_, ...flags]);
      expect(code).toBe(2);
      expect(notes).toContain(words);
    },
    LOADING_MS,
  );

  it.each([
    [['--measure', 'max ball.q'], 'at least one --param'],
    [['--param', 'e=0.5', '--measure', 'events', '--start', 'sideways'], 'initial or up or down or both'],
    [
      ['--param', 'e=0:1:2', '--random', '3', '--measure', 'events', '--start', 'both'],
      'of --random have not',
    ],
    [['--initial', 'ball.q=1', '--initial', 'ball.q=2', '--measure', 'events'], 'twice'],
    [['--initial', 'ball.w=1', '--measure', 'events'], 'no state “ball.w”'],
    [['--initial', 'ball.q=1:2', '--measure', 'events'], '--initial needs NAME=FROM:TO:COUNT'],
    [['--initial', 'ball.q=1,2', '--start', 'up', '--measure', 'events'], 'neighbours'],
    [['--param', 'e=1:2'], 'NAME=FROM:TO:COUNT'],
    [['--param', 'e=1,2', '--param', 'e=3'], 'twice'],
    [['--param', 'e=0.5', '--section', 'stroboscopic'], 'needs --period'],
    [['--param', 'e=0.5'], '--section or --measure'],
    [['--param', 'e=0.5', '--section', 'sometimes'], 'stroboscopic or impact'],
    [['--param', 'e=0.5', '--measure', 'max ball.q', '--workers', '0'], 'whole number'],
    [['--param', 'f=0.5', '--measure', 'max ball.q'], 'no parameter “f”'],
    [['--param', 'e=0.5', '--measure', 'max ball.w'], 'no signal “ball.w”'],
    [['--param', 'e=0.5', '--measure', 'most ball.q'], 'no measure “most”'],
    [['--param', 'e=0.5', '--section', 'surface', '--surface', 'ball.q +'], 'ball.q +'],
  ])(
    'with %j is refused',
    async (flags, words) => {
      const model = modelFile(folder.path, ball());
      const { code, notes } = await moreau(['sweep', model, ...flags, '--out', place('none.csv')]);
      expect(code).toBe(2);
      expect(notes).toContain(words);
      expect(existsSync(place('none.csv'))).toBe(false);
    },
    LOADING_MS,
  );
});
