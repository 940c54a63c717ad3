import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineHost } from '@main/host/host';
import type { RunInfo } from '@contract/methods';
import { bouncingBall } from './models';
import { createHost, failure, isOver, nextEvent, runWhen, temporaryFolder } from './support';

const PAGE = '00000000-0000-4000-8000-00000000000b';
const BALL = 'file:ball';

let folder: ReturnType<typeof temporaryFolder>;
const hosts: EngineHost[] = [];
const open = (): EngineHost => {
  const host = createHost({ stateDirectory: folder.path });
  hosts.push(host);
  return host;
};
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.dispose()));
  await folder.remove();
});
const place = (runId: string, file = ''): string => join(folder.path, 'kept-runs', runId, file);
const attend = (host: EngineHost, documents = [BALL]) =>
  host.dispatch('run.attend', { page: PAGE, documents });

async function run(host: EngineHost, tEnd = 1, belongsTo = [BALL]): Promise<RunInfo> {
  const { runId } = await host.dispatch('run.start', {
    document: bouncingBall({ h: 1e-4 }),
    tEnd,
    belongsTo,
    measure: false,
  });
  return runWhen(host, runId, isOver);
}
const column = async (host: EngineHost, { runId, statistics }: RunInfo): Promise<Float64Array> =>
  (await host.dispatch('run.rows', { runId, signals: ['ball.q'], firstRow: 0, count: statistics.rows }))
    .columns[0];

describe('a run', () => {
  it('is there after a restart with the same bits, its name and its pin', async () => {
    const first = open();
    const before = await run(first);
    const { runId } = before;
    const rows = await column(first, before);
    await first.dispatch('run.rename', { runId, name: 'Ball, kept' });
    await first.dispatch('run.pin', { runId, pinned: true });
    const state = await first.dispatch('run.state', { runId });
    const certificate = await first.dispatch('run.certificate', { runId });
    const lanes = await first.dispatch('run.lanes', { runId, buckets: 100 });
    expect(certificate.t.length).toBeGreaterThan(0);
    await first.dispose();
    const second = open();
    expect(await second.dispatch('run.list', {})).toEqual([]);
    const { runs, problems } = await attend(second);
    expect(problems).toEqual([]);
    expect(runs).toEqual([
      { ...before, name: 'Ball, kept', pinned: true, bytes: expect.any(Number) as number },
    ]);
    expect(runs[0].bytes).toBeGreaterThan(0);
    expect(await column(second, runs[0])).toEqual(rows);
    expect(await second.dispatch('run.state', { runId })).toEqual(state);
    expect(await second.dispatch('run.certificate', { runId })).toEqual(certificate);
    expect(await second.dispatch('run.lanes', { runId, buckets: 100 })).toEqual(lanes);
    const reached = before.statistics.simulatedTime;
    const next = await second.dispatch('run.continue', { runId });
    const continued = await runWhen(second, next.runId, isOver);
    expect(continued).toMatchObject({
      state: 'done',
      t0: reached,
      statistics: { steps: before.statistics.steps },
    });
    expect((await column(second, continued))[0]).toEqual(rows.at(-1));
    await second.dispatch('run.delete', { runId: next.runId, forGood: true });
    const repeated = await second.dispatch('run.repeat', { runId });
    expect(repeated.documents).toEqual([BALL]);
    expect(repeated.name).toBe('Run 3');
    expect(await column(second, await runWhen(second, repeated.runId, isOver))).toEqual(rows);
    await second.dispatch('run.delete', { runId });
    expect((await attend(second)).runs.map((one) => one.runId)).toEqual([repeated.runId]);
    expect(await second.dispatch('run.restore', { runId })).toMatchObject({ name: 'Ball, kept' });
    expect((await attend(second)).runs).toHaveLength(2);
    expect(await column(second, runs[0])).toEqual(rows);
    await second.dispatch('run.delete', { runId, forGood: true });
    expect((await failure(second.dispatch('run.restore', { runId }))).code).toBe('unknown-run');
    expect(readdirSync(place(''))).not.toContain(runId);
  });

  it('is reported only with its documents, and belongs to a file it is saved as', async () => {
    const host = open();
    const { runId } = await run(host);
    expect((await attend(host, ['file:other'])).runs).toEqual([]);
    await host.dispatch('run.assign', { document: 'file:other', runs: [runId] });
    await host.dispose();
    const [found] = (await attend(open(), ['file:other'])).runs;
    expect(found.documents).toEqual([BALL, 'file:other']);
  });

  it('that was under way at a quit is interrupted, with every row that was recorded', async () => {
    const host = open();
    const { runId } = await host.dispatch('run.start', {
      document: bouncingBall({ h: 1e-4 }),
      tEnd: 1e4,
      belongsTo: [BALL],
    });
    await runWhen(host, runId, ({ statistics }) => statistics.rows > 1000);
    await host.dispatch('run.pause', { runId });
    const { statistics } = await host.dispatch('run.get', { runId });
    await host.dispose();
    const later = open();
    const [found] = (await attend(later)).runs;
    expect(found).toMatchObject({ state: 'interrupted', statistics: { rows: statistics.rows } });
    expect(await column(later, found)).toHaveLength(statistics.rows);
  });
});

describe('a killed program', () => {
  it('leaves a run up to its last whole chunk, which is a beginning of what would have come', async () => {
    const host = open();
    const { runId } = await host.dispatch('run.start', {
      document: bouncingBall({ h: 1e-5 }),
      tEnd: 3,
      paused: true,
      belongsTo: [BALL],
    });
    await host.dispatch('run.runTo', { runId, time: 1.5 });
    await runWhen(host, runId, ({ state, statistics }) => state === 'paused' && statistics.steps > 0);
    const killed = temporaryFolder();
    try {
      cpSync(place(''), join(killed.path, 'kept-runs'), { recursive: true });
      await host.dispatch('run.resume', { runId });
      const whole = await runWhen(host, runId, isOver);
      const manifest = join(killed.path, 'kept-runs', runId, 'manifest.json');
      const left = JSON.parse(readFileSync(manifest, 'utf8')) as { owner: { pid: number } };
      // A number above those that a system gives to its processes.
      writeFileSync(manifest, JSON.stringify({ ...left, owner: { ...left.owner, pid: 2 ** 22 + 1 } }));
      const later = createHost({ stateDirectory: killed.path });
      hosts.push(later);
      const [found] = (await attend(later)).runs;
      const { rows, simulatedTime } = found.statistics;
      expect(found.state).toBe('interrupted');
      expect(rows).toBeGreaterThan(0);
      expect(rows).toBeLessThan(whole.statistics.rows);
      expect(simulatedTime).toBeCloseTo((rows - 1) * 1e-5, 9);
      expect(await column(later, found)).toEqual((await column(host, whole)).subarray(0, rows));
      expect((await later.dispatch('run.document', { runId })).origin).toEqual(bouncingBall({ h: 1e-5 }));
    } finally {
      await Promise.all(hosts.splice(0).map((one) => one.dispose()));
      await killed.remove();
    }
  });
});

describe('two processes over one folder', () => {
  it('see what the other has computed, not what it computes, and both change it', async () => {
    const one = open();
    const two = open();
    const { runId } = await run(one);
    const going = await one.dispatch('run.start', {
      document: bouncingBall({ h: 1e-4 }),
      tEnd: 1e4,
      paused: true,
      belongsTo: [BALL],
    });
    const seen = async () => (await attend(two)).runs.map((found) => found.runId);
    // The last word on a run is on the disk a moment after it has been told.
    await expect.poll(seen).toEqual([runId]);
    await two.dispatch('run.pin', { runId, pinned: true });
    expect((await run(two)).name).not.toBe('Run 1');
    await one.dispatch('run.cancel', { runId: going.runId });
    await expect.poll(async () => (await attend(two)).runs.length).toBe(3);
    await two.dispatch('run.delete', { runId });
    expect((await attend(one)).runs.map((found) => found.runId)).not.toContain(runId);
  });
});

describe('the disk limit', () => {
  it('takes the oldest that are neither pinned nor of an open model, in any process, and says which', async () => {
    const first = open();
    const [pinned, oldest, newer] = [await run(first), await run(first), await run(first)];
    await first.dispatch('run.pin', { runId: pinned.runId, pinned: true });
    const shown = await run(first, 1, ['file:shown']);
    await expect.poll(async () => (await first.dispatch('run.storage', {})).runs.length).toBe(4);
    await first.dispose();
    const elsewhere = open();
    await attend(elsewhere, ['file:shown']);
    const host = open();
    const { runs, bytes, free } = await host.dispatch('run.storage', {});
    expect(runs.map(({ runId, inUse }) => [runId, inUse])).toEqual([
      [pinned.runId, false],
      [oldest.runId, false],
      [newer.runId, false],
      [shown.runId, true],
    ]);
    expect(free).toBeGreaterThan(0);
    const told = nextEvent(host, ({ event }) => event === 'run.removed');
    await host.dispatch('settings.write', { changes: { 'runs.diskLimit': (bytes - 1) / 2 ** 30 } });
    await attend(host, ['file:none']);
    expect((await told).data).toMatchObject({ runs: [{ runId: oldest.runId, name: 'Run 2' }], over: 0 });
    const cleared = await host.dispatch('run.clear', {});
    expect(cleared.runs.map(({ runId }) => runId)).toEqual([newer.runId]);
    const over = nextEvent(host, ({ event }) => event === 'run.removed');
    await host.dispatch('settings.write', { changes: { 'runs.diskLimit': 1e-6 } });
    await attend(host, ['file:none']);
    expect((await over).data).toMatchObject({ runs: [], over: expect.any(Number) as number });
    expect((await attend(host)).runs.map(({ runId }) => runId)).toEqual([pinned.runId]);
  });
});

describe('damage', () => {
  it('of a manifest sets the run aside with its place, and leaves the others', async () => {
    const first = open();
    const [bad, good] = [await run(first), await run(first)];
    await first.dispose();
    const path = place(bad.runId, 'manifest.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"rows":', '"rows":"many","was":'));
    const host = open();
    const { runs, problems } = await attend(host);
    expect(runs.map(({ runId }) => runId)).toEqual([good.runId]);
    expect(problems).toEqual([
      {
        place: `${place(bad.runId)}.damaged/manifest.json`,
        reason: expect.stringContaining('rows') as string,
      },
    ]);
    expect(readdirSync(`${place(bad.runId)}.damaged`)).toContain('recording.rows');
    expect((await attend(host)).problems).toEqual([]);
  });

  it('of a chunk is reported with its place, and what stands before it is read', async () => {
    const first = open();
    const { runId, signals } = await run(first, 40);
    await first.dispose();
    const rowsPerChunk = 2 ** Math.floor(Math.log2(2 ** 20 / (8 * signals.length)));
    const chunkBytes = rowsPerChunk * signals.length * 8;
    const file = openSync(place(runId, 'recording.rows'), 'r+');
    writeSync(file, new Uint8Array([1, 2, 3]), 0, 3, chunkBytes + 4096);
    closeSync(file);
    const host = open();
    const [found] = (await attend(host)).runs;
    expect(found.warnings).toEqual([]);
    expect(found.statistics.rows).toBeGreaterThan(rowsPerChunk);
    const names = found.signals.map(({ name }) => name);
    const read = await host.dispatch('run.read', { runId, signals: names, buckets: 4000 });
    expect(read.rows).toBe(rowsPerChunk);
    const { warnings } = await host.dispatch('run.get', { runId });
    expect(warnings).toEqual([expect.stringContaining('damaged at chunk 1')]);
    expect((await attend(host)).problems).toEqual([]);
  });

  it('of a recording that was cut short is reported at once', async () => {
    const first = open();
    const { runId, signals } = await run(first, 40);
    await first.dispose();
    truncateSync(place(runId, 'recording.rows'), 3 * signals.length * 8 + 2 ** 20);
    const [found] = (await attend(open())).runs;
    expect(found.warnings).toEqual([expect.stringContaining('damaged at chunk 1')]);
    expect(found.statistics.rows).toBeGreaterThan(0);
  });
});
