/**
 * Forces that are linear in coordinates and velocities with constant matrices, and what is known of their
 * part that depends on time.
 */
import { type SparseRows, expandInto } from '../../linalg/sparse';
import { type AnalyticFunction, timesMatrix } from '../analytic-function';
import type { FieldReader } from '../field-reader';
import type { LagrangianForm, LinearForces, TimeFunction } from '../forms';
import { type MatrixFunction, type ModelFunction, NOTHING, constantMatrix } from '../plugin';

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

/**
 * The form with what is known of its F_ext(t) beyond values: the same form where that is nothing, or its
 * forces are not linear.
 */
export function withAnalyticForce(fields: FieldReader, form: LagrangianForm): LagrangianForm {
  const { linear, size } = form;
  const entries = linear === null ? null : fields.analytic('fExt', size);
  if (linear === null || entries === null) return form;
  const steady = { ...form, ...linearForces(size, { ...linear, force: null }) };
  return { ...form, analytic: { entries, steady } };
}

/* Forces that stand on the left of the equation of motion, such as F_int, with their Jacobians. */

/** Each is subtracted from what `out` holds. */
export interface LeftForce {
  readonly subtract: ModelFunction;
  readonly subtractJacobians: readonly [ModelFunction, ModelFunction];
}

const subtracted = (evaluate: ModelFunction, length: number): ModelFunction => {
  const work = new Float64Array(length);
  return (clock, q, v, out) => {
    evaluate(clock, q, v, work);
    for (let i = 0; i < length; i++) out[i] -= work[i];
  };
};

/** Reads the force of a field and the Jacobians of the fields `${key}JacobianQ` and `${key}JacobianV`. */
export function readForce(fields: FieldReader, key: string, n: number): LeftForce | null {
  for (const by of ['Q', 'V']) {
    if (fields.has(key) || !fields.has(`${key}Jacobian${by}`)) continue;
    fields.reject(
      key,
      'jacobian-without-function',
      `A Jacobian is given, and not the function it belongs to (${key}).`,
      'Give the function, or remove the Jacobian.',
    );
  }
  const force = fields.function(key);
  if (force === null) return null;
  return {
    subtract: subtracted(force, n),
    subtractJacobians: [
      subtracted(fields.jacobian(`${key}JacobianQ`, n, n).evaluate, n * n),
      subtracted(fields.jacobian(`${key}JacobianV`, n, n).evaluate, n * n),
    ],
  };
}

/*
 * The control term T u of a dynamical system and its Jacobians. With T(a) of n rows and u(t, a, b) of k
 * entries, where a is x or q and b is nothing or v,
 *
 *     (T u)_i = Σ_c T_ic u_c,
 *     ∂(T u)_i/∂a_j = Σ_c T_ic ∂u_c/∂a_j + Σ_c u_c ∂T_ic/∂a_j,      ∂(T u)_i/∂b_j = Σ_c T_ic ∂u_c/∂b_j.
 *
 * Siconos developer's notes §3, equations (3.1) and (3.7). u does not depend on ẋ (docs/theory/errata.md).
 */

/** Names under which a system has its control in the document. */
export interface ControlKeys {
  /** names of a and b in the signatures; b is null where the system has none */
  readonly a: 'x' | 'q';
  readonly b: 'v' | null;
  /** fields of the Jacobians of T u by a and b; null where the control depends on time alone */
  readonly jacobianA: string | null;
  readonly jacobianB: string | null;
}

/** Entries of the derivative of T, n · k · n, beyond which it would not fit beside others: 200 MB. */
const MAX_DERIVATIVE = 25_000_000;

/** out += A B with A of n × k and B of k × m entries, row-major */
function addProduct(
  A: Float64Array,
  B: Float64Array,
  n: number,
  k: number,
  m: number,
  out: Float64Array,
): void {
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < k; c++) {
      const weight = A[i * k + c];
      if (weight === 0) continue;
      for (let j = 0; j < m; j++) out[i * m + j] += weight * B[c * m + j];
    }
  }
}

/** A Jacobian of T u as the sum of what is given or derived. */
interface ControlJacobian {
  /** ∂(T u) when the document gives it; then the others are null */
  readonly given: MatrixFunction | null;
  /** ∂u, k × n */
  readonly control: MatrixFunction | null;
  /** ∂T, n · k rows of n */
  readonly matrix: MatrixFunction | null;
}

export class ControlTerm {
  /** T u when both are constant, else null */
  readonly constant: Float64Array | null;
  /**
   * what is known of T u(t) where T is constant and u depends on time alone; null when it is nothing but
   * values
   */
  readonly analytic: AnalyticFunction | null;

  readonly #k: number;
  readonly #T: MatrixFunction;
  readonly #u: ModelFunction | null;
  readonly #matrix: Float64Array;
  readonly #control: Float64Array;
  readonly #byA: ControlJacobian;
  readonly #byB: ControlJacobian;
  // Work space: ∂(T u), ∂u and ∂T.
  readonly #given: Float64Array;
  readonly #controlDerivative: Float64Array;
  readonly #matrixDerivative: Float64Array;

  constructor(
    private readonly fields: FieldReader,
    private readonly n: number,
    keys: ControlKeys,
  ) {
    const k = fields.number('controlSize');
    this.#k = k;
    this.#T = fields.matrixFunction('T', n, k) ?? constantMatrix(new Float64Array(n * k));
    this.#u = fields.function('u');
    this.#matrix = this.#T.constant ?? new Float64Array(n * k);
    this.#control = this.#u === null ? fields.vector('u', k) : new Float64Array(k);
    this.constant = this.#T.constant !== null && this.#u === null ? this.#product() : null;
    const u = this.#T.constant !== null && keys.jacobianA === null ? fields.analytic('u', k) : null;
    this.analytic = u === null ? null : timesMatrix(this.#matrix, u, n);
    this.#byA = this.#jacobian(keys.a, keys.jacobianA);
    this.#byB = this.#jacobian(keys.b, keys.jacobianB);
    const jacobians = [this.#byA, this.#byB];
    const has = (part: keyof ControlJacobian): boolean =>
      jacobians.some((jacobian) => jacobian[part] !== null);
    this.#given = new Float64Array(has('given') ? n * n : 0);
    this.#controlDerivative = new Float64Array(has('control') ? k * n : 0);
    this.#matrixDerivative = new Float64Array(has('matrix') ? n * k * n : 0);
  }

  /** out += T u */
  add(clock: Float64Array, a: Float64Array, b: Float64Array, out: Float64Array): void {
    this.#evaluate(clock, a, b);
    addProduct(this.#matrix, this.#control, this.n, this.#k, 1, out);
  }

  /** out += ∂(T u)/∂a */
  addJacobianA(clock: Float64Array, a: Float64Array, b: Float64Array, out: Float64Array): void {
    this.#addJacobian(this.#byA, clock, a, b, out);
  }

  /** out += ∂(T u)/∂b */
  addJacobianB(clock: Float64Array, a: Float64Array, b: Float64Array, out: Float64Array): void {
    this.#addJacobian(this.#byB, clock, a, b, out);
  }

  #product(): Float64Array {
    const product = new Float64Array(this.n);
    addProduct(this.#matrix, this.#control, this.n, this.#k, 1, product);
    return product;
  }

  #evaluate(clock: Float64Array, a: Float64Array, b: Float64Array): void {
    if (this.#T.constant === null) this.#T.evaluate(clock, a, b, this.#matrix);
    if (this.#u !== null) this.#u(clock, a, b, this.#control);
  }

  #jacobian(by: 'x' | 'q' | 'v' | null, key: string | null): ControlJacobian {
    const { fields, n } = this;
    const none: ControlJacobian = { given: null, control: null, matrix: null };
    if (by === null || key === null || this.constant !== null) return none;
    if (fields.has(key)) return { ...none, given: fields.jacobian(key, n, n) };
    const control = this.#u === null ? null : fields.derivative('u', by, this.#k, n, key);
    // T depends on positions alone.
    const hasMatrix = this.#T.constant === null && by !== 'v' && !this.#isTooLarge();
    return { ...none, control, matrix: hasMatrix ? fields.derivative('T', by, n * this.#k, n, key) : null };
  }

  #isTooLarge(): boolean {
    const { fields, n } = this;
    if (n * this.#k * n <= MAX_DERIVATIVE) return false;
    fields.reject(
      'T',
      'derivative-too-large',
      `The derivative of a control matrix of ${n} × ${this.#k} entries by ${n} coordinates is too large to be kept.`,
      'Give the Jacobian of the control, or a constant control matrix.',
    );
    return true;
  }

  #addJacobian(
    { given, control, matrix }: ControlJacobian,
    clock: Float64Array,
    a: Float64Array,
    b: Float64Array,
    out: Float64Array,
  ): void {
    const { n } = this;
    const k = this.#k;
    if (given !== null) {
      given.evaluate(clock, a, b, this.#given);
      for (let i = 0; i < out.length; i++) out[i] += this.#given[i];
      return;
    }
    if (control === null && matrix === null) return;
    this.#evaluate(clock, a, b);
    if (control !== null) {
      control.evaluate(clock, a, b, this.#controlDerivative);
      addProduct(this.#matrix, this.#controlDerivative, n, k, n, out);
    }
    if (matrix === null) return;
    const derivative = this.#matrixDerivative;
    matrix.evaluate(clock, a, b, derivative);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < k; c++)
        for (let j = 0; j < n; j++) out[i * n + j] += this.#control[c] * derivative[(i * k + c) * n + j];
    }
  }
}

/**
 * Reads the control of a system; a control without its matrix and the reverse are reported.
 * @param n size of the system
 * @returns null when the system has no control
 */
export function readControl(fields: FieldReader, n: number, keys: ControlKeys): ControlTerm | null {
  const hasU = fields.has('u');
  const hasT = fields.has('T');
  if (hasU !== hasT) {
    fields.reject(
      hasU ? 'T' : 'u',
      'control-incomplete',
      hasU ? 'The control u has no control matrix T.' : 'The control matrix T has no control u.',
      'Give both: the term is T u.',
    );
  }
  return hasU && hasT ? new ControlTerm(fields, n, keys) : null;
}
