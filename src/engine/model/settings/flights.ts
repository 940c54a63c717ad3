/** Definitions of how the motion between events is computed, in the order they are offered. */
import type { ElementDefinition, FieldDefinition } from '../definition';

const relativeTolerance: FieldDefinition = {
  key: 'relativeTolerance',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  max: 1,
  label: 'Relative tolerance',
  symbol: '\\varepsilon_r',
  unit: '',
  required: false,
  default: 1e-11,
  help: 'Error accepted in a step of the integrator, relative to each state.',
};

const absoluteTolerance: FieldDefinition = {
  key: 'absoluteTolerance',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  max: 1,
  label: 'Absolute tolerance',
  symbol: '\\varepsilon_a',
  unit: '',
  required: false,
  default: 1e-12,
  help: 'Error accepted in a step of the integrator, in the units of each state.',
};

const spectralRadius: FieldDefinition = {
  key: 'spectralRadius',
  kind: 'number',
  min: 0,
  max: 1,
  label: 'Spectral radius',
  symbol: '\\rho_\\infty',
  unit: '',
  required: false,
  default: 0.8,
  help: 'Part of an oscillation far too fast for the step that is left after a step: 1 keeps all, 0 ends it at once.',
};

const fields = [relativeTolerance, absoluteTolerance] as const;

const MOTION = 'M(q)\\, \\dot v = F(t, q, v) + {}^t\\nabla h\\, \\lambda, \\quad \\dot q = v';

/** Steps of the length that the simulation has; the others choose theirs. */
export const GENERALISED_ALPHA = 'GeneralisedAlpha';

export const flightDefinitions: readonly ElementDefinition[] = [
  {
    category: 'flight',
    type: 'auto',
    title: 'Automatic',
    summary:
      'Exact arcs where the model between events is linear with constant coefficients; otherwise Runge–Kutta methods that switch with stiffness.',
    equations: [MOTION],
    fields,
    source: '',
  },
  {
    category: 'flight',
    type: 'ExactArcs',
    title: 'Exact arcs',
    summary:
      'The state between events by the matrix exponential, and events isolated on it. For linear systems with constant coefficients.',
    equations: ['x(t) = e^{A (t - t_k)} x_k + \\int_{t_k}^{t} e^{A (t - s)} b(s)\\, ds'],
    fields: [],
    source: 'Van Loan 1978',
  },
  {
    category: 'flight',
    type: 'SwitchingRungeKutta',
    title: 'Runge–Kutta, switching',
    summary: 'Dormand–Prince of order 8 while the motion is not stiff, Radau IIA of order 5 where it is.',
    equations: [MOTION],
    fields,
    source: 'Hairer, Nørsett and Wanner 1993; Hairer and Wanner 1996',
  },
  {
    category: 'flight',
    type: 'DormandPrince',
    title: 'Dormand–Prince 8',
    summary: 'Explicit Runge–Kutta method of order 8 with continuous output: for motion that is not stiff.',
    equations: [MOTION],
    fields,
    source: 'Prince and Dormand 1981',
  },
  {
    category: 'flight',
    type: 'RadauIIA',
    title: 'Radau IIA 5',
    summary: 'Implicit Runge–Kutta method of order 5, stiffly accurate: for stiff springs and circuits.',
    equations: [MOTION],
    fields,
    source: 'Hairer and Wanner 1999',
  },
  {
    category: 'flight',
    type: GENERALISED_ALPHA,
    title: 'Generalised-α',
    summary:
      'Steps of the length h, divided at events, of order 2: oscillations too fast for the step are damped as much as is asked for, slow ones hardly.',
    equations: [
      'M \\dot v_{k+1} = F(t_{k+1}, q_{k+1}, v_{k+1}) + {}^t\\nabla h\\, \\lambda_{k+1}',
      '(1 - \\alpha_m) a_{k+1} + \\alpha_m a_k = (1 - \\alpha_f) \\dot v_{k+1} + \\alpha_f \\dot v_k',
      'q_{k+1} = q_k + h v_k + h^2 \\left( (\\tfrac12 - \\beta) a_k + \\beta a_{k+1} \\right)',
      'v_{k+1} = v_k + h \\left( (1 - \\gamma) a_k + \\gamma a_{k+1} \\right)',
      '\\alpha_m = \\frac{2\\rho_\\infty - 1}{\\rho_\\infty + 1}, \\quad \\alpha_f = \\frac{\\rho_\\infty}{\\rho_\\infty + 1}, \\quad \\gamma = \\tfrac12 + \\alpha_f - \\alpha_m, \\quad \\beta = \\tfrac14 (\\gamma + \\tfrac12)^2',
    ],
    fields: [spectralRadius],
    source: 'Chung and Hulbert 1993; Arnold and Brüls 2007; Jansen, Whiting and Hulbert 2000',
  },
];
