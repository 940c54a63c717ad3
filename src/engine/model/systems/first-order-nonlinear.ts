/**
 * First-order non-linear system M ẋ = f(t, x) + T(x) u(t, x) + r. Siconos developer's notes §3, equations
 * (3.1)–(3.6).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { DynamicalSystem } from '../nsds';
import { NOTHING } from '../plugin';
import { readControl } from './forces';
import { controlSize, initialState, readMassMatrix, stateMass, stateSize, stateUnit } from './fields';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'FirstOrderNonLinear',
  title: 'First order, non-linear',
  words: ['ODE', 'differential equation', 'van der Pol'],
  summary: 'Any system of ordinary differential equations of first order, from script functions.',
  order: 1,
  equations: ['M \\dot x = f(t, x) + T(x)\\, u(t, x) + r', 'x(t_0) = x_0'],
  fields: [
    stateSize,
    initialState,
    {
      key: 'f',
      kind: 'function',
      plugin: 'rate',
      label: 'Right-hand side',
      symbol: 'f',
      unit: 'q/s',
      required: true,
      help: 'Script function that fills f(t, x).',
    },
    {
      key: 'jacobian',
      kind: 'matrixOrFunction',
      rows: 'n',
      columns: 'n',
      plugin: 'rateJacobian',
      label: 'Jacobian',
      symbol: '\\nabla_x f',
      unit: '1/s',
      required: false,
      derivation: { of: 'f', by: 'x' },
      help: 'Derived from f when left out.',
    },
    stateMass,
    controlSize,
    {
      key: 'u',
      kind: 'vectorOrFunction',
      length: 'controlSize',
      plugin: 'control',
      label: 'Control',
      symbol: 'u',
      unit: '',
      required: false,
      help: 'A constant vector, or a script function of time and state. Needs a control matrix.',
    },
    {
      key: 'T',
      kind: 'matrixOrFunction',
      rows: 'n',
      columns: 'controlSize',
      plugin: 'controlMatrix',
      label: 'Control matrix',
      symbol: 'T',
      unit: '',
      required: false,
      help: 'A constant matrix, or a script function of the state.',
    },
    {
      key: 'controlJacobian',
      kind: 'matrixOrFunction',
      rows: 'n',
      columns: 'n',
      plugin: 'rateJacobian',
      label: 'Jacobian of the control',
      symbol: '\\nabla_x (T u)',
      unit: '1/s',
      required: false,
      help: 'Derived from T and u when left out.',
    },
    stateUnit,
  ],
  source: 'Siconos developer’s notes §3, equations (3.1)–(3.6)',
};

export function build(fields: FieldReader): DynamicalSystem {
  const n = fields.number('n');
  const f = fields.function('f');
  const jacobian = fields.jacobian('jacobian', n, n);
  const control = readControl(fields, n, {
    a: 'x',
    b: null,
    jacobianA: 'controlJacobian',
    jacobianB: null,
  });
  return {
    type: definition.type,
    id: fields.element,
    unit: fields.text('stateUnit'),
    form: {
      order: 1,
      size: n,
      mass: readMassMatrix(fields, n),
      x0: fields.vector('x0', n),
      rateKind: 'nonlinear',
      isAutonomous: false,
      rate: (clock, x, out) => {
        if (f !== null) f(clock, x, NOTHING, out);
        if (control !== null) control.add(clock, x, NOTHING, out);
      },
      rateJacobian: (clock, x, out) => {
        jacobian.evaluate(clock, x, NOTHING, out);
        if (control !== null) control.addJacobianA(clock, x, NOTHING, out);
      },
    },
  };
}
