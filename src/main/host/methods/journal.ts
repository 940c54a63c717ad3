import type { MethodHandlers } from '../context';

/** Methods on the journal of unsaved edits. */
export const journalMethods: MethodHandlers<
  'journal.begin' | 'journal.append' | 'journal.end' | 'journal.list' | 'journal.read'
> = {
  'journal.begin': async ({ journals }, { journal, ...head }) => {
    await journals.begin(journal, head);
    return {};
  },
  'journal.append': async ({ journals }, { journal, entries }) => ({
    known: await journals.append(journal, entries),
  }),
  'journal.end': async ({ journals }, { journal }) => {
    await journals.end(journal);
    return {};
  },
  'journal.list': ({ journals }) => journals.list(),
  'journal.read': ({ journals }, { journal }) => journals.read(journal),
};
