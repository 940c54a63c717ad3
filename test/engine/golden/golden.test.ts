/**
 * The bits of what the gallery records, in both schemes: a change of the plan of the code changes none of
 * them. `MOREAU_GOLDEN=write npm run prove -- golden` writes them again where a change of numbers is meant.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { MemoryChunks } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun } from '@engine/run/session';
import { isProving, part, sample } from '../../support/prove';
import { galleryRuns } from '../faults/gallery-runs';
import { type GalleryRun, specificationOf } from '../faults/judge';

const GOLDEN = fileURLToPath(new URL('golden.json', import.meta.url));
const SLICE = 1024;
/** Enough for what a model does, few enough for those that have many bodies. */
const MOST_ROWS = 20000;
/** Rows of runs in an ordinary test, which has no time for long ones. */
const FEW_ROWS = 700;

/** Hashes of what is recorded, or the code of the error that refuses or ends it. */
interface Golden {
  readonly rows: number;
  readonly samples: string;
  readonly events: string;
  readonly ended: string;
}

/**
 * Examples at their full length by both schemes, and with other integrators, solvers and laws for a shorter
 * time.
 */
const runs = galleryRuns(null).map((run) => (run.settings === undefined ? { ...run, steps: Infinity } : run));

const hashOf = (...parts: (string | Float64Array)[]): string => {
  const hash = createHash('sha1');
  for (const one of parts)
    hash.update(typeof one === 'string' ? one : new Uint8Array(one.buffer, one.byteOffset, one.byteLength));
  return hash.digest('hex').slice(0, 16);
};

function columnsOf(recording: MemoryChunks): Float64Array[] {
  const { columns, rowsPerChunk } = recording.layout;
  const rows = recording.rows();
  const found: Float64Array[] = [];
  for (let chunk = 0; chunk * rowsPerChunk < rows; chunk++)
    for (let c = 0; c < columns; c++)
      found.push(recording.column(chunk, c).slice(0, Math.min(rowsPerChunk, rows - chunk * rowsPerChunk)));
  return found;
}

function compute(run: GalleryRun): Golden {
  const recording = new MemoryChunks();
  const prepared = prepareRun(specificationOf(run), {
    sandbox: () => createSandbox(() => undefined),
    sink: recording,
    recordsTrajectory: true,
  });
  if (!prepared.ok) return { rows: 0, samples: '', events: '', ended: `refused: ${prepared.error.code}` };
  const { session } = prepared;
  let state = session.advance(SLICE);
  while (state === 'running' && session.rows < MOST_ROWS) state = session.advance(SLICE);
  return {
    rows: session.rows,
    samples: hashOf(...columnsOf(recording)),
    events: hashOf(JSON.stringify(session.eventRecords)),
    ended: state === 'failed' ? `failed: ${session.error?.code ?? ''}` : state,
  };
}

const read = (): Record<string, Golden> => JSON.parse(readFileSync(GOLDEN, 'utf8')) as Record<string, Golden>;

if (process.env.MOREAU_GOLDEN === 'write')
  it('is written', () => {
    const written = Object.fromEntries(runs.map((run) => [run.name, compute(run)]));
    writeFileSync(GOLDEN, `${JSON.stringify(written, null, 2)}\n`);
  });
else {
  const golden = read();
  const taken = isProving
    ? runs
    : part(
        runs.filter(({ name }) => golden[name].rows <= FEW_ROWS),
        40,
      );

  it('knows the runs of the gallery', () => {
    expect(Object.keys(golden)).toEqual(runs.map(({ name }) => name));
  });

  it('records the same bits', () => {
    sample(taken.length, runs.length);
    const changed = taken.filter((run) => JSON.stringify(compute(run)) !== JSON.stringify(golden[run.name]));
    expect(changed.map(({ name }) => name)).toEqual([]);
  });
}
