/**
 * Units in which the values of a document are shown. The document holds the choice; the caller obtains the
 * factors from the host, who knows units: the window as it learns them, figures without a window all at once.
 */
import type { ModelDocument } from '@engine/document/types';
import { asItIs, type ShownUnit, type ShownUnitOf } from './shown-units';

/** What is to be shown, and of what. */
export interface UnitPair {
  readonly from: string;
  readonly to: string;
}

/** How values of a document are shown. */
export interface DisplayUnits {
  /** of values in a unit of the model */
  readonly of: ShownUnitOf;
  /** of values of a parameter, which may have a unit of its own; of what is no parameter, as of its unit */
  readonly ofParameter: (parameter: { readonly name: string; readonly unit?: string }) => ShownUnit;
}

export type UnitsDocument = Pick<ModelDocument, 'displayUnits' | 'parameters'>;

/** Everything in the units of the model. */
export const MODEL_UNITS: DisplayUnits = { of: asItIs, ofParameter: ({ unit = '' }) => asItIs(unit) };

/** Member of a table whose keys are the user's. */
const own = (table: Readonly<Record<string, string>> | undefined, key: string): string | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;

/** Conversions that a document needs. */
export function unitPairs({ displayUnits, parameters: all }: UnitsDocument): UnitPair[] {
  if (displayUnits === undefined) return [];
  const { units = {}, parameters = {} } = displayUnits;
  const unitOf = new Map(all.map(({ name, unit }) => [name, unit ?? '']));
  return [
    ...Object.entries(units).map(([from, to]) => ({ from, to })),
    ...Object.entries(parameters).map(([name, to]) => ({ from: unitOf.get(name) ?? to, to })),
  ];
}

/** Unit that is chosen for a unit of the model, or for one parameter; undefined where none is. */
export const chosenUnit = (
  chosen: ModelDocument['displayUnits'],
  unit: string,
  parameter?: string,
): string | undefined =>
  (parameter === undefined ? undefined : own(chosen?.parameters, parameter)) ?? own(chosen?.units, unit);

/**
 * @param chosen the choice of the document, read on every call so that drawings follow it
 * @param factorOf a value in the first unit times it is the value in the other one; undefined while or where
 *   there is none: then the unit of the model is shown
 */
export function displayUnitsOf(
  chosen: () => ModelDocument['displayUnits'],
  factorOf: (pair: UnitPair) => number | undefined,
): DisplayUnits {
  const shownAs = (from: string, to: string | undefined): ShownUnit => {
    if (to === undefined || from === '') return asItIs(from);
    const factor = factorOf({ from, to });
    return factor === undefined ? asItIs(from) : { unit: to, factor };
  };
  return {
    of: (unit) => shownAs(unit, chosenUnit(chosen(), unit)),
    ofParameter: ({ name, unit = '' }) => shownAs(unit, chosenUnit(chosen(), unit, name)),
  };
}
