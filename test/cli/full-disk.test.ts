/**
 * Every command that writes, on a disk that is full after some bytes: said plainly, with exit code 3, and
 * nothing half there.
 */
import { spawn } from 'node:child_process';
import fs, { existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tableFormats } from '@main/export/registry';
import { FileChunkSink } from '@main/host/chunk-file';
import { createCounters } from '@main/host/counters';
import { isProving, sample } from '../support/prove';
import { bouncingBall } from '../main/models';
import { ROOT, temporaryFolder } from '../main/support';
import { modelFile } from './support';

const PRELOAD = pathToFileURL(join(ROOT, 'test/support/full-disk.mjs')).href;
const LOADING_MS = sample(180_000, 600_000);

let folder: ReturnType<typeof temporaryFolder>;
let disk: string;
let model: string;
beforeEach(() => {
  folder = temporaryFolder();
  disk = join(folder.path, 'disk');
  mkdirSync(disk);
  model = modelFile(folder.path, bouncingBall({ tEnd: 0.1 }));
});
afterEach(() => folder.remove());

interface Ended {
  code: number | null;
  out: string;
  notes: string;
}

/** @param room bytes; null leaves the disk as it is */
function moreau(
  argv: readonly string[],
  room: number | null,
  stdout: 'pipe' | number = 'pipe',
): Promise<Ended> {
  const child = spawn(
    process.execPath,
    [...(room === null ? [] : ['--import', PRELOAD]), join(ROOT, 'out/test/cli.js'), ...argv],
    {
      env: { ...process.env, MOREAU_TEST_DISK: `${room}:${disk}` },
      stdio: ['ignore', stdout, 'pipe'],
    },
  );
  let [out, notes] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (notes += data.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, notes })));
}

/** Says what, where and what to do, in a few lines without a stack. */
function expectPlain({ code, notes }: Ended, place: string): void {
  expect(notes).toContain('the disk is full');
  expect(notes).toContain(place);
  expect(notes).toMatch(/Free (some )?space/);
  expect(notes).not.toMatch(/\n +at |ENOSPC|Unexpected|Error:/);
  expect(code).toBe(3);
}

/** Command lines that write one file, by its name. */
const WRITING: [string, string, (out: string) => string[]][] = [
  ...tableFormats.map(({ extension: format }): (typeof WRITING)[number] => [
    `moreau run --out ${format}`,
    `run${format}`,
    (out) => ['run', model, '--out', out],
  ]),
  ['moreau export --out', 'model.py', (out) => ['export', model, '--to', 'siconos-python', '--out', out]],
  [
    'moreau examples --copy',
    'bouncing-ball.moreau.json',
    () => ['examples', '--copy', 'bouncing-ball', disk],
  ],
  [
    'moreau sweep --emit',
    'sweep.csv.job',
    () => [
      'sweep',
      model,
      '--param',
      'g=9,10',
      '--measure',
      'max ball.q',
      '--emit',
      'slurm',
      '--out',
      join(disk, 'sweep.csv'),
    ],
  ],
];

describe('a full disk', () => {
  it.each(WRITING)(
    'stops %s with exit code 3, and leaves nothing behind',
    async (_what, name, argv) => {
      const out = join(disk, name);
      for (const room of isProving ? [0, 40, 400] : [40]) {
        expectPlain(await moreau(argv(out), room), disk);
        expect(readdirSync(disk)).toEqual([]);
      }
    },
    LOADING_MS,
  );

  it(
    'stops a sweep, which keeps what was computed and goes on from there',
    async () => {
      const sweep = (out: string): string[] => [
        ...['sweep', model, '--param', 'g=9:10:6', '--measure', 'max ball.q', '--workers', '1'],
        ...['--out', out, '--resume'],
      ];
      const whole = join(folder.path, 'whole.csv');
      expect((await moreau(sweep(whole), null)).code).toBe(0);
      const out = join(disk, 'sweep.csv');
      const stop = async (room: number): Promise<void> => {
        expectPlain(await moreau(sweep(out), room), disk);
        expect(readdirSync(disk)).toEqual(['sweep.csv.sweep']);
      };
      // The head of the journal and some points.
      await stop(500);
      const points = readFileSync(`${out}.sweep`, 'utf8').split('\n').slice(1, -1);
      expect(points.length).toBeGreaterThan(0);
      // All points, and only the beginning of the table.
      await stop((6 - points.length) * (points[0].length + 1) + 20);
      const { code, notes } = await moreau(sweep(out), null);
      expect(notes).toContain('6 points known from before');
      expect(code).toBe(0);
      expect(readFileSync(out, 'utf8')).toBe(readFileSync(whole, 'utf8'));
      expect(readdirSync(disk)).toEqual(['sweep.csv']);
    },
    LOADING_MS,
  );

  it.runIf(existsSync('/dev/full'))(
    'behind standard output ends with exit code 3',
    async () => {
      for (const argv of [['examples'], ['run', model, '--json']])
        expectPlain(await moreau(argv, null, openSync('/dev/full', 'w')), 'standard output');
    },
    LOADING_MS,
  );

  it('ends a recording with the reason and the place', () => {
    const path = join(folder.path, 'run.rows');
    const sink = new FileChunkSink(path, createCounters(), () => undefined);
    sink.open({ columns: 1, rowsPerChunk: 64 });
    const { writeSync } = fs;
    const refuse = (): never => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    Object.assign(fs, { writeSync: refuse });
    syncBuiltinESMExports();
    try {
      expect(() => sink.next(0)).toThrow(`The recording could not be written to ${path}: the disk is full.`);
    } finally {
      Object.assign(fs, { writeSync });
      syncBuiltinESMExports();
      sink.close();
    }
    expect(sink.failure?.details).toMatchObject({ code: 'disk-full', where: path });
  });
});
