/**
 * Lagrangian compliant relation y = h(q, λ), p = ᵗ(∇_q h) λ: gaps that yield under the force on them. Siconos
 * developer's notes §6.
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { gaps, jacobianField, outputFunction } from './fields';
import { generalRelation } from './general';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'LagrangianCompliant',
  title: 'Lagrangian, compliant',
  summary: 'Gaps that depend on the coordinates and on the force in them, from a script function.',
  order: 2,
  equations: ['y = h(q, \\lambda)', 'p = (\\nabla_q h)^{\\mathsf T} \\lambda'],
  fields: [
    gaps,
    outputFunction('compliantConstraint', 'gap', 'the coordinates and the multipliers'),
    jacobianField('jacobian', 'compliantConstraintJacobian', 'q'),
    jacobianField('D', 'compliantConstraintJacobian', 'lambda'),
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
    D: fields.jacobian('D', size, size),
    isTimeDependent: false,
    timeDerivative: null,
    input: null,
  });
}
