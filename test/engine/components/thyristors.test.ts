/**
 * Rectifiers whose thyristors remember that they conduct, in both schemes, against closed forms. Erickson and
 * Maksimović 2020, §17; the gate is a short pulse, so that a thyristor which forgets shows.
 */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import type { Expression, ModelDocument } from '@engine/document/types';
import { run, type Run } from '../support/run';
import { drawn, type Part } from './drawn';

type Scheme = 'event-driven' | 'time-stepping';

function rectifier(
  parts: readonly Part[],
  parameters: Readonly<Record<string, Expression>>,
  times: { h: number; tEnd: number },
): ModelDocument {
  const document = drawn(parts, times);
  document.parameters = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  return document;
}

const ran = (document: ModelDocument, scheme: Scheme): Run =>
  run(document, { sandbox: createSandbox, scheme });

const [f, V, R, L] = [50, 325, 10, 0.04];
const T = 1 / f;
const w = 2 * Math.PI * f;
const phi = Math.atan2(w * L, R);
const Z = Math.hypot(R, w * L);

/** Fires at `ta` of each period, for a thousandth of it. */
const PULSE = '(t mod T > ta)*(t mod T < ta + T/1000)';
const PARAMETERS = { f, V, R, L, T };
const SOURCE: Part = ['V1', 'SineVoltage', ['in', '0'], { amplitude: 'V', frequency: 'f' }];
const HALF_WAVE: readonly Part[] = [
  SOURCE,
  ['T1', 'Thyristor', ['in', 'x'], { gate: PULSE }],
  ['R1', 'Resistor', ['x', 'y'], { resistance: 'R' }],
  ['L1', 'Inductor', ['y', '0'], { inductance: 'L' }],
];

/** Current of the half wave at an angle, from its firing. */
const current = (angle: number, alpha: number): number =>
  (V / Z) * (Math.sin(angle - phi) - Math.sin(alpha - phi) * Math.exp(-(angle - alpha) / Math.tan(phi)));

function extinction(alpha: number): number {
  let [low, high] = [Math.PI, 2 * Math.PI + alpha];
  for (let k = 0; k < 200; k++) {
    const middle = (low + high) / 2;
    if (current(middle, alpha) > 0) low = middle;
    else high = middle;
  }
  return low;
}

/** The first time from `from` on at which a signal is no more than `zero`. */
function endOf(times: Float64Array, values: Float64Array, from: number, zero: number): number {
  const k = times.findIndex((t, row) => t >= from && values[row] <= zero);
  return times[k];
}

const worst = ({ session }: Run): number => {
  const { dynamics, complementarity, coneViolation } = session.certificate;
  return Math.max(dynamics, complementarity, coneViolation);
};

describe('a controlled half wave with resistor and inductor', () => {
  it.each([30, 75, 120])('fires and ends at the angles of the closed form, %s°', (degrees) => {
    const alpha = (degrees * Math.PI) / 180;
    const parameters = { ...PARAMETERS, ta: alpha / w };
    const result = ran(rectifier(HALF_WAVE, parameters, { h: T / 199, tEnd: 2 * T }), 'event-driven');
    const [times, currents] = [result.column('t'), result.column('T1.i')];
    const beta = extinction(alpha);
    expect(beta).toBeGreaterThan(Math.PI);
    const fired = times[currents.findIndex((i) => i > 1e-9 * (V / Z)) - 1];
    expect(Math.abs(w * fired - alpha)).toBeLessThan(1e-8);
    for (const period of [0, 1]) {
      const end = endOf(times, currents, period * T + (alpha + 0.3) / w, 1e-12 * (V / Z));
      expect(Math.abs(w * (end - period * T) - beta)).toBeLessThan(1e-8);
    }
    times.forEach((t, k) => {
      const angle = w * (t % T);
      const exact = angle > alpha && angle < beta ? current(angle, alpha) : 0;
      expect(Math.abs(currents[k] - exact), `t = ${t}`).toBeLessThan(1e-8 * (V / Z));
    });
    expect(worst(result)).toBeLessThan(1e-9);
  });
  it('by steps comes to it with the step', () => {
    const alpha = Math.PI / 3;
    const errors = [2000, 4000].map((steps) => {
      const parameters = { ...PARAMETERS, ta: alpha / w };
      const result = ran(rectifier(HALF_WAVE, parameters, { h: T / steps, tEnd: 2 * T }), 'time-stepping');
      expect(worst(result)).toBeLessThan(1e-10);
      const [times, currents] = [result.column('t'), result.column('T1.i')];
      return Math.max(
        ...Array.from(times, (t, k) => {
          const angle = w * (t % T);
          const exact = angle > alpha ? Math.max(0, current(angle, alpha)) : 0;
          return Math.abs(currents[k] - exact) / (V / Z);
        }),
      );
    });
    expect(errors[0]).toBeLessThan(5e-3);
    expect(errors[1]).toBeLessThan(0.7 * errors[0]);
  });
});

/** Phases by 120°, thyristors in the order in which they fire, two of them at each firing. */
function bridge(load: readonly Part[]): readonly Part[] {
  const phases = [0, -120, -240].map((degrees, k): Part => [
    `V${'abc'[k]}`,
    'SineVoltage',
    ['abc'[k], 'n'],
    { amplitude: 'V', frequency: 'f', phase: (degrees * Math.PI) / 180 },
  ]);
  // a+ b− c+ … : the upper one of a is fired α behind 30°, each next one by 60°.
  const order = ['a+', 'c-', 'b+', 'a-', 'c+', 'b-'];
  const valves = order.map((name, k): Part => {
    const [phase, side] = name;
    const at = (j: number): string => `((t - ta - ${30 + 60 * j}*T/360 + T) mod T < T/200)`;
    return [
      `T${k + 1}`,
      'Thyristor',
      side === '+' ? [phase, 'plus'] : ['0', phase],
      { gate: `${at(k)} + ${at(k + 1)}` },
    ];
  });
  return [...phases, ...valves, ...load];
}

function meanOf(times: Float64Array, values: Float64Array, from: number): number {
  let [sum, span] = [0, 0];
  for (let k = 1; k < times.length; k++) {
    if (times[k - 1] < from) continue;
    const dt = times[k] - times[k - 1];
    sum += (dt * (values[k] + values[k - 1])) / 2;
    span += dt;
  }
  return sum / span;
}

describe('a bridge of six thyristors', () => {
  it.each([
    [0, 0],
    [40, 0],
    [40, 0.1],
    [70, 0.1],
  ])('has the mean 3√2/π V cos α at %s°, L = %s H', (degrees, inductance) => {
    const load: readonly Part[] =
      inductance === 0
        ? [['R1', 'Resistor', ['plus', '0'], { resistance: 'R' }]]
        : [
            ['R1', 'Resistor', ['plus', 'y'], { resistance: 'R' }],
            ['L1', 'Inductor', ['y', '0'], { inductance }],
          ];
    const ta = ((degrees / 360) * 1) / f;
    const document = rectifier(bridge(load), { ...PARAMETERS, ta }, { h: T / 720, tEnd: 5 * T });
    const result = ran(document, 'event-driven');
    const line = V * Math.sqrt(3);
    const mean = meanOf(result.column('t'), result.column('plus.v'), 4 * T - 1e-9);
    // Rows stand 0.5° apart: the rule of trapezoids is off by that squared over twelve.
    const expected = (3 / Math.PI) * line * Math.cos(ta * w);
    expect(Math.abs(mean / expected - 1)).toBeLessThan(2e-5);
    expect(worst(result)).toBeLessThan(1e-9);
  });
});

describe('conduction at the start', () => {
  const FREEWHEEL: readonly Part[] = [
    ['V1', 'VoltageSource', ['0', 'in'], { voltage: 10 }],
    ['T1', 'Thyristor', ['in', 'x'], { gate: 't > 1', start: 'on' }],
    ['R1', 'Resistor', ['x', 'y'], { resistance: 1 }],
    ['L1', 'Inductor', ['y', '0'], { inductance: 1e-3, i0: 10 }],
  ];
  it.each(['event-driven', 'time-stepping'] as const)('goes on until the current ends, %s', (scheme) => {
    const result = ran(drawn(FREEWHEEL, { h: 1e-6, tEnd: 2e-3 }), scheme);
    const [times, currents] = [result.column('t'), result.column('T1.i')];
    const end = endOf(times, currents, 0, 1e-12);
    expect(Math.abs(end - 1e-3 * Math.LN2)).toBeLessThan(scheme === 'event-driven' ? 1e-12 : 2e-6);
    expect(currents.at(-1)).toBeCloseTo(0, 12);
    expect(result.column('T1.v').at(-1)).toBeCloseTo(-10, 9);
    expect(worst(result)).toBeLessThan(1e-9);
  });
});
