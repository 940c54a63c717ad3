/**
 * Contacts between shapes: any two of the linked bodies meet where their shapes do, and every pair of points
 * that touch is a contact of its own, found at each step. Of several interactions that link the same two
 * bodies, the one that links the fewest holds, so that a law for all can have exceptions.
 */
import type { ElementDefinition } from '../definition';
import { definition as friction } from '../contact-laws/newton-impact-friction';
import { definition as fixedBody } from './fixed-body';
import { definition as pseudoRigidBody } from './pseudo-rigid-body';
import { definition as rigidBody } from './rigid-body';
import type { SpaceContact } from './space';

/** Bodies that one interaction may link. */
const MOST_LINKED_BODIES = 100_000;

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'ShapeContact',
  title: 'Contact of shapes',
  words: ['contact', 'collision', 'impact', 'friction', 'Kontakt', 'Stoß'],
  summary:
    'Contacts wherever shapes of the linked bodies meet, found again at each step. Where several link the same two bodies, the one with the fewest bodies holds.',
  order: 'body',
  links: {
    types: [rigidBody.type, pseudoRigidBody.type, fixedBody.type],
    least: 2,
    most: MOST_LINKED_BODIES,
  },
  law: friction.type,
  equations: ['U = V_2 + \\omega_2 \\times s_2 - V_1 - \\omega_1 \\times s_1', 'p = H^{\\mathsf T} R'],
  fields: [],
  source: 'Solfec, basics (1)–(11); Solfec, local dynamics',
};

export const build = (): SpaceContact => ({ kind: 'contact', type: definition.type, geometry: null });
