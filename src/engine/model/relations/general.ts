/** Relations whose functions h and g come from scripts. */
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
  const { order, size, columns, h, C, isTimeDependent, timeDerivative, curvature, input } = parts;
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
    input: (clock, z, lambda, out) => {
      if (g !== null) g(clock, z, lambda, out);
    },
    inputJacobians: (clock, z, lambda, outK, outB) => {
      if (K !== null) K.evaluate(clock, z, lambda, outK);
      if (input !== null) input.B.evaluate(clock, z, lambda, outB);
    },
  };
}
