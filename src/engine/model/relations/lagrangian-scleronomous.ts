/**
 * Lagrangian scleronomous relation y = h(q), ẏ = ∇h q̇, p = ᵗ∇h λ: a constraint without explicit time.
 * Siconos developer's notes §6.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { generalRelation, scriptCurvature } from './general';
import { gaps, jacobianField, outputFunction } from './fields';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'LagrangianScleronomous',
  title: 'Lagrangian, scleronomous',
  summary: 'Gaps and joints that depend on the coordinates alone, from a script function.',
  order: 2,
  equations: ['y = h(q)', '\\dot y = \\nabla_q h\\, \\dot q', 'p = (\\nabla_q h)^{\\mathsf T} \\lambda'],
  fields: [
    gaps,
    outputFunction('positionConstraint', 'gap', 'the coordinates'),
    jacobianField('jacobian', 'positionConstraintJacobian', 'q'),
  ],
  source: 'Siconos developer’s notes §6',
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
    isTimeDependent: false,
    timeDerivative: null,
    curvature: scriptCurvature(fields, size, columns, false),
    input: null,
  });
}
