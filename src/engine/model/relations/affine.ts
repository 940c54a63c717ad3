/** Relations y = C z + D λ + e(t), r = B λ with constant matrices. */
import { expandInto, rowDot, type SparseRows } from '../../linalg/sparse';
import { addTerms, type AnalyticFunction } from '../analytic-function';
import type { AffineEntries, RelationForm } from '../forms';
import { type ModelFunction, NOTHING } from '../plugin';

export interface AffineParts {
  readonly order: 1 | 2;
  readonly size: number;
  readonly columns: number;
  /** size × columns */
  readonly C: Float64Array;
  /** size × size; null is zero */
  readonly D: Float64Array | null;
  /** columns × size; null for order 2, where it is ᵗC */
  readonly B: Float64Array | null;
  /** constant part of e */
  readonly e: Float64Array;
  /** part of e that depends on time; null when there is none */
  readonly source: ModelFunction | null;
  /** what is known of that part; absent where it is nothing but values */
  readonly analytic?: AnalyticFunction | null;
}

/** Whether a matrix has an entry other than zero. */
export const isNonZero = (a: Float64Array | null): a is Float64Array =>
  a !== null && a.some((value) => value !== 0);

/** out += A x, with A given by rows of `columns` entries */
function addProduct(a: Float64Array, columns: number, x: Float64Array, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) {
    let sum = out[i];
    for (let j = 0; j < columns; j++) sum += a[i * columns + j] * x[j];
    out[i] = sum;
  }
}

/** C and ∂h/∂t are constant. */
const NO_CURVATURE: NonNullable<RelationForm['curvature']> = (_clock, _z, _v, out) => {
  out.fill(0);
};

/** e of both parts. */
const allOf = (e: Float64Array, source: AnalyticFunction): AnalyticFunction =>
  source.map((terms, i) => addTerms(terms, [{ power: 0, rate: 0, frequency: 0, cosine: e[i], sine: 0 }]));

export function affineRelation<T extends string>(type: T, parts: AffineParts): RelationForm & { type: T } {
  const { order, size, columns, C, B, e, source, analytic = null } = parts;
  const D = isNonZero(parts.D) ? parts.D : null;
  return {
    type,
    order,
    size,
    columns,
    C,
    D,
    B,
    hasFeedthrough: D !== null,
    hasStateInput: false,
    isAffine: true,
    isTimeDependent: source !== null,
    ...(source !== null && analytic !== null && { offsets: allOf(e, analytic) }),
    output: (clock, z, lambda, out) => {
      if (source === null) for (let i = 0; i < size; i++) out[i] = e[i];
      else {
        source(clock, NOTHING, NOTHING, out);
        for (let i = 0; i < size; i++) out[i] += e[i];
      }
      addProduct(C, columns, z, out);
      if (D !== null) addProduct(D, size, lambda, out);
    },
    outputJacobians: (_clock, _z, _lambda, outC, outD) => {
      outC.set(C);
      if (D !== null) outD.set(D);
    },
    timeDerivative: (_clock, _z, out) => {
      // Lagrangian relations of this kind have a constant e.
      out.fill(0);
    },
    ...(order === 2 ? { curvature: NO_CURVATURE } : {}),
    input: (_clock, _z, lambda, out) => {
      out.fill(0);
      if (B !== null) addProduct(B, size, lambda, out);
    },
    inputJacobians: (_clock, _z, _lambda, _outK, outB) => {
      if (B !== null) outB.set(B);
    },
  };
}

/** The same of first order where the matrices are too large to be expanded. */
export interface LargeParts extends AffineEntries {
  readonly size: number;
  readonly columns: number;
  readonly e: Float64Array;
  readonly source: ModelFunction | null;
}

/** An expanded matrix, made when it is first asked for. */
function expanded(matrix: SparseRows | null, columns: number): () => Float64Array | null {
  let made: Float64Array | null = null;
  return () => {
    if (matrix === null || made !== null) return made;
    made = new Float64Array(matrix.rows * columns);
    expandInto(matrix, columns, made);
    return made;
  };
}

const addEntries = (a: SparseRows, x: Float64Array, out: Float64Array): void => {
  for (let i = 0; i < out.length; i++) out[i] += rowDot(a, i, x);
};

export function largeRelation<T extends string>(type: T, parts: LargeParts): RelationForm & { type: T } {
  const { size, columns, C, D, B, e, source } = parts;
  const [wholeC, wholeD, wholeB] = [expanded(C, columns), expanded(D, size), expanded(B, size)];
  const output: RelationForm['output'] = (clock, z, lambda, out) => {
    if (source === null) for (let i = 0; i < size; i++) out[i] = e[i];
    else {
      source(clock, NOTHING, NOTHING, out);
      for (let i = 0; i < size; i++) out[i] += e[i];
    }
    addEntries(C, z, out);
    if (D !== null) addEntries(D, lambda, out);
  };
  return {
    type,
    order: 1,
    size,
    columns,
    get C() {
      return wholeC();
    },
    get D() {
      return wholeD();
    },
    get B() {
      return wholeB();
    },
    entries: { C, D, B },
    hasFeedthrough: D !== null,
    hasStateInput: false,
    isAffine: true,
    isTimeDependent: source !== null,
    output,
    outputJacobians: (_clock, _z, _lambda, outC, outD) => {
      expandInto(C, columns, outC);
      if (D !== null) expandInto(D, size, outD);
    },
    timeDerivative: (_clock, _z, out) => {
      out.fill(0);
    },
    input: (_clock, _z, lambda, out) => {
      out.fill(0);
      addEntries(B, lambda, out);
    },
    inputJacobians: (_clock, _z, _lambda, _outK, outB) => {
      expandInto(B, size, outB);
    },
  };
}
