/** Renaming of things other parts of the document refer to by name. */
import type { Expression, FieldValue, ModelDocument, TypedElement } from '@engine/document/types';
import { isElements, isSparse } from './sizes';

function replaceSignals(document: ModelDocument, rename: (signal: string) => string): void {
  for (const view of document.views) {
    if (view.type === 'time-series') view.signals = view.signals.map(rename);
    else if (view.type === 'phase-portrait') {
      view.x = rename(view.x);
      view.y = rename(view.y);
    }
  }
  const recording = document.simulation.recording;
  if (recording?.signals !== undefined) recording.signals = recording.signals.map(rename);
}

/** Replaces the identifier `from` where it stands as a whole word that is not a member of something else. */
export function replaceIdentifier(expression: string, from: string, to: string): string {
  const escaped = from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return expression.replace(new RegExp(`(?<![\\w.$-])${escaped}(?![\\w$-])`, 'g'), to);
}

/**
 * Renames a system or interaction and everything that refers to it: links of interactions, layout, observables, and
 * signal names (`id.q`, `id.v[2]`) in views and in the recording.
 */
export function renameElement(document: ModelDocument, from: string, to: string): void {
  for (const system of document.systems) if (system.id === from) system.id = to;
  for (const interaction of document.interactions) {
    if (interaction.id === from) interaction.id = to;
    interaction.systems = interaction.systems.map((id) => (id === from ? to : id));
  }
  for (const { systems } of document.simulation.integrators)
    systems?.forEach((id, i) => {
      if (id === from) systems[i] = to;
    });
  for (const observable of document.observables) {
    if (observable.system === from) observable.system = to;
    if (observable.expression !== undefined) {
      observable.expression = replaceIdentifier(observable.expression, from, to);
    }
  }
  for (const view of document.views) if (view.type === 'animation' && view.follow === from) view.follow = to;
  const place = document.layout.nodes[from];
  if (place !== undefined) {
    delete document.layout.nodes[from];
    document.layout.nodes[to] = place;
  }
  replaceSignals(document, (signal) =>
    signal.startsWith(`${from}.`) ? to + signal.slice(from.length) : signal,
  );
}

/** Keys whose values are names, not expressions. */
const NAMES: ReadonlySet<string> = new Set(['type', 'id', 'systems']);

function mapExpressions(value: FieldValue, replace: (expression: string) => string): FieldValue {
  if (typeof value === 'string') return replace(value);
  if (isElements(value)) {
    return value.map((element) => {
      const mapped = { ...element };
      mapElement(mapped, replace);
      return mapped;
    });
  }
  if (Array.isArray(value)) {
    return (value as FieldValue[]).map((entry) => mapExpressions(entry, replace)) as FieldValue;
  }
  if (isSparse(value)) {
    const entries = value.entries.map(([i, j, entry]): [number, number, Expression] => [
      i,
      j,
      typeof entry === 'string' ? replace(entry) : entry,
    ]);
    return { ...value, entries };
  }
  return value;
}

function mapExpressionsOf(
  record: Record<string, FieldValue | undefined>,
  replace: (expression: string) => string,
): void {
  for (const [key, value] of Object.entries(record)) {
    if (!NAMES.has(key) && value !== undefined) record[key] = mapExpressions(value, replace);
  }
}

function mapElement(element: TypedElement, replace: (expression: string) => string): void {
  mapExpressionsOf(element, replace);
}

/**
 * Renames a parameter and its uses in every expression of the document. Uses inside scripts are reported by the
 * script checker instead: program text is the author's.
 */
export function renameParameter(document: ModelDocument, from: string, to: string): void {
  const replace = (expression: string): string => replaceIdentifier(expression, from, to);
  for (const parameter of document.parameters) {
    if (parameter.name === from) parameter.name = to;
    else if (typeof parameter.value === 'string') parameter.value = replace(parameter.value);
  }
  for (const system of document.systems) mapElement(system, replace);
  for (const interaction of document.interactions) {
    mapElement(interaction.relation, replace);
    mapElement(interaction.law, replace);
  }
  const { simulation } = document;
  for (const key of ['t0', 'tEnd', 'h'] as const) {
    const value = simulation[key];
    if (typeof value === 'string') simulation[key] = replace(value);
  }
  for (const part of [simulation.problem, simulation.solver]) mapElement(part, replace);
  for (const integrator of simulation.integrators) mapElement(integrator, replace);
  for (const part of [simulation.newton, simulation.stepControl]) {
    if (part !== undefined) mapExpressionsOf(part as Record<string, FieldValue | undefined>, replace);
  }
  for (const observable of document.observables) {
    if (observable.expression !== undefined) observable.expression = replace(observable.expression);
  }
}

/** Renames an observable and the views that show it. */
export function renameObservable(document: ModelDocument, from: string, to: string): void {
  for (const observable of document.observables) if (observable.name === from) observable.name = to;
  replaceSignals(document, (signal) => (signal === from ? to : signal));
}

/** Renames a script. Nothing refers to scripts by name: their functions are known by their own names. */
export function renameScript(document: ModelDocument, from: string, to: string): void {
  for (const script of document.scripts) if (script.name === from) script.name = to;
}
