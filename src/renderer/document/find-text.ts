/**
 * Words in a model: in names, titles, expressions, scripts, descriptions and references; and what takes their
 * place.
 */
import type { ModelDocument } from '@engine/document/types';
import type { Catalogue } from '@engine/model/definition';
import { parseNumber } from '../components/numbers';
import { replaceRanges } from './expression-names';
import { expressionPlaces, writePlace } from './expression-places';
import { type NamedList, nameTrouble } from './names';
import type { ParameterUse } from './parameter-uses';
import { pointer, tokens } from './pointer';
import { renameElement, renameObservable, renameParameter, renameScript } from './rename';
import { renameTable } from './tables';

/** A match. Names are marked, because references to them are renamed too. */
export interface TextMatch extends ParameterUse {
  readonly kind: 'name' | 'expression' | 'words' | 'line';
}

export interface FindOptions {
  readonly matchCase: boolean;
}

interface Place {
  kind: TextMatch['kind'];
  pointer: string;
  text: string;
  line?: number;
}

function* places(document: ModelDocument, catalogue: Catalogue | null): Generator<Place> {
  const words = (at: string, text: string | undefined): Place[] =>
    text === undefined ? [] : [{ kind: 'words', pointer: at, text }];
  const name = (at: string, text: string): Place => ({ kind: 'name', pointer: at, text });
  yield* words('/title', document.title);
  yield* words('/description', document.description);
  for (const [i, reference] of (document.references ?? []).entries())
    yield* words(pointer('references', i), reference);
  for (const [i, parameter] of document.parameters.entries()) {
    yield name(pointer('parameters', i, 'name'), parameter.name);
    yield* words(pointer('parameters', i, 'description'), parameter.description);
  }
  for (const [i, { id }] of document.systems.entries()) yield name(pointer('systems', i, 'id'), id);
  for (const [i, { id }] of document.interactions.entries()) yield name(pointer('interactions', i, 'id'), id);
  for (const [i, { id }] of (document.components ?? []).entries())
    yield name(pointer('components', i, 'id'), id);
  for (const [i, { id }] of (document.wires ?? []).entries()) yield name(pointer('wires', i, 'id'), id);
  for (const [i, table] of (document.tables ?? []).entries()) {
    yield name(pointer('tables', i, 'id'), table.id);
    yield* words(pointer('tables', i, 'description'), table.description);
  }
  for (const [i, observable] of document.observables.entries()) {
    yield name(pointer('observables', i, 'name'), observable.name);
    yield* words(pointer('observables', i, 'description'), observable.description);
  }
  for (const found of expressionPlaces(document, catalogue)) yield { kind: 'expression', ...found };
  for (const [i, script] of document.scripts.entries()) {
    yield name(pointer('scripts', i, 'name'), script.name);
    for (const [k, text] of script.source.entries())
      yield { kind: 'line', pointer: pointer('scripts', i, 'source', k), text, line: k + 1 };
  }
  for (const [i, { name: group }] of (document.layout.groups ?? []).entries())
    yield* words(pointer('layout', 'groups', i, 'name'), group);
  for (const [i, note] of (document.layout.notes ?? []).entries())
    yield* words(pointer('layout', 'notes', i, 'text'), note.text);
  for (const [i, view] of document.views.entries()) {
    yield* words(pointer('views', i, 'title'), view.title);
    if ('annotations' in view)
      for (const [k, { text }] of (view.annotations ?? []).entries())
        yield* words(pointer('views', i, 'annotations', k, 'text'), text);
  }
  for (const [i, { title }] of (document.dashboards ?? []).entries())
    yield* words(pointer('dashboards', i, 'title'), title);
}

/** Places that contain a text, at most `limit` of them. */
export function findText(
  document: ModelDocument,
  catalogue: Catalogue | null,
  query: string,
  { matchCase }: FindOptions,
  limit: number,
): TextMatch[] {
  if (query === '') return [];
  const wanted = new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), matchCase ? 'g' : 'gi');
  const found: TextMatch[] = [];
  for (const { kind, pointer: place, text, line } of places(document, catalogue)) {
    for (const { index, 0: word } of text.matchAll(wanted)) {
      if (found.length === limit) return found;
      const at = line === undefined ? {} : { at: { line, column: index + 1 } };
      const end = index + word.length;
      found.push({
        kind,
        key: `${place}:${index}`,
        pointer: place,
        text,
        start: index,
        end,
        isSure: true,
        ...at,
      });
    }
  }
  return found;
}

function rename(
  draft: ModelDocument,
  catalogue: Catalogue | null,
  place: string,
  from: string,
  to: string,
): boolean {
  const list = tokens(place)[0] as NamedList;
  if (nameTrouble(draft, list, from, to) !== null) return false;
  if (list === 'parameters') renameParameter(draft, from, to, catalogue);
  else if (list === 'observables') renameObservable(draft, from, to);
  else if (list === 'tables') renameTable(draft, from, to);
  else if (list === 'scripts') renameScript(draft, from, to);
  else renameElement(draft, from, to);
  return true;
}

/**
 * Replaces what was found in a draft: texts first, then names, with everything that refers to them.
 * @returns names that cannot be what they would become, and stay
 */
export function replaceMatches(
  draft: ModelDocument,
  catalogue: Catalogue | null,
  matches: readonly TextMatch[],
  by: string,
): string[] {
  const byPlace = new Map<string, TextMatch[]>();
  for (const match of matches) byPlace.set(match.pointer, [...(byPlace.get(match.pointer) ?? []), match]);
  const names: { place: string; from: string; to: string }[] = [];
  for (const [place, found] of byPlace) {
    const [first] = found;
    if (first === undefined) continue;
    const next = replaceRanges(
      first.text,
      found.map(({ start, end }) => ({ start, end, by })),
    );
    if (first.kind === 'name') names.push({ place, from: first.text, to: next });
    else writePlace(draft, place, first.kind === 'expression' ? parseNumber(next) : next);
  }
  return names.flatMap(({ place, from, to }) => (rename(draft, catalogue, place, from, to) ? [] : [from]));
}
