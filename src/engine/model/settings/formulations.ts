/**
 * Definitions of the formulations of constrained motion that a document can name: what the event-driven
 * scheme does so that joints keep holding between events. They are in the order of the DAE lecture notes
 * after the default.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';

const pivoting: FieldDefinition = {
  key: 'pivoting',
  kind: 'choice',
  options: [
    {
      value: 'corrected',
      label: 'all rows',
      help: 'The largest entry is looked for in every row: the dependent block is as regular as full pivoting makes it.',
    },
    {
      value: 'printed',
      label: 'as printed',
      help: 'The last row is only normalised, as in the routine of the source: for comparison with its tables.',
    },
  ],
  label: 'Pivoting',
  symbol: '',
  unit: '',
  required: false,
  default: 'corrected',
  help: 'How the dependent coordinates are chosen from the Jacobian of the joints.',
};

const gain = (key: string, symbol: string, what: string): FieldDefinition => ({
  key,
  kind: 'number',
  min: 0,
  label: key === 'alpha' ? 'Damping gain' : 'Stiffness gain',
  symbol,
  unit: '1/s',
  required: false,
  default: 5,
  help: `${what} Equal gains decay fastest without oscillating; large ones make the equations stiff.`,
});

const formulation = (
  type: string,
  title: string,
  summary: string,
  equations: readonly string[],
  fields: readonly FieldDefinition[],
  source: string,
): ElementDefinition => ({ category: 'formulation', type, title, summary, equations, fields, source });

const INDEX_REDUCED =
  '\\begin{bmatrix} M & -C^{\\mathsf T} \\\\ C & 0 \\end{bmatrix} \\begin{bmatrix} \\dot v \\\\ \\lambda \\end{bmatrix} = \\begin{bmatrix} F \\\\ \\gamma \\end{bmatrix}';

const projection = formulation(
  'Projection',
  'Projection',
  'Integrates all coordinates and moves positions and velocities back onto the joints in the metric of the masses.',
  [INDEX_REDUCED, '\\min_{q} \\|q - \\hat q\\|_M \\;\\text{ with }\\; h(t, q) = 0'],
  [
    {
      key: 'tolerance',
      kind: 'number',
      min: 0,
      label: 'Tolerance',
      symbol: '\\varepsilon',
      unit: '',
      required: false,
      default: 1e-12,
      help: 'Drift of a joint, relative to the lengths at hand, that is left alone. Speeds may drift ten times as far.',
    },
    {
      key: 'every',
      kind: 'integer',
      min: 1,
      max: 1_000_000,
      label: 'Every',
      symbol: 'N',
      unit: '',
      required: false,
      default: 1,
      help: 'Steps of the discretisation from one look at the drift to the next.',
    },
  ],
  'Hairer and Wanner 1996 §VII.2',
);

const direct = formulation(
  'Direct',
  'Direct integration',
  'Integrates all coordinates; joints hold at the start and drift with the error of integration.',
  [INDEX_REDUCED],
  [],
  'Haug 1989, ch. 7, direct integration',
);

const baumgarte = formulation(
  'Baumgarte',
  'Baumgarte stabilisation',
  'Lets violations of joints decay like a damped oscillator while new ones come in.',
  ['\\ddot y + 2 \\alpha\\, \\dot y + \\beta^2 y = 0'],
  [
    gain('alpha', '\\alpha', 'Violations decay like exp(−α t).'),
    gain('beta', '\\beta', 'Frequency of the decaying violation.'),
  ],
  'Baumgarte 1972; Haug 1989, ch. 7',
);

const simplePartitioning = formulation(
  'SimplePartitioning',
  'Simple partitioning',
  'Solves for all accelerations, integrates the independent coordinates; the dependent ones follow from the joints.',
  [INDEX_REDUCED, 'h(t, u, v) = 0, \\quad C_u \\dot u = -C_v \\dot v - \\partial_t h'],
  [pivoting],
  'Wehage and Haug 1982',
);

const fullPartitioning = formulation(
  'FullPartitioning',
  'Full partitioning',
  'The same with equations of motion in the independent coordinates alone.',
  [
    'N^{\\mathsf T} M N\\, \\ddot v = N^{\\mathsf T} (F - M g), \\quad N = \\begin{bmatrix} -C_u^{-1} C_v \\\\ I \\end{bmatrix}, \\; g = \\begin{bmatrix} C_u^{-1} \\gamma \\\\ 0 \\end{bmatrix}',
    'h(t, u, v) = 0, \\quad C_u \\dot u = -C_v \\dot v - \\partial_t h',
  ],
  [pivoting],
  'Wehage and Haug 1982; Haug 1989, ch. 7',
);

export const formulationDefinitions: readonly ElementDefinition[] = [
  projection,
  direct,
  baumgarte,
  simplePartitioning,
  fullPartitioning,
];
