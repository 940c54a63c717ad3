/** Current source. */
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
  type: 'CurrentSource',
  title: 'Current source',
  summary: 'A source of current: a constant, an expression of time, or a signal.',
  family: 'Sources',
  pins: [
    ...twoPole('p', 'n', ['Where the current enters', 'Where it leaves']),
    signalIn('current', 'Signal that it follows', 0, 20, 'isFree'),
  ],
  symbol: {
    width: 40,
    height: 18,
    lines: ['M-40 0H-18M18 0H40M-18 0a18 18 0 1 0 36 0a18 18 0 1 0 -36 0M-10 0H10M4 -5L10 0L4 5'],
  },
  quantities: TWO_POLE,
  words: ['I', 'DC', 'Stromquelle', 'expression'],
  equations: ['i = I(t)'],
  fields: [
    {
      key: 'current',
      kind: 'expression',
      of: 'time',
      label: 'Current',
      symbol: 'I',
      unit: 'A',
      required: true,
      initial: 1,
      help: 'Through the source from p to n: a number, or an expression of the time t and parameters. A signal at its pin takes its place.',
    },
  ],
  source: 'Chua, Desoer and Kuh 1987, §2',
};

/** Of time. */
export const waveforms: Waveforms = { value: (raw) => raw('current') };

export function stamp(_fields: FieldReader, circuit: Circuit): void {
  const [p, n] = [circuit.pin('p'), circuit.pin('n')];
  recordBranch(
    circuit,
    circuit.isWired('current')
      ? circuit.controlledCurrent(p, n, [circuit.input('current')])
      : circuit.current(p, n, 'value'),
  );
}
