/** What the curves are called. */
import type { LedgerWords } from './drawing';

export const ledgerWords: LedgerWords = {
  total: 'total',
  supplied: 'supplied by forces',
  others: 'taken by others',
  lost: (name, part, isAlone) =>
    `taken by ${name}${isAlone ? '' : part === 'normal' ? ', normal' : ', friction'}`,
};
