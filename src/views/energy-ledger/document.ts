/** The energy of a run over time, and what contacts and other non-smooth laws take of it. */
import { z } from 'zod';
import {
  type FixedRange,
  fixedRange,
  head,
  interactions,
  type OfConstraints,
  type ViewHead,
} from '../../engine/document/views/common';

export type EnergyLedgerView = ViewHead<'energy-ledger'> &
  OfConstraints & {
    /** ends of the axis of energies, J */
    yRange?: FixedRange;
  };

export const energyLedger = z.strictObject({
  ...head<EnergyLedgerView>('energy-ledger'),
  interactions,
  yRange: fixedRange.optional().describe('Ends of the axis of energies, J.'),
});
