/**
 * Rigid body in the plane
 *
 *     m ẍ = m g_x + F_x − N_x + p_x,   m ÿ = m g_y + F_y − N_y + p_y,   I φ̈ = M − N_φ + p_φ
 *
 * with the mass centre (x, y) and the angle φ against the world, counted anticlockwise. Its frame has its
 * origin at the mass centre; a point s′ of the body is at (x, y) + R(φ) s′. Haug 1989 §6.1.
 */
import { expandInto, sparseFromDense } from '../../linalg/sparse';
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LagrangianForm } from '../forms';
import type { DynamicalSystem } from '../nsds';
import { type FormForces, linearForces, readExternalForce, readForce, withAnalyticForce } from './forces';

/** Coordinates of a body: x, y, φ. */
export const BODY_COORDINATES = 3;

const UNITS = ['m', 'm', 'rad'] as const;

const jacobian = (by: 'q' | 'v'): FieldDefinition => ({
  key: by === 'q' ? 'fIntJacobianQ' : 'fIntJacobianV',
  kind: 'matrixOrFunction',
  rows: BODY_COORDINATES,
  columns: BODY_COORDINATES,
  plugin: 'internalForceJacobian',
  label: `Jacobian of the force by ${by}`,
  symbol: `\\nabla_{${by}} N`,
  unit: by === 'q' ? 'N/q' : 'N s/q',
  required: false,
  derivation: { of: 'fInt', by },
  help: 'A constant matrix or a script function; derived when left out.',
});

export const definition: ElementDefinition = {
  category: 'system',
  type: 'PlanarBody',
  title: 'Rigid body in the plane',
  words: ['body', 'pendulum', 'link', 'bar', '2D', 'Pendel'],
  summary: 'A body with mass centre and angle, for joints, drives and contacts between points of bodies.',
  order: 2,
  equations: [
    'm \\begin{bmatrix} \\ddot x \\\\ \\ddot y \\end{bmatrix} = m g + F(t) - N(t, q, v) + p, \\quad I \\ddot\\varphi = F_\\varphi(t) - N_\\varphi(t, q, v) + p_\\varphi',
    'q = (x, y, \\varphi), \\quad q(t_0) = q_0, \\quad v(t_0) = v_0',
  ],
  fields: [
    {
      key: 'mass',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Mass',
      symbol: 'm',
      unit: 'kg',
      required: true,
      help: 'Mass of the body.',
    },
    {
      key: 'inertia',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Moment of inertia',
      symbol: 'I',
      unit: 'kg m²',
      required: true,
      help: 'About the mass centre; of a point mass any positive one will do.',
    },
    {
      key: 'q0',
      kind: 'vector',
      length: BODY_COORDINATES,
      label: 'Initial position',
      symbol: 'q_0',
      unit: 'q',
      required: true,
      help: 'Mass centre x, y in metres and angle φ in radians at the start of the run.',
    },
    {
      key: 'v0',
      kind: 'vector',
      length: BODY_COORDINATES,
      label: 'Initial velocity',
      symbol: 'v_0',
      unit: 'q/s',
      required: true,
      help: 'Their rates at the start of the run, in m/s and rad/s.',
    },
    {
      key: 'gravity',
      kind: 'vector',
      length: 2,
      label: 'Gravity',
      symbol: 'g',
      unit: 'm/s²',
      required: false,
      help: 'Acceleration of free fall, such as [0, -9.81]; zero when left out.',
    },
    {
      key: 'fExt',
      kind: 'vectorOrFunction',
      length: BODY_COORDINATES,
      plugin: 'externalForce',
      label: 'External force',
      symbol: 'F',
      unit: 'N',
      required: false,
      help: 'Force x, y at the mass centre and moment (N m): a constant vector, or a script function of time.',
    },
    {
      key: 'fInt',
      kind: 'function',
      plugin: 'internalForce',
      label: 'Internal force',
      symbol: 'N',
      unit: 'N',
      required: false,
      help: 'Springs, dampers and drag on the body, on the left of the equation; force x, y and moment.',
    },
    jacobian('q'),
    jacobian('v'),
  ],
  source: 'Haug 1989 §6.1',
};

/** @param weight added to the external force, N */
function readForces(fields: FieldReader, weight: Float64Array): FormForces {
  const { constantForce, force } = readExternalForce(fields, BODY_COORDINATES);
  const free = linearForces(BODY_COORDINATES, {
    damping: null,
    stiffness: null,
    constantForce: constantForce.map((value, k) => value + weight[k]),
    force,
    base: null,
  });
  const left = readForce(fields, 'fInt', BODY_COORDINATES);
  if (left === null) return free;
  return {
    linear: null,
    force: (clock, q, v, out) => {
      free.force(clock, q, v, out);
      left.subtract(clock, q, v, out);
    },
    forceJacobians: (clock, q, v, outQ, outV) => {
      outQ.fill(0);
      outV.fill(0);
      left.subtractJacobians[0](clock, q, v, outQ);
      left.subtractJacobians[1](clock, q, v, outV);
    },
  };
}

export function build(fields: FieldReader): DynamicalSystem {
  const mass = fields.number('mass');
  const inertia = fields.number('inertia');
  const gravity = fields.vector('gravity', 2);
  const n = BODY_COORDINATES;
  const matrix = sparseFromDense(Float64Array.of(mass, 0, 0, 0, mass, 0, 0, 0, inertia), n, n);
  const form: LagrangianForm = {
    order: 2,
    size: n,
    q0: fields.vector('q0', n),
    v0: fields.vector('v0', n),
    constantMass: matrix,
    mass: (_q, out) => {
      expandInto(matrix, n, out);
    },
    ...readForces(fields, Float64Array.of(mass * gravity[0], mass * gravity[1], 0)),
  };
  return {
    type: definition.type,
    id: fields.element,
    unit: '1',
    units: UNITS,
    form: withAnalyticForce(fields, form),
  };
}
