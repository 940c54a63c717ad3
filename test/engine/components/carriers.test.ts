/**
 * Gates that compare states or sines with carriers change where steps that cannot pass a zero say so: there,
 * too, a search that knows nothing but their values finds them. What they are made of has their values.
 */
import { analysedMotion } from '@engine/analysis/jobs/motion-of';
import { preparedMotion } from '@engine/analysis/stability/motion-model';
import { compileExpression, evaluateExpression } from '@engine/document/expressions';
import { foldConstants } from '@engine/document/fold-constants';
import { pieceForms } from '@engine/document/piece-forms';
import type { EventDriven } from '@engine/event-driven/event-driven';
import { type PieceForms, LARGER, SMALLER } from '@engine/model/piece-forms';
import type { PresenceRule } from '@engine/model/settings/presences';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { type Random, seeded } from '../support/random';
import { environment } from './differences';
import { drawn, type Part } from './drawn';

const NONE = undefined as unknown as string;

/** A parameter p, the time t and the states x and y. */
const SLOTS = ['p', 't', 'x', 'y'];

function expression(random: Random, depth: number): string {
  const [a, b] = depth === 0 ? ['', ''] : [expression(random, depth - 1), expression(random, depth - 1)];
  const factor = random.uniform(-2, 2).toPrecision(3);
  const wave = `${random.chance(0.5) ? 'sin' : 'cos'}(${random.uniform(0.1, 9).toPrecision(3)}*t - p)`;
  const leaf = ['x', 'y', '(t mod p)', '(2*abs((t mod 1)/1 - 0.5))', factor, 't', 'p', wave];
  if (depth === 0) return leaf[random.integer(0, leaf.length - 1)];
  const made = [
    `min(${a}, ${b})`,
    `max(${a}, ${b})`,
    `(${a} + ${b})`,
    `(${a} - ${b})`,
    `-(${a})`,
    `abs(${a})`,
  ];
  const all = [...made, `(${a}*(${factor}))`, `(${a}/(p + 1))`];
  return all[random.integer(0, all.length - 1)];
}

/** By its pieces just behind the time. */
function valueOf({ atoms, tree }: PieceForms, t: number, values: Float64Array): number {
  const piece = new Float64Array(3);
  const stack: number[] = [];
  for (const one of tree) {
    if (one === SMALLER || one === LARGER) {
      const [a, b] = stack.splice(-2);
      stack.push(one === SMALLER ? Math.min(a, b) : Math.max(a, b));
      continue;
    }
    atoms[one].time.pieceAt(t, piece);
    expect(piece[2]).toBeGreaterThan(t);
    const ofStates = atoms[one].terms.reduce((sum, [slot, factor]) => sum + factor * values[slot], 0);
    const ofWaves = atoms[one].waves.reduce(
      (sum, { amplitude, frequency, phase }) => sum + amplitude * Math.sin(frequency * t + phase),
      0,
    );
    stack.push(piece[0] + piece[1] * t + ofStates + ofWaves);
  }
  return stack[0];
}

describe('gates that compare states with carriers', () => {
  it('have the values of what they are made of', () => {
    const random = seeded(3);
    let known = 0;
    for (let k = 0; k < sample(400, 20_000); k++) {
      const text = expression(random, random.integer(1, 4));
      const program = compileExpression(text, (name) => SLOTS.indexOf(name));
      const values = Float64Array.of(random.uniform(0.1, 2), 0, 0, 0);
      const forms = pieceForms(program, values, 1, (slot) => slot >= 2);
      if (forms === null) continue;
      known++;
      const folded = foldConstants(program, values, (slot) => slot >= 1);
      for (let n = 0; n < 5; n++) {
        for (let slot = 1; slot < 4; slot++) values[slot] = random.uniform(slot === 1 ? 0 : -2, 5);
        const value = evaluateExpression(program, values);
        expect(evaluateExpression(folded, values), text).toBe(value);
        expect(Math.abs(valueOf(forms, values[1], values) - value), text).toBeLessThan(1e-11);
      }
    }
    expect(known).toBeGreaterThan(sample(200, 10_000));
  });

  const halfBridge = (random: Random): Part[] => {
    const isLoop = random.chance(0.6);
    const carrier = ['sawtooth', 'triangle'][random.integer(0, 1)];
    const limits = random.chance(0.5) ? { lower: 0.1, upper: random.uniform(0.4, 0.9) } : {};
    const control: Part[] = isLoop
      ? [
          ['VM1', 'Voltmeter', ['out', '0', 'm']],
          ['REF', 'Signal', ['r'], { value: 12 }],
          ['SUM1', 'Sum', ['r', 'm', NONE, 'e']],
          ['PID1', 'ContinuousPID', ['e', 'c'], { Kp: random.uniform(0.01, 0.2), Ki: 50, ...limits }],
        ]
      : [
          [
            'W',
            'SineSignal',
            ['c'],
            { amplitude: 0.3, frequency: 10 ** random.uniform(1.5, 3.5), offset: 0.5 },
          ],
        ];
    return [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 24 }],
      ['Q1', 'Mosfet', ['in', 'sw', 'g1'], { forwardVoltage: random.chance(0.5) ? 0.8 : 0 }],
      ['Q2', 'Mosfet', ['sw', '0', 'g2']],
      ['L1', 'Inductor', ['sw', 'out'], { inductance: 10 ** random.uniform(-4.5, -3) }],
      ['C1', 'Capacitor', ['out', '0'], { capacitance: 1e-4, v0: random.uniform(0, 20) }],
      ['R1', 'Resistor', ['out', '0'], { resistance: 10 ** random.uniform(0, 2) }],
      ...control,
      ['PWM1', 'PWM', ['c', 'g1', 'g2'], { period: 5e-5, deadTime: random.chance(0.7) ? 1e-6 : 0, carrier }],
    ];
  };

  it('change where a search that knows their values alone finds it', () => {
    const random = seeded(5);
    let followed = 0;
    for (let k = 0; k < sample(8, 300); k++) {
      const document = drawn(halfBridge(random), { h: 10 ** random.uniform(-6, -4.5), tEnd: 2e-3 });
      const { prepared } = analysedMotion(document, {}, environment);
      const plain = prepared.presence.map((rule): PresenceRule => ({ ...rule, pieces: null, twin: null }));
      const run = (presence: readonly PresenceRule[]): EventDriven => {
        const motion = preparedMotion({ ...prepared, presence });
        const simulation = motion.simulate(0, 2e-3, motion.initialState);
        simulation.run();
        return simulation;
      };
      const [one, other] = [run(prepared.presence), run(plain)];
      const names = ({ events }: EventDriven): string[] =>
        events.map(({ element, row, kind }) => `${element}[${row}] ${kind}`);
      expect(names(one)).toEqual(names(other));
      one.events.forEach(({ time }, i) => expect(Math.abs(time - other.events[i].time)).toBeLessThan(1e-14));
      one.x.forEach((value, i) =>
        expect(Math.abs(value - other.x[i])).toBeLessThan(1e-9 * (1 + Math.abs(value))),
      );
      if (prepared.presence.some(({ pieces }) => pieces !== null)) followed++;
    }
    expect(followed).toBe(sample(8, 300));
  });
});
