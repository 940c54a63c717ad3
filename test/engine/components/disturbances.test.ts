/**
 * Orbits, multipliers, branches and exponents of drawn models: disturbances go across switches, diodes, gates
 * and memories. Against differences of whole motions, hand-written models and closed forms.
 */
import { computeAnalysis } from '@engine/analysis/jobs/compute';
import { analysisJob } from '@engine/analysis/jobs/job';
import type { FoundBranch, FoundExponents, FoundOrbit, SingleOutcome } from '@engine/analysis/jobs/outcome';
import { computePoint } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { AnalysisDocument, ModelDocument } from '@engine/document/types';
import { describe, expect, it } from 'vitest';
import { atLeast, sample } from '../../support/prove';
import { seeded } from '../support/random';
import { comparedWithDifferences, environment } from './differences';
import { drawn, type Part } from './drawn';
import { CONVERTERS, drawnConverter, randomValues, withLosses } from './drawn-converters';
import { FREQUENCY, rectifier } from './drawn-rectifiers';

/** Stands for a pin that no wire is at. */
const NONE = undefined as unknown as string;
/** Of ∂P/∂x from differences, relative to sizes. */
const TOLERANCE = 1e-7;

function found(document: ModelDocument, analysis: Omit<AnalysisDocument, 'id'>): SingleOutcome {
  const job = analysisJob({ ...document, analyses: [{ id: 'one', ...analysis } as AnalysisDocument] }, 'one');
  if (job.kind === 'sweep' || job.kind === 'basins') throw new Error('not asked for here');
  const outcome = computeAnalysis(job, environment);
  if (outcome.status === 'failed') throw new Error(outcome.error.message);
  return outcome;
}

const orbit = (document: ModelDocument, fields: object): FoundOrbit =>
  found(document, { type: 'orbit', ...fields }) as FoundOrbit;

const BUCK: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 'E' }],
  ['S1', 'Switch', ['in', 'sw', 'gate']],
  ['D1', 'Diode', ['0', 'sw']],
  ['L1', 'Inductor', ['sw', 'out'], { inductance: 0.02, i0: 0.55 }],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 4.7e-5, v0: 12 }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 22 }],
  ['VM1', 'Voltmeter', ['out', '0', 'measured']],
  ['REF1', 'Signal', ['reference'], { value: 11.3 }],
  ['SUM1', 'Sum', ['measured', 'reference', NONE, 'error']],
];
const controlled = (...controller: readonly Part[]): ModelDocument => ({
  ...drawn([...BUCK, ...controller], { h: 4e-6, tEnd: 0.1 }),
  parameters: [{ name: 'E', value: 20 }],
});
const PWM: Part = ['PWM1', 'PWM', ['control', NONE, 'gate'], { period: 4e-4, low: 3.8, high: 8.2 }];
const byVoltage = controlled(['PID1', 'ContinuousPID', ['error', 'control'], { Kp: 8.4 }], PWM);
const T = 4e-4;

describe('a disturbance of a drawn model is the difference of motions', () => {
  it('in eight kinds of converters, in both kinds of conduction', () => {
    const random = seeded(7);
    const cases = sample(16, 400);
    let compared = 0;
    for (let k = 0; k < cases; k++) {
      const converter = CONVERTERS[k % CONVERTERS.length];
      const values = randomValues(random, converter);
      const document = drawnConverter(converter, values, { periods: 3, rows: 20 });
      const one = comparedWithDifferences(document, 2.13 * values.T, 1.37 * values.T);
      if (one === null || one.image.broken?.status === 'simultaneous') continue;
      expect(one.image.broken, `${k} ${converter}`).toBeNull();
      expect(one.deviation, `${k} ${converter}`).toBeLessThan(TOLERANCE);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast(380, cases, 400));
  });

  it('with losses and snubbers, too', () => {
    const random = seeded(21);
    const cases = sample(12, 240);
    let compared = 0;
    for (let k = 0; k < cases; k++) {
      const converter = CONVERTERS[k % 6];
      const values = randomValues(random, converter);
      const ideal = drawnConverter(converter, values, { periods: 3, rows: 20 });
      const document = withLosses(ideal, random, values);
      const one = comparedWithDifferences(document, 2.13 * values.T, 1.37 * values.T);
      if (one === null || one.image.broken?.status === 'simultaneous') continue;
      expect(one.image.broken, `${k} ${converter}`).toBeNull();
      expect(one.deviation, `${k} ${converter}`).toBeLessThan(TOLERANCE);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast(230, cases, 240));
  });

  it('in rectifiers, whose diodes follow sources and states', { timeout: sample(60_000, 3_600_000) }, () => {
    // Stiff ones take long: their flights are integrated.
    const quick = [0, 6, 8, 10, 11, 12, 14, 17, 22, 24, 27, 28];
    const cases = sample(quick.length, 200);
    let compared = 0;
    for (let k = 0; k < cases; k++) {
      const seed = cases === quick.length ? quick[k] : k;
      const document = drawn(rectifier(seeded(seed)), { h: 5e-5, tEnd: 0.05 });
      const one = comparedWithDifferences(document, 0.0123, 0.0271);
      if (one === null || one.image.broken !== null) continue;
      expect(one.deviation, `${seed}`).toBeLessThan(TOLERANCE);
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(atLeast(185, cases, 200));
  });

  const controllers: Readonly<Record<string, readonly Part[]>> = {
    'an integrator': [['PID1', 'ContinuousPID', ['error', 'control'], { Kp: 8.4, Ki: 200 }], PWM],
    'an integrator that stops at limits': [
      ['PID1', 'ContinuousPID', ['error', 'control'], { Kp: 8.4, Ki: 200, lower: 0, upper: 5.5 }],
      PWM,
    ],
    'a relay with hysteresis, which remembers': [
      ['K1', 'Gain', ['error', 'low'], { gain: -1 }],
      ['H1', 'HysteresisRelay', ['low', 'gate'], { off: -0.05, on: 0.05 }],
    ],
  };
  it.each(Object.keys(controllers))('of a converter that is held by %s', (name) => {
    const one = comparedWithDifferences(controlled(...controllers[name]), 1e-3, 3e-3);
    expect(one?.image.broken).toBeNull();
    expect(one?.image.events.length).toBeGreaterThan(4);
    expect(one?.deviation).toBeLessThan(TOLERANCE);
  });

  it.each(['b.v > 3', 't mod 0.004 < 0.002'])('where charges flow at once, while %s', (gate) => {
    const parts: readonly Part[] = [
      ['V1', 'SineVoltage', ['a', '0'], { amplitude: 10, frequency: FREQUENCY }],
      ['R0', 'Resistor', ['a', 'b'], { resistance: 10 }],
      ['C1', 'Capacitor', ['b', '0'], { capacitance: 1e-4, v0: 1 }],
      ['S1', 'Switch', ['b', 'c'], { gate }],
      ['C2', 'Capacitor', ['c', '0'], { capacitance: 2e-4, v0: -5 }],
      ['R2', 'Resistor', ['c', '0'], { resistance: 100 }],
    ];
    const one = comparedWithDifferences(drawn(parts, { h: 1e-4, tEnd: 0.1 }), 0.001, 0.0052);
    expect(one?.image.broken).toBeNull();
    expect(one?.deviation).toBeLessThan(TOLERANCE);
  });
});

describe('multipliers of drawn models', () => {
  it('of a voltage-mode converter are those of the hand-written one', () => {
    const { x, real, imaginary, states, isStable } = orbit(byVoltage, { period: T, settle: 300 });
    expect(x[states.findIndex(({ name }) => name === 'circuit.x[1]')]).toBeCloseTo(11.96951154, 8);
    expect(real[0]).toBeCloseTo(-0.6918942, 7);
    expect(Math.abs(imaginary[0])).toBeCloseTo(0.447747, 7);
    expect(Math.hypot(real[0], imaginary[0]) ** 2).toBeCloseTo(Math.exp(-T / (22 * 4.7e-5)), 12);
    expect(isStable).toBe(true);
  });

  it('are exactly 0 where the current of the inductor comes to rest in each period', () => {
    const values = { T: 1e-5, D: 0.4, U: 24, R: 200, L: 1e-4, C: 1e-6, n: 1, v0: 15, i0: 0 };
    const document = drawnConverter('buck', values, { periods: 3, rows: 20 });
    const { real, imaginary } = orbit(document, { period: 1e-5, settle: 300 });
    expect([...imaginary]).toEqual([0, 0]);
    expect(real[1]).toBe(0);
    expect(real[0]).toBeGreaterThan(0.5);
    expect(real[0]).toBeLessThan(1);
  });

  it('of a rectifier follow from the parts of the period in which its diode conducts', () => {
    const [R, Rs, C, period] = [100, 1, 1e-3, 1 / FREQUENCY];
    const parts: readonly Part[] = [
      ['V1', 'SineVoltage', ['a', '0'], { amplitude: 10, frequency: FREQUENCY }],
      ['Rs', 'Resistor', ['a', 'd'], { resistance: Rs }],
      ['D1', 'Diode', ['d', 'b']],
      ['C1', 'Capacitor', ['b', '0'], { capacitance: C }],
      ['R1', 'Resistor', ['b', '0'], { resistance: R }],
    ];
    const { real, events } = orbit(drawn(parts, { h: 1e-4, tEnd: 0.1 }), { period, settle: 50 });
    expect(events).toHaveLength(2);
    const [first, second] = events.map(({ time }) => time);
    const conducting = second - first;
    expect(conducting).toBeLessThan(period / 2);
    expect(real[0]).toBeCloseTo(Math.exp(-period / (R * C) - conducting / (Rs * C)), 9);
    // Without resistance the capacitor is the source while the diode conducts: nothing is left.
    const ideal = parts.flatMap((part): Part[] => {
      if (part[0] === 'Rs') return [];
      return [part[0] === 'D1' ? ['D1', 'Diode', ['a', 'b']] : part];
    });
    expect(orbit(drawn(ideal, { h: 1e-4, tEnd: 0.1 }), { period, settle: 5 }).real[0]).toBe(0);
  });

  it('of a converter under a relay, whose period is not known', () => {
    const document = controlled(
      ['K1', 'Gain', ['error', 'low'], { gain: -1 }],
      ['H1', 'HysteresisRelay', ['low', 'gate'], { off: -0.05, on: 0.05 }],
    );
    const { real, isStable, period, residual } = orbit(document, {
      forcing: 'none',
      period: 1.4e-3,
      settle: 40,
    });
    expect(residual).toBeLessThan(1e-10);
    expect(period).toBeGreaterThan(1e-4);
    // One is that of the phase; what the relay remembers has 0.
    expect(Math.min(...real.map((value) => Math.abs(value - 1)))).toBeLessThan(1e-7);
    expect(Math.min(...real.map(Math.abs))).toBeLessThan(1e-9);
    expect(isStable).toBe(true);
  });
});

describe('branches and exponents of drawn models', () => {
  it('double their period where the hand-written converter does', () => {
    const { special } = found(byVoltage, {
      type: 'branch',
      ...{ parameter: 'E', from: 24, to: 25, at: 24.2, period: T, settle: 400 },
    }) as FoundBranch;
    const doubling = special.find(({ kind }) => kind === 'periodDoubling');
    expect(doubling?.p).toBeCloseTo(24.516573, 6);
  });

  it('have exponents whose sum is what the load contracts', () => {
    const { exponents } = found(byVoltage, {
      type: 'lyapunov',
      ...{ transient: 100 * T, duration: 100 * T, interval: T },
    }) as FoundExponents;
    const rate = -1 / (22 * 4.7e-5);
    expect(exponents[0] + exponents[1]).toBeCloseTo(rate, 3);
    expect(Math.abs(exponents[0] - rate / 2)).toBeLessThan(20);
  });
});

describe('the exponent as a measure of a sweep', () => {
  // Complex multipliers, and states of different units: growth over a few periods says nothing.
  it.each([4, 20])('is what the load contracts, by %d points of a motion that repeats itself', (count) => {
    const job: SweepJob = {
      document: byVoltage,
      plan: { kind: 'grid', axes: [{ parameter: 'E', values: [20] }] },
      section: { section: { kind: 'stroboscopic', period: T }, transient: 300, count },
      measures: ['lyapunov', 'lyapunov-error'],
      scheme: 'event-driven',
    };
    const result = computePoint(job, Float64Array.of(20), null, environment);
    expect(Math.abs((result?.measures[0] ?? NaN) + 1 / (2 * 22 * 4.7e-5))).toBeLessThan(1e-6);
    expect(result?.measures[1]).toBe(0);
  });
});

describe('what a drawn model remembers besides its state', () => {
  it.each([
    ['a switch with hysteresis', ['S1', 'Switch', ['a', 'b'], { gate: 'b.v < 3', hysteresis: 0.1 }]],
    ['a thyristor', ['S1', 'Thyristor', ['a', 'b'], { gate: 't mod 0.02 - 0.001' }]],
  ] as [string, Part][])('%s is no part of what is analysed, and says so', (_name, part) => {
    const document = drawn(
      [
        ['V1', 'SineVoltage', ['a', '0'], { amplitude: 10, frequency: FREQUENCY }],
        part,
        ['R1', 'Resistor', ['b', '0'], { resistance: 10 }],
        ['C1', 'Capacitor', ['b', '0'], { capacitance: 1e-4 }],
      ],
      { h: 1e-4, tEnd: 0.1 },
    );
    expect(() => orbit(document, { period: 0.02 })).toThrow('what these remember is no part of the state');
  });
});
