/**
 * General first-order relation y = h(t, x, λ), r = g(t, x, λ). Siconos developer's notes §1 and
 * equations (8.1)–(8.23).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { inputFunction, jacobianField, outputFunction, outputs } from './fields';
import { generalRelation } from './general';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'FirstOrderNonLinearR',
  title: 'First order, non-linear',
  summary: 'Outputs and inputs of time, states and multipliers, from script functions.',
  order: 1,
  equations: ['y = h(t, x, \\lambda)', 'r = g(t, x, \\lambda)'],
  fields: [
    outputs,
    outputFunction('output', 'output', 'time, states and multipliers'),
    inputFunction('input', 'time, states and multipliers'),
    jacobianField('C', 'outputJacobian', 'x'),
    jacobianField('D', 'outputJacobian', 'lambda'),
    jacobianField('K', 'inputJacobian', 'x'),
    jacobianField('B', 'inputJacobian', 'lambda'),
  ],
  source: 'Siconos developer’s notes §1 and equations (8.1)–(8.23)',
};

export function build(fields: FieldReader, columns: number): Relation {
  const size = fields.number('size');
  return generalRelation(definition.type, {
    order: 1,
    size,
    columns,
    h: fields.function('h'),
    C: fields.jacobian('C', size, columns),
    D: fields.jacobian('D', size, size),
    isTimeDependent: true,
    timeDerivative: null,
    input: {
      g: fields.function('g'),
      K: fields.jacobian('K', columns, columns),
      B: fields.jacobian('B', columns, size),
    },
  });
}
