/** Control blocks against their recursions, in both schemes. */
import { describe, expect, it } from 'vitest';
import type { SchemeName } from '@engine/document/types';
import { expm } from '@engine/linalg/expm';
import { run } from '../support/run';
import { controlled, SCHEMES } from './documents';

/** Φ and Ψ of ẋ = a x + b u over T. */
const held = (a: number, b: number, T: number): [number, number] => [
  Math.exp(a * T),
  a === 0 ? b * T : (b * Math.expm1(a * T)) / a,
];

/** Values at t₀, t₀ + h, …: the last row of each time. */
function atGrid(t: Float64Array, x: Float64Array, h: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => {
    const time = k * h;
    let at = -1;
    for (let i = 0; i < t.length; i++) if (Math.abs(t[i] - time) < 1e-9) at = i;
    return x[at];
  });
}

describe.each(SCHEMES)('%s', (scheme: SchemeName) => {
  it('a PID controller follows its recursion', () => {
    const [kp, ki, kd, T] = [2, 3, 0.05, 0.05];
    const document = controlled({ A: [[-1]], T: [[2]], u: ['pid.u'], x0: [0] }, [
      {
        id: 'pid',
        type: 'PID',
        measured: ['plant.x'],
        reference: ['1 + 0.5*t'],
        kp,
        ki,
        kd,
        every: T,
      },
    ]);
    const { column } = run(document, { scheme });
    const [phi, psi] = held(-1, 2, T);
    let x = 0;
    let u = 0;
    let [e1, e2] = [0, 0];
    const xs: number[] = [];
    const us: number[] = [];
    for (let k = 0; k <= 20; k++) {
      const e = 1 + 0.5 * k * T - x;
      u += kp * (e - e1) + ki * T * e + (kd / T) * (e - 2 * e1 + e2);
      [e1, e2] = [e, e1];
      xs.push(x);
      us.push(u);
      x = phi * x + psi * u;
    }
    const t = column('t');
    const found = atGrid(t, column('plant.x'), T, 21);
    const control = atGrid(t, column('pid.u'), T, 21);
    for (let k = 0; k <= 20; k++) {
      expect(found[k]).toBeCloseTo(xs[k], 9);
      expect(control[k]).toBeCloseTo(us[k], 8);
    }
  });

  it('an observer, a state feedback and a sensor work together', () => {
    const A = [
      [0, 1],
      [-2, -0.3],
    ];
    const T = 0.1;
    const document = controlled(
      { A, T: [[0], [1]], u: ['feedback.u'], x0: [1, 0] },
      [
        {
          id: 'feedback',
          type: 'StateFeedback',
          x: ['observer.xHat[0]', 'observer.xHat[1]'],
          K: [[1, 2]],
          every: T,
        },
        {
          id: 'observer',
          type: 'LuenbergerObserver',
          measured: ['sensor.y'],
          control: ['feedback.u'],
          A,
          B: [[0], [1]],
          C: [[1, 0]],
          L: [[3], [4]],
          every: T,
        },
        { id: 'sensor', type: 'LinearSensor', x: ['plant.x[0]', 'plant.x[1]'], C: [[1, 0]], every: T },
      ],
      { tEnd: 3 },
    );
    const { column } = run(document, { scheme });
    const block = expm(Float64Array.of(0, T, 0, -2 * T, -0.3 * T, T, 0, 0, 0), 3);
    const gain = expm(Float64Array.of(0, T, 3 * T, -2 * T, -0.3 * T, 4 * T, 0, 0, 0), 3);
    const step = (x: number[], u: number, e = 0): number[] =>
      [0, 1].map(
        (i) => block[3 * i] * x[0] + block[3 * i + 1] * x[1] + block[3 * i + 2] * u + gain[3 * i + 2] * e,
      );
    let x = [1, 0];
    let hat = [0, 0];
    const t = column('t');
    const first = atGrid(t, column('plant.x[0]'), T, 31);
    const estimate = atGrid(t, column('observer.xHat[1]'), T, 31);
    for (let k = 0; k <= 30; k++) {
      expect(first[k]).toBeCloseTo(x[0], 9);
      expect(estimate[k]).toBeCloseTo(hat[1], 9);
      const u = -hat[0] - 2 * hat[1];
      [x, hat] = [step(x, u), step(hat, u, x[0] - hat[0])];
    }
  });

  it('samples rates that do not divide each other at their exact times', () => {
    const document = controlled(
      { A: [[0]], T: [[1]], u: ['a.y - b.y'], x0: [0] },
      [
        { id: 'a', type: 'SampleAndHold', x: ['cos(3*t)'], every: 0.07 },
        { id: 'b', type: 'SampleAndHold', x: ['t'], every: 0.03, offset: 0.011 },
      ],
      { tEnd: 1, h: 0.05 },
    );
    const { column, session } = run(document, { scheme });
    const t = column('t');
    const a = column('a.y');
    const b = column('b.y');
    const x = column('plant.x');
    let integral = 0;
    let last = 0;
    const heldAt = (time: number): [number, number] => {
      const ka = Math.floor(time / 0.07 + 1e-9);
      const kb = Math.floor((time - 0.011) / 0.03 + 1e-9);
      return [Math.cos(3 * (ka * 0.07)), kb < 0 ? 0 : 0.011 + kb * 0.03];
    };
    for (let i = 0; i < t.length; i++) {
      // Within the span since the row before both are as they were behind it.
      integral += (t[i] - last) * (i === 0 ? 0 : a[i - 1] - b[i - 1]);
      last = t[i];
      expect(x[i]).toBeCloseTo(integral, 9);
      if (i + 1 < t.length && t[i + 1] === t[i]) continue;
      const [ofA, ofB] = heldAt(t[i]);
      expect(a[i]).toBeCloseTo(ofA, 12);
      expect(b[i]).toBeCloseTo(ofB, 12);
    }
    const times = new Set(t);
    for (let k = 0; k * 0.07 <= 1; k++) expect(times).toContain(k * 0.07);
    for (let k = 0; 0.011 + k * 0.03 <= 1; k++) expect(times).toContain(0.011 + k * 0.03);
    expect(session.time).toBe(1);
  });
});
