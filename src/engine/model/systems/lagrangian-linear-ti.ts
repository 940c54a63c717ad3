/**
 * Lagrangian linear time-invariant system
 *
 *     M q̈ + C q̇ + K q = F_ext(t) + p,
 *
 * with constant M, C and K. S0 §3.5, equations (3.7) and (3.17) with F_int = C q̇ + K q on the left.
 *
 * Relative coordinates. When a base motion c(t) is given, q is measured from it and the equation holds for the
 * absolute coordinates u = q + c(t) (S0 §11.0.20): M q̈ + C q̇ + K q = F_ext − (M c̈ + C ċ + K c) + p. The model keeps
 * c and ċ instead of that right-hand side, because an integrator that knows them can take the impulse of −M c̈ over a
 * step exactly, as −M Δċ, where c̈ jumps. For the same reason `force` cannot contain −M c̈, and systems with a base
 * motion are for integrators that use `linear`.
 */
import type { SparseRows } from '../../linalg/csr';
import { expandInto, sparseFromEntries } from '../../linalg/sparse-build';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LagrangianForm, LinearForces, TimeFunction } from '../forms';
import type { DynamicalSystem } from '../nsds';
import { type ModelFunction, NOTHING } from '../plugin';
import {
  coordinateUnit,
  degreesOfFreedom,
  externalForce,
  initialPosition,
  initialVelocity,
} from './lagrangian-fields';
import { checkMass } from './mass-matrix';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'LagrangianLinearTI',
  title: 'Lagrangian, linear, time-invariant',
  summary: 'Masses, springs and dampers with constant matrices and a time-dependent force.',
  order: 2,
  equations: ['M \\ddot q + C \\dot q + K q = F_{ext}(t) + p', 'q(t_0) = q_0, \\quad \\dot q(t_0) = v_0'],
  fields: [
    degreesOfFreedom,
    {
      key: 'mass',
      kind: 'matrix',
      rows: 'ndof',
      columns: 'ndof',
      label: 'Mass matrix',
      symbol: 'M',
      unit: 'kg',
      required: true,
      help: 'Symmetric and positive definite.',
    },
    {
      key: 'damping',
      kind: 'matrix',
      rows: 'ndof',
      columns: 'ndof',
      label: 'Damping matrix',
      symbol: 'C',
      unit: 'N s/q',
      required: false,
      help: 'Viscous damping; zero when left out.',
    },
    {
      key: 'stiffness',
      kind: 'matrix',
      rows: 'ndof',
      columns: 'ndof',
      label: 'Stiffness matrix',
      symbol: 'K',
      unit: 'N/q',
      required: false,
      help: 'Linear stiffness; zero when left out.',
    },
    initialPosition,
    initialVelocity,
    externalForce,
    {
      key: 'basePosition',
      kind: 'function',
      plugin: 'prescribedMotion',
      label: 'Base position',
      symbol: 'c(t)',
      unit: 'q',
      required: false,
      help: 'Motion the coordinates are measured from. The equation of motion then holds for q + c.',
    },
    {
      key: 'baseVelocity',
      kind: 'function',
      plugin: 'prescribedMotion',
      label: 'Base velocity',
      symbol: '\\dot c(t)',
      unit: 'q/s',
      required: false,
      help: 'Time derivative of the base position; needed with it.',
    },
    coordinateUnit,
  ],
  source: 'S0 §3, equations (3.7) and (3.17); relative coordinates: S0 §11.0.20',
};

const ofTime =
  (f: ModelFunction): TimeFunction =>
  (clock, out) => {
    f(clock, NOTHING, NOTHING, out);
  };

function readBase(fields: FieldReader, n: number): LinearForces['base'] {
  const position = fields.function('basePosition');
  const velocity = fields.function('baseVelocity');
  if (fields.has('basePosition') !== fields.has('baseVelocity')) {
    fields.reject(
      fields.has('basePosition') ? 'baseVelocity' : 'basePosition',
      'base-motion-incomplete',
      'A base motion needs its position and its velocity.',
      'Name a script function for both.',
    );
  }
  if (position === null || velocity === null) return null;
  const acceleration = fields.exactDerivative('baseVelocity', 't', n, 1);
  return {
    position: ofTime(position),
    velocity: ofTime(velocity),
    ...(acceleration === null ? {} : { acceleration: ofTime(acceleration.evaluate) }),
  };
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

/** The general form of linear forces; c and ċ are taken into account, −M c̈ is not. */
function generalForces(n: number, linear: LinearForces): Pick<LagrangianForm, 'force' | 'forceJacobians'> {
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
    force: (clock, q, v, out) => {
      if (force === null) out.set(constantForce);
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

/** The system without the force that depends on time. */
function withoutForce(form: LagrangianForm, forces: LinearForces): LagrangianForm {
  const linear = { ...forces, force: null };
  return { ...form, linear, ...generalForces(form.size, linear) };
}

export function build(fields: FieldReader): DynamicalSystem {
  const n = fields.number('ndof');
  const mass = fields.sparseMatrix('mass', n, n) ?? sparseFromEntries(n, []);
  if (fields.has('mass')) checkMass(fields, mass);
  const force = fields.function('fExt');
  const linear: LinearForces = {
    damping: fields.sparseMatrix('damping', n, n),
    stiffness: fields.sparseMatrix('stiffness', n, n),
    constantForce: fields.vector('fExt', n),
    force: force === null ? null : ofTime(force),
    base: readBase(fields, n),
  };
  const form: LagrangianForm = {
    order: 2,
    size: n,
    q0: fields.vector('q0', n),
    v0: fields.vector('v0', n),
    constantMass: mass,
    mass: (_q, out) => {
      expandInto(mass, n, out);
    },
    linear,
    ...generalForces(n, linear),
  };
  const entries = fields.analytic('fExt', n);
  return {
    type: definition.type,
    id: fields.element,
    unit: fields.choice('coordinateUnit'),
    form: entries === null ? form : { ...form, analytic: { entries, steady: withoutForce(form, linear) } },
  };
}
