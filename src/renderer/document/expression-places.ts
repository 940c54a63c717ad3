/**
 * Every place of a document that holds an expression. Texts and choices are none, whatever they look like.
 */
import type { FieldValue, InstanceDocument, ModelDocument, TypedElement } from '@engine/document/types';
import type { Catalogue, ElementDefinition } from '@engine/model/definition';
import { pointer, tokens } from './pointer';
import { isElements, isSparse } from './sizes';

export interface TextPlace {
  readonly pointer: string;
  readonly text: string;
  /** names that mean something of their own there: parameters of a sub-model */
  readonly own?: ReadonlySet<string>;
}

/** Keys whose values are names, not expressions. */
const NAMES: ReadonlySet<string> = new Set(['type', 'id', 'systems']);

type Emit = (pointer: string, text: string) => void;

function visitValue(value: FieldValue, place: string, catalogue: Catalogue | null, emit: Emit): void {
  if (typeof value === 'string') emit(place, value);
  else if (isElements(value)) {
    value.forEach((element, i) => {
      const lists = [catalogue?.shapes, catalogue?.axes, catalogue?.rowLaws];
      const definition = lists.flatMap((list) => list ?? []).find(({ type }) => type === element.type);
      visitElement(element, definition, place + pointer(i), catalogue, emit);
    });
  } else if (typeof value === 'object' && 'type' in value) {
    const definition = catalogue?.presences.find(({ type }) => type === value.type);
    visitElement({ ...value }, definition, place, catalogue, emit);
  } else if (Array.isArray(value)) {
    (value as FieldValue[]).forEach((entry, i) => visitValue(entry, place + pointer(i), catalogue, emit));
  } else if (isSparse(value)) {
    value.entries.forEach(([, , entry], i) => {
      if (typeof entry === 'string') emit(place + pointer('entries', i, 2), entry);
    });
  }
}

function visitElement(
  element: TypedElement,
  definition: ElementDefinition | undefined,
  place: string,
  catalogue: Catalogue | null,
  emit: Emit,
): void {
  for (const [key, value] of Object.entries(element)) {
    if (NAMES.has(key) || value === undefined) continue;
    const kind = definition?.fields.find((field) => field.key === key)?.kind;
    if (kind !== 'text' && kind !== 'choice' && kind !== 'reference' && kind !== 'components')
      visitValue(value, place + pointer(key), catalogue, emit);
  }
}

type Groups = Exclude<keyof Catalogue, 'plugins'>;

/** Every expression that is no number. @param catalogue tells texts and choices from expressions */
export function expressionPlaces(document: ModelDocument, catalogue: Catalogue | null): TextPlace[] {
  const places: TextPlace[] = [];
  let own: ReadonlySet<string> | undefined;
  const emit: Emit = (at, text) => void places.push({ pointer: at, text, ...(own !== undefined && { own }) });
  const element = (group: Groups, value: TypedElement | undefined, place: string): void => {
    if (value === undefined) return;
    const definition = catalogue?.[group].find(({ type }) => type === value.type);
    visitElement(value, definition, place, catalogue, emit);
  };
  document.parameters.forEach(({ value }, i) =>
    visitValue(value, pointer('parameters', i, 'value'), null, emit),
  );
  document.systems.forEach((system, i) => element('systems', system, pointer('systems', i)));
  document.interactions.forEach(({ relation, law, while: presence }, i) => {
    element('relations', relation, pointer('interactions', i, 'relation'));
    element('laws', law, pointer('interactions', i, 'law'));
    element('presences', presence, pointer('interactions', i, 'while'));
  });
  document.components?.forEach((component, i) => element('components', component, pointer('components', i)));
  const values = (instances: readonly InstanceDocument[] = [], place: string): void =>
    instances.forEach(({ values: given = {} }, i) => {
      for (const [name, value] of Object.entries(given))
        visitValue(value, place + pointer('instances', i, 'values', name), null, emit);
    });
  values(document.instances, '');
  document.submodels?.forEach(({ parameters, components, instances }, k) => {
    const place = pointer('submodels', k);
    own = new Set(parameters.map(({ name }) => name));
    parameters.forEach(({ value }, i) =>
      visitValue(value, place + pointer('parameters', i, 'value'), null, emit),
    );
    components.forEach((component, i) => element('components', component, place + pointer('components', i)));
    values(instances, place);
  });
  own = undefined;
  const { simulation } = document;
  for (const key of ['t0', 'tEnd', 'h'] as const)
    visitValue(simulation[key], pointer('simulation', key), null, emit);
  simulation.integrators.forEach((integrator, i) =>
    element('integrators', integrator, pointer('simulation', 'integrators', i)),
  );
  element('problems', simulation.problem, pointer('simulation', 'problem'));
  element('solvers', simulation.solver, pointer('simulation', 'solver'));
  simulation.sections?.forEach((section, i) => {
    const place = pointer('simulation', 'sections', i);
    element('sections', section, place);
    // What crosses a surface is an expression of signals: text to its form, and full of names all the same.
    const { g } = section;
    if (typeof g === 'string') emit(place + pointer('g'), g);
  });
  element('impacts', simulation.impacts, pointer('simulation', 'impacts'));
  const { newton, stepControl, eventDriven, accuracy } = simulation;
  const plain = (values: Record<string, FieldValue | undefined> | undefined, place: string): void => {
    for (const [key, value] of Object.entries(values ?? {}))
      if (value !== undefined) visitValue(value, place + pointer(key), null, emit);
  };
  plain({ accuracy }, pointer('simulation'));
  plain(newton as Record<string, FieldValue | undefined> | undefined, pointer('simulation', 'newton'));
  plain(
    stepControl as Record<string, FieldValue | undefined> | undefined,
    pointer('simulation', 'stepControl'),
  );
  if (eventDriven !== undefined) {
    const { flight, constraints, smallestBounce, fastest, jumps = [] } = eventDriven;
    const place = pointer('simulation', 'eventDriven');
    element('flights', flight, place + pointer('flight'));
    element('formulations', constraints, place + pointer('constraints'));
    plain({ smallestBounce, fastest }, place);
    jumps.forEach((jump, i) => {
      const at = place + pointer('jumps', i);
      if (typeof jump === 'object') plain({ ...jump }, at);
      else visitValue(jump, at, null, emit);
    });
  }
  document.analyses?.forEach((analysis, i) => element('analyses', analysis, pointer('analyses', i)));
  document.observables.forEach(({ expression }, i) => {
    if (expression !== undefined) emit(pointer('observables', i, 'expression'), expression);
  });
  return places;
}

/** Writes a value at a pointer of a draft whose place is there. */
export function writePlace(document: ModelDocument, place: string, value: unknown): void {
  const path = tokens(place);
  const last = path.pop();
  let holder: unknown = document;
  for (const token of path) holder = (holder as Record<string, unknown> | undefined)?.[token];
  if (last !== undefined && typeof holder === 'object' && holder !== null)
    (holder as Record<string, unknown>)[last] = value;
}
