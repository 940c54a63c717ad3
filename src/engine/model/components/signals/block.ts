/** What blocks of signals have in common. */
import type { ComponentQuantity, ComponentSymbol, FieldDefinition, PinDefinition } from '../../definition';
import type { Circuit, SignalPart, Term } from '../circuit';
import { type ComponentDefinition, signalIn, signalOut } from '../component';

/** What is recorded of every block. */
const OUTPUT: readonly ComponentQuantity[] = [{ name: 'y', unit: '', description: 'Output' }];

type BlockParts = Pick<
  ComponentDefinition,
  'type' | 'title' | 'summary' | 'family' | 'words' | 'equations' | 'fields' | 'source'
> &
  Partial<Pick<ComponentDefinition, 'pins' | 'quantities'>>;

/** A block between an input `u` and an output `y`, unless it has other pins; lines and texts in its box. */
export const block = (
  parts: BlockParts,
  { lines = [], texts = [] }: Partial<Pick<ComponentSymbol, 'lines' | 'texts'>>,
): ComponentDefinition => {
  const pins = parts.pins ?? [INPUT, OUTPUT_PIN];
  const inputs = pins.filter(({ direction }) => direction === 'in');
  const ends = pins.map(({ x, y }) => (x < 0 ? `M-40 ${y}H-28` : `M28 ${y}H40`));
  const height = Math.max(28, ...pins.map(({ y }) => Math.abs(y) + 8));
  return {
    category: 'component',
    symbol: {
      ...{ width: 40, height, texts },
      lines: [`M-28 ${-height}H28V${height}H-28Z${ends.join('')}${lines.join('')}`],
      areas: inputs.map(({ y }) => `M-36 ${y - 4}L-28 ${y}L-36 ${y + 4}Z`),
    },
    quantities: OUTPUT,
    ...parts,
    pins,
  };
};

type Column = readonly (readonly [name: string, label: string, isFree?: 'isFree'])[];

/** Inputs on the left and outputs on the right, one below the other around the middle. */
export const columnOfPins = (inputs: Column, outputs: Column): PinDefinition[] => {
  const y = (k: number, { length }: Column): number => 40 * k - 20 * (length - 1);
  return [
    ...inputs.map(([name, label, isFree], k) => signalIn(name, label, -40, y(k, inputs), isFree)),
    ...outputs.map(([name, label], k) => signalOut(name, label, 40, y(k, outputs))),
  ];
};

const INPUT = signalIn('u', 'Input', -40, 0);
export const OUTPUT_PIN = signalOut('y', 'Output', 40, 0);

/** Gives and records the output of a block. */
export function give(circuit: Circuit, terms: readonly Term[], parts?: readonly SignalPart[]): void {
  circuit.record('y', [circuit.output('y', terms, parts)]);
}

/** A term times a factor. */
export const times = (factor: number, term: Term): Term => ({ ...term, factor: factor * term.factor });

/** A number that a block has. */
export const number = (
  key: string,
  label: string,
  symbol: string,
  help: string,
  value: { readonly default: number } | { readonly initial: number },
  unit = '',
): FieldDefinition => ({
  ...{ key, kind: 'number', label, symbol, unit, help },
  required: 'initial' in value,
  ...value,
});

/** A time above zero. */
export const duration = (
  key: string,
  label: string,
  symbol: string,
  help: string,
  initial: number,
): FieldDefinition => ({
  ...{ key, kind: 'number', min: 0, exclusiveMin: true, label, symbol, unit: 's', help },
  ...{ required: true, initial },
});

/** A number within an expression. */
export const plain = (value: number): string => (value < 0 ? `(${value})` : String(value));
