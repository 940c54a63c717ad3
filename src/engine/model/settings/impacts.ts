/**
 * Definitions of the laws of impacts at several contacts at once that a document can name, in the order they
 * are offered.
 */
import type { ElementDefinition, FieldDefinition } from '../definition';
import { iterationsField, toleranceField } from './common';

const exponent: FieldDefinition = {
  key: 'exponent',
  kind: 'number',
  min: 1,
  label: 'Exponent of the force',
  symbol: '\\eta',
  unit: '',
  required: false,
  default: 1.5,
  help: 'Of F = K u^η between the bodies: 3/2 for round bodies (Hertz), 1 for linear springs.',
};

const definition = (
  type: string,
  title: string,
  summary: string,
  equations: readonly string[],
  fields: readonly FieldDefinition[],
  source: string,
): ElementDefinition => ({ category: 'impact', type, title, summary, equations, fields, source });

export const newtonImpacts = definition(
  'Newton',
  'Newton, all contacts at once',
  'Each contact that pushes springs back with e times its own velocity of approach.',
  ['0 \\le \\dot y^+ + e\\, \\dot y^- \\perp P \\ge 0'],
  [],
  'Moreau 1988',
);

const poissonImpacts = definition(
  'Poisson',
  'Poisson, all contacts at once',
  'All contacts are compressed together, then each gives back e times the impulse that it has taken up.',
  [
    '0 \\le \\dot y^C = \\dot y^- + W P^C \\perp P^C \\ge 0',
    '0 \\le \\dot y^+ = \\dot y^C + W P^E \\perp P^E - e P^C \\ge 0',
  ],
  [],
  'Pfeiffer and Glocker 1996 §8',
);

const sequentialImpacts = definition(
  'Sequential',
  'One contact after the other',
  'Contacts that approach collide one by one, in the order of the model, until none approaches; no two at the same time.',
  ['P_i = -(1 + e_i)\\, \\dot y_i / W_{ii}'],
  [iterationsField(100_000, 'impacts of single contacts')],
  'Ivanov 1995',
);

const energeticImpacts = definition(
  'Energetic',
  'Energy-based (Liu, Zhao, Brogliato)',
  'Waves of compression run through the bodies as through springs of infinite stiffness; each contact gives back e² of the energy that it has stored.',
  [
    '\\frac{dP_i}{dP_j} = \\left(\\frac{K_i}{K_j}\\right)^{\\frac{1}{\\eta + 1}} \\left(\\frac{E_i}{E_j}\\right)^{\\frac{\\eta}{\\eta + 1}}',
    '\\frac{dE_i}{dP_i} = -\\dot y_i \\;\\text{ if }\\; \\dot y_i < 0, \\quad -\\dot y_i / e_i^2 \\;\\text{ if }\\; \\dot y_i > 0',
  ],
  [
    exponent,
    toleranceField(1e-11, 'Error accepted in a step in impulse, relative to the data of the impact.'),
    iterationsField(1_000_000, 'steps in impulse'),
  ],
  'Liu, Zhao and Brogliato 2008',
);

/** The first is what holds where a document names none. */
export const impactDefinitions: readonly ElementDefinition[] = [
  newtonImpacts,
  poissonImpacts,
  sequentialImpacts,
  energeticImpacts,
];
