/** Recording: which rows are kept, and where they stand. */
import { describe, expect, it } from 'vitest';
import { chunkLayout, type ChunkLayout, type ChunkSink, MemoryChunks } from '@engine/recording/chunks';
import { Recorder } from '@engine/recording/recorder';
import { model, particle } from './support/models';
import { run, start } from './support/run';

/** 3 + 2 signals: t, q, v, kinetic and potential energy. */
const ball = (every: number, steps: number): ReturnType<typeof model> => {
  const document = model([particle('ball', 0, 1)], [], { h: 1, tEnd: steps });
  document.simulation.recording = { every };
  return document;
};

describe('chunk layout', () => {
  it('is a power of two of rows, about a mebibyte, within its bounds', () => {
    for (const columns of [1, 2, 3, 7, 100, 1000, 5003, 100_000]) {
      const { rowsPerChunk } = chunkLayout(columns);
      expect(Math.log2(rowsPerChunk) % 1).toBe(0);
      expect(rowsPerChunk).toBeGreaterThanOrEqual(64);
      expect(rowsPerChunk).toBeLessThanOrEqual(65536);
      if (rowsPerChunk > 64) expect(rowsPerChunk * columns * 8).toBeLessThanOrEqual(1024 * 1024);
      if (rowsPerChunk < 65536) expect(rowsPerChunk * 2 * columns * 8).toBeGreaterThan(1024 * 1024);
    }
  });
});

/** Notes every call; hands out one buffer again and again, as a sink that writes to a file may. */
class RecyclingSink implements ChunkSink {
  readonly calls: string[] = [];
  readonly full: Float64Array[] = [];
  buffer = new Float64Array(0);

  open(layout: ChunkLayout): Float64Array {
    this.calls.push(`open ${layout.columns}x${layout.rowsPerChunk}`);
    this.buffer = new Float64Array(layout.columns * layout.rowsPerChunk);
    return this.buffer;
  }

  next(index: number): Float64Array {
    this.calls.push(`next ${index}`);
    this.full.push(this.buffer.slice());
    return this.buffer;
  }

  publish(rows: number): void {
    this.calls.push(`publish ${rows}`);
  }
}

describe('the recorder', () => {
  // 3000 columns: 64 rows a chunk.
  const COLUMNS = 3000;
  const slots = Int32Array.from({ length: COLUMNS }, (_, i) => i);

  function record(rows: number): RecyclingSink {
    const sink = new RecyclingSink();
    const recorder = new Recorder(sink, slots);
    const state = new Float64Array(COLUMNS);
    for (let row = 0; row < rows; row++) {
      state.forEach((_, i) => (state[i] = row + i / 10_000));
      recorder.record(state);
    }
    recorder.publish();
    expect(recorder.rows).toBe(rows);
    return sink;
  }

  it.each([
    [63, ['open 3000x64', 'publish 63']],
    [64, ['open 3000x64', 'publish 64']],
    [65, ['open 3000x64', 'publish 64', 'next 0', 'publish 65']],
    [128, ['open 3000x64', 'publish 64', 'next 0', 'publish 128']],
    [129, ['open 3000x64', 'publish 64', 'next 0', 'publish 128', 'next 1', 'publish 129']],
  ])('publishes a full chunk before it asks for the next, %i rows', (rows, calls) => {
    expect(record(rows).calls).toEqual(calls);
  });

  it('stands column by column in each chunk', () => {
    const sink = record(129);
    for (const [chunk, values] of sink.full.entries()) {
      for (const column of [0, 1, 2999]) {
        for (const row of [0, 1, 63])
          expect(values[column * 64 + row]).toBe(chunk * 64 + row + column / 10_000);
      }
    }
    expect(sink.full).toHaveLength(2);
  });

  it('gathers the slots it is given', () => {
    const sink = new MemoryChunks();
    const recorder = new Recorder(sink, Int32Array.of(0, 3));
    recorder.record(Float64Array.of(1, 2, 3, 4));
    expect(sink.rows()).toBe(0);
    recorder.publish();
    expect(sink.rows()).toBe(1);
    expect([sink.column(0, 0)[0], sink.column(0, 1)[0]]).toEqual([1, 4]);
  });
});

describe('a run', () => {
  it('records its initial state and every step', () => {
    const { session, column } = run(ball(1, 5));
    expect([...column('t')]).toEqual([0, 1, 2, 3, 4, 5]);
    expect([...column('ball.q')]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(session.rows).toBe(6);
  });

  it('keeps every 7th step and the last', () => {
    expect([...run(ball(7, 30)).column('t')]).toEqual([0, 7, 14, 21, 28, 30]);
    expect([...run(ball(7, 28)).column('t')]).toEqual([0, 7, 14, 21, 28]);
    expect([...run(ball(1000, 30)).column('t')]).toEqual([0, 30]);
  });

  it('crosses chunk borders without losing or doubling a row', () => {
    // Six signals: 16 384 rows a chunk.
    const { session, column } = run(ball(1, 40_000));
    expect(session.rows).toBe(40_001);
    const t = column('t');
    expect(t.every((value, k) => value === k)).toBe(true);
  });

  it('gives the same rows in slices of any size', () => {
    const whole = run(ball(3, 1000));
    const sliced = start(ball(3, 1000));
    let state = sliced.session.advance(1);
    for (let size = 1; state === 'running'; size = (size % 17) + 1) {
      expect(sliced.session.rows).toBeGreaterThan(0);
      state = sliced.session.advance(size);
    }
    expect(state).toBe('done');
    expect(sliced.column('ball.q')).toEqual(whole.column('ball.q'));
    expect(sliced.session.advance(10)).toBe('done');
    expect(sliced.session.steps).toBe(1000);
  });

  it('publishes what a slice recorded', () => {
    const { session, column } = start(ball(1, 100));
    expect(column('t')).toHaveLength(1);
    expect(session.advance(10)).toBe('running');
    expect(column('t')).toHaveLength(11);
    expect(session.time).toBe(10);
  });

  it('records the signals asked for, time always, in the order of the model', () => {
    const { session } = run(ball(1, 1), { signals: ['ball.v', 'ball.q'] });
    expect(session.signals.map(({ name }) => name)).toEqual(['t', 'ball.q', 'ball.v']);
  });

  it('ends after a whole number of steps and says so', () => {
    const uneven = run(model([particle('ball', 0, 1)], [], { h: 0.3, tEnd: 1 }));
    expect(uneven.session.totalSteps).toBe(4);
    expect(uneven.column('t').at(-1)).toBeCloseTo(1.2, 14);
    expect(uneven.session.warnings).toHaveLength(1);
    expect(uneven.session.warnings[0]).toContain('1.2');
    const even = run(model([particle('ball', 0, 1)], [], { h: 0.1, tEnd: 0.3 }));
    expect(even.session.totalSteps).toBe(3);
    expect(even.session.warnings).toEqual([]);
  });

  it('has the times t₀ + k h to the last bit, after a million steps too', () => {
    const document = model([particle('ball', 0, 1)], [], { h: 1e-4, tEnd: 100 });
    const { column } = run(document, { signals: ['t'] });
    const t = column('t');
    expect(t).toHaveLength(1_000_001);
    expect(t.every((value, k) => value === k * 1e-4)).toBe(true);
  });
});
