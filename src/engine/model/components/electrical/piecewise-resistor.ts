/** Resistor with a characteristic of straight pieces. */
import type { FieldDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordBranch, TWO_POLE, twoPole } from '../component';

const points = (key: string, label: string, symbol: string, unit: string, help: string): FieldDefinition => ({
  ...{ key, kind: 'vector', length: 'any', label, symbol, unit, help },
  ...{ required: true, initial: 1 },
});

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'PiecewiseResistor',
  title: 'Resistor by pieces',
  summary:
    'A resistor whose current follows its voltage by straight pieces: lamp, battery, varistor, any diode; where its current falls it is active.',
  family: 'Circuit',
  pins: twoPole(),
  symbol: {
    width: 40,
    height: 14,
    lines: ['M-40 0H-20V-7H20V7H-20V0M20 0H40M-16 14L-6 3L6 -3L16 -14'],
  },
  quantities: TWO_POLE,
  words: [
    ...[
      'R',
      'nonlinear',
      'piecewise',
      'characteristic',
      'lamp',
      'bulb',
      'battery',
      'solar cell',
      'PV',
      'LED',
    ],
    ...['varistor', 'knee', 'negative resistance', 'tunnel diode', 'Chua diode', 'active'],
    ...['Kennlinie', 'Lampe', 'Batterie', 'Solarzelle'],
  ],
  equations: ['(v, i) \\in \\Gamma, \\quad \\Gamma \\ni (v_k, i_k)'],
  fields: [
    points('voltages', 'Voltages', 'v_k', 'V', 'Of the points of the characteristic; none falls.'),
    points(
      'currents',
      'Currents',
      'i_k',
      'A',
      'Of the same points. The ends go on straight. Where they fall, a capacitor beside it says which of several currents is taken.',
    ),
  ],
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Points of a curve of one current at each voltage, or that falls nowhere; null after a reported defect. */
function readPoints(fields: FieldReader, keys: readonly [string, string]): [number, number][] | null {
  const [count, other] = keys.map((key) => fields.vectorLength(key));
  const reject = (key: string, code: string, message: string, remedy: string): null => {
    fields.reject(key, code, message, remedy);
    return null;
  };
  if (count !== other)
    return reject(
      keys[1],
      'wrong-length',
      `There are ${count} ${keys[0]} and ${other} ${keys[1]}.`,
      'Give one of each for every point.',
    );
  if (count < 2) return reject(keys[0], 'wrong-length', 'One point is no curve.', 'Give two points or more.');
  const [x, y] = keys.map((key) => fields.vector(key, count));
  const isFunction = x.every((value, k) => k === 0 || value > x[k - 1]);
  for (let k = 1; k < count; k++) {
    const falling = [x, y].findIndex((values) => values[k] < values[k - 1]);
    if (falling === 0 || (falling === 1 && !isFunction))
      return reject(
        keys[falling],
        'falling-characteristic',
        `The characteristic falls behind point ${k}: ${keys[falling]} go from ${[x, y][falling][k - 1]} to ${[x, y][falling][k]}.`,
        'Put the points in the order in which the voltages rise. Currents may fall where all voltages differ.',
      );
    if (x[k] === x[k - 1] && y[k] === y[k - 1])
      return reject(
        keys[0],
        'repeated-point',
        `Point ${k + 1} is point ${k} again.`,
        'Leave one of them out.',
      );
  }
  return Array.from(x, (value, k): [number, number] => [value, y[k]]);
}

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [a, b] = [circuit.pin('a'), circuit.pin('b')];
  const curve = readPoints(fields, ['voltages', 'currents']);
  if (curve === null) {
    recordBranch(circuit, circuit.resistor(a, b, 1));
    return;
  }
  const ends = [
    [curve[0], curve[1]],
    [curve[curve.length - 2], curve[curve.length - 1]],
  ];
  const [start, end] = ends.map(([from, to]): [number, number] => [to[0] - from[0], to[1] - from[1]]);
  // Inner points alone: the first and the last only say how the ends go on.
  const inner = curve.length > 2 ? curve.slice(1, -1) : curve.slice(0, 1);
  recordBranch(circuit, circuit.characteristic(a, b, { points: inner, start, end }));
}
