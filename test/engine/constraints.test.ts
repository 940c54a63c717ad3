/** What a recording tells of contacts and relays: their states over time, and the energy that they take. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { IMPACT_BIT, placeConstraint } from '@engine/recording/constraints/constraint';
import { ConstraintReader } from '@engine/recording/constraints/constraint-reader';
import { TrajectoryReader } from '@engine/recording/reading';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun, type RunSession, type RunSpecification } from '@engine/run/session';
import { example } from './support/models';

interface Recorded {
  session: RunSession;
  reader: ConstraintReader;
  column(name: string): Float64Array;
  /** of one constraint, placed in the recording */
  window(
    name: string,
    buckets?: number,
    from?: number,
    to?: number,
  ): Parameters<ConstraintReader['losses']>[0];
}

function record(document: ModelDocument, options: Omit<RunSpecification, 'document'> = {}): Recorded {
  const sink = new MemoryChunks();
  const prepared = prepareRun({ document, ...options }, { sandbox: createSandbox, sink });
  if (!prepared.ok) throw new Error(prepared.error.message);
  const { session } = prepared;
  if (session.advance(Number.MAX_SAFE_INTEGER) !== 'done') throw new Error(session.error?.message);
  const columns = new Map(session.signals.map(({ name }, k) => [name, k]));
  const columnOf = (name: string): number | undefined => columns.get(name);
  return {
    session,
    reader: new ConstraintReader(sink),
    column: (name) => new TrajectoryReader(sink).rows([columnOf(name) ?? -1], 0, session.rows).columns[0],
    window: (name, buckets = 4000, from, to) => {
      const constraint = session.constraints.all.find((one) => one.name === name);
      const placed = constraint === undefined ? null : placeConstraint(constraint, columnOf);
      if (placed === null) throw new Error(`nothing is known of ${name}`);
      return { constraints: [placed], holds: session.constraints.holds, from, to, buckets, columns: [] };
    },
  };
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

describe('a ball that bounces from event to event', () => {
  const drop = 0.9;
  const [g, e] = [9.81, 0.9];
  const ball = record(example('bouncing-ball'), { scheme: 'event-driven' });
  const [lane] = ball.reader.lanes(ball.window('floor')).lanes;
  // Flights of e^k times the first rebound follow the fall, and end at the accumulation.
  const fall = Math.sqrt((2 * drop) / g);
  const rest = fall * (1 + (2 * e) / (1 - e));

  it('is open until its impacts accumulate, and closed from there on', () => {
    expect(ball.session.constraints.all.map(({ name, states }) => [name, states])).toEqual([
      ['floor', ['open', 'closed']],
    ]);
    expect([...lane.states]).toEqual([1, 2]);
    // The simulation takes the ball to be at rest a little before.
    expect(lane.t[1]).toBeCloseTo(rest, 4);
    expect(lane.seconds[0]).toBeCloseTo(lane.t[1], 12);
    expect(sum(lane.seconds)).toBeCloseTo(10, 12);
    expect(lane.changes).toBe(1);
    expect(lane.impacts).toBe(ball.session.eventRecords.filter(({ kind }) => kind === 'impact').length);
    expect(lane.impactTimes[0]).toBeCloseTo(fall, 12);
  });

  it('loses (1 − e²) of its energy at each impact, and all of it in the end', () => {
    const { lost, largest } = ball.reader.losses(ball.window('floor'));
    const energy = g * drop;
    expect(lost[0].normal.at(-1)).toBeCloseTo(energy, 8);
    const sorted = [...largest[0]].sort((a, b) => b.normal - a.normal);
    for (let k = 0; k < 5; k++) {
      expect(sorted[k].normal).toBeCloseTo((1 - e * e) * e ** (2 * k) * energy, 11);
      expect(sorted[k].t).toBeCloseTo(fall * (1 + (2 * (e * (1 - e ** k))) / (1 - e)), 11);
    }
    expect(lost[0].tangential.every((value) => value === 0)).toBe(true);
  });

  it('is given in a part of its time as in all of it', () => {
    const part = ball.reader.lanes(ball.window('floor', 4000, rest - 1, rest + 1)).lanes[0];
    expect([...part.states]).toEqual([1, 2]);
    expect(part.t[1]).toBe(lane.t[1]);
  });
});

describe('a ball that bounces in steps', () => {
  const ball = record(example('bouncing-ball'), { h: 1e-4 });
  const [exact] = ball.reader.lanes(ball.window('floor', 4000, 0, 1)).lanes;
  const wide = ball.reader.lanes(ball.window('floor', 16)).lanes[0];

  it('loses in its impulses what its weight has done', () => {
    const { lost } = ball.reader.losses(ball.window('floor'));
    const q = ball.column('ball.q');
    const v = ball.column('ball.v');
    const work = 9.81 * (q[0] - (q.at(-1) ?? 0)) - 0.5 * (v.at(-1) ?? 0) ** 2;
    expect(lost[0].normal.at(-1)).toBeCloseTo(work, 11);
  });

  it('is closed in the steps that have an impulse', () => {
    const impulses = ball.column('floor.impulse');
    const closed = impulses.reduce((count, value) => count + (value > 0 ? 1 : 0), 0);
    expect(wide.seconds[1]).toBeCloseTo(closed * 1e-4, 9);
    const t = ball.column('t');
    const first = impulses.findIndex((value) => value > 0);
    expect(exact.t[1]).toBe(t[first - 1]);
    expect([...exact.states.slice(0, 3)]).toEqual([1, 2, 1]);
  });

  it('is given by blocks of rows with the same sums and every state of a pixel', () => {
    const whole = { ...ball.window('floor'), buckets: 100_000 };
    const [fine] = ball.reader.lanes(whole).lanes;
    expect(wide.changes).toBe(fine.changes);
    wide.seconds.forEach((value, k) => expect(value).toBeCloseTo(fine.seconds[k], 9));
    expect(wide.t.length).toBeLessThan(40);
    // States in each stretch are all those of the fine lane in it, and no others.
    wide.t.forEach((from, k) => {
      const until = wide.t[k + 1] ?? wide.end;
      let mask = 0;
      fine.t.forEach((t, i) => {
        const ends = fine.t[i + 1] ?? fine.end;
        if (ends > from + 1e-12 && t < until - 1e-12) mask |= fine.states[i];
      });
      expect(mask & wide.states[k]).toBe(wide.states[k]);
    });
    expect(wide.states.reduce((all, one) => all | one, 0)).toBe(3);
    expect(wide.rowsPerStretch).toBeGreaterThan(1000);
    expect(fine.rowsPerStretch).toBe(1);
    const few = ball.reader.losses(ball.window('floor', 16));
    const all = ball.reader.losses({ ...whole, buckets: 1_000_000 });
    expect(few.t.length).toBeLessThan(40);
    expect(all.t.length).toBe(ball.session.rows);
    few.t.forEach((t, k) =>
      expect(few.lost[0].normal[k]).toBeCloseTo(all.lost[0].normal[all.t.lastIndexOf(t)], 12),
    );
  });
});

describe('a mass on a belt', () => {
  const belt = record(example('friction-belt'));
  const name = belt.session.constraints.all[0]?.name ?? '';

  it('sticks and slides by what its friction is', () => {
    const [lane] = belt.reader.lanes(belt.window(name, 100_000)).lanes;
    expect(belt.session.constraints.all[0]?.states).toEqual(['slideForward', 'stick', 'slideBackward']);
    const t = belt.column('t');
    const lambda = belt.column(`${name}.lambda`);
    const rule = belt.session.constraints.all[0]?.rule;
    if (rule?.kind !== 'box' || rule.lower === null || rule.upper === null) throw new Error('no relay');
    const bounds = [rule.lower, rule.upper];
    const seconds = [0, 0, 0];
    for (let k = 1; k < t.length; k++) {
      // What an event leaves holds until the next one.
      const force = lambda[k - 1];
      const state = force < bounds[0] + 1e-5 ? 0 : force > bounds[1] - 1e-5 ? 2 : 1;
      seconds[state] += t[k] - t[k - 1];
    }
    lane.seconds.forEach((value, k) => expect(value).toBeCloseTo(seconds[k], 9));
    expect(lane.seconds[1]).toBeGreaterThan(0);
    expect(lane.impacts).toBe(0);
  });

  it('loses energy by friction only', () => {
    const [lost] = belt.reader.losses(belt.window(name)).lost;
    expect(lost.tangential.at(-1)).toBeGreaterThan(0);
    expect(lost.normal.every((value) => value === 0)).toBe(true);
    // Friction never gives energy.
    lost.tangential.forEach((value, k) => {
      if (k > 0) expect(value).toBeGreaterThanOrEqual(lost.tangential[k - 1] - 1e-9);
    });
  });
});

describe('contacts with friction in the plane', () => {
  const block = record(example('rocking-block'));

  it('are open, stick or slide by the cone of their law', () => {
    for (const { name, states, rule } of block.session.constraints.all) {
      expect(states).toEqual(['open', 'stick', 'slideForward', 'slideBackward']);
      if (rule.kind !== 'friction') throw new Error('no friction');
      const t = block.column('t');
      const [normal, tangential] = [block.column(rule.normal), block.column(rule.tangential)];
      const seconds = [0, 0, 0, 0];
      const isAfter = block.session.constraints.holds === 'after';
      for (let k = 1; k < t.length; k++) {
        const at = isAfter ? k - 1 : k;
        const ratio = Math.abs(tangential[at]) / (rule.coefficient * normal[at]);
        const sliding = tangential[at] < 0 ? 2 : 3;
        const state = !(normal[at] > 0) ? 0 : ratio < 1 - 1e-6 ? 1 : sliding;
        seconds[state] += t[k] - t[k - 1];
      }
      const [lane] = block.reader.lanes(block.window(name, 100_000)).lanes;
      lane.seconds.forEach((value, k) => expect(value).toBeCloseTo(seconds[k], 9));
      expect(lane.states.every((mask) => (mask & IMPACT_BIT) === 0)).toBe(true);
      expect(lane.seconds[1]).toBeGreaterThan(0);
    }
  });
});

describe('what cannot be told', () => {
  it('is nothing of a constraint whose multiplier is not recorded', () => {
    const [constraint] = record(example('bouncing-ball')).session.constraints.all;
    expect(placeConstraint(constraint, (name) => (name.endsWith('impulse') ? undefined : 1))).toBeNull();
    const partly = placeConstraint(constraint, (name) => (name.endsWith('gapVelocity') ? undefined : 1));
    expect(partly?.work).toEqual([]);
  });

  it('is nothing before the first step', () => {
    const sink = new MemoryChunks();
    const prepared = prepareRun({ document: example('bouncing-ball') }, { sandbox: createSandbox, sink });
    if (!prepared.ok) throw new Error(prepared.error.message);
    const window = { constraints: [], holds: 'before' as const, from: undefined, to: undefined, buckets: 10 };
    expect(new ConstraintReader(sink).lanes(window)).toEqual({
      rows: 0,
      recordedFrom: 0,
      recordedTo: 0,
      lanes: [],
    });
  });
});

describe('energies beside what is lost', () => {
  it('keep every spike of each of them and of their sum, on the way of a long run', () => {
    const rows = 40_000;
    const chunks = new MemoryChunks();
    const columns = 3;
    const rowsPerChunk = 1024;
    let chunk = chunks.open({ columns, rowsPerChunk });
    // The spikes of both columns at 12345 cancel in the sum; at 23456 they add up.
    const valuesAt = (row: number): number[] => {
      const spike = row === 12_345 ? [50, -50] : row === 23_456 ? [7, 7] : [0, 0];
      return [row * 1e-3, spike[0], spike[1]];
    };
    for (let row = 0; row < rows; row++) {
      const at = row % rowsPerChunk;
      if (row > 0 && at === 0) chunk = chunks.next();
      valuesAt(row).forEach((value, c) => (chunk[c * rowsPerChunk + at] = value));
    }
    chunks.publish(rows);
    const reader = new ConstraintReader(chunks);
    const query = { constraints: [], holds: 'before', from: undefined, to: undefined } as const;
    const found = reader.losses({ ...query, buckets: 50, columns: [1, 2] });
    const [first, second] = found.curves;
    expect(Math.max(...first.y)).toBe(50);
    expect(first.t[first.y.indexOf(50)]).toBe(valuesAt(12_345)[0]);
    expect(Math.min(...second.y)).toBe(-50);
    expect([Math.min(...(found.total?.y ?? [])), Math.max(...(found.total?.y ?? []))]).toEqual([0, 14]);
    expect(found.total?.y.length).toBeLessThan(250);
    expect(found.rowsPerBucket).toBe(800);
    const whole = reader.losses({ ...query, from: 12.34, to: 12.35, buckets: 50, columns: [1, 2] });
    expect(whole.rowsPerBucket).toBe(1);
  });
});
