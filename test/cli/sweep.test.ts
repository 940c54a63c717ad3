/** `moreau sweep`: the same bytes whoever computes them, and after a kill. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SweepJournal } from '@main/sweep/journal';
import { computeSweep } from '@main/sweep/sweep';
import { WorkerPool } from '@main/sweep/worker-pool';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { SWEEP_WORKER, temporaryFolder } from '../main/support';
import { modelFile, moreau } from './support';

/** Several workers load the engine in each of these tests. */
const LOADING_MS = 60_000;

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
      expect(head).toBe('e,g [m/s^2],max ball.q [m],events,t [s],ball.q [m],ball.v [m/s]');
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
      expect(code).toBe(0);
      expect(notes).toContain('Point 2:');
      const rows = readFileSync(out, 'utf8').trimEnd().split('\r\n');
      expect(rows[2]).toBe('7,NaN');
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
      expect(head).toBe('initial ball.q [m],g [m/s^2],t [s],ball.q [m],ball.v [m/s]');
      expect(rows.length).toBe(6);
      const start = ball().systems[0]['v0'] as number[];
      for (const [height, g, t] of rows.map((row) => row.split(',').map(Number)))
        expect(height + start[0] * t - (g * t * t) / 2).toBeCloseTo(0, 9);
    },
    LOADING_MS,
  );

  it.each([
    [['--measure', 'max ball.q'], 'at least one --param'],
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
