/** Forces that are linear in coordinates and velocities with constant matrices, and what is known of their part that depends on time. */
import type { SparseRows } from '../../linalg/csr';
import { expandInto } from '../../linalg/sparse-build';
import type { FieldReader } from '../field-reader';
import type { LagrangianForm, LinearForces, TimeFunction } from '../forms';
import { type ModelFunction, NOTHING } from '../plugin';

/** The part of a form that says what its forces are. */
export type FormForces = Pick<LagrangianForm, 'linear' | 'force' | 'forceJacobians'>;

/** A script function that takes nothing but the time. */
export const ofTime =
  (f: ModelFunction): TimeFunction =>
  (clock, out) => {
    f(clock, NOTHING, NOTHING, out);
  };

/** The force of the field `fExt`, of a constant vector or a script function of time: F_0 and F_ext(t). */
export function readExternalForce(
  fields: FieldReader,
  n: number,
): Pick<LinearForces, 'constantForce' | 'force'> {
  const force = fields.function('fExt');
  return { constantForce: fields.vector('fExt', n), force: force === null ? null : ofTime(force) };
}

/** out −= A x */
function subtractProduct(a: SparseRows, x: Float64Array, out: Float64Array): void {
  for (let i = 0; i < a.rows; i++) {
    let sum = out[i];
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) sum -= a.values[k] * x[a.columns[k]];
    out[i] = sum;
  }
}

/** out ← −A, dense */
function negative(a: SparseRows | null, n: number, out: Float64Array): void {
  if (a === null) {
    out.fill(0);
    return;
  }
  expandInto(a, n, out);
  for (let k = 0; k < out.length; k++) out[k] = -out[k];
}

/** Linear forces as a form has them; c and ċ are taken into account, −M c̈ is not. */
export function linearForces(n: number, linear: LinearForces): FormForces {
  const { damping, stiffness, constantForce, force, base } = linear;
  const absolute = new Float64Array(base === null ? 0 : n);
  const measuredFrom = (x: Float64Array, motion: TimeFunction | null, clock: Float64Array): Float64Array => {
    if (motion === null) return x;
    motion(clock, absolute);
    for (let i = 0; i < n; i++) absolute[i] += x[i];
    return absolute;
  };
  const position = base?.position ?? null;
  const velocity = base?.velocity ?? null;
  return {
    linear,
    force: (clock, q, v, out) => {
      if (force === null) for (let i = 0; i < n; i++) out[i] = constantForce[i];
      else {
        force(clock, out);
        for (let i = 0; i < n; i++) out[i] += constantForce[i];
      }
      if (damping !== null) subtractProduct(damping, measuredFrom(v, velocity, clock), out);
      if (stiffness !== null) subtractProduct(stiffness, measuredFrom(q, position, clock), out);
    },
    forceJacobians: (_clock, _q, _v, outQ, outV) => {
      negative(stiffness, n, outQ);
      negative(damping, n, outV);
    },
  };
}

/** The form with what is known of its F_ext(t) beyond values: the same form where that is nothing, or its forces are not linear. */
export function withAnalyticForce(fields: FieldReader, form: LagrangianForm): LagrangianForm {
  const { linear, size } = form;
  const entries = linear === null ? null : fields.analytic('fExt', size);
  if (linear === null || entries === null) return form;
  const steady = { ...form, ...linearForces(size, { ...linear, force: null }) };
  return { ...form, analytic: { entries, steady } };
}
