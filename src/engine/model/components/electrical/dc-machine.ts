/** DC machine: what an armature and a shaft have in common. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import { type ComponentDefinition, electrical, inSeries } from '../component';
import { pin } from '../mechanical/domains';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'DcMachine',
  title: 'DC machine',
  summary:
    'A motor or generator with a constant field: its voltage goes with its speed, its torque with its current. The rotor is an inertia at its shaft.',
  family: 'Machines',
  pins: [
    electrical('p', 'Plus', -40, -20),
    electrical('n', 'Minus', -40, 20),
    pin('rotational', 'shaft', 'Shaft', 40),
  ],
  symbol: {
    width: 40,
    height: 24,
    lines: ['M-40 -20H0V-18M-40 20H0V18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0'],
    texts: [{ x: 0, y: 0, text: 'M' }],
  },
  quantities: [
    { name: 'v', unit: 'V', description: 'Voltage' },
    { name: 'i', unit: 'A', description: 'Current into plus' },
    { name: 'tau', unit: 'N m', description: 'Torque on the shaft' },
    { name: 'omega', unit: 'rad/s', description: 'Angular velocity' },
  ],
  words: [
    'motor',
    'generator',
    'servo',
    'armature',
    'DC',
    'Gleichstrommotor',
    'Servomotor',
    'Maschine',
    'moteur',
  ],
  equations: ['v = R i + L \\dot i + k \\omega, \\quad \\tau = k i'],
  fields: [
    {
      ...{
        key: 'constant',
        kind: 'number',
        min: 0,
        exclusiveMin: true,
        label: 'Machine constant',
        symbol: 'k',
      },
      ...{
        unit: 'V s/rad',
        required: true,
        initial: 0.1,
        help: 'Volts for a speed of 1 rad/s, and N m for 1 A.',
      },
    },
    {
      ...{ key: 'resistance', kind: 'number', min: 0, label: 'Armature resistance', symbol: 'R', unit: 'Ω' },
      ...{ required: true, initial: 1, help: 'Of the winding and brushes.' },
    },
    {
      ...{ key: 'inductance', kind: 'number', min: 0, label: 'Armature inductance', symbol: 'L', unit: 'H' },
      ...{ required: false, default: 0, help: 'Of the winding; 0 where it does not matter.' },
    },
    {
      ...{ key: 'i0', kind: 'number', label: 'Initial current', symbol: 'i_0', unit: 'A', required: false },
      ...{ default: 0, help: 'At the start of the run, with an inductance.' },
    },
  ],
  source: 'Åström and Murray 2008, §3',
};

export function stamp(fields: FieldReader, circuit: Circuit): void {
  const [p, n, shaft] = [circuit.pin('p'), circuit.pin('n'), circuit.pin('shaft')];
  const [k, L] = [fields.number('constant'), fields.number('inductance')];
  let from = inSeries(circuit, p, { R: fields.number('resistance') });
  if (L > 0) {
    const next = circuit.node();
    circuit.inductor(from, next, L, fields.number('i0'));
    from = next;
  }
  const measured = circuit.node();
  const armature = circuit.wire(from, measured);
  // A speed is a voltage of the network, and a torque a current: so the machine is a transformer.
  const reported = k > 0 ? 1 / k : 1;
  const [, rotor] = circuit.transformer([measured, n], [{ a: shaft, b: circuit.ground, ratio: reported }]);
  circuit.record('v', [{ branch: circuit.open(p, n), of: 'v', factor: 1 }]);
  circuit.record('i', [{ branch: armature, of: 'i', factor: 1 }]);
  circuit.record('tau', [{ branch: rotor, of: 'i', factor: -1 }]);
  circuit.record('omega', [{ branch: circuit.open(shaft, circuit.ground), of: 'v', factor: 1 }]);
}
