/** What can be added to the graph, as the menu shows it. */
import type { Catalogue, ElementDefinition, Order } from '@engine/model/definition';
import type { TextKey } from '../i18n';

export interface PaletteGroup {
  readonly heading: TextKey;
  readonly kind: 'system' | 'relation';
  readonly definitions: readonly ElementDefinition[];
}

/** Columns of the menu, each with systems and what links them. */
const COLUMNS: readonly (readonly [Order, TextKey, TextKey])[] = [
  [1, 'graph.firstOrderSystems', 'graph.firstOrderRelations'],
  [2, 'graph.lagrangianSystems', 'graph.lagrangianRelations'],
  ['body', 'graph.spaceSystems', 'graph.spaceRelations'],
];

/** The groups of the menu by column. */
export function paletteColumns(catalogue: Catalogue | null): PaletteGroup[][] {
  const of = (definitions: readonly ElementDefinition[], order: Order): ElementDefinition[] =>
    definitions.filter((definition) => definition.order === order);
  return COLUMNS.map(([order, systems, relations]) => [
    { heading: systems, kind: 'system', definitions: of(catalogue?.systems ?? [], order) },
    { heading: relations, kind: 'relation', definitions: of(catalogue?.relations ?? [], order) },
  ]);
}
