/** Definitions of the integrators a document can name. */
import type { ElementDefinition, FieldDefinition } from './definition';
import { bodyFields, only } from './settings-space-integrators';

const weight = (
  key: string,
  symbol: string,
  label: string,
  byDefault: number,
  help: string,
): FieldDefinition => ({
  key,
  kind: 'number',
  min: 0,
  max: 1,
  label,
  symbol,
  unit: '',
  required: false,
  default: byDefault,
  help,
});

export const moreauJean: ElementDefinition = {
  category: 'integrator',
  type: 'MoreauJean',
  title: 'Moreau–Jean θ-method',
  summary:
    'Time-stepping at velocity level: impacts inside a step are summed up as one impulse. For coordinates and for bodies in space.',
  order: 2,
  advances: [2, 'body'],
  equations: [
    'M(q_*) (v_{k+1} - v_k) = h\\,\\theta F_{k+1} + h\\,(1-\\theta) F_k + p_{k+1}',
    'q_{k+1} = q_k + h\\, v_{k+\\theta}, \\quad v_{k+\\theta} = \\theta v_{k+1} + (1-\\theta) v_k',
    '0 \\le \\dot y_{k+1} + e\\, \\dot y_k \\perp p_{k+1} \\ge 0 \\quad\\text{if } y_k + \\gamma h \\dot y_k \\le 0',
  ],
  fields: [
    weight(
      'theta',
      '\\theta',
      'Weight of the new values',
      0.5,
      '½ keeps the energy of smooth linear motion; 1 damps it; 0 is explicit.',
    ),
    weight(
      'forecast',
      '\\gamma',
      'Activation forecast',
      0.5,
      'A contact takes part in a step when y + γ h ẏ ≤ 0 at its start. 0 waits until the gap is closed.',
    ),
    only(2, {
      key: 'activation',
      kind: 'choice',
      options: [
        {
          value: 'forecast',
          label: 'by forecast',
          help: 'Contacts take part in a step when their gap is forecast to be closed.',
        },
        {
          value: 'always',
          label: 'always',
          help: 'All contacts take part in all steps: for bodies that are never meant to part.',
        },
      ],
      label: 'Activation of contacts',
      symbol: 'y_k + \\gamma h \\dot y_k \\le 0',
      unit: '',
      required: false,
      default: 'forecast',
      help: 'Which contacts take part in a step.',
    }),
    only(2, {
      key: 'massPoint',
      kind: 'choice',
      options: [
        {
          value: 'midpoint',
          label: 'middle of the step',
          help: 'q_* = ½ (q_k + q_{k+1}): order 2 in smooth motion at θ = ½.',
        },
        {
          value: 'end',
          label: 'end of the step',
          help: 'q_* = q_{k+1}: order 1 where M depends on q; the choice of Siconos.',
        },
      ],
      label: 'Mass matrix at',
      symbol: 'q_*',
      unit: '',
      required: false,
      default: 'midpoint',
      help: 'Where a mass matrix that depends on the coordinates is taken.',
    }),
    only(2, {
      key: 'relationPoint',
      kind: 'choice',
      options: [
        {
          value: 'predicted',
          label: 'predicted position',
          help: 'At q_k + h v_k, once a step.',
        },
        {
          value: 'end',
          label: 'end of the step',
          help: 'At q_{k+1}, by Newton iteration; the choice of Siconos for systems that are not linear.',
        },
      ],
      label: 'Jacobians of relations at',
      symbol: '\\nabla h',
      unit: '',
      required: false,
      default: 'predicted',
      help: 'Where relations that are not linear are linearised for the laws on velocities.',
    }),
    ...bodyFields('implicit').map((field) => only('body', field)),
  ],
  source:
    'M. Jean, 1999, doi:10.1016/S0045-7825(98)00383-1; Siconos Development Team, Developer’s Notes, 2011, §2.2, equations (2.29)–(2.42)',
};

export const eulerMoreau: ElementDefinition = {
  category: 'integrator',
  type: 'EulerMoreau',
  title: 'Euler–Moreau (θ, θr)-method',
  summary: 'One-step method for first-order systems, with weights of its own for the non-smooth input r.',
  order: 1,
  equations: [
    'M (x_{k+1} - x_k) = h\\,\\theta f_{k+1} + h\\,(1-\\theta) f_k + h\\,\\theta_r r_{k+1} + h\\,(1-\\theta_r) r_k',
  ],
  fields: [
    weight(
      'theta',
      '\\theta',
      'Weight of the new rate',
      1,
      '½ is of order 2 while nothing switches; 1 damps and is the safe choice for stiff circuits.',
    ),
    weight(
      'thetaR',
      '\\theta_r',
      'Weight of the new input',
      1,
      'The input r jumps when the model switches. With 1 each step uses its own r only; with ½ half of the r before a jump acts after it, which rings unless the step resolves it.',
    ),
  ],
  source: 'Siconos Development Team, Developer’s Notes, 2011, §8, equations (8.1)–(8.52), with its γ as θr',
};

export const schatzmanPaoli: ElementDefinition = {
  category: 'integrator',
  type: 'SchatzmanPaoli',
  title: 'Schatzman–Paoli θ-method',
  summary:
    'Time-stepping at position level over three times: impacts without a velocity unknown. With e = 0 no gap is ever negative; otherwise q_{k+1} + e q_{k−1} is not, and a gap may be, by what a step moves the body.',
  order: 2,
  equations: [
    'M (q_{k+1} - 2 q_k + q_{k-1}) = h^2 F_{k+\\theta} + p_{k+1}',
    '0 \\le h\\!\\left(\\tfrac{q_{k+1} + e\\, q_{k-1}}{1 + e}\\right) \\perp p_{k+1} \\ge 0, \\quad v_k = \\tfrac{q_{k+1} - q_{k-1}}{2h}',
  ],
  fields: [
    weight(
      'theta',
      '\\theta',
      'Weight of the new values',
      0.5,
      '0 is explicit; larger weights damp and stabilise stiff springs.',
    ),
  ],
  source: 'L. Paoli and M. Schatzman, 2002, doi:10.1137/S0036142900378728',
};

export const zeroOrderHold: ElementDefinition = {
  category: 'integrator',
  type: 'ZeroOrderHold',
  title: 'Zero-order hold',
  summary:
    'Exact over a step for linear systems whose input r and sources are held constant: sampled controllers.',
  order: 1,
  equations: ['x_{k+1} = e^{h A} x_k + \\int_0^h e^{s A}\\,\\mathrm ds\\; (b + T u_k + r_{k+1})'],
  fields: [],
  source: 'V. Acary, B. Brogliato and Y. Orlov, 2012, doi:10.1109/TAC.2011.2174676',
};
