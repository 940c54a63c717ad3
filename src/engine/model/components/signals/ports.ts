/** Blocks with several pins of one kind, as `u1`, `u2`, …, of which a drawing wires the first few. */
import type { FieldReader, SignalExpression } from '../../field-reader';
import type { Circuit, SignalPart, Term } from '../circuit';
import { times } from './block';

/** Names of pins. */
export const ports = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, k) => `${letter}${k + 1}`);

/**
 * The signals at the wired pins of a kind, which have to be the first of them.
 * @returns null after a reported defect
 */
export function inputsAt(
  fields: FieldReader,
  circuit: Circuit,
  pins: readonly string[],
  { count, key, what }: { readonly count: number; readonly key: string; readonly what: string },
): Term[] | null {
  const wired = pins.filter((pin) => circuit.isWired(pin));
  const wanted = pins.slice(0, count);
  if (count <= pins.length && wired.join() === wanted.join()) return wanted.map((pin) => circuit.input(pin));
  fields.reject(
    key,
    'signal-count',
    `${what} asks for ${count === 1 ? 'one signal' : `${count} signals`}${count === 0 ? '' : `, at ${listOf(wanted)}`}; wires are at ${wired.length === 0 ? 'none of these pins' : listOf(wired)}.`,
    count > pins.length
      ? `The block has ${pins.length} such pins: divide it into several.`
      : 'Draw the wires, or change the matrix.',
  );
  return null;
}

const listOf = (pins: readonly string[]): string => pins.map((pin) => `“${pin}”`).join(', ');

/** Σ M_ij x_j of row i of a matrix by rows. */
export const rowOf = (M: Float64Array, i: number, x: readonly Term[]): Term[] =>
  x.flatMap((term, j) => (M[i * x.length + j] === 0 ? [] : [times(M[i * x.length + j], term)]));

/** A sum as it stands in the expression of a memory. */
export const sumOf = (terms: readonly Term[]): SignalPart => (terms.length === 0 ? '0' : { sum: terms });

/** Gives and records outputs, as far as there are any; others are zero. */
export function giveAll(
  circuit: Circuit,
  pins: readonly string[],
  outputs: readonly (readonly Term[])[],
): void {
  pins.forEach((pin, k) => {
    circuit.record(pin, [circuit.output(pin, k < outputs.length ? outputs[k] : [])]);
  });
}

/**
 * A reader of the same fields for the block of the same law that is no component, whose inputs are lists of
 * signals: those at pins.
 */
export const withSignals = (fields: FieldReader, counts: Readonly<Record<string, number>>): FieldReader =>
  new Proxy(fields, {
    get(own, key) {
      if (key === 'signals')
        return (name: string): SignalExpression[] =>
          Array.from({ length: counts[name] ?? 0 }, () => ({ text: '0', pointer: '' }));
      const value: unknown = Reflect.get(own, key, own);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(own) : value;
    },
  });
