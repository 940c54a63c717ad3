/** Voltage source. */
import type { FieldReader } from '../../field-reader';
import type { Circuit } from '../circuit';
import {
  type ComponentDefinition,
  recordBranch,
  signalIn,
  TWO_POLE,
  twoPole,
  type Waveforms,
} from '../component';

export const definition: ComponentDefinition = {
  category: 'component',
  type: 'VoltageSource',
  title: 'Voltage source',
  summary: 'A battery or any other source of voltage: a constant, an expression of time, or a signal.',
  family: 'Sources',
  pins: [
    ...twoPole('p', 'n', ['Plus', 'Minus']),
    signalIn('voltage', 'Signal that it follows', 0, 20, 'isFree'),
  ],
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-12 -4V4M-16 0H-8M8 0H16'],
  },
  quantities: TWO_POLE,
  words: ['V', 'battery', 'DC', 'supply', 'emf', 'cell', 'Batterie', 'Spannungsquelle', 'expression'],
  equations: ['v = V(t)'],
  fields: [
    {
      key: 'voltage',
      kind: 'expression',
      of: 'time',
      label: 'Voltage',
      symbol: 'V',
      unit: 'V',
      required: true,
      initial: 10,
      help: 'Of plus against minus: a number, or an expression of the time t and parameters. A signal at its pin takes its place.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: (raw) => raw('voltage') };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  const [p, n] = [circuit.pin('p'), circuit.pin('n')];
  recordBranch(
    circuit,
    circuit.isWired('voltage')
      ? circuit.controlledVoltage(p, n, [circuit.input('voltage')])
      : circuit.voltage(p, n, 'value'),
  );
}
