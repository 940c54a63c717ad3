/** Definitions of the one-step problems a document can name. */
import type { ElementDefinition, FieldDefinition } from '../definition';

const assembly: FieldDefinition = {
  key: 'assembly',
  kind: 'choice',
  options: [
    {
      value: 'blocks',
      label: 'block by block',
      help: 'Only the blocks of interactions that share a system; what has not changed is kept.',
    },
    {
      value: 'product',
      label: 'matrix product',
      help: 'D + γ C Ŵ⁻¹ B from matrices of the whole model: the same numbers to rounding, to compare with.',
    },
  ],
  label: 'Assembly',
  symbol: 'W',
  unit: '',
  required: false,
  default: 'blocks',
  help: 'How the operator W of the problem is put together.',
};

const OPERATOR =
  'W_{\\alpha\\beta} = \\delta_{\\alpha\\beta} D_\\alpha + \\gamma \\sum_i C_\\alpha^i\\, \\hat W_i^{-1} B_\\beta^i';

const problem = (
  type: string,
  title: string,
  summary: string,
  equation: string,
  source = 'Siconos developer’s notes §2.1.1, §2.2 and §8',
): ElementDefinition => ({
  category: 'problem',
  type,
  title,
  summary,
  equations: [equation, OPERATOR],
  fields: [assembly],
  source,
});

export const problemDefinitions: readonly ElementDefinition[] = [
  problem(
    'auto',
    'Automatic',
    'The narrowest problem that the laws of the model allow.',
    'w = W z + q, \\quad -w \\in N_{[l,u]}(z)',
  ),
  problem(
    'LCP',
    'Linear complementarity problem',
    'All rows are complementarity conditions: unilateral contacts, ideal diodes.',
    'w = W z + q, \\quad 0 \\le w \\perp z \\ge 0',
  ),
  problem(
    'MLCP',
    'Mixed linear complementarity problem',
    'Complementarity conditions together with equations: contacts and joints.',
    'w = W z + q, \\quad 0 \\le w_i \\perp z_i \\ge 0 \\;\\text{ or }\\; w_i = 0',
  ),
  problem(
    'Relay',
    'Relay problem',
    'All rows have bounded multipliers: switches and dry friction with a known limit.',
    'w = W z + q, \\quad -w \\in N_{[l,u]}(z)',
    'Siconos developer’s notes, equation (8.21)',
  ),
  problem(
    'AVI',
    'Affine variational inequality',
    'Rows of any kind in one box: the general problem.',
    'w = W z + q, \\quad -w \\in N_{[l,u]}(z)',
    'Cao and Ferris 1996',
  ),
  problem(
    'QP',
    'Quadratic programme',
    'The same as a minimisation, where W is symmetric and positive semi-definite.',
    'z = \\arg\\min_{l \\le z \\le u} \\tfrac12 z^{\\mathsf T} W z + q^{\\mathsf T} z, \\quad w = W z + q',
  ),
  {
    category: 'problem',
    type: 'FrictionContact',
    title: 'Friction-contact problem',
    summary:
      'Contacts of 3D bodies with the second-order cone of Coulomb, stops, friction and motors of joints.',
    order: 'body',
    equations: [
      'U = W R + q, \\quad K_\\mu \\ni R \\perp U + \\mu |U_T| n \\in K_\\mu^*',
      'W_{\\alpha\\beta} = \\sum_b H_{b\\alpha} P_b H_{b\\beta}^{\\mathsf T}',
    ],
    fields: [],
    source: 'Siconos developer’s notes §10; De Saxcé and Feng 1991',
  },
];
