/** Definitions of the solvers a document can name, in the order they are offered. */
import type { ElementDefinition } from '../definition';
import { iterationsField, toleranceField } from './common';

const tolerance = toleranceField(
  1e-10,
  'Largest natural residual accepted, relative to the data of the problem.',
);

/** Of the automatic choice: it solves friction in space, too. */
const automaticTolerance = toleranceField(
  1e-10,
  'Largest natural residual accepted, relative to the data of the problem; of friction in space 1e-8 when left out.',
);

const NATURAL_MAP = 'w = W z + q, \\quad -w \\in N_{[l,u]}(z)';

export const autoSolver: ElementDefinition = {
  category: 'solver',
  type: 'auto',
  title: 'Automatic',
  summary:
    'Starts from the last active set by block pivoting; where the operator is singular or indefinite it falls back on Lemke, an interior-point method, Newton, sweeps and enumeration.',
  equations: [NATURAL_MAP],
  fields: [automaticTolerance],
  source: '',
};

const principalPivoting: ElementDefinition = {
  category: 'solver',
  type: 'PrincipalPivoting',
  title: 'Block principal pivoting',
  summary:
    'Exchanges all rows of the wrong sign at once, on factors it keeps from step to step; finite for P-matrices. Any bounds.',
  equations: [NATURAL_MAP],
  fields: [tolerance],
  source: 'Júdice and Pires 1994',
};

const leastIndex: ElementDefinition = {
  category: 'solver',
  type: 'LeastIndex',
  title: 'Least-index pivoting',
  summary:
    'Exchanges the first row of the wrong sign, one at a time; finite for P-matrices, slow for large ones. Any bounds.',
  equations: [NATURAL_MAP],
  fields: [tolerance, iterationsField(100_000, 'exchanges')],
  source: 'Murty 1974',
};

const lemke: ElementDefinition = {
  category: 'solver',
  type: 'Lemke',
  title: 'Lemke',
  summary:
    'Complementary pivoting along a ray with lexicographic ties; solves every solvable monotone problem, singular ones included, and many others. Any bounds.',
  equations: ['w = W z + q + d\\,t, \\quad -w \\in N_{[l,u]}(z), \\quad t \\to 0'],
  fields: [tolerance],
  source: 'Lemke 1965; Sargent 1978, for upper bounds',
};

const enumeration: ElementDefinition = {
  category: 'solver',
  type: 'Enumeration',
  title: 'Enumeration',
  summary:
    'Tries the combinations of active rows with pruning and returns the first solution; for small problems with any operator. Any bounds.',
  equations: [NATURAL_MAP],
  fields: [tolerance, iterationsField(1_000_000, 'partial combinations')],
  source: 'Murty 1988 §1.3; Siconos developer’s notes §8.0.6',
};

const projectedGaussSeidel: ElementDefinition = {
  category: 'solver',
  type: 'PGS',
  title: 'Projected Gauss–Seidel',
  summary:
    'Sweeps over the rows with relaxation; converges for symmetric positive definite operators and for H-matrices, slowly for long chains of contacts. Any bounds.',
  equations: ['z_i \\leftarrow \\Pi_{[l_i,u_i]}\\left(z_i - \\omega\\, w_i / (W_{ii} (1 + \\rho))\\right)'],
  fields: [
    tolerance,
    iterationsField(100_000, 'sweeps'),
    {
      key: 'relaxation',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      max: 1.999,
      label: 'Relaxation',
      symbol: '\\omega',
      unit: '',
      required: false,
      default: 1,
      help: '1 is Gauss–Seidel; above 1 over-relaxes and is often faster; below 1 damps.',
    },
    {
      key: 'regularization',
      kind: 'number',
      min: 0,
      max: 1e6,
      label: 'Regularisation',
      symbol: '\\rho',
      unit: '',
      required: false,
      default: 0,
      help: 'Adds this fraction of the diagonal to the step only, not to the problem: slower, but steadier for redundant rows.',
    },
  ],
  source: 'Cryer 1971; Mangasarian 1977',
};

const conjugateProjectedGradient: ElementDefinition = {
  category: 'solver',
  type: 'CPG',
  title: 'Conjugate projected gradient',
  summary:
    'Gradient projection finds the active rows, conjugate gradients solve on them; symmetric positive semidefinite operators of any size. Any bounds.',
  equations: ['\\min_{l \\le z \\le u} \\tfrac12 z^{\\mathsf T} W z + q^{\\mathsf T} z'],
  fields: [tolerance, iterationsField(100_000, 'products with the operator')],
  source: 'Moré and Toraldo 1991; Renouf and Alart 2005',
};

const newtonFischerBurmeister: ElementDefinition = {
  category: 'solver',
  type: 'NewtonFischerBurmeister',
  title: 'Semi-smooth Newton, Fischer–Burmeister',
  summary:
    'Newton on the Fischer–Burmeister equations with a line search; few iterations, also for unsymmetric operators. Any bounds.',
  equations: [
    '\\varphi(a, b) = a + b - \\sqrt{a^2 + b^2} = 0, \\quad \\varphi(z - l, -\\varphi(u - z, -w)) = 0',
  ],
  fields: [tolerance, iterationsField(200, 'Newton steps')],
  source: 'De Luca, Facchinei and Kanzow 1996; Billups 1995, for boxes',
};

const newtonMin: ElementDefinition = {
  category: 'solver',
  type: 'NewtonMin',
  title: 'Semi-smooth Newton, minimum map',
  summary:
    'Newton on the natural map, whose steps solve for the rows now taken for active, with a line search on the Fischer–Burmeister merit function. Any bounds.',
  equations: ['z - \\Pi_{[l,u]}(z - w) = 0'],
  fields: [tolerance, iterationsField(200, 'Newton steps')],
  source: 'Hintermüller, Ito and Kunisch 2003; De Luca, Facchinei and Kanzow 2000, for its globalisation',
};

const interiorPoint: ElementDefinition = {
  category: 'solver',
  type: 'InteriorPoint',
  title: 'Interior point',
  summary:
    'Predictor–corrector on the central path, then the exact solution on the active rows found; monotone operators, singular ones included. Any bounds.',
  equations: [
    'W z + q = \\lambda - \\mu, \\quad (z - l) \\circ \\lambda = \\sigma e, \\quad (u - z) \\circ \\mu = \\sigma e',
  ],
  fields: [tolerance, iterationsField(100, 'Newton steps')],
  source: 'Mehrotra 1992; Wright 1997',
};

const convexQp: ElementDefinition = {
  category: 'solver',
  type: 'ConvexQP',
  title: 'Convex quadratic programme',
  summary:
    'Projected Newton steps on the free rows with exact solves, energy falling at each; symmetric positive semidefinite operators. Any bounds.',
  equations: ['\\min_{l \\le z \\le u} \\tfrac12 z^{\\mathsf T} W z + q^{\\mathsf T} z'],
  fields: [tolerance, iterationsField(1000, 'Newton steps')],
  source: 'Bertsekas 1982',
};

export const solverDefinitions: readonly ElementDefinition[] = [
  autoSolver,
  principalPivoting,
  lemke,
  leastIndex,
  projectedGaussSeidel,
  conjugateProjectedGradient,
  convexQp,
  interiorPoint,
  newtonFischerBurmeister,
  newtonMin,
  enumeration,
];
