/** Eight converters drawn by code, with random values; their gates follow the time. */
import type { ComponentDocument, ModelDocument } from '@engine/document/types';
import type { Random } from '../support/random';
import { drawn, type Part } from './drawn';

export const CONVERTERS = [
  'buck',
  'boost',
  'buck-boost',
  'Ćuk',
  'flyback',
  'forward',
  'full bridge',
  'LLC',
] as const;
export type Converter = (typeof CONVERTERS)[number];

/** Values of one converter; s, Ω, V, H, F. */
export interface Values {
  readonly T: number;
  readonly D: number;
  readonly U: number;
  readonly R: number;
  readonly L: number;
  readonly C: number;
  readonly n: number;
  /** voltage of the output and current of the choke at the start */
  readonly v0: number;
  readonly i0: number;
}

const GATE = 't mod T < D*T';

/** A gate that is closed for a dead time at both of its ends, in one half of the period. */
const half = (from: string): string => `min((t + ${from}) mod T - dead, D*T/2 - ((t + ${from}) mod T))`;

const output = (node = 'out', v0 = 'v0'): Part[] => [
  ['C1', 'Capacitor', [node, '0'], { capacitance: 'C', v0 }],
  ['R1', 'Resistor', [node, '0'], { resistance: 'R' }],
];
const source: Part = ['V1', 'VoltageSource', ['in', '0'], { voltage: 'U' }];
const rectifier: Part[] = [
  ['D1', 'Diode', ['s', 'r']],
  ['D2', 'Diode', ['q', 'r']],
  ['D3', 'Diode', ['0', 's']],
  ['D4', 'Diode', ['0', 'q']],
];

const PARTS: Readonly<Record<Converter, readonly Part[]>> = {
  buck: [
    source,
    ['S1', 'Switch', ['in', 'x'], { gate: GATE }],
    ['D1', 'Diode', ['0', 'x']],
    ['L1', 'Inductor', ['x', 'out'], { inductance: 'L', i0: 'i0' }],
    ...output(),
  ],
  boost: [
    source,
    ['L1', 'Inductor', ['in', 'x'], { inductance: 'L', i0: 'i0' }],
    ['S1', 'Switch', ['x', '0'], { gate: GATE }],
    ['D1', 'Diode', ['x', 'out']],
    ...output(),
  ],
  'buck-boost': [
    source,
    ['S1', 'Switch', ['in', 'x'], { gate: GATE }],
    ['L1', 'Inductor', ['x', '0'], { inductance: 'L', i0: 'i0' }],
    ['D1', 'Diode', ['out', 'x']],
    ...output('out', '-v0'),
  ],
  Ćuk: [
    source,
    ['L1', 'Inductor', ['in', 'x'], { inductance: 'L', i0: 'i0*v0/U' }],
    ['S1', 'Switch', ['x', '0'], { gate: GATE }],
    ['C2', 'Capacitor', ['x', 'y'], { capacitance: 'C', v0: 'U + v0' }],
    ['D1', 'Diode', ['y', '0']],
    ['L2', 'Inductor', ['out', 'y'], { inductance: 'L', i0: 'i0' }],
    ...output('out', '-v0'),
  ],
  flyback: [
    source,
    ['L1', 'Inductor', ['in', 'x'], { inductance: 'L', i0: 'i0' }],
    ['L2', 'Inductor', ['0', 's'], { inductance: 'L*n^2' }],
    ['K1', 'Coupling', [], { inductors: ['L1', 'L2'], coupling: 1 }],
    ['S1', 'Switch', ['x', '0'], { gate: GATE }],
    ['D1', 'Diode', ['s', 'out']],
    ...output(),
  ],
  forward: [
    source,
    ['L1', 'Inductor', ['in', 'x'], { inductance: '20*L' }],
    ['L2', 'Inductor', ['s', '0'], { inductance: '20*L*n^2' }],
    ['L3', 'Inductor', ['0', 'z'], { inductance: '20*L' }],
    ['K1', 'Coupling', [], { inductors: ['L1', 'L2', 'L3'], coupling: 1 }],
    ['S1', 'Switch', ['x', '0'], { gate: GATE }],
    ['D3', 'Diode', ['z', 'in']],
    ['D1', 'Diode', ['s', 'r']],
    ['D2', 'Diode', ['0', 'r']],
    ['L4', 'Inductor', ['r', 'out'], { inductance: 'L', i0: 'i0' }],
    ...output(),
  ],
  'full bridge': [
    source,
    ['Q1', 'Mosfet', ['in', 'a'], { gate: half('0') }],
    ['Q2', 'Mosfet', ['a', '0'], { gate: half('T/2') }],
    ['Q3', 'Mosfet', ['in', 'b'], { gate: half('T/2') }],
    ['Q4', 'Mosfet', ['b', '0'], { gate: half('0') }],
    ['Lm', 'Inductor', ['a', 'b'], { inductance: '20*L' }],
    ['X1', 'IdealTransformer', ['a', 'b', 's', 'q'], { ratio: '1/n' }],
    ...rectifier,
    ['L1', 'Inductor', ['r', 'out'], { inductance: 'L', i0: 'i0' }],
    ...output(),
  ],
  LLC: [
    source,
    ['Q1', 'Mosfet', ['in', 'a'], { gate: half('0') }],
    ['Q2', 'Mosfet', ['a', '0'], { gate: half('T/2') }],
    ['Lr', 'Inductor', ['a', 'c'], { inductance: 'L' }],
    ['Cr', 'Capacitor', ['c', 'b'], { capacitance: 'T^2/(4*pi^2*L)', v0: 'U/2' }],
    ['Lm', 'Inductor', ['b', '0'], { inductance: '5*L' }],
    ['X1', 'IdealTransformer', ['b', '0', 's', 'q'], { ratio: '1/n' }],
    ...rectifier,
    ...output('r'),
  ],
};

/** v_out over U in continuous conduction, by the balance of volt-seconds; of the LLC at resonance. */
export function idealRatio(converter: Converter, { D, n }: Pick<Values, 'D' | 'n'>): number {
  switch (converter) {
    case 'buck':
      return D;
    case 'boost':
      return 1 / (1 - D);
    case 'buck-boost':
    case 'Ćuk':
      return -D / (1 - D);
    case 'flyback':
      return (n * D) / (1 - D);
    case 'forward':
    case 'full bridge':
      return n * D;
    case 'LLC':
      return n / 2;
  }
}

const decades = (random: Random, from: number, to: number): number => 10 ** random.uniform(from, to);

/** Over some decades, in both kinds of conduction, from rest, from nominal and other values. */
export function randomValues(random: Random, converter: Converter): Values {
  const T = decades(random, -6, -4);
  const U = decades(random, 0.5, 2.7);
  const R = decades(random, 0, 3);
  const isSymmetric = converter === 'full bridge' || converter === 'LLC';
  const D = isSymmetric
    ? random.uniform(0.5, 0.95)
    : random.uniform(0.1, converter === 'forward' ? 0.48 : 0.9);
  const n = random.uniform(0.1, 4);
  const L = (decades(random, -2, 1.5) * R * T) / 2;
  const C = (decades(random, 0.3, 2) * T) / R;
  const nominal = Math.abs(idealRatio(converter, { D, n })) * U;
  const part = [0, 1, random.uniform(0, 2)][random.integer(0, 2)];
  const values = { T, D, U, R, L, C, n };
  return { ...values, v0: part * nominal, i0: part * chokeCurrent(converter, values, nominal) };
}

/** Mean current of the choke, or of the winding that stores, at an output of v. */
export function chokeCurrent(
  converter: Converter,
  { D, R, n }: Pick<Values, 'D' | 'R' | 'n'>,
  v: number,
): number {
  if (converter === 'boost' || converter === 'buck-boost') return v / R / (1 - D);
  return converter === 'flyback' ? (n * v) / R / (1 - D) : v / R;
}

/** @param rows in a period */
export function drawnConverter(
  converter: Converter,
  values: Values,
  { periods, rows }: { periods: number; rows: number },
): ModelDocument {
  const { T } = values;
  const document = drawn(PARTS[converter], { h: T / rows, tEnd: periods * T });
  return {
    ...document,
    parameters: Object.entries({ ...values, dead: 0.01 * T }).map(([name, value]) => ({ name, value })),
    simulation: { ...document.simulation, scheme: 'event-driven' },
  };
}

/**
 * The same with what real elements have, each by lot: voltages and resistances of what conducts, a resistance
 * in series with the capacitor of the output, and snubbers.
 */
export function withLosses(document: ModelDocument, random: Random, { T }: Pick<Values, 'T'>): ModelDocument {
  const components = (document.components ?? []).map((component) => ({ ...component }));
  const wires = (document.wires ?? []).map((wire) => ({ ...wire, ends: [...wire.ends] }));
  const added: ComponentDocument[] = [];
  const netOf = (pin: string): { ends: string[] } => {
    const net = wires.find(({ ends }) => ends.includes(pin));
    if (net === undefined) throw new Error(`${pin} is on no wire`);
    return net;
  };
  for (const component of components) {
    const { id, type } = component;
    if (type === 'Diode' && random.chance(0.5)) component.forwardVoltage = 0.7;
    if (['Diode', 'Switch', 'Mosfet'].includes(type) && random.chance(0.5)) component.onResistance = 0.01;
    if (id === 'C1' && random.chance(0.5)) {
      const net = netOf('C1.a');
      net.ends = net.ends.map((end) => (end === 'C1.a' ? 'RC1.a' : end));
      added.push({ id: 'RC1', type: 'Resistor', resistance: 0.05 });
      wires.push({ id: 'inner', ends: ['RC1.b', 'C1.a'] });
    }
    if ((type !== 'Switch' && type !== 'Diode') || random.chance(0.5)) continue;
    added.push(
      { id: `R${id}`, type: 'Resistor', resistance: 10 },
      { id: `C${id}`, type: 'Capacitor', capacitance: T / 1000 },
    );
    netOf(`${id}.a`).ends.push(`R${id}.a`);
    netOf(`${id}.${type === 'Switch' ? 'b' : 'k'}`).ends.push(`C${id}.b`);
    wires.push({ id: `snubber${id}`, ends: [`R${id}.b`, `C${id}.a`] });
  }
  return { ...document, components: [...components, ...added], wires };
}
