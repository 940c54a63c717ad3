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

const fields = [relativeTolerance, absoluteTolerance] as const;

const MOTION = 'M(q)\\, \\dot v = F(t, q, v) + {}^t\\nabla h\\, \\lambda, \\quad \\dot q = v';

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
];
