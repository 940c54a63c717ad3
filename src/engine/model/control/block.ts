/**
 * Control blocks: sensors, observers, controllers and what lies between them. A block is sampled at
 * t_k = offset + k T and holds its output until its next sample. At a sample, with s its memory,
 *
 *     o_k = out(s_k, i_k),     s_{k+1} = next(s_k, i_k, o_k),
 *
 * where i_k are its inputs, expressions of the signals just before the sample. All blocks that are due give
 * their outputs first, each after those that it reads through an input with feedthrough, and then step their
 * memories: so an observer that predicts x̂_{k+1} from the control u_k takes the one that was just computed.
 *
 * Blocks are pure: whatever they remember stands in s, so that a run goes back and goes on with equal bits.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader, SignalExpression } from '../field-reader';

/** An input of a block. */
export interface BlockInput {
  /** key of its field */
  readonly key: string;
  readonly expressions: readonly SignalExpression[];
  /** whether the output of a sample depends on its value at that sample */
  readonly isFeedthrough: boolean;
}

/** What a block computes; the vectors are those of one sample. */
interface BlockLaw {
  /** entries of the output */
  readonly outputSize: number;
  /** memory before the first sample */
  readonly start: Float64Array;
  /**
   * Output of a sample.
   * @param inputs all inputs, one after the other; those without feedthrough are not to be read
   * @returns whether there is one: an implicit law is a problem that has to be solved
   */
  output(memory: Float64Array, inputs: Float64Array, output: Float64Array): boolean;
  /** Steps the memory; absent where there is none. */
  step?(memory: Float64Array, inputs: Float64Array, output: Float64Array): void;
}

export interface ControlBlock extends BlockLaw {
  readonly type: string;
  readonly id: string;
  /** T, s */
  readonly period: number;
  /** time of a sample, s; the others are whole periods apart */
  readonly offset: number;
  /** names its signals: ID.u, or ID.u[0], ID.u[1], … */
  readonly outputName: string;
  readonly outputDescription: string;
  readonly inputs: readonly BlockInput[];
  /** of the document, from which the certificate reads the law once more */
  readonly fields: FieldReader;
}

/** A type of control block. */
export interface BlockType {
  readonly definition: ElementDefinition & Required<Pick<ElementDefinition, 'output'>>;
  /** @returns what it computes, or null after a reported defect */
  build(fields: FieldReader, period: number): (BlockLaw & Pick<ControlBlock, 'inputs'>) | null;
}

/* Fields that all blocks have. */

const every: FieldDefinition = {
  key: 'every',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label: 'Sampling period',
  symbol: 'T',
  unit: 's',
  required: true,
  initial: 0.01,
  help: 'Time from one sample to the next; it need not be a multiple of the time step.',
};

const offset: FieldDefinition = {
  key: 'offset',
  kind: 'number',
  label: 'Time of a sample',
  symbol: 't_s',
  unit: 's',
  required: false,
  default: 0,
  help: 'Samples are whole periods away from this time.',
};

export const samplingFields: readonly FieldDefinition[] = [every, offset];

/** A field of inputs. */
export const inputField = (
  field: Pick<FieldDefinition, 'key' | 'label' | 'symbol' | 'help'> & { required?: boolean },
): FieldDefinition => ({ required: true, unit: '', ...field, kind: 'signals', length: 'any' });

/** An input that the field `key` lists. */
export const readInput = (fields: FieldReader, key: string, isFeedthrough = true): BlockInput => ({
  key,
  expressions: fields.signals(key),
  isFeedthrough,
});

/** Reports an input that has another number of entries. @returns whether it has the right one */
export function checkSize(fields: FieldReader, { key, expressions }: BlockInput, size: number): boolean {
  if (expressions.length === size) return true;
  fields.reject(
    key,
    'signal-count',
    `${size === 1 ? 'One signal is' : `${size} signals are`} needed here; ${expressions.length} ${expressions.length === 1 ? 'is' : 'are'} given.`,
    size === 1 ? 'Give one expression.' : `Give a list of ${size} expressions.`,
  );
  return false;
}

/** The block of a type with what all blocks have. */
export function buildBlock(type: BlockType, fields: FieldReader): ControlBlock | null {
  const { definition } = type;
  const period = fields.number('every');
  const from = fields.number('offset');
  const reported = fields.defectCount;
  const law = type.build(fields, period);
  if (law === null || !(period > 0) || fields.defectCount > reported) return null;
  const { name, description } = definition.output;
  return {
    ...law,
    fields,
    type: definition.type,
    id: fields.element,
    period,
    offset: from,
    outputName: name,
    outputDescription: description,
  };
}
