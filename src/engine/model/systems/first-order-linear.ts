/**
 * First-order linear system M ẋ = A x + b + T u + r, where A, b and u are constant or depend on time. Siconos
 * developer's notes §3, equations (3.4)–(3.6); the time-dependent case is declared there and left
 * unimplemented.
 */
import { expandInto, type SparseRows, sparseFromDense } from '../../linalg/sparse';
import { addTerms, type AnalyticFunction } from '../analytic-function';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { type FirstOrderForm, LARGEST_EXPANDED } from '../forms';
import type { DynamicalSystem } from '../nsds';
import { type MatrixFunction, NOTHING, constantMatrix } from '../plugin';
import { type ControlTerm, readControl } from './forces';
import { controlSize, initialState, readMassMatrix, stateMass, stateSize, stateUnit } from './fields';

export const definition: ElementDefinition = {
  category: 'system',
  type: 'FirstOrderLinear',
  title: 'First order, linear',
  words: ['state space', 'ODE', 'matrix', 'linear system'],
  summary: 'Circuits and other linear systems of first order; their matrices may depend on time.',
  order: 1,
  equations: ['M \\dot x = A(t)\\, x + b(t) + T u(t) + r', 'x(t_0) = x_0'],
  fields: [
    stateSize,
    initialState,
    {
      key: 'A',
      kind: 'matrixOrFunction',
      rows: 'n',
      columns: 'n',
      plugin: 'timeMatrix',
      label: 'System matrix',
      symbol: 'A',
      unit: '1/s',
      required: true,
      help: 'A constant matrix, or a script function of time that fills it row by row.',
    },
    {
      key: 'b',
      kind: 'vectorOrFunction',
      length: 'n',
      plugin: 'timeVector',
      label: 'Source',
      symbol: 'b',
      unit: 'q/s',
      required: false,
      help: 'A constant vector, or a script function of time; zero when left out.',
    },
    stateMass,
    controlSize,
    {
      key: 'u',
      kind: 'vectorOrFunction',
      length: 'controlSize',
      plugin: 'timeVector',
      label: 'Control',
      symbol: 'u',
      unit: '',
      required: false,
      help: 'A constant vector, or a script function of time. Needs a control matrix.',
    },
    {
      key: 'T',
      kind: 'matrix',
      rows: 'n',
      columns: 'controlSize',
      label: 'Control matrix',
      symbol: 'T',
      unit: '',
      required: false,
      help: 'How the controls enter the states.',
    },
    stateUnit,
  ],
  source: 'Siconos developer’s notes §3, equations (3.4)–(3.6)',
};

type Rate = Pick<FirstOrderForm, 'rate' | 'rateJacobian'>;

/** out += A x with a constant A, of which only the entries that are not zero are kept. */
const constantProduct =
  ({ rowStart, columns, values }: SparseRows): FirstOrderForm['rate'] =>
  (_clock, x, out) => {
    for (let i = 0; i < out.length; i++) {
      let sum = out[i];
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) sum += values[k] * x[columns[k]];
      out[i] = sum;
    }
  };

/** out += A(t) x */
function variableProduct(A: MatrixFunction, n: number): FirstOrderForm['rate'] {
  const matrix = new Float64Array(n * n);
  return (clock, x, out) => {
    A.evaluate(clock, NOTHING, NOTHING, matrix);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[i] += matrix[i * n + j] * x[j];
  };
}

/** What is known of b + T u; null when one of them is nothing but its values. */
function analyticSource(
  fields: FieldReader,
  n: number,
  hasSource: boolean,
  control: ControlTerm | null,
): AnalyticFunction | null {
  const source = hasSource ? fields.analytic('b', n) : null;
  if (control === null || (hasSource && source === null)) return source;
  if (control.analytic === null || source === null) return control.analytic;
  return source.map((terms, i) => addTerms(terms, control.analytic?.[i] ?? []));
}

export function build(fields: FieldReader): DynamicalSystem {
  const n = fields.number('n');
  const isLarge = n * n > LARGEST_EXPANDED;
  const entries = isLarge && !fields.isFunction('A') ? fields.sparseMatrix('A', n, n) : null;
  const A =
    entries === null ? (fields.matrixFunction('A', n, n) ?? constantMatrix(new Float64Array(n * n))) : null;
  const source = fields.function('b');
  const control = readControl(fields, n, { a: 'x', b: null, jacobianA: null, jacobianB: null });
  // Everything that is constant is added up once.
  const constant = source === null ? fields.vector('b', n) : new Float64Array(n);
  control?.constant?.forEach((value, i) => (constant[i] += value));
  const varying = control?.constant === null ? control : null;
  const isConstant = A === null || A.constant !== null;
  const addProduct =
    A?.constant === null
      ? variableProduct(A, n)
      : constantProduct(entries ?? sparseFromDense(A?.constant ?? new Float64Array(0), n, n));
  const rate: Rate['rate'] = (clock, x, out) => {
    if (source === null) out.set(constant);
    else {
      source(clock, NOTHING, NOTHING, out);
      for (let i = 0; i < n; i++) out[i] += constant[i];
    }
    if (varying !== null) varying.add(clock, NOTHING, NOTHING, out);
    addProduct(clock, x, out);
  };
  const form: FirstOrderForm = {
    order: 1,
    size: n,
    mass: readMassMatrix(fields, n),
    x0: fields.vector('x0', n),
    rateKind: isConstant ? 'constant' : 'linear',
    isAutonomous: isConstant && source === null && varying === null,
    rate,
    rateJacobian: (clock, _x, out) => {
      if (A !== null) A.evaluate(clock, NOTHING, NOTHING, out);
      else if (entries !== null) expandInto(entries, n, out);
    },
    ...(entries !== null && { entries }),
  };
  const steady: FirstOrderForm = {
    ...form,
    isAutonomous: true,
    rate: (clock, x, out) => {
      out.set(constant);
      addProduct(clock, x, out);
    },
  };
  const forcing = !isConstant ? null : analyticSource(fields, n, source !== null, varying);
  return {
    type: definition.type,
    id: fields.element,
    unit: fields.text('stateUnit'),
    form: forcing === null ? form : { ...form, analytic: { entries: forcing, steady } },
  };
}
