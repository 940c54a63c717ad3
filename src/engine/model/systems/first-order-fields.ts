/** Fields that all first-order systems have. */
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { checkRegular } from './mass-matrix';

/** Dense matrices of this size are 32 MB; larger states want a formulation of their own. */
const MAX_STATES = 2000;

export const stateSize: FieldDefinition = {
  key: 'n',
  kind: 'integer',
  min: 1,
  max: MAX_STATES,
  label: 'States',
  symbol: 'n',
  unit: '',
  required: true,
  help: 'Number of components of the state x.',
};

export const initialState: FieldDefinition = {
  key: 'x0',
  kind: 'vector',
  length: 'n',
  label: 'Initial state',
  symbol: 'x_0',
  unit: 'q',
  required: true,
  help: 'State at the start of the run.',
};

export const stateMass: FieldDefinition = {
  key: 'mass',
  kind: 'matrix',
  rows: 'n',
  columns: 'n',
  label: 'Matrix of the rates',
  symbol: 'M',
  unit: '',
  required: false,
  help: 'Constant and regular; the identity when left out.',
};

export const controlSize: FieldDefinition = {
  key: 'controlSize',
  kind: 'integer',
  min: 1,
  max: 1000,
  label: 'Controls',
  symbol: 'k',
  unit: '',
  required: false,
  default: 1,
  help: 'Number of components of the control u.',
};

export const stateUnit: FieldDefinition = {
  key: 'stateUnit',
  kind: 'text',
  maxLength: 40,
  label: 'Unit of x',
  symbol: '[x]',
  unit: '',
  required: false,
  default: '1',
  help: 'Shown on axes and in exported data; 1 where the states are dimensionless or of different kinds.',
};

/** @returns M, n × n, or null for the identity */
export function readMass(fields: FieldReader, n: number): Float64Array | null {
  const mass = fields.matrix('mass', n, n);
  if (mass !== null) checkRegular(fields, mass, n);
  return mass;
}
