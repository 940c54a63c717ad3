/** States of contacts and other non-smooth laws over time, and the energy that they take. */
import { z } from 'zod';
import { type FixedRange, type ViewHead, fixedRange, head } from './common';

interface OfConstraints {
  /** ids of interactions, in the order of their lanes; all of them when absent */
  interactions?: string[];
}

export type IndexSetsView = ViewHead<'index-sets'> & OfConstraints;
export type EnergyLedgerView = ViewHead<'energy-ledger'> &
  OfConstraints & {
    /** ends of the axis of energies, J */
    yRange?: FixedRange;
  };

const interactions = z
  .array(z.string().min(1).max(200))
  .optional()
  .describe('Ids of the interactions that are shown; all of them when absent.');

export const indexSets = z.strictObject({ ...head('index-sets'), interactions });
export const energyLedger = z.strictObject({
  ...head('energy-ledger'),
  interactions,
  yRange: fixedRange.optional().describe('Ends of the axis of energies, J.'),
});
