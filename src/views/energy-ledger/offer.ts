import type { EnergyLedgerView } from '@engine/document/types';
import { Scale } from '@lucide/vue';
import type { ViewKind } from '../shared/offer';

export const energyLedger: ViewKind<EnergyLedgerView> = {
  type: 'energy-ledger',
  title: 'views.energyLedger.title',
  icon: Scale,
  share: 1,
  create: (id) => ({ type: 'energy-ledger', id }),
};
