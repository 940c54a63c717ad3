/**
 * Lagrangian rheonomous relation y = h(t, q), ẏ = ∇h q̇ + ∂h/∂t, p = ᵗ∇h λ: a constraint that moves on its
 * own, such as a follower on a driven cam. Siconos developer's notes §6; Siconos developer's notes §11,
 * equations (11.1) and (11.2).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { generalRelation, isUniform, scriptCurvature } from './general';
import { gaps, jacobianField, outputFunction } from './fields';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'LagrangianRheonomous',
  title: 'Lagrangian, rheonomous',
  summary: 'Gaps that depend on the coordinates and on time, from script functions.',
  order: 2,
  equations: [
    'y = h(t, q)',
    '\\dot y = \\nabla_q h\\, \\dot q + \\frac{\\partial h}{\\partial t}',
    'p = (\\nabla_q h)^{\\mathsf T} \\lambda',
  ],
  fields: [
    gaps,
    outputFunction('constraint', 'gap', 'time and coordinates'),
    {
      key: 'hDot',
      kind: 'function',
      plugin: 'constraintTimeDerivative',
      label: 'Time derivative',
      symbol: '\\partial h / \\partial t',
      unit: 'm/s',
      required: false,
      derivation: { of: 'h', by: 't' },
      help: 'Script function that fills the partial derivative of the gaps by time; derived from h when left out.',
    },
    jacobianField('jacobian', 'constraintJacobian', 'q'),
  ],
  source: 'Siconos developer’s notes §6 and §11, equations (11.1)–(11.2)',
};

export function build(fields: FieldReader, columns: number): Relation {
  const size = fields.number('size');
  return generalRelation(definition.type, {
    order: 2,
    size,
    columns,
    h: fields.function('h'),
    C: fields.jacobian('jacobian', size, columns),
    D: null,
    isTimeDependent: true,
    timeDerivative: fields.jacobian('hDot', size, 1).evaluate,
    curvature: scriptCurvature(fields, size, columns, true),
    isUniform: isUniform(fields, size),
    input: null,
  });
}
