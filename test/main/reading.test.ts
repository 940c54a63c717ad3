import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MoreauError } from '@contract/errors';
import type { ChunkLayout } from '@engine/recording/chunks';
import { FileChunkSink, FileChunkSource } from '@main/host/chunk-file';
import { COUNTER, createCounters, RING_CHUNKS } from '@main/host/counters';
import { bouncingBall } from './models';
import { createHost, failure, isOver, runWhen, temporaryFolder } from './support';

const LAYOUT: ChunkLayout = { columns: 2, rowsPerChunk: 64 };

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A sink and a source on the same recording, and a writer of rows (r, −r). */
function recording() {
  const counters = createCounters();
  const path = join(folder.path, 'run.rows');
  let source: FileChunkSource | null = null;
  const sink = new FileChunkSink(path, counters, (layout, ring) => {
    source = new FileChunkSource(path, layout, counters, ring);
  });
  let chunk = sink.open(LAYOUT);
  if (source === null) throw new Error('the sink did not say that it is open');
  let row = 0;
  const write = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const at = row % LAYOUT.rowsPerChunk;
      if (at === 0 && row > 0) {
        sink.publish(row);
        chunk = sink.next(row / LAYOUT.rowsPerChunk - 1);
      }
      chunk[at] = row;
      chunk[LAYOUT.rowsPerChunk + at] = -row;
      row++;
    }
    sink.publish(row);
  };
  return { sink, source: source as FileChunkSource, write, counters };
}

describe('a recording on disk', () => {
  it('reads full chunks from the file and the newest from memory', () => {
    const { source, write } = recording();
    write(10 * 64 + 7);
    expect(source.rows()).toBe(647);
    for (const chunk of [0, 5, 9, 10]) {
      const t = source.column(chunk, 0).slice();
      const y = source.column(chunk, 1).slice();
      expect(t[3]).toBe(chunk * 64 + 3);
      expect(y[3]).toBe(-(chunk * 64 + 3));
    }
  });

  it('sees rows that are added to the chunk it has read before', () => {
    const { source, write } = recording();
    write(5);
    expect(source.column(0, 0)[4]).toBe(4);
    write(5);
    expect(source.column(0, 0)[9]).toBe(9);
  });

  it('does not trust a ring buffer that was reused while it was copied', () => {
    const { source, write, counters } = recording();
    write(64 + 1);
    // As if the disk counter had been read just before the recorder went on by a whole ring.
    write(RING_CHUNKS * 64);
    const onDisk = Atomics.load(counters, COUNTER.chunksOnDisk);
    Atomics.store(counters, COUNTER.chunksOnDisk, 0);
    const t = source.column(0, 0).slice();
    Atomics.store(counters, COUNTER.chunksOnDisk, onDisk);
    expect([...t]).toEqual(Array.from({ length: 64 }, (_, i) => i));
  });

  it('keeps the unfinished chunk when it is sealed', () => {
    const { sink, source, write } = recording();
    write(64 + 10);
    source.seal();
    sink.close();
    expect(source.column(1, 1)[9]).toBe(-73);
    source.close();
  });

  it('keeps a recording that ends exactly with a chunk', () => {
    const { source, write } = recording();
    write(128);
    source.seal();
    expect(source.column(1, 0)[63]).toBe(127);
  });

  it('says where it could not be written', () => {
    const path = join(folder.path, 'taken');
    mkdirSync(path);
    const sink = new FileChunkSink(path, createCounters(), () => undefined);
    expect(() => sink.open(LAYOUT)).toThrow(MoreauError);
    expect(sink.failure?.details).toMatchObject({ code: 'recording-failed', where: path });
  });
});

describe('reading runs', () => {
  it('reads while the run goes on, without disturbing it', async () => {
    const host = createHost();
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 1e6 }) });
    let before = 0;
    for (let i = 0; i < 20; i++) {
      const window = await host.dispatch('run.read', { runId, signals: ['ball.q'], buckets: 100 });
      const [{ t, y }] = window.signals;
      expect(window.rows).toBeGreaterThanOrEqual(before);
      expect(t.length).toBe(y.length);
      // Every point is one that a ball can reach: a torn read would show others.
      for (const q of y) expect(q).toBeLessThanOrEqual(1.001);
      for (let k = 1; k < t.length; k++) expect(t[k]).toBeGreaterThanOrEqual(t[k - 1]);
      before = window.rows;
    }
    expect((await host.dispatch('run.cancel', { runId })).state).toBe('cancelled');
    const after = await host.dispatch('run.read', { runId, signals: ['ball.q'], buckets: 100 });
    expect(after.rows).toBeGreaterThanOrEqual(before);
    await host.dispose();
  });

  it('gives the same rows during the run and after it', async () => {
    const host = createHost();
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 20 }) });
    await host.dispatch('run.pause', { runId });
    const query = { runId, signals: ['t', 'ball.q', 'table.impulse'], firstRow: 0, count: 1000 };
    const during = await host.dispatch('run.rows', query);
    await host.dispatch('run.resume', { runId });
    const run = await runWhen(host, runId, isOver);
    expect(run.statistics.rows).toBe(20_001);
    const after = await host.dispatch('run.rows', query);
    during.columns.forEach((column, i) => expect(after.columns[i].slice(0, column.length)).toEqual(column));
    expect((await host.dispatch('run.rows', { ...query, firstRow: 30_000 })).columns[0]).toHaveLength(0);
    await host.dispose();
  });

  it('names a signal that was not recorded', async () => {
    const host = createHost();
    const document = bouncingBall();
    const { runId } = await host.dispatch('run.start', { document, signals: ['t', 'ball.q'] });
    await runWhen(host, runId, isOver);
    const details = await failure(host.dispatch('run.read', { runId, signals: ['ball.v'], buckets: 10 }));
    expect(details).toMatchObject({ code: 'unknown-signal', where: 'ball.v' });
    const portrait = await host.dispatch('run.portrait', {
      runId,
      x: 't',
      y: 'ball.q',
      maxPoints: 5000,
      width: 64,
      height: 64,
    });
    expect(portrait).toMatchObject({ kind: 'points', rows: 2001 });
    await host.dispose();
  });

  it('gives every n-th row, and counts only those it gives', async () => {
    const host = createHost();
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 20 }) });
    await runWhen(host, runId, isOver);
    const query = { runId, signals: ['t', 'ball.q'], firstRow: 10, count: 20_000 };
    const all = await host.dispatch('run.rows', query);
    const some = await host.dispatch('run.rows', { ...query, every: 256 });
    expect(some.columns).toEqual(all.columns.map((column) => column.filter((_, i) => i % 256 === 0)));
    const signals = Array.from({ length: 1000 }, () => 't');
    const wide = await host.dispatch('run.rows', {
      runId,
      signals,
      firstRow: 0,
      count: 2 ** 31 - 1,
      every: 2000,
    });
    expect(wide.columns).toHaveLength(1000);
    expect(wide.columns[999]).toHaveLength(11);
    await host.dispose();
  });

  it('hands out the scene of a run: null of a model without bodies', async () => {
    const host = createHost();
    const { runId } = await host.dispatch('run.start', { document: bouncingBall() });
    expect(await host.dispatch('run.scene', { runId })).toEqual({ scene: null });
    const details = await failure(host.dispatch('run.scene', { runId: 'absent' }));
    expect(details.code).toBe('unknown-run');
    await host.dispose();
  });

  it('hands out the scene of a run with bodies, whose signals the run records', async () => {
    const host = createHost();
    const { text } = await host.dispatch('examples.read', { name: 'heavy-top' });
    const { document } = await host.dispatch('document.read', { text });
    const { runId } = await host.dispatch('run.start', { document: document!, tEnd: 0.01 });
    const { scene } = await host.dispatch('run.scene', { runId });
    expect(scene?.bodies.length).toBeGreaterThan(0);
    const signals = scene!.bodies.flatMap(({ motion }) => [...(motion?.signals ?? [])]);
    expect(signals.length).toBeGreaterThan(0);
    await runWhen(host, runId, isOver);
    const { columns } = await host.dispatch('run.rows', { runId, signals, firstRow: 0, count: 1 });
    expect(columns.every((column) => column.length === 1)).toBe(true);
    const report = await host.dispatch('document.report', { document: document! });
    expect(report.scene).toEqual(scene);
    await host.dispose();
  });

  it('refuses a table that no answer can hold', async () => {
    const host = createHost();
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 100 }) });
    await runWhen(host, runId, isOver);
    const signals = Array.from({ length: 200 }, () => 't');
    const details = await failure(host.dispatch('run.rows', { runId, signals, firstRow: 0, count: 100_000 }));
    expect(details.code).toBe('too-much-data');
    await host.dispose();
  });
});
