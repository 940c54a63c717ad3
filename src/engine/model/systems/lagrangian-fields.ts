/** Fields that all Lagrangian systems have. */
import type { FieldDefinition } from '../definition';

/** With sparse matrices the cost is that of their entries; without, of ndof² numbers. */
const MAX_NDOF = 20_000;

export const degreesOfFreedom: FieldDefinition = {
  key: 'ndof',
  kind: 'integer',
  min: 1,
  max: MAX_NDOF,
  label: 'Degrees of freedom',
  symbol: 'n',
  unit: '',
  required: true,
  help: 'Number of generalised coordinates q.',
};

export const initialPosition: FieldDefinition = {
  key: 'q0',
  kind: 'vector',
  length: 'ndof',
  label: 'Initial position',
  symbol: 'q_0',
  unit: 'q',
  required: true,
  help: 'Coordinates at the start of the run.',
};

export const initialVelocity: FieldDefinition = {
  key: 'v0',
  kind: 'vector',
  length: 'ndof',
  label: 'Initial velocity',
  symbol: 'v_0',
  unit: 'q/s',
  required: true,
  help: 'Velocities at the start of the run.',
};

export const externalForce: FieldDefinition = {
  key: 'fExt',
  kind: 'vectorOrFunction',
  length: 'ndof',
  plugin: 'externalForce',
  label: 'External force',
  symbol: 'F_{ext}',
  unit: 'N',
  required: false,
  help: 'A constant vector, or a script function of time.',
};

export const coordinateUnit: FieldDefinition = {
  key: 'coordinateUnit',
  kind: 'choice',
  options: [
    { value: 'm', label: 'metre', help: 'Translations.' },
    { value: 'rad', label: 'radian', help: 'Rotations; masses are moments of inertia.' },
    { value: '1', label: 'none', help: 'Dimensionless or mixed coordinates.' },
  ],
  label: 'Unit of q',
  symbol: '[q]',
  unit: '',
  required: false,
  default: 'm',
  help: 'Shown on axes and in exported data.',
};
