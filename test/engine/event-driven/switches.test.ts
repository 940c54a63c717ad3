/** Ideal switches that a condition closes and opens: charges that capacitors share, circuits on a clock. */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun } from '@engine/run/session';
import { reportDocument } from '@engine/preparation/report';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { run, runFailure } from '../support/run';
import { linear, resetting } from '../resets/documents';

const SCHEMES = ['time-stepping', 'event-driven'] as const;

const capacitor = (id: string, C: number, x0: number): SystemDocument => ({
  id,
  type: 'FirstOrderLinear',
  n: 1,
  x0: [x0],
  A: [[0]],
  mass: [[C]],
});

/** A switch between two capacitors, or of one to a voltage; with a resistance R where there is one. */
const contact = (
  id: string,
  systems: string[],
  condition: string,
  { R = 0, e = 0, hysteresis = 0 } = {},
): InteractionDocument => ({
  id,
  systems,
  relation: {
    type: 'FirstOrderLinearTI',
    C: [systems.length === 1 ? [1] : [1, -1]],
    B: systems.length === 1 ? [[1]] : [[1], [-1]],
    ...(R === 0 ? {} : { D: [[R]] }),
    ...(e === 0 ? {} : { e: [e] }),
  },
  law: { type: 'Equality' },
  while: { type: 'Condition', condition: [condition], ...(hysteresis === 0 ? {} : { hysteresis }) },
});

const circuit = (
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  simulation: Partial<ModelDocument['simulation']>,
): ModelDocument => ({ ...resetting(systems, simulation), interactions });

const worst = ({ session }: ReturnType<typeof run>): number => {
  const { dynamics, complementarity, coneViolation } = session.certificate;
  return Math.max(dynamics, complementarity, coneViolation);
};

describe('switched capacitors', () => {
  it.each(SCHEMES)('keep their charge and lose the energy that theory says: %s', (scheme) => {
    const random = seeded(77);
    for (let k = 0; k < sample(8, 300); k++) {
      const [C1, C2] = [random.uniform(0.1, 5), random.uniform(0.1, 5)];
      const [u, v] = [random.uniform(-10, 10), random.uniform(-10, 10)];
      const time = random.uniform(0.2, 0.8);
      const done = run(
        circuit(
          [capacitor('a', C1, u), capacitor('b', C2, v)],
          [contact('join', ['a', 'b'], `t - ${time}`)],
          { scheme, h: 0.05, tEnd: 1 },
        ),
      );
      const [a, b] = ['a.x', 'b.x'].map((name) => done.column(name).at(-1) ?? Number.NaN);
      const size = C1 * Math.abs(u) + C2 * Math.abs(v);
      expect(Math.abs(C1 * a + C2 * b - C1 * u - C2 * v) / size).toBeLessThan(1e-12);
      expect(Math.abs(a - b)).toBeLessThan(1e-12 * 20);
      const energy = (x: number, y: number): number => 0.5 * (C1 * x * x + C2 * y * y);
      const lost = (0.5 * C1 * C2 * (u - v) ** 2) / (C1 + C2);
      expect(Math.abs(energy(u, v) - energy(a, b) - lost) / energy(u, v)).toBeLessThan(1e-12);
      expect(worst(done)).toBeLessThan(1e-10);
      if (scheme === 'time-stepping') continue;
      expect(done.session.eventRecords.map(({ kind, time: at }) => [kind, at])).toEqual([
        ['closing', expect.closeTo(time, 14)],
      ]);
    }
  });

  it('three of them are joined by two switches at once', () => {
    const done = run(
      circuit(
        [capacitor('a', 1, 6), capacitor('b', 2, 0), capacitor('c', 3, -2)],
        [contact('ab', ['a', 'b'], 't - 0.5'), contact('bc', ['b', 'c'], 't - 0.5')],
        { tEnd: 1, h: 0.1 },
      ),
    );
    // No charge in all: 6 − 6.
    for (const name of ['a.x', 'b.x', 'c.x']) expect(done.column(name).at(-1)).toBeCloseTo(0, 13);
    expect(worst(done)).toBeLessThan(1e-12);
  });

  it('in a loop of switches are a failure that names it', () => {
    const { error } = runFailure(
      circuit(
        [capacitor('a', 1, 6), capacitor('b', 2, 0)],
        [contact('first', ['a', 'b'], 't - 0.5'), contact('second', ['a', 'b'], 't - 0.5')],
        { tEnd: 1, h: 0.1 },
      ),
    );
    expect(error.code).toBe('state-jump');
    expect(error.remedy).not.toBe('');
  });
});

describe('a switch on a clock', () => {
  const [R, C, V, period, duty] = [2, 0.5, 3, 0.7, 0.4];

  it('charges and discharges a capacitor exactly', () => {
    const done = run(
      circuit(
        [capacitor('a', C, 0)],
        [
          contact('charge', ['a'], `${duty * period} - t mod ${period}`, { R, e: -V }),
          contact('discharge', ['a'], `t mod ${period} - ${duty * period}`, { R }),
        ],
        { tEnd: 3.5, h: 0.05 },
      ),
    );
    let v = 0;
    const [on, off] = [duty * period, (1 - duty) * period].map((time) => Math.exp(-time / (R * C)));
    for (let k = 0; k < 5; k++) {
      v = V + (v - V) * on;
      v *= off;
    }
    expect(Math.abs((done.column('a.x').at(-1) ?? Number.NaN) - v)).toBeLessThan(1e-11);
    expect(worst(done)).toBeLessThan(1e-9);
    const edges = done.session.eventRecords
      .filter(({ element }) => element === 'charge')
      .map(({ time }) => time);
    expect(edges[0]).toBeCloseTo(duty * period, 13);
    expect(edges[1]).toBeCloseTo(period, 13);
  });

  it('drives a buck converter to its periodic state', () => {
    // L i' = u − v, C v' = i − v/R; the multiplier of the switch is the voltage u of its node.
    const [L, Co, load, T, D, E] = [0.02, 0.004, 5, 0.01, 0.35, 12];
    const done = run(
      circuit(
        [
          {
            id: 'x',
            type: 'FirstOrderLinear',
            n: 2,
            x0: [0, 0],
            A: [
              [0, -1 / L],
              [1 / Co, -1 / (load * Co)],
            ],
          },
        ],
        [
          {
            id: 'gate',
            systems: ['x'],
            relation: { type: 'FirstOrderLinearTI', C: [[0, 0]], D: [[1]], B: [[1 / L], [0]], e: [-E] },
            law: { type: 'Equality' },
            while: { type: 'Condition', condition: [`${D * T} - t mod ${T}`] },
          },
        ],
        { tEnd: 1, h: 0.002 },
      ),
    );
    // The same by the classical method of order 4 with 2000 steps a period.
    let [i, v] = [0, 0];
    const rate = (u: number, a: number, b: number): [number, number] => [(u - b) / L, (a - b / load) / Co];
    const step = (u: number, h: number): void => {
      const k1 = rate(u, i, v);
      const k2 = rate(u, i + (h / 2) * k1[0], v + (h / 2) * k1[1]);
      const k3 = rate(u, i + (h / 2) * k2[0], v + (h / 2) * k2[1]);
      const k4 = rate(u, i + h * k3[0], v + h * k3[1]);
      i += (h / 6) * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0]);
      v += (h / 6) * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1]);
    };
    for (let period = 0; period < 100; period++) {
      for (let k = 0; k < 1000; k++) step(E, (D * T) / 1000);
      for (let k = 0; k < 1000; k++) step(0, ((1 - D) * T) / 1000);
    }
    expect(Math.abs((done.column('x.x[0]').at(-1) ?? Number.NaN) - i)).toBeLessThan(1e-9);
    expect(Math.abs((done.column('x.x[1]').at(-1) ?? Number.NaN) - v)).toBeLessThan(1e-9);
    expect(worst(done)).toBeLessThan(1e-9);
  });

  it('goes back and on again with equal bits', () => {
    const document = circuit(
      [capacitor('a', C, 0), capacitor('b', 1, 2)],
      [
        contact('charge', ['a'], `${duty * period} - t mod ${period}`, { R, e: -V }),
        contact('share', ['a', 'b'], `sin(5 * t)`, { hysteresis: 0.3 }),
      ],
      { tEnd: 3, h: 0.05 },
    );
    const begin = () => {
      const prepared = prepareRun(
        { document },
        { sandbox: () => expect.fail('no scripts'), sink: new MemoryChunks(), keepsHistory: true },
      );
      if (!prepared.ok) throw new Error(prepared.error.message);
      return prepared.session;
    };
    const end = (one: ReturnType<typeof begin>): string =>
      JSON.stringify([one.time, one.rows, one.initialState, one.certificate, one.events]);
    const straight = begin();
    expect(straight.advance(1e9)).toBe('done');
    const other = begin();
    other.advance(50);
    other.goBack(23);
    expect(other.advance(1e9)).toBe('done');
    expect(end(other)).toBe(end(straight));
  });

  it('waits for its hysteresis', () => {
    const done = run(
      circuit(
        [linear('s', [[0]], [1], [0]), capacitor('a', 1, 1)],
        [contact('drain', ['a'], 'sin(pi * s.x)', { R: 1, hysteresis: 0.5 })],
        { tEnd: 2.9, h: 0.05 },
      ),
    );
    // Present from the start to 1, and again from 2 + 1/6, where the sine has come to a half.
    const times = done.session.eventRecords.map(({ time }) => time);
    expect(times.length).toBe(2);
    expect(times[0]).toBeCloseTo(1, 11);
    expect(times[1]).toBeCloseTo(2 + 1 / 6, 11);
    expect(done.column('a.x').at(-1)).toBeCloseTo(Math.exp(-1 - (2.9 - 2 - 1 / 6)), 10);
    expect(worst(done)).toBeLessThan(1e-9);
  });

  it('asks for conditions that do not follow from the laws they decide about', () => {
    const document = circuit([capacitor('a', 1, 1)], [contact('drain', ['a'], 'drain.y + 1')], {});
    expect(runOf(document)).toContain('drain.y');
  });
});

function runOf(document: ModelDocument): string {
  expect(reportDocument(document).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  try {
    run(document);
  } catch (error) {
    return String(error);
  }
  return '';
}
