/** What the curves of an energy ledger are called. */
import type { LedgerWords } from './drawing';
import { text } from '@renderer/i18n';

export const ledgerWords = (): LedgerWords => ({
  total: text('plot.ledger.total'),
  supplied: text('plot.ledger.supplied'),
  others: text('plot.ledger.others'),
  lost: (name, part, isAlone) =>
    isAlone
      ? text('plot.ledger.lost', { name })
      : text(part === 'normal' ? 'plot.ledger.lostByImpacts' : 'plot.ledger.lostByFriction', { name }),
});
