/** What the curves are called. */
import type { LedgerWords } from './drawing';

export const ledgerWords: LedgerWords = {
  total: 'total',
  supplied: 'supplied by forces',
  others: 'taken by others',
  lost: (name, part, isAlone) =>
    `taken by ${name}${isAlone ? '' : part === 'normal' ? ', normal' : ', friction'}`,
};

/** Its texts in the window. */
export const energyLedgerTexts = {
  title: 'Energy ledger',
  label: 'Energy over time: {names}. Arrow keys pan, plus and minus zoom, 0 shows all.',
  ledgerSums: 'Sums and largest losses',
  lostUntil: 'Taken until the end of the visible time',
  largestLosses: 'Largest losses of single impacts',
  cursorThere: 'Puts the cursor there',
  cursorAt: 'Cursor to t = {t}, {name}',
  noEnergy: 'The model has no bodies, so no energy is defined.',
  lossesBetween:
    'Only one step in {every} is recorded: the sums leave out the energy that contacts take in the steps between.',
} as const;
