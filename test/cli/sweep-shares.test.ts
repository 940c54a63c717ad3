/** Sweeps in shares: the script for a cluster, run here task by task, comes to the bytes of one machine. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobName, readJobText } from '@main/sweep/job-text';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { ROOT, temporaryFolder } from '../main/support';
import { modelFile, moreau } from './support';

/** Each task of the array loads the engine. */
const LOADING_MS = 180_000;

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const place = (name: string): string => join(folder.path, name);

const flags = (out: string): string[] => [
  ...['sweep', modelFile(folder.path, bouncingBall({ tEnd: 1 })), '--param', 'g=9:11:5'],
  ...['--section', 'impact', '--transient', '0', '--points', '2', '--signals', 'ball.v'],
  ...['--measure', 'max ball.q', '--out', out],
];

describe('a sweep in shares', () => {
  it(
    'for Slurm comes to the same bytes, and says which shares are missing before',
    async () => {
      const whole = place('whole.csv');
      expect((await moreau([...flags(whole), '--workers', '1'])).code).toBe(0);
      const out = place("it's a table.csv");
      const emitted = await moreau([...flags(out), '--emit', 'slurm', '--array', '3']);
      expect(emitted.code).toBe(0);
      expect(emitted.out).toContain('#SBATCH --array=1-3\n');
      const script = place('sweep.slurm');
      writeFileSync(script, emitted.out);
      const task = (number: number): { status: number | null; stderr: string } =>
        spawnSync('bash', [script], {
          encoding: 'utf8',
          env: {
            ...process.env,
            SLURM_ARRAY_TASK_ID: String(number),
            MOREAU: `${process.execPath} ${join(ROOT, 'out/test/cli.js')}`,
          },
        });
      for (const number of [1, 3]) expect(task(number)).toMatchObject({ status: 0 });
      const job = `${out}.job.json`;
      const early = await moreau(['sweep', job, '--merge', '--out', out]);
      expect(early.code).toBe(2);
      expect(early.notes).toContain('2 points of 5 are missing');
      expect(early.notes).toContain('--resume: 2/3');
      expect(task(2)).toMatchObject({ status: 0 });
      expect(task(0)).toMatchObject({ status: 0 });
      expect(readFileSync(out, 'utf8')).toBe(readFileSync(whole, 'utf8'));
      expect(existsSync(`${out}.1-of-3.sweep`)).toBe(false);
    },
    LOADING_MS,
  );

  it(
    'may be computed by the command line of the sweep itself, of which its file is the same job',
    async () => {
      const out = place('table.json');
      for (const share of ['1/2', '2/2'])
        expect((await moreau([...flags(out), '--share', share, '--workers', '1'])).code).toBe(0);
      await moreau([...flags(out), '--emit', 'slurm']);
      const text = readFileSync(`${out}.job.json`, 'utf8');
      expect(jobName(readJobText(text, 'the file'))).toBe(jobName(JSON.parse(text) as never));
      expect((await moreau(['sweep', `${out}.job.json`, '--merge', '--out', out])).code).toBe(0);
      expect(existsSync(out)).toBe(true);
      rmSync(out);
      const none = await moreau([...flags(out), '--merge']);
      expect(none.notes).toContain('no journals of shares');
      const job = JSON.parse(text) as { plan: { axes: { count: number }[] } };
      job.plan.axes[0].count = 1e9;
      writeFileSync(`${out}.job.json`, JSON.stringify(job));
      const wrong = await moreau(['sweep', `${out}.job.json`, '--merge', '--out', out]);
      expect(wrong.code).toBe(2);
      expect(wrong.notes).toContain('plan.axes.0');
    },
    LOADING_MS,
  );

  it.each([
    [['--share', '3/2'], 'K from 1 to N'],
    [['--share', '1/2', '--merge'], 'not both'],
    [['--array', '3'], 'belongs to --emit'],
    [['--emit', 'pbs'], '--emit is slurm'],
  ])('with %j is refused', async (given, words) => {
    const { code, notes } = await moreau([...flags(place('none.csv')), ...given]);
    expect(code).toBe(2);
    expect(notes).toContain(words);
  });

  it('of a file takes no flags of another job', async () => {
    const { code, notes } = await moreau(['sweep', 'x.job.json', '--param', 'g=1', '--out', place('x.csv')]);
    expect(code).toBe(2);
    expect(notes).toContain('leave out --param');
    const missing = await moreau(['sweep', place('x.job.json'), '--merge', '--out', place('x.csv')]);
    expect(missing.code).toBe(2);
    expect(missing.notes).toContain('x.job.json');
  });
});

describe('a sweep up and down', () => {
  it(
    'is cut into shares of both directions, which come to the same bytes',
    async () => {
      const whole = place('whole.csv');
      expect((await moreau([...flags(whole), '--start', 'both'])).code).toBe(0);
      const out = place('shared.csv');
      const emitted = await moreau([...flags(out), '--start', 'both', '--emit', 'slurm', '--array', '8']);
      // One chain upwards, one downwards.
      expect(emitted.out).toContain('#SBATCH --array=1-2\n');
      const job = `${out}.job.json`;
      for (const share of ['1/2', '2/2'])
        expect((await moreau(['sweep', job, '--share', share, '--out', out])).code).toBe(0);
      expect((await moreau(['sweep', job, '--merge', '--out', out])).code).toBe(0);
      expect(readFileSync(out, 'utf8')).toBe(readFileSync(whole, 'utf8'));
    },
    LOADING_MS,
  );
});
