/** Operational amplifier of infinite gain, ideal or between two supply voltages. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, electrical } from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'OpAmp',
  title: 'Operational amplifier',
  summary:
    'Infinite gain, no input current: with negative feedback it keeps its inputs at one voltage. With limits its output stays between them.',
  family: 'Circuit',
  pins: [
    electrical('p', 'Plus input', -40, 20),
    electrical('n', 'Minus input', -40, -20),
    electrical('out', 'Output', 40, 0),
  ],
  symbol: {
    width: 40,
    height: 34,
    lines: ['M-40 20H-28M-40 -20H-28M28 0H40M-28 -34V34L28 0ZM-24 -20H-16M-24 20H-16M-20 16V24'],
  },
  quantities: [
    { name: 'v', unit: 'V', description: 'Output voltage' },
    { name: 'i', unit: 'A', description: 'Output current' },
  ],
  words: ['U', 'opamp', 'amplifier', 'integrator', 'buffer', 'follower', 'Operationsverstärker', 'OPV'],
  equations: [
    'v_+ = v_- \\;\\text{where}\\; v_l < v < v_u',
    'v = v_u \\;\\text{if}\\; v_+ > v_-, \\quad v = v_l \\;\\text{if}\\; v_+ < v_-',
  ],
  fields: [
    {
      key: 'lower',
      kind: 'number',
      label: 'Lowest output',
      symbol: 'v_l',
      unit: 'V',
      required: false,
      help: 'Both limits or none: without them the output has any voltage.',
    },
    {
      key: 'upper',
      kind: 'number',
      label: 'Highest output',
      symbol: 'v_u',
      unit: 'V',
      required: false,
      help: 'Both limits or none: without them the output has any voltage.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §4',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const input = [{ branch: circuit.open(circuit.pin('p'), circuit.pin('n')), of: 'v', factor: 1 } as const];
  const out = circuit.pin('out');
  const [hasLower, hasUpper] = [fields.has('lower'), fields.has('upper')];
  if (hasLower !== hasUpper)
    fields.reject(
      hasLower ? 'lower' : 'upper',
      'one-limit',
      'One limit of the output is given and the other is not.',
      'Give both, or none.',
    );
  const [lower, upper] = hasLower && hasUpper ? [fields.number('lower'), fields.number('upper')] : [0, 0];
  if (lower > upper)
    fields.reject('upper', 'limits-crossed', 'The highest output is below the lowest.', 'Exchange them.');
  const branch =
    hasLower && hasUpper
      ? circuit.relay(out, circuit.ground, input, lower, upper)
      : circuit.nullor(out, circuit.ground, input);
  circuit.record('v', [{ branch, of: 'v', factor: 1 }]);
  circuit.record('i', [{ branch, of: 'i', factor: -1 }]);
}
