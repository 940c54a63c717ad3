/** The units that a document shows its values in, without a window: their factors are asked for at once. */
import type { Dispatcher } from '@contract/methods';
import { type DisplayUnits, displayUnitsOf, MODEL_UNITS, unitPairs } from '@figures/display-units';
import type { UnitPair, UnitsDocument } from '@figures/display-units';

const keyOf = ({ from, to }: UnitPair): string => `${from}\n${to}`;

/**
 * What cannot be converted is shown in the unit of the model. The library of units is loaded by documents
 * that choose some.
 */
export async function documentUnits(dispatcher: Dispatcher, document: UnitsDocument): Promise<DisplayUnits> {
  const pairs = unitPairs(document);
  if (pairs.length === 0) return MODEL_UNITS;
  const found = await dispatcher.dispatch('units.convert', { pairs });
  const factors = new Map<string, number>();
  pairs.forEach((pair, k) => {
    const answer = found[k];
    if (answer !== undefined && 'factor' in answer) factors.set(keyOf(pair), answer.factor);
  });
  return displayUnitsOf(
    () => document.displayUnits,
    (pair) => factors.get(keyOf(pair)),
  );
}
