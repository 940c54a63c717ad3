/**
 * Lagrangian linear time-invariant system
 *
 *     M q̈ + C q̇ + K q = F_ext(t) + p,
 *
 * with constant M, C and K. Siconos developer's notes §3.5, equations (3.7) and (3.17) with F_int = C q̇ + K
 * q on the left.
 *
 * Relative coordinates. When a base motion c(t) is given, q is measured from it and the equation holds for
 * the absolute coordinates u = q + c(t) (Siconos developer's notes §11.0.20): M q̈ + C q̇ + K q = F_ext − (M
 * c̈ + C ċ + K c) + p. The model keeps c and ċ instead of that right-hand side, because an integrator that
 * knows them can take the impulse of −M c̈ over a step exactly, as −M Δċ, where c̈ jumps. For the same reason
 * `force` cannot contain −M c̈, and systems with a base motion are for integrators that use `linear`.
 */
import { expandInto, sparseFromEntries } from '../../linalg/sparse';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LagrangianForm, LinearForces } from '../forms';
import type { DynamicalSystem } from '../nsds';
import {
  checkMass,
  coordinateUnit,
  degreesOfFreedom,
  externalForce,
  initialPosition,
  initialVelocity,
} from './fields';
import { linearForces, ofTime, readExternalForce, withAnalyticForce } from './forces';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'LagrangianLinearTI',
  title: 'Lagrangian, linear, time-invariant',
  words: ['oscillator', 'mass matrix', 'multi-degree', 'structure', 'linear time-invariant'],
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
      length: 'ndof',
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
      length: 'ndof',
      label: 'Base velocity',
      symbol: '\\dot c(t)',
      unit: 'q/s',
      required: false,
      help: 'Time derivative of the base position; needed with it.',
    },
    coordinateUnit,
  ],
  source:
    'Siconos developer’s notes §3, equations (3.7) and (3.17); relative coordinates: Siconos developer’s notes §11.0.20',
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

export function build(fields: FieldReader): DynamicalSystem {
  const n = fields.number('ndof');
  const mass = fields.sparseMatrix('mass', n, n) ?? sparseFromEntries(n, []);
  if (fields.has('mass')) checkMass(fields, mass);
  const linear: LinearForces = {
    damping: fields.sparseMatrix('damping', n, n),
    stiffness: fields.sparseMatrix('stiffness', n, n),
    ...readExternalForce(fields, n),
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
    ...linearForces(n, linear),
  };
  return {
    type: definition.type,
    id: fields.element,
    unit: fields.choice('coordinateUnit'),
    form: withAnalyticForce(fields, form),
  };
}
