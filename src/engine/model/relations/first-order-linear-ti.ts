/**
 * First-order linear time-invariant relation y = C x + D λ + F z(t) + e(t), r = B λ. Siconos developer's
 * notes §5 and equations (2.1)–(2.18).
 */
import { addTerms, type AnalyticFunction, timesMatrix } from '../analytic-function';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import type { ModelFunction } from '../plugin';
import { sparseFromEntries } from '../../linalg/sparse';
import { LARGEST_EXPANDED } from '../forms';
import { affineRelation, largeRelation } from './affine';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'FirstOrderLinearTI',
  title: 'First order, linear, time-invariant',
  summary: 'Outputs and inputs that are linear in states and multipliers: diodes and switches of circuits.',
  order: 1,
  equations: ['y = C x + D \\lambda + F z(t) + e(t)', 'r = B \\lambda'],
  fields: [
    {
      key: 'C',
      kind: 'matrix',
      rows: 'size',
      columns: 'linkedSize',
      label: 'Output matrix',
      symbol: 'C',
      unit: '',
      required: true,
      help: 'One row for each output; columns are the states of the linked systems, in their order.',
    },
    {
      key: 'D',
      kind: 'matrix',
      rows: 'size',
      columns: 'size',
      label: 'Feedthrough',
      symbol: 'D',
      unit: '',
      required: false,
      help: 'How the outputs depend on the multipliers; zero when left out.',
    },
    {
      key: 'B',
      kind: 'matrix',
      rows: 'linkedSize',
      columns: 'size',
      label: 'Input matrix',
      symbol: 'B',
      unit: '',
      required: true,
      help: 'How the multipliers enter the states of the linked systems.',
    },
    {
      key: 'e',
      kind: 'vectorOrFunction',
      length: 'size',
      plugin: 'timeVector',
      label: 'Offset',
      symbol: 'e',
      unit: '',
      required: false,
      help: 'A constant vector, or a script function of time; zero when left out.',
    },
    {
      key: 'F',
      kind: 'matrix',
      rows: 'size',
      columns: 'externalSize',
      label: 'Matrix of the external variable',
      symbol: 'F',
      unit: '',
      required: false,
      help: 'How the outputs depend on z. Needs z.',
    },
    {
      key: 'z',
      kind: 'vectorOrFunction',
      length: 'externalSize',
      plugin: 'timeVector',
      label: 'External variable',
      symbol: 'z',
      unit: '',
      required: false,
      help: 'Quantities from outside the model, such as the voltages of sources; they may depend on time. Needs F, which has a column for each.',
    },
  ],
  source: 'Siconos developer’s notes §5 and equations (2.1)–(2.18)',
};

/** A function of time, and what is known of it: null where that is nothing but its values. */
interface TimedPart {
  readonly values: ModelFunction;
  readonly analytic: AnalyticFunction | null;
}

/**
 * F z, added to e where z is constant.
 * @returns the function of time that it is else; null where it is none
 */
function readExternal(fields: FieldReader, size: number, e: Float64Array): TimedPart | null {
  if (fields.has('F') !== fields.has('z')) {
    fields.reject(
      fields.has('F') ? 'z' : 'F',
      'external-incomplete',
      fields.has('F')
        ? 'The matrix F has no external variable z.'
        : 'The external variable z has no matrix F.',
      'Give both: the term is F z.',
    );
    return null;
  }
  const varying = fields.function('z');
  const count = varying === null ? fields.vectorLength('z') : fields.matrixColumns('F');
  const F = fields.matrix('F', size, count);
  if (F === null) return null;
  if (varying === null) {
    const z = fields.vector('z', count);
    for (let i = 0; i < size; i++) for (let j = 0; j < count; j++) e[i] += F[i * count + j] * z[j];
    return null;
  }
  const z = new Float64Array(count);
  const known = fields.analytic('z', count);
  return {
    values: (clock, a, b, out) => {
      varying(clock, a, b, z);
      for (let i = 0; i < size; i++) {
        let sum = 0;
        for (let j = 0; j < count; j++) sum += F[i * count + j] * z[j];
        out[i] = sum;
      }
    },
    analytic: known && timesMatrix(F, known, size),
  };
}

/** Sum of two functions of time; null where there is neither. */
function added(a: TimedPart | null, b: TimedPart | null, size: number): TimedPart | null {
  if (a === null || b === null) return a ?? b;
  const other = new Float64Array(size);
  const known = b.analytic;
  return {
    values: (clock, x, v, out) => {
      a.values(clock, x, v, out);
      b.values(clock, x, v, other);
      for (let i = 0; i < size; i++) out[i] += other[i];
    },
    analytic: known && (a.analytic?.map((terms, i) => addTerms(terms, known[i])) ?? null),
  };
}

export function build(fields: FieldReader, columns: number): Relation {
  const size = fields.matrixRows('C');
  const source = fields.function('e');
  const e = fields.vector('e', size);
  const external = readExternal(fields, size, e);
  const own = source === null ? null : { values: source, analytic: fields.analytic('e', size) };
  const varying = added(own, external, size);
  if (size * Math.max(size, columns) > LARGEST_EXPANDED) {
    const D = fields.sparseMatrix('D', size, size);
    return largeRelation(definition.type, {
      size,
      columns,
      C: fields.sparseMatrix('C', size, columns) ?? sparseFromEntries(size, []),
      D: D === null || D.values.every((value) => value === 0) ? null : D,
      B: fields.sparseMatrix('B', columns, size) ?? sparseFromEntries(columns, []),
      e,
      source: varying?.values ?? null,
    });
  }
  return affineRelation(definition.type, {
    order: 1,
    size,
    columns,
    C: fields.matrix('C', size, columns) ?? new Float64Array(size * columns),
    D: fields.matrix('D', size, size),
    B: fields.matrix('B', columns, size) ?? new Float64Array(columns * size),
    e,
    source: varying?.values ?? null,
    analytic: varying?.analytic ?? null,
  });
}
