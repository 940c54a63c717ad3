/**
 * Curvature of a relation y = h(t, q) whose first derivatives are script functions, from the source of these. With C = ∇_q h,
 *
 *     ÿ = C v̇ + γ,     γ = ∂/∂t (∂h/∂t) + ∇_q (∂h/∂t) v + Σ_k v_k (∂C_k/∂t + ∇_q C_k v),
 *
 * where C_k is the k-th column. Derivatives of derivatives that have been generated are not formed: a relation whose ∂h/∂t or C is itself
 * derived has no curvature of its own.
 */
import type { FieldReader } from '../field-reader';
import type { RelationForm } from '../forms';
import { type MatrixFunction, NOTHING } from '../plugin';

/** Entries of ∇_q C beyond which it is not formed: a large relation would spend more on it than on all else. */
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

/** ∂f/∂t and ∇_q f v of the function of a field with `rows` values; null where they is unavailable exactly. */
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
