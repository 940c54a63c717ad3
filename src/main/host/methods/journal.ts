import type { MethodHandlers } from '../context';

/** Methods on the journal of unsaved edits. */
export const journalMethods: MethodHandlers<
  | 'journal.begin'
  | 'journal.append'
  | 'journal.end'
  | 'journal.list'
  | 'journal.read'
  | 'journal.attend'
  | 'journal.leave'
> = {
  'journal.begin': async ({ journals }, { journal, ...head }) => {
    await journals.begin(journal, head);
    return {};
  },
  'journal.append': async ({ journals }, { journal, entries }) => ({
    known: await journals.append(journal, entries),
  }),
  'journal.end': async ({ journals }, { journal, page }) => {
    await journals.end(journal, page);
    return {};
  },
  'journal.list': ({ journals }) => journals.list(),
  'journal.read': ({ journals }, { journal, page }) => journals.read(journal, page),
  'journal.attend': ({ journals }, { page, profile, journals: written }) =>
    journals.attend(page, profile, written),
  'journal.leave': async ({ journals }, { page, gone = false }) => {
    await journals.leave(page, gone);
    return {};
  },
};
