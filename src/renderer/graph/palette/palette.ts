/** What can be added to the graph, as the palette shows it. */
import type { Catalogue, ElementDefinition, Order } from '@engine/model/definition';
import Fuse from 'fuse.js';
import type { TextKey } from '../../i18n';

/** Name of what is carried by a drag from the palette: the key of an entry. */
export const DRAG_TYPE = 'application/x-moreau-element';

export interface PaletteEntry {
  /** e.g. `system-RigidBody` */
  readonly key: string;
  readonly kind: 'system' | 'relation';
  readonly type: string;
  readonly title: string;
  readonly summary: string;
  readonly group: TextKey;
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
const KINDS: readonly { order: Order; kind: PaletteEntry['kind']; joints?: boolean; group: TextKey }[] = [
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

/** Everything, by kind. */
export function paletteEntries(catalogue: Catalogue | null): PaletteEntry[] {
  return KINDS.flatMap(({ order, kind, joints, group }) =>
    (catalogue?.[`${kind}s`] ?? [])
      .filter((one) => one.order === order)
      .filter((one) => joints === undefined || (one.law === JOINT_LAW) === joints)
      .map(({ type, title, summary }) => ({
        key: `${kind}-${type}`,
        kind,
        type,
        title,
        summary,
        group,
        enabled: true,
      })),
  );
}

export interface PaletteSection {
  readonly heading: TextKey;
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
    const fuse = new Fuse(all, {
      keys: [
        { name: 'title', weight: 3 },
        { name: 'type', weight: 2 },
        { name: 'summary', weight: 1 },
      ],
      threshold: 0.35,
      ignoreLocation: true,
    });
    return [{ heading: 'graphEditor.found', entries: fuse.search(search).map(({ item }) => item) }];
  }
  const named = (keys: readonly string[]): PaletteEntry[] =>
    keys.flatMap((key) => all.find((entry) => entry.key === key) ?? []);
  const sections: PaletteSection[] = [
    { heading: 'graphEditor.favourites', entries: named(favourites) },
    { heading: 'graphEditor.recent', entries: named(recent.filter((key) => !favourites.includes(key))) },
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
