/** Lagrangian linear relation y = H q + b, p = ᵗH λ. S0 §6, equations (2.29)–(2.42) and (11.7). */
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'LagrangianLinear',
  title: 'Lagrangian, linear',
  summary: 'Gaps that are linear in the coordinates of the linked systems.',
  equations: ['y = H q + b', 'p = H^{\\mathsf T} \\lambda'],
  fields: [
    {
      key: 'H',
      kind: 'matrix',
      rows: 'size',
      columns: 'linkedNdof',
      label: 'Gap matrix',
      symbol: 'H',
      unit: 'm/q',
      required: true,
      help: 'One row for each gap; columns are the coordinates of the linked systems, in their order.',
    },
    {
      key: 'b',
      kind: 'vector',
      length: 'size',
      label: 'Gap offset',
      symbol: 'b',
      unit: 'm',
      required: false,
      help: 'Gap at q = 0; zero when left out.',
    },
  ],
  source: 'S0 §6 and equation (11.7)',
};

export interface LagrangianLinear {
  readonly type: 'LagrangianLinear';
  /** number of gaps */
  readonly size: number;
  /** size × linkedNdof, row-major */
  readonly H: Float64Array;
  readonly b: Float64Array;
}

export function build(fields: FieldReader, linkedNdof: number): LagrangianLinear {
  const size = fields.matrixRows('H');
  const reported = fields.issueCount;
  const H = fields.matrix('H', size, linkedNdof) ?? new Float64Array(size * linkedNdof);
  for (let row = 0; row < size && fields.issueCount === reported; row++) {
    if (!H.subarray(row * linkedNdof, (row + 1) * linkedNdof).every((x) => x === 0)) continue;
    fields.reject(
      'H',
      'empty-row',
      `Row ${row} of the gap matrix is zero: its gap depends on no coordinate, and its contact could never act.`,
      'Enter the coefficients of the coordinates, or remove the row.',
    );
  }
  return {
    type: 'LagrangianLinear',
    size,
    H,
    b: fields.vector('b', size),
  };
}
