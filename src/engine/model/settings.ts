/** Definitions of the integrators, one-step problems and solvers a document can name. */
import type { ElementDefinition } from './definition';

export const moreauJean: ElementDefinition = {
  category: 'integrator',
  type: 'MoreauJean',
  title: 'Moreau–Jean θ-method',
  summary: 'Time-stepping at velocity level: impacts inside a step are summed up as one impulse.',
  equations: [
    'M (v_{k+1} - v_k) + h\\,C v_{k+\\theta} + h\\,K q_{k+\\theta} = h F_{k+\\theta} + p_{k+1}',
    'q_{k+1} = q_k + h\\, v_{k+\\theta}',
    '0 \\le \\dot y_{k+1} + e\\, \\dot y_k \\perp p_{k+1} \\ge 0 \\quad\\text{if } y_k + \\gamma h \\dot y_k \\le 0',
  ],
  fields: [
    {
      key: 'theta',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Weight of the new values',
      symbol: '\\theta',
      unit: '',
      required: false,
      default: 0.5,
      help: '½ keeps the energy of smooth motion; 1 damps it; 0 is explicit.',
    },
    {
      key: 'forecast',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Activation forecast',
      symbol: '\\gamma',
      unit: '',
      required: false,
      default: 0.5,
      help: 'A contact takes part in a step when y + γ h ẏ ≤ 0 at its start. 0 waits until the gap is closed.',
    },
  ],
  source: 'M. Jean, 1999, doi:10.1016/S0045-7825(98)00383-1; S0 §2.2, equations (2.29)–(2.42)',
};

export const lcp: ElementDefinition = {
  category: 'problem',
  type: 'LCP',
  title: 'Linear complementarity problem',
  summary: 'Impulses of all active contacts at once, from the Delassus operator.',
  equations: [
    'w = W p + b, \\quad 0 \\le w \\perp p \\ge 0',
    'W_{\\alpha\\beta} = \\sum_i H_\\alpha^i\\, W_i^{-1} (H_\\beta^i)^{\\mathsf T}, \\quad W_i = M + h\\theta C + h^2\\theta^2 K',
  ],
  fields: [],
  source: 'S0 §2.1.1 and §2.2',
};

const tolerance = {
  key: 'tolerance',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  max: 1,
  label: 'Tolerance',
  symbol: '\\varepsilon',
  unit: '',
  required: false,
  default: 1e-10,
  help: 'Largest residual |min(w, p)| accepted, relative to the data of the problem.',
} as const;

export const autoSolver: ElementDefinition = {
  category: 'solver',
  type: 'auto',
  title: 'Automatic',
  summary: 'Principal pivoting on the sparse operator; Lemke where the operator is singular.',
  equations: [],
  fields: [tolerance],
  source: '',
};

export const principalPivoting: ElementDefinition = {
  category: 'solver',
  type: 'PrincipalPivoting',
  title: 'Block principal pivoting',
  summary: 'Exchanges all wrong-signed variables at once on a sparse Cholesky factor; finite for P-matrices.',
  equations: [],
  fields: [tolerance],
  source: 'J. J. Júdice and F. M. Pires, 1994, doi:10.1016/0305-0548(94)90106-6',
};

export const lemke: ElementDefinition = {
  category: 'solver',
  type: 'Lemke',
  title: 'Lemke',
  summary:
    'Complementary pivoting on the dense tableau with lexicographic ties; solves any copositive-plus problem.',
  equations: [],
  fields: [tolerance],
  source: 'C. E. Lemke, 1965, doi:10.1287/mnsc.11.7.681',
};
