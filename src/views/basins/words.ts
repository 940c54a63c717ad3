/** What attractors are called in files. */
import { plural } from '@engine/plural';
import type { BasinWords } from './drawing';

const eventWords = (events: number | null): string =>
  events === null ? 'accumulating impacts' : plural(events, 'event');

export const basinWords: BasinWords = {
  attractor: (number) => `attractor ${number}`,
  kind: (cycle, events) => `${plural(cycle, 'period')}, ${eventWords(events)}`,
  limit: (limit, number, events) => {
    const what = limit === 'rest' ? 'rest' : 'limit cycle';
    if (number !== null) return `attractor ${number}, ${what}`;
    return limit === 'rest' ? what : `${what}, ${eventWords(events)}`;
  },
  undecided: 'undecided',
  notSimulated: 'not simulated',
  uncertified: 'not certified',
};

/** Its texts in the window. */
export const basinsTexts = {
  noBasins: 'The model has no analysis of basins. Add one under Analyses.',
} as const;
