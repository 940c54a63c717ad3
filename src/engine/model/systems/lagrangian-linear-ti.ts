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
 * step exactly, as −M Δċ, where c̈ jumps.
 */
import { isSymmetric } from '../../linalg/symmetric';
import type { ElementDefinition } from '../definition';
import type { FieldReader, NamedFunction } from '../field-reader';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'LagrangianLinearTI',
  title: 'Lagrangian, linear, time-invariant',
  summary: 'Masses, springs and dampers with constant matrices and a time-dependent force.',
  equations: ['M \\ddot q + C \\dot q + K q = F_{ext}(t) + p', 'q(t_0) = q_0, \\quad \\dot q(t_0) = v_0'],
  fields: [
    {
      key: 'ndof',
      kind: 'integer',
      min: 1,
      max: 2000,
      label: 'Degrees of freedom',
      symbol: 'n',
      unit: '',
      required: true,
      help: 'Number of generalised coordinates q.',
    },
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
    {
      key: 'q0',
      kind: 'vector',
      length: 'ndof',
      label: 'Initial position',
      symbol: 'q_0',
      unit: 'q',
      required: true,
      help: 'Coordinates at the start of the run.',
    },
    {
      key: 'v0',
      kind: 'vector',
      length: 'ndof',
      label: 'Initial velocity',
      symbol: 'v_0',
      unit: 'q/s',
      required: true,
      help: 'Velocities at the start of the run.',
    },
    {
      key: 'fExt',
      kind: 'vectorOrFunction',
      length: 'ndof',
      plugin: 'externalForce',
      label: 'External force',
      symbol: 'F_{ext}',
      unit: 'N',
      required: false,
      help: 'A constant vector, or a script function of time.',
    },
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
    {
      key: 'coordinateUnit',
      kind: 'choice',
      options: [
        { value: 'm', label: 'metre', help: 'Translations.' },
        { value: 'rad', label: 'radian', help: 'Rotations; masses are moments of inertia.' },
        { value: '1', label: 'none', help: 'Dimensionless or mixed coordinates.' },
      ],
      label: 'Unit of q',
      symbol: '[q]',
      unit: '',
      required: false,
      default: 'm',
      help: 'Shown on axes and in exported data.',
    },
  ],
  source: 'S0 §3, equations (3.7) and (3.17); relative coordinates: S0 §11.0.20',
};

export interface LagrangianLinearTI {
  readonly type: 'LagrangianLinearTI';
  readonly id: string;
  readonly ndof: number;
  /** ndof × ndof, row-major, kg */
  readonly mass: Float64Array;
  /** ndof × ndof, row-major; null is zero */
  readonly damping: Float64Array | null;
  readonly stiffness: Float64Array | null;
  readonly q0: Float64Array;
  readonly v0: Float64Array;
  /** constant part of the external force */
  readonly constantForce: Float64Array;
  readonly force: NamedFunction<'externalForce'> | null;
  readonly base: {
    position: NamedFunction<'prescribedMotion'>;
    velocity: NamedFunction<'prescribedMotion'>;
  } | null;
  readonly coordinateUnit: string;
}

/** Cholesky on a copy: the definition of positive definite that rounding understands. */
function isPositiveDefinite(a: Float64Array, n: number): boolean {
  const l = a.slice();
  for (let j = 0; j < n; j++) {
    let d = l[j * n + j];
    for (let k = 0; k < j; k++) d -= l[j * n + k] ** 2;
    if (!(d > 0)) return false;
    const root = Math.sqrt(d);
    l[j * n + j] = root;
    for (let i = j + 1; i < n; i++) {
      let s = l[i * n + j];
      for (let k = 0; k < j; k++) s -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = s / root;
    }
  }
  return true;
}

export function build(fields: FieldReader): LagrangianLinearTI {
  const ndof = fields.number('ndof');
  const mass = fields.matrix('mass', ndof, ndof) ?? new Float64Array(ndof * ndof);
  if (mass.every(Number.isFinite)) {
    if (!isSymmetric(mass, ndof)) {
      fields.reject(
        'mass',
        'mass-not-symmetric',
        'The mass matrix is not symmetric.',
        'Make M(i,j) equal M(j,i).',
      );
    } else if (!isPositiveDefinite(mass, ndof)) {
      fields.reject(
        'mass',
        'mass-not-positive',
        'The mass matrix is not positive definite.',
        'Every coordinate needs inertia: give each a positive mass.',
      );
    }
  }
  const position = fields.function('basePosition', 'prescribedMotion');
  const velocity = fields.function('baseVelocity', 'prescribedMotion');
  if ((position === null) !== (velocity === null)) {
    const missing = position === null ? 'basePosition' : 'baseVelocity';
    fields.reject(
      missing,
      'base-motion-incomplete',
      'A base motion needs its position and its velocity.',
      'Name a script function for both.',
    );
  }
  return {
    type: 'LagrangianLinearTI',
    id: fields.element,
    ndof,
    mass,
    damping: fields.matrix('damping', ndof, ndof),
    stiffness: fields.matrix('stiffness', ndof, ndof),
    q0: fields.vector('q0', ndof),
    v0: fields.vector('v0', ndof),
    constantForce: fields.vector('fExt', ndof),
    force: fields.function('fExt', 'externalForce'),
    base: position !== null && velocity !== null ? { position, velocity } : null,
    coordinateUnit: fields.choice('coordinateUnit'),
  };
}
