/**
 * The deterministic writer. Keys stand in the order of the definitions, unknown keys after them in the order
 * found, short lists of numbers on one line: a diff shows what changed and nothing else.
 */
import { definitionsByKey } from '../model/registry';
import type { ModelDocument, SubmodelDocument } from './types';
import { viewKeys } from '../../views/documents';

const INDENT = '  ';
/** Lists of plain values up to this width stay on one line. */
const LINE_WIDTH = 100;

const ORDER: Readonly<Record<string, readonly string[]>> = {
  document: [
    'formatVersion',
    'title',
    'description',
    'references',
    'parameters',
    'tables',
    'systems',
    'interactions',
    'components',
    'instances',
    'wires',
    'submodels',
    'libraries',
    'simulation',
    'observables',
    'scripts',
    'analyses',
    'views',
    'dashboards',
    'displayUnits',
    'layout',
  ],
  parameters: ['name', 'value', 'unit', 'min', 'max', 'description'],
  tables: ['id', 'description', 'unit', 'period', 't', 'y'],
  interactions: ['id', 'systems', 'relation', 'law', 'while'],
  simulation: [
    'scheme',
    't0',
    'tEnd',
    'h',
    'accuracy',
    'integrators',
    'problem',
    'solver',
    'impacts',
    'newton',
    'stepControl',
    'derivatives',
    'recording',
    'sections',
  ],
  newton: ['tolerance', 'maxIterations'],
  stepControl: ['tolerance', 'hMin', 'hMax'],
  recording: ['every', 'signals', 'trajectory'],
  observables: ['name', 'unit', 'description', 'expression', 'function', 'system'],
  scripts: ['name', 'role', 'source'],
  views: viewKeys,
  axes: ['signals', 'isLog', 'min', 'max'],
  styles: ['signals', 'line', 'width', 'hasMarkers'],
  annotations: ['text', 't', 'x', 'y'],
  xRange: ['min', 'max'],
  yRange: ['min', 'max'],
  colourRange: ['min', 'max'],
  dashboards: ['id', 'title', 'layout'],
  dashboardLayout: ['split', 'sizes', 'tabs', 'active', 'children'],
  camera: ['position', 'target'],
  displayUnits: ['units', 'parameters'],
  layout: ['nodes', 'wires', 'groups', 'notes'],
  wires: ['id', 'ends'],
  instances: ['id', 'of', 'count', 'chain', 'values'],
  chain: ['from', 'to'],
  submodels: [
    'id',
    'title',
    'description',
    'icon',
    'ports',
    'parameters',
    'components',
    'instances',
    'wires',
    'layout',
  ],
  libraries: ['name', 'hash', 'submodels'],
  ports: ['name', 'wire', 'label', 'side'],
  groups: ['id', 'name', 'colour', 'members', 'collapsed'],
  notes: ['id', 'text', 'colour', 'x', 'y', 'width', 'height'],
  position: ['x', 'y', 'turns', 'mirrored'],
};

/** Entry of a table; a key of the document may be called `constructor`, which every object inherits. */
const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Keys of `object` in writing order; `role` is the key under which it stands in its parent. */
function orderedKeys(object: Record<string, unknown>, role: string): string[] {
  const definition = definitionsByKey.get(role)?.find((d) => d.type === object.type);
  const known =
    definition === undefined
      ? (own(ORDER, role) ?? (SORTED.has(role) ? [] : ['id', 'type']))
      : ['id', 'title', 'type', 'systems', ...definition.fields.map((f) => f.key)];
  const present = Object.keys(object).filter((key) => object[key] !== undefined);
  const rest = present.filter((key) => !known.includes(key));
  return [...known.filter((key) => present.includes(key)), ...(SORTED.has(role) ? rest.sort() : rest)];
}

/**
 * Tables whose keys are names: sorted, so that the order in which nodes were dragged or units chosen, and
 * undone, is not in the file. No name is taken for a known key.
 */
const SORTED: ReadonlySet<string> = new Set(['nodes', 'wirePaths', 'shownUnits', 'values']);

function childRoleOf(role: string, key: string): string {
  if (role === 'nodes' || role === 'wirePaths') return 'position';
  if (role === 'layout' && key === 'wires') return 'wirePaths';
  if ((role === 'dashboards' && key === 'layout') || (role === 'dashboardLayout' && key === 'children'))
    return 'dashboardLayout';
  return role === 'displayUnits' ? 'shownUnits' : key;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

function writeValue(value: unknown, role: string, indent: string): string {
  if (isPlain(value)) return JSON.stringify(value) ?? 'null';
  const inner = indent + INDENT;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    const items = value.map((item) => writeValue(item, role, inner));
    if (role !== 'source' && value.every(isPlain)) {
      const line = `[${items.join(', ')}]`;
      if (indent.length + line.length <= LINE_WIDTH) return line;
    }
    const nested = value.every((item) => Array.isArray(item) && item.every(isPlain));
    if (nested && value.length === 1 && !items[0].includes('\n')) return `[${items[0]}]`;
    return `[\n${items.map((item) => inner + item).join(',\n')}\n${indent}]`;
  }
  const object = value as Record<string, unknown>;
  const keys = orderedKeys(object, role);
  if (keys.length === 0) return '{}';
  const entries = keys.map(
    (key) => `${JSON.stringify(key)}: ${writeValue(object[key], childRoleOf(role, key), inner)}`,
  );
  const line = `{ ${entries.join(', ')} }`;
  const small =
    keys.every((key) => isPlain(object[key])) &&
    (role === 'position' || role === 'fExt' || keys[0] === 'function');
  if (small && indent.length + line.length <= LINE_WIDTH) return line;
  return `{\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}}`;
}

/** Definitions as they stand in a file, which tells whether two are the same. */
export const writeSubmodels = (submodels: readonly SubmodelDocument[]): string =>
  writeValue(submodels, 'submodels', INDENT);

/** The text of a document, ending in a newline. Reading it and writing it again gives the same bytes. */
export function writeDocument(document: ModelDocument): string {
  return `${writeValue(document, 'document', '')}\n`;
}
