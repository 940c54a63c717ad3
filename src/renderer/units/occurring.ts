/** The units that occur in a model, and where. */
import type { ModelDocument, SignalInfo, TypedElement } from '@engine/document/types';
import type { ElementDefinition } from '@engine/model/definition';
import { fieldCoordinateUnit, fieldUnit } from '../document/fields';
import { entryUnits } from '../document/plane';

/** What stands in a unit of the model. */
export interface OccurringUnit {
  unit: string;
  /** names of parameters, observables and signals, then of fields of elements */
  uses: string[];
}

/** Finds the definition of an element; undefined where its type is not known. */
export type FindDefinition = (
  group: 'systems' | 'relations' | 'laws',
  type: string,
) => ElementDefinition | undefined;

/** Units of the fields of a definition, entry by entry. @param coordinate what `q` stands for */
function ofFields(
  definition: ElementDefinition | undefined,
  element: TypedElement,
  coordinate: string,
): [string, string][] {
  return (definition?.fields ?? [])
    .filter(({ key }) => element[key] !== undefined)
    .flatMap((field) =>
      (entryUnits(field) ?? fieldUnit(field.unit, coordinate))
        .split(', ')
        .map((unit): [string, string] => [unit, field.label]),
    );
}

/** Units of a model in the order in which they are met; those without a unit are left out. */
export function occurringUnits(
  { parameters, observables, systems, interactions, analyses, displayUnits }: ModelDocument,
  signals: readonly SignalInfo[],
  definition: FindDefinition,
): OccurringUnit[] {
  const uses = new Map<string, Set<string>>();
  const add = (unit: string | undefined, use: string): void => {
    if (unit === undefined || unit === '' || unit === '1') return;
    const found = uses.get(unit) ?? new Set<string>();
    uses.set(unit, use === '' ? found : found.add(use));
  };
  for (const { name, unit } of [...parameters, ...observables]) add(unit, name);
  for (const { name, unit } of signals) add(unit, name);
  add('s', '');
  for (const { id, title, type } of analyses ?? []) if (type === 'lyapunov') add('1/s', title ?? id);
  const coordinates = new Map(
    systems.map((system) => [system.id, fieldCoordinateUnit(system, definition('systems', system.type))]),
  );
  const looked = new Set<string>();
  const fields = (group: 'systems' | 'relations' | 'laws', element: TypedElement, unit: string): void => {
    // Of a thousand elements of one type one look is enough.
    const kind = JSON.stringify([group, element.type, unit, Object.keys(element)]);
    if (looked.has(kind)) return;
    looked.add(kind);
    for (const [one, label] of ofFields(definition(group, element.type), element, unit)) add(one, label);
  };
  for (const system of systems) fields('systems', system, coordinates.get(system.id) ?? 'm');
  for (const { systems: linked, relation, law } of interactions) {
    const unit = coordinates.get(linked[0] ?? '') ?? 'm';
    fields('relations', relation, unit);
    fields('laws', law, unit);
  }
  for (const unit of Object.keys(displayUnits?.units ?? {})) add(unit, '');
  return [...uses].map(([unit, found]) => ({ unit, uses: [...found] }));
}
