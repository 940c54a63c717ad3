/** Runs with control blocks: going back, going on, and many samples. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SchemeName } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import { isProving } from '../../support/prove';
import { run } from '../support/run';
import { controlled, SCHEMES } from './documents';

const A = [
  [0, 1],
  [-2, -0.3],
];

/** Three rates, none of which divides another, and every kind of memory. */
const threeRates = (h: number, tEnd: number): ModelDocument =>
  controlled(
    { A, T: [[0], [1]], u: ['limited.y + 0.1*pid.u'], x0: [1, 0] },
    [
      {
        id: 'observer',
        type: 'LuenbergerObserver',
        measured: ['plant.x[0]'],
        control: ['limited.y + 0.1*pid.u'],
        A,
        B: [[0], [1]],
        C: [[1, 0]],
        L: [[3], [4]],
        every: 0.007,
      },
      {
        id: 'pid',
        type: 'PID',
        measured: ['plant.x[0]'],
        reference: ['sin(t)'],
        kp: 2,
        ki: 1,
        kd: 0.01,
        lower: -1,
        upper: 0.2,
        every: 0.011,
      },
      { id: 'late', type: 'Delay', x: ['observer.xHat[0] + observer.xHat[1]'], samples: 3, every: 0.013 },
      { id: 'limited', type: 'RateLimiter', x: ['-late.y'], rise: 5, every: 0.013, offset: 0.004 },
    ],
    { h, tEnd },
  );

describe.each(SCHEMES)('%s', (scheme: SchemeName) => {
  const session = (document: ModelDocument) => {
    const sink = new MemoryChunks();
    const prepared = prepareRun(
      { document, scheme },
      { sandbox: () => expect.fail('no scripts'), sink, keepsHistory: true },
    );
    if (!prepared.ok) throw new Error(prepared.error.message);
    return prepared.session;
  };
  const end = (one: ReturnType<typeof session>): string =>
    JSON.stringify([one.time, one.rows, one.initialState, one.certificate]);

  it('goes back and on again with equal bits', () => {
    const straight = session(threeRates(0.01, 1));
    expect(straight.advance(1e9)).toBe('done');
    for (const [there, back] of [
      [150, 37],
      [200, 199],
      [90, 0],
    ]) {
      const other = session(threeRates(0.01, 1));
      other.advance(there);
      other.goBack(back);
      expect(other.moves).toBeLessThanOrEqual(back);
      expect(other.advance(1e9)).toBe('done');
      expect(end(other)).toBe(end(straight));
    }
  });

  it('goes on after a change of parameters that changes nothing, with the same samples', () => {
    const document = threeRates(0.01, 1);
    document.parameters.push({ name: 'unused', value: 1 });
    document.observables.push({ name: 'o', expression: 'unused' });
    const straight = session(document);
    straight.advance(1e9);
    const changed = session(document);
    changed.advance(77);
    expect(changed.change({ unused: 2 })).toBeNull();
    changed.advance(1e9);
    expect(changed.time).toBe(straight.time);
    const [a, b] = [straight, changed].map((one) => [one.initialState.systems[0].fields.x0].flat());
    // The integration between events begins afresh with new parameters.
    for (let i = 0; i < a.length; i++) expect(b[i]).toBeCloseTo(a[i], 12);
  });

  it('is certified', () => {
    const { session: done } = run(threeRates(0.01, 2), { scheme });
    const { dynamics, complementarity, coneViolation } = done.certificate;
    expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-9);
  });
});

/** Counts samples as the time of the last one does, by a rate each. */
const counting = (tEnd: number, h: number): ModelDocument =>
  controlled(
    { A: [[0]], T: [[1]], u: ['0*a.y'], x0: [0] },
    [
      { id: 'a', type: 'SampleAndHold', x: ['t'], every: 1e-3 },
      { id: 'b', type: 'SampleAndHold', x: ['t'], every: 0.0017 },
      { id: 'c', type: 'SampleAndHold', x: ['t'], every: Math.PI / 1000, offset: 1e-4 },
    ],
    { tEnd, h, recording: { trajectory: false } },
  );

it.each(SCHEMES)('samples are at their exact times after a million of them (%s)', (scheme) => {
  const tEnd = isProving ? 525 : 21;
  const { column } = run(counting(tEnd, 0.25), { scheme });
  const last = (name: string): number => column(name).at(-1) ?? Number.NaN;
  const expected = (every: number, offset = 0): number => {
    const k = Math.floor((tEnd - offset) / every + 1e-9);
    return offset + k * every;
  };
  expect(last('a.y')).toBe(expected(1e-3));
  expect(last('b.y')).toBe(expected(0.0017));
  expect(last('c.y')).toBe(expected(Math.PI / 1000, 1e-4));
});
