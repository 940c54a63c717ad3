/**
 * Lagrangian linear compliant relation y = H q + D λ + b, p = ᵗH λ: contacts that yield in proportion to the
 * force λ on them. Siconos developer's notes §6 names compliant relations y = h(q, λ).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { affineRelation } from './affine';
import { gapMatrix, gapOffset, rejectEmptyRows } from './fields';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'LagrangianCompliantLinear',
  title: 'Lagrangian, linear, compliant',
  summary: 'Linear gaps that yield in proportion to the force on them: springs behind contacts.',
  order: 2,
  equations: ['y = H q + D \\lambda + b', 'p = H^{\\mathsf T} \\lambda'],
  fields: [
    gapMatrix,
    {
      key: 'D',
      kind: 'matrix',
      rows: 'size',
      columns: 'size',
      label: 'Compliance',
      symbol: 'D',
      unit: 'm/N',
      required: true,
      help: 'How far each gap yields under the forces; the inverse of the contact stiffness.',
    },
    gapOffset,
  ],
  source: 'Siconos developer’s notes §6',
};

export function build(fields: FieldReader, columns: number): Relation {
  const size = fields.matrixRows('H');
  const reported = fields.defectCount;
  const H = fields.matrix('H', size, columns) ?? new Float64Array(size * columns);
  rejectEmptyRows(fields, H, size, columns, reported);
  return affineRelation(definition.type, {
    order: 2,
    size,
    columns,
    C: H,
    D: fields.matrix('D', size, size),
    B: null,
    e: fields.vector('b', size),
    source: null,
  });
}
