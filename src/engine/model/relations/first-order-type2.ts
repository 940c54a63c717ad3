/**
 * First-order relation of type 2: y = h(t, x, λ), r = g(t, λ). Siconos developer's notes §5 and equations
 * (8.24)–(8.47).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { inputFunction, jacobianField, outputFunction, outputs } from './fields';
import { generalRelation } from './general';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'FirstOrderType2',
  title: 'First order, type 2',
  summary: 'Outputs of states and multipliers, inputs of the multipliers alone, from script functions.',
  order: 1,
  equations: ['y = h(t, x, \\lambda)', 'r = g(t, \\lambda)'],
  fields: [
    outputs,
    outputFunction('output', 'output', 'time, states and multipliers'),
    inputFunction('timedMultiplierInput', 'time and multipliers'),
    jacobianField('C', 'outputJacobian', 'x'),
    jacobianField('D', 'outputJacobian', 'lambda'),
    jacobianField('B', 'timedMultiplierInputJacobian', 'lambda'),
  ],
  source: 'Siconos developer’s notes §5 and equations (8.24)–(8.47)',
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
    input: { g: fields.function('g'), K: null, B: fields.jacobian('B', columns, size) },
  });
}
