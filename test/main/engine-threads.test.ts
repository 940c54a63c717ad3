/** Which threads a host starts: a command is over sooner than another thread has loaded the engine. */
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunInfo } from '@contract/methods';
import type { EngineHost } from '@main/host/host';
import { startEngine } from '@main/host/thread';
import { bouncingBall } from './models';
import { createHost, isOver, PLACE, runWhen } from './support';

let created: Worker[] = [];
let host: EngineHost;
const onWorker = (worker: Worker): void => void created.push(worker);

beforeEach(() => {
  created = [];
  process.on('worker', onWorker);
});

afterEach(async () => {
  await host.dispose();
  process.removeListener('worker', onWorker);
});

async function computed(keep: 'all' | 'last'): Promise<RunInfo> {
  const started = await host.dispatch('run.start', { document: bouncingBall(), keep, measure: false });
  return runWhen(host, started.runId, isOver);
}

async function lastTime({ runId, statistics }: RunInfo): Promise<number> {
  const firstRow = statistics.rows - 1;
  const { columns } = await host.dispatch('run.rows', { runId, signals: ['t'], firstRow, count: 1 });
  return columns[0][0];
}

describe('a run of which the last rows are kept', () => {
  it('is computed, read and followed by a report in the thread that was begun before', async () => {
    const engineThread = startEngine(PLACE.engineWorkerUrl);
    host = createHost({ engineThread });
    const run = await computed('last');
    expect(await lastTime(run)).toBeCloseTo(run.tEnd, 9);
    const report = await host.dispatch('document.report', { document: bouncingBall() });
    expect(report.issues).toEqual([]);
    expect(created).toEqual([engineThread]);
  });

  it('can be read beside one that has a file, whichever comes first', async () => {
    host = createHost();
    const first = await computed('last');
    const times = [await lastTime(first)];
    const second = await computed('all');
    for (const run of [first, second, await computed('last')]) times.push(await lastTime(run));
    for (const time of times) expect(time).toBeCloseTo(first.tEnd, 9);
  });
});
