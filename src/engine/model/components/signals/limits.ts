/** Blocks of straight pieces: limits, dead zones, and relays, which remember where they are. */
import type { FieldDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import type { Circuit, SignalPart, Term } from '../circuit';
import { type ComponentType, signalIn } from '../component';
import { block, give, number, OUTPUT_PIN, plain, times } from './block';

const FAMILY = 'Control';
const SOURCE = 'Johansson, Rantzer and Åström 1999';

/**
 * A sum between two limits: the voltage behind 1 Ω that a characteristic holds there.
 * @returns the limited signal, and what it is in conditions
 */
export function limited(
  circuit: Circuit,
  terms: readonly Term[],
  lower: number,
  upper: number,
): { readonly term: Term; readonly parts: readonly SignalPart[] } {
  const [from, to] = [circuit.node(), circuit.node()];
  circuit.controlledVoltage(from, circuit.ground, terms);
  circuit.resistor(from, to, 1);
  circuit.characteristic(to, circuit.ground, {
    points: [
      [lower, 0],
      [upper, 0],
    ],
    start: [0, 1],
    end: [0, 1],
  });
  return {
    term: { branch: circuit.open(to, circuit.ground), of: 'v', factor: 1 },
    parts: ['min(max(', { sum: terms }, `, ${plain(lower)}), ${plain(upper)})`],
  };
}

/** Whether the first is below the second; else that is said. */
export function areLimits(fields: FieldReader, lower = 'lower', upper = 'upper'): boolean {
  if (fields.number(lower) < fields.number(upper)) return true;
  fields.reject(
    upper,
    'limits-crossed',
    'The upper limit is not above the lower one.',
    'Exchange them, or leave the block out.',
  );
  return false;
}

/** One of two limits of an output. */
export const limit = (key: string, label: string, symbol: string): FieldDefinition => ({
  ...{ key, kind: 'number', label, symbol, unit: '', required: false },
  help: 'Of the output: both limits or none.',
});

/** Both limits; null where there are none, and after a reported defect. */
export function limitsOf(fields: FieldReader): [lower: number, upper: number] | null {
  const [hasLower, hasUpper] = [fields.has('lower'), fields.has('upper')];
  if (!hasLower && !hasUpper) return null;
  if (hasLower && hasUpper)
    return areLimits(fields) ? [fields.number('lower'), fields.number('upper')] : null;
  fields.reject(
    hasLower ? 'lower' : 'upper',
    'one-limit',
    'One limit of the output is given and the other is not.',
    'Give both, or none.',
  );
  return null;
}

const limitFields = (what: string): FieldDefinition[] => [
  number('lower', 'Lower limit', 'y_l', `${what} from here down.`, { initial: -1 }),
  number('upper', 'Upper limit', 'y_u', `${what} from here up.`, { initial: 1 }),
];

export const limiter: ComponentType = {
  definition: block(
    {
      type: 'Limiter',
      title: 'Saturation',
      summary: 'A signal between two limits.',
      family: FAMILY,
      words: ['sat', 'saturation', 'limit', 'clamp', 'clip', 'actuator', 'Sättigung', 'Begrenzer'],
      equations: ['y = \\min(\\max(u, y_l), y_u)'],
      fields: limitFields('Limited'),
      source: SOURCE,
    },
    { lines: ['M-20 12H-10L10 -12H20'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = circuit.input('u');
    if (!areLimits(fields)) return;
    const { term, parts } = limited(circuit, [u], fields.number('lower'), fields.number('upper'));
    give(circuit, [term], parts);
  },
};

export const deadZone: ComponentType = {
  definition: block(
    {
      type: 'DeadZone',
      title: 'Dead zone',
      summary: 'Nothing between two limits, and what is beyond them.',
      family: FAMILY,
      words: ['dead band', 'play', 'insensitive', 'Totzone'],
      equations: ['y = u - \\min(\\max(u, y_l), y_u)'],
      fields: limitFields('Something'),
      source: SOURCE,
    },
    { lines: ['M-20 14L-8 0H8L20 -14'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = circuit.input('u');
    if (!areLimits(fields)) return;
    const { term, parts } = limited(circuit, [u], fields.number('lower'), fields.number('upper'));
    give(circuit, [u, times(-1, term)], ['(', { sum: [u] }, ' - ', ...parts, ')']);
  },
};

const startField: FieldDefinition = {
  ...{ key: 'start', kind: 'choice', label: 'At the start', symbol: '', unit: '', required: false },
  default: 'low',
  options: [
    { value: 'low', label: 'Low', help: 'It begins with its low output.' },
    { value: 'high', label: 'High', help: 'It begins with its high output.' },
  ],
  help: 'What it begins with where its input does not decide.',
};

export const hysteresis: ComponentType = {
  definition: block(
    {
      type: 'HysteresisRelay',
      title: 'Relay with hysteresis',
      summary:
        'High from where its input rises above a threshold to where it falls below a lower one: a thermostat, a Schmitt trigger, a bang-bang controller.',
      family: FAMILY,
      words: ['relay', 'Schmitt', 'trigger', 'thermostat', 'two-point', 'bang-bang', 'Zweipunktregler'],
      equations: ['y = y_h \\;\\text{after}\\; u > u_h, \\quad y = y_l \\;\\text{after}\\; u < u_l'],
      fields: [
        number('off', 'Lower threshold', 'u_l', 'Below it the output becomes low.', { initial: -0.1 }),
        number('on', 'Upper threshold', 'u_h', 'Above it the output becomes high.', { initial: 0.1 }),
        number('low', 'Low output', 'y_l', 'Value while it is low.', { default: 0 }),
        number('high', 'High output', 'y_h', 'Value while it is high.', { default: 1 }),
        startField,
      ],
      source: SOURCE,
    },
    { lines: ['M-20 14H8V-14M20 -14H-8V14'] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const u = { sum: [circuit.input('u')] };
    if (!areLimits(fields, 'off', 'on')) return;
    const [low, high] = [fields.number('low'), fields.number('high')];
    const q = circuit.memory(fields.choice('start') === 'high' ? 1 : 0, [
      { when: [u, ` - ${plain(fields.number('on'))}`], to: 1 },
      { when: [`${plain(fields.number('off'))} - `, u], to: 0 },
    ]);
    give(circuit, [...(low === 0 ? [] : [circuit.given(low)]), times(high - low, q)]);
  },
};

export const latch: ComponentType = {
  definition: block(
    {
      type: 'Latch',
      title: 'Latch',
      summary: 'On after its set input is on, off after its reset input is; that of the two counts first.',
      family: 'Logic',
      words: ['SR', 'flip-flop', 'memory', 'RS', 'Speicher'],
      equations: ['y = 1 \\;\\text{after}\\; s \\wedge \\neg r, \\quad y = 0 \\;\\text{after}\\; r'],
      fields: [startField],
      source: 'Erickson and Maksimović 2020, §7.3',
      pins: [signalIn('s', 'Set', -40, -20), signalIn('r', 'Reset', -40, 20), OUTPUT_PIN],
    },
    { texts: [{ x: 0, y: 0, text: 'S R' }] },
  ),
  stamp(fields: FieldReader, circuit: Circuit) {
    const [s, r] = [{ gate: circuit.gate('s') }, { gate: circuit.gate('r') }];
    const q = circuit.memory(fields.choice('start') === 'high' ? 1 : 0, [
      { when: ['min(', s, ', -(', r, '))'], to: 1 },
      { when: [r], to: 0 },
    ]);
    give(circuit, [q]);
  },
};
