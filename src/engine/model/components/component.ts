/**
 * Components: what circuits and mechanisms are drawn of. A component is one file with one definition, which
 * says its pins, symbol, parameters and equations, and with what it adds to a network; and one line in
 * `registry.ts`.
 */
import type {
  ComponentQuantity,
  ComponentSymbol,
  ElementDefinition,
  FieldDefinition,
  PinDefinition,
} from '../definition';
import type { FieldReader } from '../field-reader';
import type { Branch, Circuit, Gate, Hysteresis, NetworkNode, WiredGate } from './circuit';
import type { Mechanism } from './mechanism';

export type ComponentDefinition = ElementDefinition &
  Required<Pick<ElementDefinition, 'pins' | 'symbol' | 'family' | 'words' | 'quantities'>>;

/**
 * Expressions of time that sources of a component follow, by name.
 * @param raw what stands in a field, or its default, in parentheses where it is an expression
 */
export type Waveforms = Readonly<Record<string, (raw: (key: string) => string) => string>>;

interface ComponentParts {
  readonly definition: ComponentDefinition;
  readonly waveforms?: Waveforms;
}

interface CircuitComponent extends ComponentParts {
  /** Adds what the component is made of to a network. */
  stamp(fields: FieldReader, circuit: Circuit): void;
}

export interface MechanicalComponent extends ComponentParts {
  /** Adds what the component is made of to a mechanism. */
  assemble(fields: FieldReader, mechanism: Mechanism): void;
}

export type ComponentType = CircuitComponent | MechanicalComponent;

/** A pin of a circuit. */
export const electrical = (name: string, label: string, x: number, y: number): PinDefinition => ({
  name,
  label,
  domain: 'electrical',
  x,
  y,
});

/** A pin at which a signal comes in. @param isFree whether the component does without one */
export const signalIn = (
  name: string,
  label: string,
  x: number,
  y: number,
  isFree?: 'isFree',
): PinDefinition => ({
  ...{ name, label, x, y, domain: 'signal', direction: 'in' },
  ...(isFree !== undefined && { isFree: true }),
});

/** A pin at which a signal goes out. */
export const signalOut = (name: string, label: string, x: number, y: number): PinDefinition => ({
  ...{ name, label, x, y, domain: 'signal', direction: 'out' },
});

/** The two pins of a horizontal two-pole, from left to right. */
export const twoPole = (first = 'a', second = 'b', labels = ['First end', 'Second end']): PinDefinition[] => [
  electrical(first, labels[0], -40, 0),
  electrical(second, labels[1], 40, 0),
];

const VOLTAGE: ComponentQuantity = { name: 'v', unit: 'V', description: 'Voltage' };
const CURRENT: ComponentQuantity = { name: 'i', unit: 'A', description: 'Current' };
export const POWER: ComponentQuantity = { name: 'p', unit: 'W', description: 'Power taken', power: 'taken' };

/** What is recorded of every two-pole. */
export const TWO_POLE: readonly ComponentQuantity[] = [VOLTAGE, CURRENT, POWER];

/** The same of one that stores what it takes. */
export const STORAGE: readonly ComponentQuantity[] = [VOLTAGE, CURRENT, { ...POWER, power: 'stored' }];

/** Records voltage, current and power of one branch as those of the component. */
export function recordBranch(circuit: Circuit, branch: Branch): void {
  recordTwoPole(circuit, branch, branch);
}

/** The same where the voltage is that of one branch and the current that of another. */
export function recordTwoPole(circuit: Circuit, voltage: Branch, current: Branch): void {
  const v = [{ branch: voltage, of: 'v', factor: 1 } as const];
  const i = [{ branch: current, of: 'i', factor: 1 } as const];
  circuit.record('v', v);
  circuit.record('i', i);
  circuit.recordPower('p', v, i);
}

/** In series with what begins at the returned node: a forward voltage and a resistance. */
export function inSeries(circuit: Circuit, from: NetworkNode, { R = 0, V = 0 }): NetworkNode {
  let node = from;
  if (V !== 0) {
    const next = circuit.node();
    circuit.voltage(node, next, V);
    node = next;
  }
  if (R !== 0) {
    const next = circuit.node();
    circuit.resistor(node, next, R);
    node = next;
  }
  return node;
}

/** A resistance in series with an element that is ideal by itself. */
export const onResistance: FieldDefinition = {
  key: 'onResistance',
  kind: 'number',
  min: 0,
  label: 'On-resistance',
  symbol: 'R_{on}',
  unit: 'Ω',
  required: false,
  default: 0,
  help: 'In series while it conducts; 0 is ideal.',
};

export const forwardVoltage: FieldDefinition = {
  key: 'forwardVoltage',
  kind: 'number',
  min: 0,
  label: 'Forward voltage',
  symbol: 'V_f',
  unit: 'V',
  required: false,
  default: 0,
  help: 'Drop while it conducts, beside that of its on-resistance; 0 is ideal.',
};

export const gateField = (help: string): FieldDefinition => ({
  key: 'gate',
  kind: 'expression',
  of: 'signals',
  label: 'Gate',
  symbol: 'g',
  unit: '',
  required: true,
  help,
});

/** What opens a switch: the signal at its gate, or the field where no wire is there. */
export const gateOf = (fields: FieldReader, circuit: Circuit): Gate | WiredGate =>
  circuit.isWired('gate') ? circuit.gate('gate') : fields.expression('gate');

/** What remembers whether it conducts. @param where its gate does not decide */
export const startField = (where: string): FieldDefinition => ({
  key: 'start',
  kind: 'choice',
  options: [
    { value: 'off', label: 'Off', help: 'It blocks.' },
    { value: 'on', label: 'On', help: 'It conducts.' },
  ],
  label: 'At the start',
  symbol: '',
  unit: '',
  required: false,
  default: 'off',
  help: `What it does at the start ${where}.`,
});

/** How far the condition of a gate goes beyond its threshold before it switches. */
export const hysteresisField: FieldDefinition = {
  key: 'hysteresis',
  kind: 'number',
  min: 0,
  label: 'Hysteresis',
  symbol: 'h',
  unit: '',
  required: false,
  default: 0,
  help: 'It closes when its gate is this much above its threshold, and opens when it is as much below; in the unit of the gate, or of what it compares.',
};

/** The same, as a component has it. */
export const hysteresisOf = (fields: FieldReader): Hysteresis => ({
  width: fields.number('hysteresis'),
  isOnAtStart: fields.choice('start') === 'on',
});

/** What is said of every gate. */
export const GATE_HELP =
  'Expression of the time t, parameters and signals: on while it is positive, or while a comparison such as "t mod T < D*T" or "out.v < 5" holds. A signal at its gate takes its place.';

/** Pins of a controlled source: those of the source on the right, those of what controls it on the left. */
export const CONTROLLED_PINS: readonly PinDefinition[] = [
  electrical('cp', 'Plus of the control', -40, -20),
  electrical('cn', 'Minus of the control', -40, 20),
  electrical('p', 'Plus', 40, -20),
  electrical('n', 'Minus', 40, 20),
];

/** A rhombus between its pins, with a letter in it. */
export const controlledSymbol = (letter: string): ComponentSymbol => ({
  width: 40,
  height: 24,
  lines: ['M-40 -20H-30M-40 20H-30M40 -20H10V-16M40 20H10V16M10 -16L24 0L10 16L-4 0Z'],
  texts: [{ x: 10, y: 0, text: letter }],
});
