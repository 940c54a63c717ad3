/** Definitions of the schemes by which a model can be simulated, in the order they are offered. */
import type { ElementDefinition } from '../definition';

export const schemeDefinitions: readonly ElementDefinition[] = [
  {
    category: 'scheme',
    type: 'time-stepping',
    title: 'Time-stepping',
    summary:
      'Steps of fixed length that may hold any number of impacts and switches: robust with many contacts, of first order in time.',
    equations: ['M (v_{k+1} - v_k) = h F + {}^t\\nabla h\\, P_{k+1}'],
    fields: [],
    source: 'Siconos developer’s notes §2 and §3',
  },
  {
    category: 'scheme',
    type: 'event-driven',
    title: 'Event-driven',
    summary:
      'Smooth motion integrated to high order from event to event, each located to rounding: accurate with few contacts.',
    equations: [
      'M \\dot v = F + {}^t\\nabla h\\, \\lambda \\quad\\text{between events}',
      'M (v^+ - v^-) = {}^t\\nabla h\\, P \\quad\\text{at impacts}',
    ],
    fields: [],
    source: 'Siconos manual, “Event-driven schemes”; Acary and Brogliato 2008 §8',
  },
];
