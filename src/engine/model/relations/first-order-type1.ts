/** First-order relation of type 1: y = h(x), r = g(λ). Siconos developer's notes §5 and §8.0.7. */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { inputFunction, jacobianField, outputFunction, outputs } from './fields';
import { generalRelation } from './general';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'FirstOrderType1',
  title: 'First order, type 1',
  summary: 'Outputs of the states alone and inputs of the multipliers alone, from script functions.',
  order: 1,
  equations: ['y = h(x)', 'r = g(\\lambda)'],
  fields: [
    outputs,
    outputFunction('stateOutput', 'output', 'the states'),
    inputFunction('multiplierInput', 'the multipliers'),
    jacobianField('C', 'stateOutputJacobian', 'x'),
    jacobianField('B', 'multiplierInputJacobian', 'lambda'),
  ],
  source: 'Siconos developer’s notes §5 and §8',
};

export function build(fields: FieldReader, columns: number): Relation {
  const size = fields.number('size');
  return generalRelation(definition.type, {
    order: 1,
    size,
    columns,
    h: fields.function('h'),
    C: fields.jacobian('C', size, columns),
    D: null,
    isTimeDependent: false,
    timeDerivative: null,
    input: { g: fields.function('g'), K: null, B: fields.jacobian('B', columns, size) },
  });
}
