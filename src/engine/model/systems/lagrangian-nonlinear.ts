/**
 * Lagrangian non-linear system
 *
 *     M(q) v̇ + NNL(q, v) + F_int(t, q, v) = F_ext(t) + T(q) u(t, q, v) + p.
 *
 * Siconos developer's notes §3, equations (3.7)–(3.16). F_int stands on the left (docs/theory/errata.md) and
 * need not be linear. Jacobians of a scripted force that are left out are derived from the script; a script
 * that cannot be differentiated gives an error.
 */
import { sparseFromDense } from '../../linalg/sparse';
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { DynamicalSystem } from '../nsds';
import { NO_TIME, NOTHING, constantMatrix } from '../plugin';
import { readControl, readForce } from './forces';
import {
  checkMass,
  controlSize,
  coordinateUnit,
  degreesOfFreedom,
  externalForce,
  initialPosition,
  initialVelocity,
} from './fields';

/** Matrices are dense here; 2000² numbers are 32 MB. */
const MAX_NDOF = 2000;

const jacobian = (
  key: string,
  symbol: string,
  by: 'q' | 'v',
  of: string | null,
  plugin: 'gyroscopicJacobian' | 'internalForceJacobian' | 'mechanicalControlJacobian',
  what: string,
): FieldDefinition => ({
  key,
  kind: 'matrixOrFunction',
  rows: 'ndof',
  columns: 'ndof',
  plugin,
  label: `Jacobian of the ${what} by ${by}`,
  symbol: `\\nabla_{${by}} ${symbol}`,
  unit: by === 'q' ? 'N/q' : 'N s/q',
  required: false,
  ...(of === null ? {} : { derivation: { of, by } }),
  help: 'A constant matrix or a script function; derived when left out.',
});

export const definition: ElementDefinition = {
  category: 'system',
  type: 'LagrangianNonLinear',
  title: 'Lagrangian, non-linear',
  words: ['pendulum', 'double pendulum', 'robot', 'mechanism', 'Pendel'],
  summary:
    'Mechanisms: a mass matrix that depends on the coordinates, gyroscopic and internal forces from scripts.',
  order: 2,
  equations: [
    'M(q)\\, \\dot v + N(q, v) + F_{int}(t, q, v) = F_{ext}(t) + T(q)\\, u(t, q, v) + p',
    '\\dot q = v, \\quad q(t_0) = q_0, \\quad v(t_0) = v_0',
  ],
  fields: [
    { ...degreesOfFreedom, max: MAX_NDOF } as FieldDefinition,
    {
      key: 'mass',
      kind: 'matrixOrFunction',
      rows: 'ndof',
      columns: 'ndof',
      plugin: 'massMatrix',
      label: 'Mass matrix',
      symbol: 'M',
      unit: 'kg',
      required: true,
      help: 'A constant matrix, or a script function of the coordinates; symmetric and positive definite.',
    },
    initialPosition,
    initialVelocity,
    {
      key: 'gyroscopic',
      kind: 'function',
      plugin: 'gyroscopicForce',
      label: 'Gyroscopic terms',
      symbol: 'N',
      unit: 'N',
      required: false,
      help: 'Centrifugal and Coriolis terms, on the left of the equation.',
    },
    jacobian('gyroscopicJacobianQ', 'N', 'q', 'gyroscopic', 'gyroscopicJacobian', 'gyroscopic terms'),
    jacobian('gyroscopicJacobianV', 'N', 'v', 'gyroscopic', 'gyroscopicJacobian', 'gyroscopic terms'),
    {
      key: 'fInt',
      kind: 'function',
      plugin: 'internalForce',
      label: 'Internal force',
      symbol: 'F_{int}',
      unit: 'N',
      required: false,
      help: 'Springs and dampers, on the left of the equation; need not be linear.',
    },
    jacobian('fIntJacobianQ', 'F_{int}', 'q', 'fInt', 'internalForceJacobian', 'internal force'),
    jacobian('fIntJacobianV', 'F_{int}', 'v', 'fInt', 'internalForceJacobian', 'internal force'),
    externalForce,
    controlSize,
    {
      key: 'u',
      kind: 'vectorOrFunction',
      length: 'controlSize',
      plugin: 'mechanicalControl',
      label: 'Control',
      symbol: 'u',
      unit: '',
      required: false,
      help: 'A constant vector, or a script function of time, coordinates and velocities. Needs a control matrix.',
    },
    {
      key: 'T',
      kind: 'matrixOrFunction',
      rows: 'ndof',
      columns: 'controlSize',
      plugin: 'mechanicalControlMatrix',
      label: 'Control matrix',
      symbol: 'T',
      unit: '',
      required: false,
      help: 'A constant matrix, or a script function of the coordinates.',
    },
    jacobian('controlJacobianQ', '(T u)', 'q', null, 'mechanicalControlJacobian', 'control force'),
    jacobian('controlJacobianV', '(T u)', 'v', null, 'mechanicalControlJacobian', 'control force'),
    coordinateUnit,
  ],
  source: 'Siconos developer’s notes §3, equations (3.7)–(3.16)',
};

export function build(fields: FieldReader): DynamicalSystem {
  const n = fields.number('ndof');
  const mass = fields.matrixFunction('mass', n, n) ?? constantMatrix(new Float64Array(n * n));
  const constantMass = mass.constant === null ? null : sparseFromDense(mass.constant, n, n);
  if (constantMass !== null && fields.has('mass')) checkMass(fields, constantMass);
  const external = fields.function('fExt');
  const constantForce = fields.vector('fExt', n);
  const left = ['gyroscopic', 'fInt']
    .map((key) => readForce(fields, key, n))
    .filter((force) => force !== null);
  const control = readControl(fields, n, {
    a: 'q',
    b: 'v',
    jacobianA: 'controlJacobianQ',
    jacobianB: 'controlJacobianV',
  });
  return {
    type: definition.type,
    id: fields.element,
    unit: fields.choice('coordinateUnit'),
    form: {
      order: 2,
      size: n,
      q0: fields.vector('q0', n),
      v0: fields.vector('v0', n),
      constantMass,
      linear: null,
      mass: (q, out) => {
        mass.evaluate(NO_TIME, q, NOTHING, out);
      },
      force: (clock, q, v, out) => {
        if (external === null) out.set(constantForce);
        else external(clock, NOTHING, NOTHING, out);
        for (let k = 0; k < left.length; k++) left[k].subtract(clock, q, v, out);
        if (control !== null) control.add(clock, q, v, out);
      },
      forceJacobians: (clock, q, v, outQ, outV) => {
        outQ.fill(0);
        outV.fill(0);
        for (let k = 0; k < left.length; k++) {
          left[k].subtractJacobians[0](clock, q, v, outQ);
          left[k].subtractJacobians[1](clock, q, v, outV);
        }
        if (control === null) return;
        control.addJacobianA(clock, q, v, outQ);
        control.addJacobianB(clock, q, v, outV);
      },
    },
  };
}
