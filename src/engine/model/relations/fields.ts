/** Fields that several relations have. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { PluginKind } from '../plugin-signatures';

export const outputs: FieldDefinition = {
  key: 'size',
  kind: 'integer',
  min: 1,
  max: 1000,
  label: 'Number of outputs',
  symbol: 'm',
  unit: '',
  required: false,
  default: 1,
  help: 'Length of y and λ.',
};

export const gaps: FieldDefinition = { ...outputs, label: 'Number of gaps', help: 'Length of y.' };

export const gapMatrix: FieldDefinition = {
  key: 'H',
  kind: 'matrix',
  rows: 'size',
  columns: 'linkedSize',
  label: 'Gap matrix',
  symbol: 'H',
  unit: 'm/q',
  required: true,
  help: 'One row for each gap; columns are the coordinates of the linked systems, in their order.',
};

export const gapOffset: FieldDefinition = {
  key: 'b',
  kind: 'vector',
  length: 'size',
  label: 'Gap offset',
  symbol: 'b',
  unit: 'm',
  required: false,
  help: 'Gap at q = 0; zero when left out.',
};

/** Script function h of a relation. */
export const outputFunction = (plugin: PluginKind, what: 'output' | 'gap', of: string): FieldDefinition => ({
  key: 'h',
  kind: 'function',
  plugin,
  label: what === 'gap' ? 'Gap function' : 'Output function',
  symbol: 'h',
  unit: what === 'gap' ? 'm' : '',
  required: true,
  help: `Script function that fills the ${what}s from ${of}.`,
});

/** Script function g of a first-order relation. */
export const inputFunction = (plugin: PluginKind, of: string): FieldDefinition => ({
  key: 'g',
  kind: 'function',
  plugin,
  label: 'Input function',
  symbol: 'g',
  unit: '',
  required: true,
  help: `Script function that fills r, one entry for each state of the linked systems, from ${of}.`,
});

type JacobianKey = 'jacobian' | 'C' | 'D' | 'K' | 'B';

const JACOBIANS = {
  jacobian: ['\\nabla_q h', 'size', 'linkedSize'],
  C: ['\\nabla_x h', 'size', 'linkedSize'],
  D: ['\\nabla_\\lambda h', 'size', 'size'],
  K: ['\\nabla_x g', 'linkedSize', 'linkedSize'],
  B: ['\\nabla_\\lambda g', 'linkedSize', 'size'],
} as const;

/** Jacobian of h or g by one of its arguments, derived when it is left out. */
export function jacobianField(
  key: JacobianKey,
  plugin: PluginKind,
  by: 'x' | 'q' | 'lambda',
): FieldDefinition {
  const [symbol, rows, columns] = JACOBIANS[key];
  const of = key === 'K' || key === 'B' ? 'g' : 'h';
  return {
    key,
    kind: 'matrixOrFunction',
    rows,
    columns,
    plugin,
    label: key === 'jacobian' ? 'Jacobian' : `Jacobian of ${of} by ${by === 'lambda' ? 'λ' : by}`,
    symbol,
    unit: key === 'jacobian' ? 'm/q' : '',
    required: false,
    derivation: { of, by },
    help: `A constant matrix, or a script function that fills it row by row; derived from ${of} when left out.`,
  };
}

/** Reports rows of a gap matrix that are zero. @param H size × columns, row-major */
export function rejectEmptyRows(
  fields: FieldReader,
  H: Float64Array,
  size: number,
  columns: number,
  reported: number,
): void {
  for (let row = 0; row < size && fields.defectCount === reported; row++) {
    if (!H.subarray(row * columns, (row + 1) * columns).every((x) => x === 0)) continue;
    fields.reject(
      'H',
      'empty-row',
      `Row ${row} of the gap matrix is zero: its gap depends on no coordinate, and its contact could never act.`,
      'Enter the coefficients of the coordinates, or remove the row.',
    );
  }
}

/* The field of contacts between bodies that says whether there is a row for slip. */

export const rows: FieldDefinition = {
  key: 'rows',
  kind: 'choice',
  options: [
    { value: 'gap', label: 'gap', help: 'One row, for impacts without friction.' },
    { value: 'gapAndSlip', label: 'gap and slip', help: 'Two rows, for impacts with friction.' },
  ],
  label: 'Rows',
  symbol: '',
  unit: '',
  required: false,
  default: 'gap',
  help: 'Of y; slip is the displacement along the contact.',
};

export const readsSlip = (fields: FieldReader): boolean => fields.choice('rows') === 'gapAndSlip';
