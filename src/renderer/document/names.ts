/** Names of the things of a model: which may be given, and why another may not. */
import type { ModelDocument } from '@engine/document/types';
import { graphIds } from './frames';

/** What names of parameters, elements and observables look like: they stand in expressions. */
export const IDENTIFIER = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** What names of scripts look like. */
const SCRIPT_NAME = /^[A-Za-z0-9_-]{1,60}\.ts$/;

export type NamedList =
  | 'parameters'
  | 'systems'
  | 'interactions'
  | 'components'
  | 'instances'
  | 'wires'
  | 'observables'
  | 'scripts'
  | 'tables';

/** Lists whose names stand in the graph, where no two may be the same. */
const IN_GRAPH: ReadonlySet<NamedList> = new Set([
  'systems',
  'interactions',
  'components',
  'instances',
  'wires',
]);

export type NameTrouble = 'malformed' | 'malformed-script' | 'taken';

/** Names that another one of the same kind must not have. */
export function takenNames(document: ModelDocument, list: NamedList): string[] {
  if (list === 'tables') return (document.tables ?? []).map(({ id }) => id);
  return IN_GRAPH.has(list)
    ? graphIds(document)
    : document[list as 'parameters' | 'observables' | 'scripts'].map(({ name }) => name);
}

/** Why something of a list cannot be called so; null when it can. */
export function nameTrouble(
  document: ModelDocument,
  list: NamedList,
  from: string,
  to: string,
): NameTrouble | null {
  if (to === from) return null;
  const isScript = list === 'scripts';
  if (!(isScript ? SCRIPT_NAME : IDENTIFIER).test(to)) return isScript ? 'malformed-script' : 'malformed';
  return takenNames(document, list).includes(to) ? 'taken' : null;
}
