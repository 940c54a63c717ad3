/** What can be added to the graph, as the palette shows it. */
import type { Catalogue, ComponentSymbol, ElementDefinition, Order } from '@engine/model/definition';
import Fuse from 'fuse.js';
import { text, type TextKey } from '../../i18n';
import { NODE_SIZE, type Point } from '../arrangement/layout';
import { addComponent } from '../editing/circuit-edits';
import { addBodies, addInteraction, addSystem } from '../editing/edits';
import { useWorkspaceStore } from '../../stores/workspace';
import { BODY_STARTS } from '../../document/starts';

/** Name of what is carried by a drag from the palette: the key of an entry. */
export const DRAG_TYPE = 'application/x-moreau-element';

export interface PaletteEntry {
  /** e.g. `system-RigidBody` */
  readonly key: string;
  readonly kind: 'system' | 'relation' | 'component' | 'start';
  readonly type: string;
  readonly title: string;
  readonly summary: string;
  /** heading that it stands under */
  readonly group: string;
  /** what users call it */
  readonly words: readonly string[];
  readonly symbol?: ComponentSymbol;
  readonly enabled: true;
}

export interface PaletteGroup {
  readonly heading: TextKey;
  readonly kind: 'system' | 'relation';
  readonly definitions: readonly ElementDefinition[];
}

const GROUPS: readonly (readonly [Order, TextKey, TextKey])[] = [
  [1, 'graph.firstOrderSystems', 'graph.firstOrderRelations'],
  [2, 'graph.lagrangianSystems', 'graph.lagrangianRelations'],
  ['body', 'graph.spaceSystems', 'graph.spaceRelations'],
  ['signal', 'graph.controlBlocks', 'graph.controlBlocks'],
];

/** Groups by column, as menus show them: each with systems and what links them. */
export function paletteColumns(catalogue: Catalogue | null): PaletteGroup[][] {
  const of = (definitions: readonly ElementDefinition[], order: Order): ElementDefinition[] =>
    definitions.filter((definition) => definition.order === order);
  return GROUPS.map(([order, systems, relations]) => {
    const groups: PaletteGroup[] = [
      { heading: systems, kind: 'system', definitions: of(catalogue?.systems ?? [], order) },
      { heading: relations, kind: 'relation', definitions: of(catalogue?.relations ?? [], order) },
    ];
    // Nothing links control blocks: they read signals.
    return groups.filter(({ definitions }) => catalogue === null || definitions.length > 0);
  });
}

/** Joints are relations with the law of equality: they stand under a heading of their own. */
const JOINT_LAW = 'Equality';
const KINDS: readonly { order: Order; kind: 'system' | 'relation'; joints?: boolean; group: TextKey }[] = [
  { order: 1, kind: 'system', group: 'graph.firstOrderSystems' },
  { order: 1, kind: 'relation', group: 'graph.firstOrderRelations' },
  { order: 2, kind: 'system', group: 'graph.lagrangianSystems' },
  { order: 2, kind: 'relation', joints: false, group: 'graph.lagrangianRelations' },
  { order: 2, kind: 'relation', joints: true, group: 'graph.planeJoints' },
  { order: 'body', kind: 'system', group: 'graph.spaceSystems' },
  { order: 'body', kind: 'relation', joints: false, group: 'graph.spaceContacts' },
  { order: 'body', kind: 'relation', joints: true, group: 'graph.spaceJoints' },
  { order: 'signal', kind: 'system', group: 'graph.controlBlocks' },
];

const ofComponent = (
  { type, title, summary, words = [], symbol }: ElementDefinition,
  group: string,
): PaletteEntry => ({
  key: `component-${type}`,
  kind: 'component',
  type,
  title,
  summary,
  group,
  words,
  ...(symbol === undefined ? {} : { symbol }),
  enabled: true,
});

/** Components by family, in the order in which the catalogue first has each. */
function componentEntries(catalogue: Catalogue | null): PaletteEntry[] {
  const components = catalogue?.components ?? [];
  const families = [...new Set(components.map(({ family = '' }) => family))];
  return families.flatMap((family) =>
    components.filter((one) => (one.family ?? '') === family).map((one) => ofComponent(one, family)),
  );
}

/** Adds what an entry stands for. */
export function addEntry(
  key: string,
  {
    at,
    from,
    link,
    isMiddle = false,
  }: {
    at?: Point | undefined;
    /** pin that it is wired to */
    from?: string | undefined;
    /** element that it is linked to */
    link?: string | undefined;
    isMiddle?: boolean;
  },
): void {
  const [kind, type = ''] = key.split('-');
  if (kind === 'component') {
    addComponent(type, at, from);
    return;
  }
  const start = kind === 'start' ? BODY_STARTS.find((one) => one.key === type) : undefined;
  if (start !== undefined) {
    addBodies(start, at);
    return;
  }
  const place =
    at === undefined || !isMiddle
      ? at
      : { x: Math.round(at.x - 0.5 * NODE_SIZE.width), y: Math.round(at.y - 0.5 * NODE_SIZE.height) };
  if (kind === 'system') addSystem(type, place, link);
  else {
    // An interaction stands on the system that is selected.
    if (link !== undefined) useWorkspaceStore().select({ kind: 'element', id: link });
    addInteraction(type, place);
  }
}

/** Everything, by kind. @param own components of one’s own @param isInside of a sub-model */
export function paletteEntries(
  catalogue: Catalogue | null,
  own: readonly ElementDefinition[] = [],
  isInside = false,
): PaletteEntry[] {
  const mine = own.map((one) => ofComponent(one, text('submodels.family')));
  const elements = isInside ? [] : [...startEntries(), ...elementEntries(catalogue)];
  return [...mine, ...componentEntries(catalogue), ...elements];
}

const startEntries = (): PaletteEntry[] =>
  BODY_STARTS.map(({ key, title, summary, words, symbol }) => ({
    key: `start-${key}`,
    kind: 'start',
    type: key,
    ...{ title, summary, words, symbol },
    group: text('graph.bodyStarts'),
    enabled: true,
  }));

function elementEntries(catalogue: Catalogue | null): PaletteEntry[] {
  return KINDS.flatMap(({ order, kind, joints, group }) =>
    (catalogue?.[`${kind}s`] ?? [])
      .filter((one) => one.order === order)
      .filter((one) => joints === undefined || (one.law === JOINT_LAW) === joints)
      .map(({ type, title, summary, words = [] }) => ({
        key: `${kind}-${type}`,
        kind,
        type,
        title,
        summary,
        group: text(group),
        words,
        enabled: true,
      })),
  );
}

/** Words of a text, as they are compared. */
const wordsOf = (phrase: string): string[] => phrase.toLowerCase().split(/[^\p{L}\p{N}]+/u);

const NONE = 9;

/**
 * How close an entry is to what was typed: its very name, a word for it, the beginning of its name or of
 * such a word, or what stands inside of one. A single letter is a symbol: case counts, and it has to be the
 * word itself.
 */
function nearness({ title, type, group, words }: PaletteEntry, typed: string): number {
  const search = typed.trim().toLowerCase();
  const names = [title, type].map((name) => name.toLowerCase());
  if (names.includes(search)) return 0;
  if (words.includes(typed.trim())) return 1;
  const all = words.map((word) => word.toLowerCase());
  if (all.includes(search)) return 2;
  if (search.length < 2) return NONE;
  if (names.some((name) => name.startsWith(search))) return 3;
  if (wordsOf(title).some((word) => word.startsWith(search))) return 4;
  if (all.some((word) => word.startsWith(search))) return 5;
  if (all.some((phrase) => wordsOf(phrase).some((word) => word.startsWith(search)))) return 6;
  if (search.length > 2 && [...names, ...all].some((name) => name.includes(search))) return 7;
  // “sine source”: each word begins one of those of the entry or of its heading.
  const parts = [title, group, ...words].flatMap(wordsOf);
  const typedWords = wordsOf(search).filter((word) => word !== '');
  const hasAll = typedWords.every((word) => parts.some((part) => part.startsWith(word)));
  return typedWords.length > 1 && hasAll ? 8 : NONE;
}

/** What fits a search, the best first; only where nothing does, what is like it. */
function foundIn(all: readonly PaletteEntry[], search: string): PaletteEntry[] {
  const near = all
    .map((entry) => ({ entry, rank: nearness(entry, search) }))
    .filter(({ rank }) => rank < NONE)
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
  if (near.length > 0) return near;
  const fuse = new Fuse(all, {
    keys: [
      { name: 'title', weight: 3 },
      { name: 'type', weight: 2 },
      { name: 'words', weight: 2 },
      { name: 'summary', weight: 1 },
    ],
    threshold: 0.35,
    ignoreLocation: true,
  });
  return fuse.search(search).map(({ item }) => item);
}

export interface PaletteSection {
  readonly heading: string;
  readonly entries: readonly PaletteEntry[];
}

/**
 * The sections of the palette: favourites and what was used last first; what fits a search, the best first.
 */
export function paletteSections(
  all: readonly PaletteEntry[],
  search: string,
  favourites: readonly string[],
  recent: readonly string[],
): PaletteSection[] {
  if (search.trim() !== '') {
    return [{ heading: text('graphEditor.found'), entries: foundIn(all, search) }];
  }
  const named = (keys: readonly string[]): PaletteEntry[] =>
    keys.flatMap((key) => all.find((entry) => entry.key === key) ?? []);
  const sections: PaletteSection[] = [
    { heading: text('graphEditor.favourites'), entries: named(favourites) },
    {
      heading: text('graphEditor.recent'),
      entries: named(recent.filter((key) => !favourites.includes(key))),
    },
  ];
  // What stands above is not listed again.
  const above = new Set([...favourites, ...recent]);
  const groups = new Set(all.map(({ group }) => group));
  for (const group of groups) {
    const entries = all.filter((entry) => entry.group === group && !above.has(entry.key));
    sections.push({ heading: group, entries });
  }
  return sections.filter(({ entries }) => entries.length > 0);
}
