/** Sweeps that workers of other processes compute: the same bytes, whichever worker is lost on the way. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SweepColumns } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { readDocument } from '@engine/document/read';
import type { SweepExecutor } from '@main/sweep/executor';
import { encodePoint } from '@main/sweep/point-text';
import { QueueAddress } from '@main/sweep/queue/address';
import { QueueExecutor } from '@main/sweep/queue/queue-executor';
import { computeSweep } from '@main/sweep/sweep';
import { writeSweep } from '@main/sweep/table';
import { examineSweep, WorkerPool } from '@main/sweep/worker-pool';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bouncingBall } from '../main/models';
import { createHost, PLACE, ROOT, SWEEP_WORKER, temporaryFolder } from '../main/support';
import { hasRedis, TestRedis } from '../support/redis';
import { modelFile, moreau } from './support';

/** Several processes load the engine in each of these tests. */
const LOADING_MS = 180_000;
/** of this process, and of the program that processes of workers run */
const HERE = PLACE.version;
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

let folder: ReturnType<typeof temporaryFolder>;
let redis: TestRedis | null = null;
const processes = new Set<ChildProcess>();
/** what they say on standard error */
const said = new Map<ChildProcess, string>();

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const child of processes) child.kill('SIGKILL');
  processes.clear();
  await redis?.stop();
  redis = null;
  await folder.remove();
});

const place = (name: string): string => join(folder.path, name);

async function startRedis(password?: string): Promise<TestRedis> {
  redis = await TestRedis.start(folder.path, password);
  return redis;
}

/** Chains of a ball that bounces on and on, long enough that a kill meets them in the middle. */
function ballJob(): SweepJob {
  const ball = bouncingBall({ tEnd: 20, h: 0.001 });
  const model = {
    ...ball,
    parameters: [...ball.parameters, { name: 'e', value: 0.8 }],
    interactions: ball.interactions.map((one) => ({ ...one, law: { ...one.law, e: 'e' } })),
  };
  const { document } = readDocument(JSON.stringify(model));
  if (document === null) throw new Error('the model cannot be opened');
  const axes = [
    { parameter: 'g', values: [9, 10] },
    { parameter: 'e', from: 0.5, to: 0.9, count: 12 },
  ];
  return { document, plan: { kind: 'grid', axes }, measures: ['max ball.q', 'events'], start: 'both' };
}

/** Computes the job into a file. */
async function sweep(
  job: SweepJob,
  executor: SweepExecutor,
  columns: SweepColumns,
  progress: (done: number) => void = () => undefined,
): Promise<string> {
  const results = await computeSweep(job, executor, new Map(), null, progress);
  expect([...results.values()].filter(({ status }) => status === 'failed')).toEqual([]);
  const out = place('table.csv');
  const host = createHost();
  await writeSweep(out, { job, columns, results }, host);
  await host.dispose();
  return readFileSync(out, 'utf8');
}

/** The command line of a small sweep. */
const flags = (out: string): string[] => [
  ...['sweep', modelFile(folder.path, bouncingBall({ tEnd: 0.5 })), '--param', 'g=9,10'],
  ...['--measure', 'max ball.q', '--out', out],
];

/** A worker process of the tests' own version, once it is there. */
async function startWorker(url: string, name: string): Promise<ChildProcess> {
  const program = join(ROOT, 'out/test/cli.js');
  const flags = ['worker', '--queue', url, '--workers', '1', '--name', name, '--lease', '2'];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  processes.add(child);
  child.stderr.on('data', (text: Buffer) => said.set(child, (said.get(child) ?? '') + text.toString()));
  await once(child.stderr, 'data');
  return child;
}

/** Chains in the queue of a version. */
async function queued(url: string, version: string): Promise<number> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue(`sweep-${version}`, { connection, prefix: 'moreau' });
  const count = await queue.getJobCountByTypes('waiting', 'active', 'delayed');
  await queue.close();
  connection.disconnect();
  return count;
}

describe.skipIf(!hasRedis)('a sweep over a queue', () => {
  it(
    'has the same bytes though Redis forgets everything, a worker is killed and another interrupted',
    async () => {
      const job = ballJob();
      const columns = await examineSweep(SWEEP_WORKER, job);
      const alone = await sweep(job, new WorkerPool(SWEEP_WORKER, 1), columns);
      const queue = await startRedis();
      const [first, second] = await Promise.all([
        startWorker(queue.url, 'first'),
        startWorker(queue.url, 'second'),
      ]);
      let notes = '';
      const executor = await QueueExecutor.open({
        address: QueueAddress.read(queue.url),
        version: VERSION,
        columns,
        note: (text) => (notes += text),
      });
      const meanwhile: Promise<unknown>[] = [];
      const far = await sweep(job, executor, columns, (done) => {
        if (done === 3) meanwhile.push(queue.stop().then(() => queue.start()));
        if (done === 8) first.kill('SIGKILL');
        if (done === 14) {
          second.kill('SIGINT');
          meanwhile.push(startWorker(queue.url, 'third'));
        }
      });
      await Promise.all(meanwhile);
      expect(second.exitCode ?? (await once(second, 'exit'))[0]).toBe(0);
      expect(far).toBe(alone);
      expect(notes).toContain('is available again');
      expect(await queued(queue.url, VERSION)).toBe(0);
    },
    LOADING_MS,
  );

  it(
    'that finds no worker, or one of another version, says so; given up, it leaves nothing in the queue',
    async () => {
      const queue = await startRedis('secret');
      const out = place('none.csv');
      const alone = await moreau([...flags(out), '--queue', queue.url], { interruptAt: 'has answered yet' });
      expect(alone.code).toBe(4);
      expect(alone.notes).toContain('moreau worker --queue redis://127.0.0.1');
      expect(alone.notes).not.toContain('secret');
      expect(await queued(queue.url, HERE)).toBe(0);
      const other = await startWorker(queue.url, 'other');
      const refused = await moreau([...flags(out), '--queue', queue.url, '--resume'], {
        interruptAfter: once(other.stderr ?? other, 'data'),
      });
      expect(refused.code).toBe(4);
      expect(refused.notes).toContain(`The worker other has version ${VERSION}`);
      expect(said.get(other)).toContain(`refuses a sweep of version ${HERE}`);
      expect(existsSync(out)).toBe(false);
    },
    LOADING_MS,
  );

  it(
    'is computed by the command line on both sides; an interrupt ends a worker',
    async () => {
      const queue = await startRedis();
      const out = place('far.csv');
      const connection = new Redis(queue.url, { maxRetriesPerRequest: null });
      const spoilt = new Queue(`sweep-${HERE}`, { connection, prefix: 'moreau' });
      await spoilt.add('chain', { points: 'all of them' });
      const submitted = moreau([...flags(out), '--queue', queue.url, '--json']);
      const worker = moreau(['worker', '--queue', queue.url, '--workers', '2'], {
        interruptAfter: submitted,
      });
      const outcome = await submitted;
      expect(outcome.code).toBe(0);
      expect(JSON.parse(outcome.out)).toMatchObject({ points: 2, failed: 0, queue: queue.url });
      expect(await worker).toMatchObject({ code: 0 });
      expect((await worker).notes).toContain('cannot be read and is skipped');
      await spoilt.close();
      connection.disconnect();
    },
    LOADING_MS,
  );

  it('takes the first result of a point, and none that does not fit', async () => {
    const queue = await startRedis();
    const job: SweepJob = { ...ballJob(), start: 'initial', measures: ['events'] };
    const plan = { kind: 'grid', axes: [{ parameter: 'g', values: [9, 10] }] } as const;
    const columns = {
      axes: [{ name: 'g', unit: '' }],
      measures: [{ name: 'events', unit: '' }],
      section: [],
    };
    let notes = '';
    const note = (text: string): void => void (notes += text);
    const address = QueueAddress.read(queue.url);
    const executor = await QueueExecutor.open({ address, version: VERSION, columns, note });
    const results = computeSweep({ ...job, plan }, executor, new Map(), null, () => undefined);
    const redisClient = new Redis(queue.url);
    const sweepId = async (): Promise<string> =>
      (await redisClient.smembers('moreau:sweeps')).at(0) ?? (await sweepId());
    const key = `moreau:replies:${await sweepId()}`;
    const none = new Float64Array(0);
    const point = (k: number, ...measures: number[]): string => {
      const result = {
        status: 'done',
        measures: Float64Array.from(measures),
        section: none,
        end: none,
      } as const;
      return JSON.stringify({ point: encodePoint(k, result) });
    };
    for (const reply of ['{', point(0, 1, 2), point(1, 7), point(1, 8), point(5, 1), point(0, 6)])
      await redisClient.xadd(key, '*', 'reply', reply);
    expect([...(await results)].map(([k, { measures }]) => [k, ...measures])).toEqual([
      [1, 7],
      [0, 6],
    ]);
    expect(notes).toContain('cannot be read');
    expect(notes).toContain('does not fit');
    redisClient.disconnect();
  });

  it(
    'tells what is wrong with its queue',
    async () => {
      const queue = await startRedis('secret');
      const out = place('wrong.csv');
      const wrong = await moreau([...flags(out), '--queue', queue.url.replace('secret', 'guess')]);
      expect(wrong.code).toBe(2);
      expect(wrong.notes).toContain('refused the connection');
      expect(wrong.notes).not.toContain('guess');
      await queue.stop();
      const gone = await moreau(['worker', '--queue', queue.url]);
      expect(gone.code).toBe(2);
      expect(gone.notes).toContain('There is no Redis');
      const address = await moreau(['worker', '--queue', 'http://:secret@here']);
      expect(address.code).toBe(2);
      expect(address.notes).toContain('redis://HOST:PORT');
      expect(address.notes).not.toContain('secret');
    },
    LOADING_MS,
  );
});
