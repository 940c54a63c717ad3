/** Controllers that are drawn: what they do is known otherwise, in both schemes. */
import { describe, expect, it } from 'vitest';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../support/run';
import { drawn, type Part } from './drawn';

/** Stands for a pin that no wire is at. */
const NONE = undefined as unknown as string;

const wave = (
  parts: readonly Part[],
  times: { h: number; tEnd: number },
  scheme: 'event-driven' | 'time-stepping',
) => run(drawn(parts, times), { sandbox: createSandbox, scheme });

const last = (values: Float64Array): number => values[values.length - 1] ?? Number.NaN;

const BUCK: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 20 }],
  ['S1', 'Switch', ['in', 'sw', 'gate']],
  ['D1', 'Diode', ['0', 'sw']],
  ['L1', 'Inductor', ['sw', 'out'], { inductance: 0.02, i0: 0.55 }],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 4.7e-5, v0: 12 }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 22 }],
  ['VM1', 'Voltmeter', ['out', '0', 'measured']],
  ['REF1', 'Signal', ['reference'], { value: 11.3 }],
  ['SUM1', 'Sum', ['measured', 'reference', NONE, 'error']],
  ['PID1', 'ContinuousPID', ['error', 'control'], { Kp: 8.4 }],
  ['PWM1', 'PWM', ['control', NONE, 'gate'], { period: 4e-4, low: 3.8, high: 8.2 }],
];

describe('a drawn controller', () => {
  it('holds a buck converter at its output, event-driven at any row distance', () => {
    for (const h of [4e-6, 1e-4]) {
      const { column } = wave(BUCK, { h, tEnd: 0.2 }, 'event-driven');
      expect(last(column('out.v'))).toBeCloseTo(11.96951154, 8);
      expect(last(column('control.value'))).toBeCloseTo(8.4 * (11.96951154 - 11.3), 7);
    }
  });

  it('the same in steps, to the first order', () => {
    const error = (h: number): number =>
      Math.abs(last(wave(BUCK, { h, tEnd: 0.2 }, 'time-stepping').column('out.v')) - 11.96951154);
    expect(error(4e-6)).toBeLessThan(0.015);
    expect(error(1e-6)).toBeLessThan(0.003);
  });

  it('drives sources: a filter of transfer functions answers a step as its poles say', () => {
    const parts: readonly Part[] = [
      ['W', 'StepSignal', ['w'], { after: 2, time: 1e-3 }],
      ['G', 'TransferFunction', ['w', 'filtered'], { numerator: [1, 3000], denominator: [1, 400, 40000] }],
      ['K', 'Gain', ['filtered', 'drive'], { gain: 10 }],
      ['V1', 'VoltageSource', ['a', '0', 'drive']],
      ['R1', 'Resistor', ['a', '0'], { resistance: 5 }],
    ];
    // (s + 3000)/(s + 200)² of 2/s is c0/s + c1/(s + 200) + c2/(s + 200)².
    const [c0, c2] = [(2 * 3000) / 40000, (2 * 2800) / -200];
    const answer = (t: number): number => 10 * (c0 - c0 * Math.exp(-200 * t) + c2 * t * Math.exp(-200 * t));
    const { column } = wave(parts, { h: 1e-4, tEnd: 0.02 }, 'event-driven');
    const [times, currents] = [column('t'), column('R1.i')];
    times.forEach((t, k) => {
      if (t !== 1e-3) expect(currents[k]).toBeCloseTo(t < 1e-3 ? 0 : answer(t - 1e-3) / 5, 9);
    });
  });

  it('hands on at once what a transfer function has of the degree of its poles', () => {
    const parts: readonly Part[] = [
      ['W', 'Signal', ['w'], { value: 2 }],
      ['G', 'TransferFunction', ['w', 'y'], { numerator: [3, 10], denominator: [2, 4] }],
    ];
    const { column } = wave(parts, { h: 0.01, tEnd: 1 }, 'event-driven');
    // (1.5 s + 5)/(s + 2) of 2/s is 5/s − 2/(s + 2).
    const [times, y] = [column('t'), column('y.value')];
    times.forEach((t, k) => {
      expect(y[k]).toBeCloseTo(5 - 2 * Math.exp(-2 * t), 10);
    });
  });

  it('a number opens a gate from ½ on', () => {
    for (const [value, current] of [
      [0.3, 0],
      [0.7, 1],
    ]) {
      const parts: readonly Part[] = [
        ['W', 'Signal', ['w'], { value }],
        ['V1', 'VoltageSource', ['a', '0'], { voltage: 1 }],
        ['S1', 'Switch', ['a', 'b', 'w']],
        ['R1', 'Resistor', ['b', '0'], { resistance: 1 }],
      ];
      for (const scheme of ['event-driven', 'time-stepping'] as const)
        expect(last(wave(parts, { h: 1e-3, tEnd: 0.01 }, scheme).column('R1.i'))).toBe(current);
    }
  });

  it('a PID controller holds a lag at its reference', () => {
    const parts: readonly Part[] = [
      ['W', 'Signal', ['w'], { value: 3 }],
      ['S', 'Sum', ['w', 'y', NONE, 'e']],
      ['C', 'ContinuousPID', ['e', 'u'], { Kp: 2, Ki: 5, Kd: 0.1, Tf: 0.01 }],
      ['P', 'TransferFunction', ['u', 'y'], { numerator: [1], denominator: [0.5, 1] }],
    ];
    const { column } = wave(parts, { h: 1e-3, tEnd: 12 }, 'event-driven');
    expect(last(column('y.value'))).toBeCloseTo(3, 8);
    expect(last(column('C.y'))).toBeCloseTo(3, 8);
  });

  it('opens both transistors of a half bridge for the dead time, whatever the carrier', () => {
    for (const carrier of ['sawtooth', 'triangle']) {
      const parts: readonly Part[] = [
        ['D', 'Signal', ['duty'], { value: 0.4 }],
        ['M', 'PWM', ['duty', 'high', 'low'], { period: 1e-3, deadTime: 5e-5, carrier }],
        ['V1', 'VoltageSource', ['in', '0'], { voltage: 1 }],
        ['S1', 'Switch', ['in', 'x', 'high']],
        ['S2', 'Switch', ['x', '0', 'low']],
        ['R1', 'Resistor', ['x', 'y'], { resistance: 1 }],
        ['V2', 'VoltageSource', ['y', '0'], { voltage: 0.5 }],
      ];
      const { column } = wave(parts, { h: 1e-6, tEnd: 4e-3 }, 'event-driven');
      const [times, currents] = [column('t'), column('R1.i')];
      const spent = { high: 0, low: 0, none: 0 };
      for (let k = 1; k < times.length; k++) {
        const i = (currents[k] ?? 0) + (currents[k - 1] ?? 0);
        if (Math.abs(Math.abs(i) - 1) < 0.01 || i === 0)
          spent[i > 0.5 ? 'high' : i < -0.5 ? 'low' : 'none'] += (times[k] ?? 0) - (times[k - 1] ?? 0);
      }
      expect(spent.none).toBeCloseTo(4 * 2 * 5e-5, 5);
      expect(spent.high).toBeCloseTo(4 * (4e-4 - 5e-5), 5);
    }
  });

  it('reads what is on or off as 1 or 0', () => {
    const parts: readonly Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 1, frequency: 100 }],
      ['H', 'Signal', ['half'], { value: 0.5 }],
      ['C1', 'Comparison', ['w', 'half', 'above']],
      ['C2', 'Comparison', ['w', NONE, 'positive']],
      ['N1', 'Not', ['above', 'below']],
      ['A1', 'And', ['below', 'positive', 'between']],
      ['I1', 'Integrator', ['between', 'time']],
    ];
    const { column } = wave(parts, { h: 1e-4, tEnd: 0.1 }, 'event-driven');
    // From 0 to 30° and from 150° to 180° of each of ten periods.
    expect(last(column('time.value'))).toBeCloseTo(0.1 / 6, 8);
    const [w, between] = [column('w.value'), column('between.value')];
    w.forEach((value, k) => {
      if (Math.abs(value) > 1e-6 && Math.abs(value - 0.5) > 1e-6)
        expect(between[k]).toBe(value > 0 && value < 0.5 ? 1 : 0);
    });
  });
});

describe('blocks of straight pieces', () => {
  it('a relay with hysteresis and an integrator oscillate with the period of their ramps', () => {
    const parts: readonly Part[] = [
      ['REL1', 'HysteresisRelay', ['x', 'r'], { off: -0.5, on: 1, low: 3, high: -2 }],
      ['I1', 'Integrator', ['r', 'x']],
    ];
    const { session } = wave(parts, { h: 0.01, tEnd: 10 }, 'event-driven');
    const times = session.eventRecords.filter(({ kind }) => kind === 'reset').map(({ time }) => time);
    // From 0 up to 1 with 3/s, down to −0.5 with 2/s, and up again.
    times.forEach((time, k) => {
      expect(time).toBeCloseTo(1 / 3 + 1.25 * Math.floor(k / 2) + (k % 2 === 1 ? 0.75 : 0), 12);
    });
    expect(times.length).toBe(16);
    const { column } = wave(parts, { h: 1e-3, tEnd: 10 }, 'time-stepping');
    expect(Math.max(...column('x.value'))).toBeLessThan(1 + 3e-3);
    expect(Math.min(...column('x.value'))).toBeGreaterThan(-0.5 - 3e-3);
  });

  it('limits, dead zones and limited integrators follow their graphs', () => {
    const parts: readonly Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 2, frequency: 1 }],
      ['S1', 'Limiter', ['w', 's'], { lower: -1, upper: 0.5 }],
      ['Z1', 'DeadZone', ['w', 'd'], { lower: -1, upper: 0.5 }],
      ['L1', 'Integrator', ['w', 'l'], { lower: -0.1, upper: 0.3 }],
      ['C1', 'Comparison', ['s', 'd', 'c']],
      ['J1', 'Integrator', ['c', 'j']],
    ];
    for (const scheme of ['event-driven', 'time-stepping'] as const) {
      const { column } = wave(parts, { h: 1e-3, tEnd: 1 }, scheme);
      const [w, s, d] = [column('w.value'), column('s.value'), column('d.value')];
      w.forEach((value, k) => {
        const limited = Math.min(Math.max(value, -1), 0.5);
        if (k === 0) return;
        expect(s[k]).toBeCloseTo(limited, 9);
        expect(d[k]).toBeCloseTo(value - limited, 9);
      });
      const l = column('l.value');
      expect(Math.max(...l)).toBeCloseTo(0.3, 9);
      expect(last(l)).toBeCloseTo(-0.1, 9);
      // s is above d where w is between 0 and 1: for a sixth of the period.
      expect(Math.abs(last(column('j.value')) - 1 / 6)).toBeLessThan(scheme === 'event-driven' ? 1e-9 : 3e-3);
    }
  });

  it('an integral that follows the limits does not wind up', () => {
    const loop = (fields: object): readonly Part[] => [
      ['W', 'Signal', ['w'], { value: 3 }],
      ['S1', 'Sum', ['w', 'y', NONE, 'e']],
      ['C1', 'ContinuousPID', ['e', 'u'], { Kp: 4, Ki: 3, lower: -1, upper: 1, ...fields }],
      ['P1', 'TransferFunction', ['u', 'y'], { numerator: [4], denominator: [2, 1] }],
    ];
    const highest = (fields: object): number =>
      Math.max(...wave(loop(fields), { h: 0.01, tEnd: 20 }, 'event-driven').column('y.value'));
    expect(highest({})).toBeGreaterThan(3.5);
    expect(highest({ Tt: 0.2 })).toBeLessThan(3.15);
  });

  it('a relay behind a source that jumps is certified, and switches where that does', () => {
    const sources: readonly (readonly [Part, number])[] = [
      [['W', 'StepSignal', ['w'], { before: -1, after: 2, time: 0.3 }], 0.7],
      [['W', 'PulseSignal', ['w'], { low: -1, high: 1, width: 0.1, period: 0.23 }], 0.48],
    ];
    for (const [source, expected] of sources) {
      const { session, column } = wave(
        [
          source,
          ['R', 'HysteresisRelay', ['w', 'q'], { off: -0.1, on: 0.1 }],
          ['J', 'Integrator', ['q', 'j']],
        ],
        { h: 1e-2, tEnd: 1 },
        'event-driven',
      );
      expect(last(column('j.value'))).toBeCloseTo(expected, 9);
      expect(session.certificate.complementarity).toBeLessThan(1e-9);
    }
  });

  it('a latch whose inputs are both on is off, and is set where its reset ends', () => {
    const parts: readonly Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 2, frequency: 1, phase: '-pi/2' }],
      ['B', 'Signal', ['b'], { value: 1 }],
      ['C1', 'Comparison', ['w', NONE, 'set']],
      ['C2', 'Comparison', ['w', 'b', 'reset']],
      ['L1', 'Latch', ['set', 'reset', 'q']],
      ['J1', 'Integrator', ['q', 'j']],
    ];
    const { column } = wave(parts, { h: 1e-3, tEnd: 1 }, 'event-driven');
    // The sine passes 0 at 90°, 1 at 120° and 240°, and 0 at 270°: nothing turns it off from 240° on.
    expect(last(column('j.value'))).toBeCloseTo(1 / 12 + 1 / 3, 10);
  });

  it('a latch is set and reset, and begins as its inputs say', () => {
    const parts: readonly Part[] = [
      ['W', 'SineSignal', ['w'], { amplitude: 2, frequency: 1, phase: 'pi/2' }],
      ['A', 'Signal', ['a'], { value: 1 }],
      ['B', 'Signal', ['b'], { value: -1 }],
      ['C1', 'Comparison', ['w', 'a', 'set']],
      ['C2', 'Comparison', ['b', 'w', 'reset']],
      ['L1', 'Latch', ['set', 'reset', 'q']],
      ['J1', 'Integrator', ['q', 'j']],
    ];
    const { column } = wave(parts, { h: 1e-3, tEnd: 2 }, 'event-driven');
    // On from the start to 120°, and from 300° to 480°.
    expect(last(column('j.value'))).toBeCloseTo(1 / 3 + 1 / 2 + 1 / 6, 10);
  });
});

const issuesOf = (parts: readonly Part[]) => reportDocument(drawn(parts)).issues;

describe('a fault of signals stands where it is', () => {
  it('a memory that waits for what switches', () => {
    const issues = issuesOf([
      ['W', 'SineSignal', ['w'], { amplitude: 2, frequency: 1 }],
      ['V1', 'VoltageSource', ['a', '0', 'w']],
      ['D1', 'Diode', ['a', 'b']],
      ['R1', 'Resistor', ['b', '0'], { resistance: 1 }],
      ['VM1', 'Voltmeter', ['b', '0', 'm']],
      ['REL1', 'HysteresisRelay', ['m', 'r'], { off: 0.2, on: 1 }],
    ]);
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'guard-of-laws', pointer: '/components/5', element: 'REL1' }),
    );
  });

  it('two sources of one signal', () => {
    const issues = issuesOf([
      ['A', 'Signal', ['w'], { value: 1 }],
      ['B', 'Signal', ['w'], { value: 2 }],
    ]);
    expect(issues).toContainEqual(expect.objectContaining({ code: 'two-sources', pointer: '/wires/0' }));
  });

  it('inputs without a source, with and without a wire', () => {
    const issues = issuesOf([
      ['A', 'Gain', ['w', 'y'], { gain: 1 }],
      ['B', 'Gain', ['w', 'z'], { gain: 1 }],
      ['C', 'Gain', [NONE, 'v'], { gain: 1 }],
    ]);
    expect(issues).toContainEqual(expect.objectContaining({ code: 'no-source', pointer: '/wires/0' }));
    expect(issues).toContainEqual(expect.objectContaining({ code: 'no-source', pointer: '/components/2' }));
  });

  it('a signal at an electrical pin', () => {
    const issues = issuesOf([
      ['A', 'Signal', ['w'], { value: 1 }],
      ['R1', 'Resistor', ['w', '0'], { resistance: 1 }],
    ]);
    expect(issues).toContainEqual(
      expect.objectContaining({
        code: 'mixed-domains',
        pointer: '/wires/0',
        remedy: expect.stringContaining('meter') as string,
      }),
    );
  });

  it('a loop of gains that has no value', () => {
    const issues = issuesOf([
      ['W', 'Signal', ['w'], { value: 1 }],
      ['S', 'Sum', ['w', NONE, 'y', 'e']],
      ['K', 'Gain', ['e', 'y'], { gain: 1 }],
    ]);
    const loop = issues.find(({ code }) => code === 'algebraic-loop');
    expect(loop?.pointer).toMatch(/^\/components\/[12]$/);
    expect(loop?.message).toMatch(/S and K|K and S/);
  });

  it('a loop of logic', () => {
    const issues = issuesOf([
      ['N', 'Not', ['x', 'x']],
      ['V1', 'VoltageSource', ['a', '0'], { voltage: 1 }],
      ['S1', 'Switch', ['a', 'b', 'x']],
      ['R1', 'Resistor', ['b', '0'], { resistance: 1 }],
    ]);
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'algebraic-loop', pointer: '/components/0', element: 'N' }),
    );
  });

  it('a gate without a field and without a wire', () => {
    const issues = issuesOf([
      ['V1', 'VoltageSource', ['a', '0'], { voltage: 1 }],
      ['S1', 'Switch', ['a', 'b']],
      ['R1', 'Resistor', ['b', '0'], { resistance: 1 }],
    ]);
    expect(issues).toContainEqual(expect.objectContaining({ pointer: '/components/1/gate', element: 'S1' }));
  });

  it('limits and polynomials that cannot be', () => {
    const issues = issuesOf([
      ['W', 'Signal', ['w'], { value: 1 }],
      ['G', 'TransferFunction', ['w', 'x'], { numerator: [1, 2, 3], denominator: [1, 1] }],
      ['H', 'TransferFunction', ['w', 'y'], { numerator: [1], denominator: [0, 1] }],
      ['M', 'PWM', ['w'], { period: 1, low: 2, high: 1, deadTime: 0.6 }],
    ]);
    for (const pointer of [
      '/components/1/numerator',
      '/components/2/denominator',
      '/components/3/high',
      '/components/3/deadTime',
    ])
      expect(issues).toContainEqual(expect.objectContaining({ severity: 'error', pointer }));
  });
});
