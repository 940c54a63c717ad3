/** Relations whose functions h and g come from scripts. */
import type { AnalyticTerm } from '../analytic-function';
import type { FieldReader } from '../field-reader';
import type { RelationForm } from '../forms';
import { type MatrixFunction, type ModelFunction, NOTHING } from '../plugin';
import { isNonZero } from './affine';

export interface GeneralParts {
  readonly order: 1 | 2;
  readonly size: number;
  readonly columns: number;
  /** y = h(t, z, λ) */
  readonly h: ModelFunction | null;
  /** ∇_z h, size × columns */
  readonly C: MatrixFunction;
  /** ∇_λ h, size × size; null where h does not take λ */
  readonly D: MatrixFunction | null;
  /** whether h or g take the time */
  readonly isTimeDependent: boolean;
  /** ∂h/∂t; null where h does not take the time, and for order 1 */
  readonly timeDerivative: ModelFunction | null;
  /** what ÿ consists of besides C v̇, where it is known exactly */
  readonly curvature?: RelationForm['curvature'];
  /** see `RelationForm` */
  readonly isUniform?: boolean;
  /** r = g(t, x, λ) with its Jacobians; null for order 2 */
  readonly input: InputParts | null;
}

export interface InputParts {
  readonly g: ModelFunction | null;
  /** ∇ₓg, columns × columns; null where g does not take x */
  readonly K: MatrixFunction | null;
  /** ∇_λ g, columns × size */
  readonly B: MatrixFunction;
}

/** A matrix that a relation may have, unless it is constantly zero. */
const unlessZero = (matrix: MatrixFunction | null): MatrixFunction | null =>
  matrix?.constant !== undefined && matrix.constant !== null && !isNonZero(matrix.constant) ? null : matrix;

export function generalRelation<T extends string>(type: T, parts: GeneralParts): RelationForm & { type: T } {
  const { order, size, columns, h, C, isTimeDependent, timeDerivative, curvature, isUniform, input } = parts;
  const D = unlessZero(parts.D);
  const K = unlessZero(input?.K ?? null);
  const g = input?.g ?? null;
  return {
    type,
    order,
    size,
    columns,
    C: C.constant,
    D: D?.constant ?? null,
    B: input?.B.constant ?? null,
    hasFeedthrough: D !== null,
    hasStateInput: K !== null,
    isAffine: false,
    isTimeDependent,
    output: (clock, z, lambda, out) => {
      if (h !== null) h(clock, z, lambda, out);
    },
    outputJacobians: (clock, z, lambda, outC, outD) => {
      C.evaluate(clock, z, lambda, outC);
      if (D !== null) D.evaluate(clock, z, lambda, outD);
    },
    timeDerivative: (clock, z, out) => {
      if (timeDerivative === null) out.fill(0);
      else timeDerivative(clock, z, NOTHING, out);
    },
    ...(curvature === undefined ? {} : { curvature }),
    ...(isUniform === true && { isUniform }),
    input: (clock, z, lambda, out) => {
      if (g !== null) g(clock, z, lambda, out);
    },
    inputJacobians: (clock, z, lambda, outK, outB) => {
      if (K !== null) K.evaluate(clock, z, lambda, outK);
      if (input !== null) input.B.evaluate(clock, z, lambda, outB);
    },
  };
}

/*
 * Curvature of a relation y = h(t, q) whose first derivatives are script functions, from the source of these.
 * With C = ∇_q h,
 *
 *     ÿ = C v̇ + γ,     γ = ∂/∂t (∂h/∂t) + ∇_q (∂h/∂t) v + Σ_k v_k (∂C_k/∂t + ∇_q C_k v),
 *
 * where C_k is the k-th column. Derivatives of derivatives that have been generated are not formed: a
 * relation whose ∂h/∂t or C is itself derived has no curvature of its own.
 */

/**
 * Entries of ∇_q C beyond which it is not formed: a large relation would spend more on it than on all else.
 */
const MAX_ENTRIES = 10_000;

/** @returns undefined where it is unavailable exactly, or is zero for a constant C that does not move */
export function scriptCurvature(
  fields: FieldReader,
  size: number,
  columns: number,
  isTimeDependent: boolean,
): RelationForm['curvature'] {
  const entries = size * columns;
  if (isTimeDependent && !fields.has('hDot')) return undefined;
  if (!fields.has('jacobian') || !(entries * columns <= MAX_ENTRIES)) return undefined;
  const isConstant = fields.function('jacobian') === null;
  if (isConstant && !isTimeDependent) return undefined;
  const own = isTimeDependent ? derivatives(fields, 'hDot', size, columns) : [];
  const ofC = isConstant ? [] : derivatives(fields, 'jacobian', entries, columns);
  if (own === null || ofC === null) return undefined;
  const rates = new Float64Array(entries);
  return (clock, z, v, out) => {
    out.fill(0);
    for (let k = 0; k < own.length; k++) own[k](clock, z, v, out);
    if (ofC.length === 0) return;
    rates.fill(0);
    for (let k = 0; k < ofC.length; k++) ofC[k](clock, z, v, rates);
    for (let r = 0; r < size; r++) for (let k = 0; k < columns; k++) out[r] += rates[r * columns + k] * v[k];
  };
}

/** Adds a part of d/dt f(t, q) at the velocities v to `out`. */
type Rate = (clock: Float64Array, z: Float64Array, v: Float64Array, out: Float64Array) => void;

/**
 * ∂f/∂t and ∇_q f v of the function of a field with `rows` values; null where they is unavailable exactly.
 */
function derivatives(
  fields: FieldReader,
  key: string,
  rows: number,
  columns: number,
): readonly Rate[] | null {
  const byTime = fields.exactDerivative(key, 't', rows, 1);
  const byPlace = fields.exactDerivative(key, 'q', rows, columns);
  if (byTime === null || byPlace === null) return null;
  return [
    ...(isZero(byTime) ? [] : [alongTime(byTime, rows)]),
    ...(isZero(byPlace) ? [] : [alongVelocity(byPlace, rows, columns)]),
  ];
}

/**
 * Whether ẏ = C v + ė: C is given as numbers, and what is given as ∂h/∂t depends on nothing, as its source
 * says. Of y that says nothing, which may jump.
 */
export function isUniform(fields: FieldReader, size: number): boolean {
  if (!fields.has('hDot') || !fields.has('jacobian') || fields.function('jacobian') !== null) return false;
  const rates = fields.analytic('hDot', size);
  return rates?.every((terms) => terms.every((one) => isConstantTerm(one))) ?? false;
}

const isConstantTerm = ({ power, rate, frequency }: AnalyticTerm): boolean =>
  power === 0 && rate === 0 && frequency === 0;

/** A function without the argument in question has a derivative that is constantly zero. */
const isZero = ({ constant }: MatrixFunction): boolean => constant !== null;

function alongTime({ evaluate }: MatrixFunction, rows: number): Rate {
  const column = new Float64Array(rows);
  return (clock, z, _v, out) => {
    evaluate(clock, z, NOTHING, column);
    for (let r = 0; r < rows; r++) out[r] += column[r];
  };
}

function alongVelocity({ evaluate }: MatrixFunction, rows: number, columns: number): Rate {
  const gradient = new Float64Array(rows * columns);
  return (clock, z, v, out) => {
    evaluate(clock, z, NOTHING, gradient);
    for (let r = 0; r < rows; r++)
      for (let k = 0; k < columns; k++) out[r] += gradient[r * columns + k] * v[k];
  };
}
