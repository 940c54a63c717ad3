/** The field of contacts between bodies that says whether there is a row for slip. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';

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
