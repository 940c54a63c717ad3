/** Fields that all first-order systems have. */
import { EnvelopeCholesky } from '../../linalg/cholesky';
import { reverseCuthillMcKee } from '../../linalg/ordering';
import type { SparseRows } from '../../linalg/sparse';
import type { FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';

/* Rules for constant mass matrices. */

/** Entry (i, j) of a matrix with ascending columns. */
function entry(a: SparseRows, i: number, j: number): number {
  let low = a.rowStart[i];
  let high = a.rowStart[i + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (a.columns[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low < a.rowStart[i + 1] && a.columns[low] === j ? a.values[low] : 0;
}

/** First place with M(i,j) ≠ M(j,i), exactly: data given as symmetric are so to the last bit. */
function asymmetry(a: SparseRows): [number, number] | null {
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) {
      const j = a.columns[k];
      if (a.values[k] !== entry(a, j, i)) return [i, j];
    }
  }
  return null;
}

/** Cholesky factorisation: the definition of positive definite that rounding understands. */
function isPositiveDefinite(a: SparseRows): boolean {
  const n = a.rows;
  const order = reverseCuthillMcKee(a);
  const place = new Int32Array(n);
  order.forEach((row, k) => (place[row] = k));
  const cholesky = new EnvelopeCholesky(n);
  cholesky.begin(n);
  for (let k = 0; k < n; k++) {
    const row = order[k];
    let first = k;
    for (let e = a.rowStart[row]; e < a.rowStart[row + 1]; e++) first = Math.min(first, place[a.columns[e]]);
    cholesky.beginRow(k, first);
    for (let e = a.rowStart[row]; e < a.rowStart[row + 1]; e++) {
      const column = place[a.columns[e]];
      if (column <= k) cholesky.set(k, column, a.values[e]);
    }
  }
  return cholesky.factor();
}

/** Reports a constant mass matrix that is not symmetric or not positive definite. */
export function checkMass(fields: FieldReader, mass: SparseRows): void {
  if (!mass.values.every(Number.isFinite)) return;
  const at = asymmetry(mass);
  if (at !== null) {
    fields.reject(
      'mass',
      'mass-not-symmetric',
      `The mass matrix is not symmetric: M(${at[0]},${at[1]}) differs from M(${at[1]},${at[0]}).`,
      'Make M(i,j) equal M(j,i).',
    );
  } else if (!isPositiveDefinite(mass)) {
    fields.reject(
      'mass',
      'mass-not-positive',
      'The mass matrix is not positive definite.',
      'Every coordinate needs inertia: give each a positive mass.',
    );
  }
}

/** Reports a matrix M of a first-order system that is singular. @param a n × n, row-major */
export function checkRegular(fields: FieldReader, a: Float64Array, n: number): void {
  if (!a.every(Number.isFinite)) return;
  // Rows are scaled, so that units do not decide what counts as zero.
  const m = a.slice();
  for (let i = 0; i < n; i++) {
    let largest = 0;
    for (let j = 0; j < n; j++) largest = Math.max(largest, Math.abs(m[i * n + j]));
    if (largest > 0) for (let j = 0; j < n; j++) m[i * n + j] /= largest;
  }
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(m[i * n + k]) > Math.abs(m[pivot * n + k])) pivot = i;
    if (Math.abs(m[pivot * n + k]) <= SINGULAR) {
      fields.reject(
        'mass',
        'mass-singular',
        'The matrix M is singular: the equations do not determine the rate of every state.',
        'Remove states that have no rate of their own; algebraic equations belong into a relation.',
      );
      return;
    }
    for (let j = k; j < n; j++) {
      const swapped = m[k * n + j];
      m[k * n + j] = m[pivot * n + j];
      m[pivot * n + j] = swapped;
    }
    for (let i = k + 1; i < n; i++) {
      const factor = m[i * n + k] / m[k * n + k];
      if (factor === 0) continue;
      for (let j = k; j < n; j++) m[i * n + j] -= factor * m[k * n + j];
    }
  }
}

/** Pivots of rows scaled to 1 that are rounding: elimination loses a few digits of the sixteen. */
const SINGULAR = 1e-14;

/** Networks are that large; which schemes take them is said where a run begins. */
const MAX_STATES = 100_000;

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
export function readMassMatrix(fields: FieldReader, n: number): Float64Array | null {
  const mass = fields.matrix('mass', n, n);
  if (mass !== null) checkRegular(fields, mass, n);
  return mass;
}

/* Fields that all Lagrangian systems have. */

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
  help: 'A constant vector, a script function of time, or outputs of control blocks.',
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
