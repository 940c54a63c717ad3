/** The PID block with bounds against the positional law, written another way, on random loops. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SchemeName, SimulationDocument } from '@engine/document/types';
import { expm } from '@engine/linalg/expm';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { run } from '../support/run';
import { controlled, SCHEMES } from './documents';

interface Loop {
  readonly A: number[][];
  readonly B: number[];
  readonly x0: number[];
  readonly kp: number;
  readonly ki: number;
  readonly kd: number;
  readonly lower: number;
  readonly upper: number;
  /** sampling period, s */
  readonly T: number;
}

/** What is measured is the first state. */
const document = (loop: Loop, reference: string, simulation: Partial<SimulationDocument>): ModelDocument => {
  const { A, B, x0, kp, ki, kd, lower, upper, T } = loop;
  const measured = [x0.length === 1 ? 'plant.x' : 'plant.x[0]'];
  const bounds = {
    ...(Number.isFinite(lower) ? { lower } : {}),
    ...(Number.isFinite(upper) ? { upper } : {}),
  };
  return controlled(
    { A, T: B.map((b) => [b]), u: ['pid.u'], x0 },
    [{ id: 'pid', type: 'PID', measured, reference: [reference], kp, ki, kd, ...bounds, every: T }],
    { h: T, ...simulation },
  );
};

/**
 * Controls of errors: the integral takes an increment unless that leads out of the bounds, and then no more
 * of it than to the bound.
 */
function controls(errors: readonly number[], { kp, ki, kd, lower, upper, T }: Loop): number[] {
  let integral = 0;
  return errors.map((e, k) => {
    const others = kp * e + (kd * (e - (k === 0 ? 0 : errors[k - 1]))) / T;
    const increment = ki * T * e;
    const wanted = others + integral + increment;
    const u = wanted > upper ? upper : wanted < lower ? lower : wanted;
    const leadsOut = (wanted > upper && increment > 0) || (wanted < lower && increment < 0);
    const most = u - others;
    if (!leadsOut) integral += increment;
    else integral = increment > 0 ? Math.max(integral, most) : Math.min(integral, most);
    return u;
  });
}

/** Largest first state of a loop that is to reach 1, with an integral that goes on while u is clipped. */
function freePeak({ A, B, kp, ki, kd, lower, upper, T }: Loop, samples: number): number {
  const n = B.length;
  const extended = new Float64Array((n + 1) ** 2);
  A.forEach((row, i) => [...row, B[i]].forEach((a, j) => (extended[i * (n + 1) + j] = T * a)));
  const held = expm(extended, n + 1);
  let x = B.map(() => 0);
  let [integral, last, peak] = [0, 0, 0];
  for (let k = 0; k < samples; k++) {
    const e = 1 - x[0];
    integral += ki * T * e;
    const u = Math.min(upper, Math.max(lower, kp * e + integral + (kd * (e - last)) / T));
    last = e;
    const from = [...x, u];
    x = x.map((_, i) => from.reduce((sum, value, j) => sum + held[i * (n + 1) + j] * value, 0));
    peak = Math.max(peak, x[0]);
  }
  return peak;
}

function randomLoop(random: Random): Loop {
  const { uniform, chance } = random;
  const isSecond = chance(0.5);
  const lower = chance(0.2) ? Number.NEGATIVE_INFINITY : uniform(-2, 0.5);
  return {
    A: isSecond
      ? [
          [0, 1],
          [uniform(-3, 1), uniform(-2, 0)],
        ]
      : [[uniform(-2, 0.5)]],
    B: isSecond ? [0, uniform(0.5, 2)] : [uniform(0.5, 2)],
    x0: isSecond ? [uniform(-2, 2), uniform(-1, 1)] : [uniform(-2, 2)],
    kp: uniform(-1, 5),
    ki: chance(0.3) ? 0 : uniform(-0.5, 5),
    kd: chance(0.3) ? 0 : uniform(0, 0.5),
    lower,
    upper: chance(0.2) ? Number.POSITIVE_INFINITY : Math.max(lower, 0) + uniform(0, 2),
    T: uniform(0.02, 0.2),
  };
}

/** Errors and controls at the samples of a run: each time is one, the second of two rows after it. */
function sampled({ column }: ReturnType<typeof run>, signal: string, reference: (t: number) => number) {
  const [t, x, u] = [column('t'), column(signal), column('pid.u')];
  const rows = [...t.keys()].filter((i) => i + 1 === t.length || t[i + 1] !== t[i]);
  return {
    t: rows.map((i) => t[i]),
    x,
    u: rows.map((i) => u[i]),
    e: rows.map((i) => reference(t[i]) - x[i]),
  };
}

describe.each(SCHEMES)('%s', (scheme: SchemeName) => {
  it('the control is clip(P + I + D) of the errors it measures', () => {
    let [clipped, within] = [0, 0];
    for (let seed = 1; seed <= sample(12, 200); seed++) {
      const loop = randomLoop(seeded(seed));
      const done = run(document(loop, '1 + sin(2*t)', { tEnd: 40 * loop.T }), { scheme });
      const signal = loop.B.length === 1 ? 'plant.x' : 'plant.x[0]';
      const found = sampled(done, signal, (t) => 1 + Math.sin(2 * t));
      // Rows between samples hold what was sampled before.
      const at = found.t.flatMap((t, i) => (Math.abs(t / loop.T - Math.round(t / loop.T)) < 1e-9 ? [i] : []));
      const errors = at.map((i) => found.e[i]);
      expect(errors.length).toBe(41);
      controls(errors, loop).forEach((u, k) => {
        const scale = 1e-11 * Math.max(1, Math.abs(u), ...errors.map(Math.abs));
        expect(Math.abs(found.u[at[k]] - u), `${seed}, sample ${k}`).toBeLessThan(scale);
        if (u === loop.lower || u === loop.upper) clipped++;
        else within++;
        if (loop.ki !== 0) return;
        const slope = (errors[k] - (k === 0 ? 0 : errors[k - 1])) / loop.T;
        const pd = Math.min(loop.upper, Math.max(loop.lower, loop.kp * errors[k] + loop.kd * slope));
        expect(Math.abs(found.u[at[k]] - pd)).toBeLessThan(scale);
      });
    }
    expect(clipped).toBeGreaterThan(100);
    expect(within).toBeGreaterThan(100);
  });

  it('a proportional control that was clipped comes to rest at its reference', () => {
    const loop: Loop = { A: [[0]], B: [1], x0: [5], kp: 2, ki: 0, kd: 0, lower: -1, upper: 1, T: 0.01 };
    const { column } = run(document(loop, '0', { tEnd: 20 }), { scheme });
    const [t, x, u] = [column('t'), column('plant.x'), column('pid.u')];
    // At the bound to 2 x = 1, then by 1 − 2 T from sample to sample.
    expect(u[0]).toBe(-1);
    expect(x[t.findIndex((time) => time > 4 - 1e-9)]).toBeCloseTo(1, 9);
    expect(Math.abs(x.at(-1) ?? 1)).toBeLessThan(1e-9);
  });
});

it('an integral that waits at the bounds overshoots no more than one that winds up', () => {
  let smaller = 0;
  const cases = sample(40, 1000);
  for (let seed = 1; seed <= cases; seed++) {
    const { uniform, chance } = seeded(seed);
    const isFirst = chance(0.5);
    const decay = isFirst ? uniform(0, 2) : uniform(0.2, 4);
    const b = isFirst ? uniform(0.5, 2) : 1;
    const upper = (isFirst ? decay / b : 0) + uniform(0.05, 1);
    const loop: Loop = {
      A: isFirst
        ? [[-decay]]
        : [
            [0, 1],
            [0, -decay],
          ],
      B: isFirst ? [b] : [0, 1],
      x0: isFirst ? [0] : [0, 0],
      kp: uniform(0.2, 5),
      ki: uniform(0.1, 5),
      kd: isFirst ? 0 : uniform(0, 2),
      lower: -uniform(0.05, 1),
      upper,
      T: uniform(0.05, 0.2),
    };
    const samples = Math.ceil(20 / loop.T);
    const { column } = run(document(loop, '1', { tEnd: samples * loop.T }));
    const peak = Math.max(...column(isFirst ? 'plant.x' : 'plant.x[0]'));
    const free = freePeak(loop, samples);
    expect(peak, `${seed}`).toBeLessThanOrEqual(Math.max(1, free) + 1e-8);
    if (peak < free - 1e-3) smaller++;
  }
  expect(smaller).toBeGreaterThan(cases / 2);
});
