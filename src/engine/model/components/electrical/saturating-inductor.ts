/** Inductor that saturates by pieces. */
import type { FieldDefinition } from '../../definition';
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, recordTwoPole, STORAGE, twoPole } from '../component';

const list = (key: string, label: string, symbol: string, unit: string, help: string): FieldDefinition => ({
  ...{ key, kind: 'vector', length: 'any', label, symbol, unit, help },
  ...{ required: true, initial: 1 },
});

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'SaturatingInductor',
  title: 'Saturating inductor',
  summary: 'An inductor whose inductance falls by steps as its current grows; its flux is a state.',
  family: 'Circuit',
  pins: twoPole(),
  symbol: {
    width: 40,
    height: 14,
    lines: ['M-40 0H-24a8 8 0 0 1 16 0a8 8 0 0 1 16 0a8 8 0 0 1 16 0H40', 'M-22 13H-10L10 -12H22'],
  },
  quantities: [...STORAGE, { name: 'phi', unit: 'Wb', description: 'Flux' }],
  words: [
    ...['L', 'saturation', 'core', 'iron', 'choke', 'swinging choke', 'magnetic amplifier', 'ferroresonance'],
    ...['Sättigung', 'Drossel', 'Kern', 'coil'],
  ],
  equations: [
    '\\dot\\varphi = v, \\quad \\varphi = \\operatorname{sgn}(i) \\int_0^{|i|} L(s)\\,ds',
    'L = L_k \\;(i_k < |i| < i_{k+1})',
  ],
  fields: [
    list('inductances', 'Inductances', 'L_k', 'H', 'dφ/di from zero current on, one more than knees.'),
    list('knees', 'Currents of the knees', 'i_k', 'A', 'At which the inductance changes; rising, above 0.'),
    {
      key: 'i0',
      kind: 'number',
      label: 'Initial current',
      symbol: 'i_0',
      unit: 'A',
      required: false,
      default: 0,
      help: 'From the first end to the second, at the start of the run.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §6',
};

interface Core {
  readonly inductances: Float64Array;
  readonly knees: Float64Array;
}

/** Null after a defect has been reported. */
function readCore(fields: FieldReader): Core | null {
  const count = fields.vectorLength('knees');
  const inductances = fields.vector('inductances', fields.vectorLength('inductances'));
  const knees = fields.vector('knees', count);
  const reject = (key: string, code: string, message: string, remedy: string): null => {
    fields.reject(key, code, message, remedy);
    return null;
  };
  if (inductances.length !== count + 1)
    return reject(
      'inductances',
      'wrong-length',
      `There are ${inductances.length} inductances for ${count} knees.`,
      'Give one more than knees: that below the first, and one behind each.',
    );
  if (inductances.some((one) => !(one > 0)))
    return reject('inductances', 'not-positive', 'An inductance is not positive.', 'Give positive ones.');
  if (knees.some((one, k) => !(one > (k === 0 ? 0 : knees[k - 1]))))
    return reject(
      'knees',
      'not-rising',
      'The currents of the knees do not rise from 0.',
      'Put them in order.',
    );
  return { inductances, knees };
}

/** Flux at a current. */
function fluxAt({ inductances, knees }: Core, current: number): number {
  let [flux, from] = [0, 0];
  const size = Math.abs(current);
  inductances.forEach((L, k) => {
    const to = Math.min(size, k < knees.length ? knees[k] : Infinity);
    if (to > from) flux += L * (to - from);
    from = Math.max(from, to);
  });
  return Math.sign(current) * flux;
}

/** The flux is the integral of the voltage; a characteristic of flux and current gives the current. */
export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [a, b] = [circuit.pin('a'), circuit.pin('b')];
  const core = readCore(fields);
  const i0 = fields.number('i0');
  const voltage = circuit.open(a, b);
  if (core === null) {
    recordTwoPole(circuit, voltage, circuit.resistor(a, b, 1));
    circuit.record('phi', []);
    return;
  }
  const { inductances, knees } = core;
  const flux = circuit.integral([{ branch: voltage, of: 'v', factor: 1 }], fluxAt(core, i0));
  const node = circuit.node();
  circuit.controlledVoltage(node, circuit.ground, [flux]);
  const upper = Array.from(knees, (current): [number, number] => [fluxAt(core, current), current]);
  const lower = upper.map(([phi, current]): [number, number] => [-phi, -current]).reverse();
  const last: [number, number] = [inductances[inductances.length - 1], 1];
  const points = [...lower, ...upper];
  const curve =
    points.length === 0
      ? circuit.resistor(node, circuit.ground, inductances[0])
      : circuit.characteristic(node, circuit.ground, { points, start: last, end: last });
  const current = circuit.controlledCurrent(a, b, [{ branch: curve, of: 'i', factor: 1 }]);
  recordTwoPole(circuit, voltage, current);
  circuit.record('phi', [flux]);
}
