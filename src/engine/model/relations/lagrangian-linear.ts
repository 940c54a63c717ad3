/**
 * Lagrangian linear relation y = H q + b, p = ᵗH λ. Siconos developer's notes §6, equations (2.29)–(2.42) and
 * (11.7).
 */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { affineRelation } from './affine';
import { gapMatrix, gapOffset, rejectEmptyRows } from './fields';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'LagrangianLinear',
  title: 'Lagrangian, linear',
  summary: 'Gaps that are linear in the coordinates of the linked systems.',
  order: 2,
  equations: ['y = H q + b', 'p = H^{\\mathsf T} \\lambda'],
  fields: [gapMatrix, gapOffset],
  source: 'Siconos developer’s notes §6 and equation (11.7)',
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
    D: null,
    B: null,
    e: fields.vector('b', size),
    source: null,
  });
}
