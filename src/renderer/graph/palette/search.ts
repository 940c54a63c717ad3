/** Finds nodes of the graph by name and type. Pure. */
import type { Catalogue } from '@engine/model/definition';
import type { DrawnElements } from '../canvas/scene';

export interface Match {
  /** id of the element */
  readonly key: string;
  readonly title: string;
  readonly enabled: true;
}

/** Elements whose name or type has a word in it, those whose name begins with it first. */
export function searchNodes(
  { systems, interactions }: Pick<DrawnElements, 'systems' | 'interactions'>,
  catalogue: Catalogue | null,
  search: string,
): Match[] {
  const titles = new Map(
    [...(catalogue?.systems ?? []), ...(catalogue?.relations ?? []), ...(catalogue?.laws ?? [])].map(
      ({ type, title }) => [type, title],
    ),
  );
  const word = search.trim().toLowerCase();
  const all: Match[] = [
    ...systems.map(({ id, type }) => ({ key: id, title: titles.get(type) ?? type, enabled: true as const })),
    ...interactions.map(({ id, relation, law }) => ({
      key: id,
      title: `${titles.get(relation.type) ?? relation.type} · ${titles.get(law.type) ?? law.type}`,
      enabled: true as const,
    })),
  ];
  if (word === '') return all;
  const rank = ({ key, title }: Match): number => {
    const id = key.toLowerCase();
    if (id === word) return 0;
    if (id.startsWith(word)) return 1;
    if (id.includes(word)) return 2;
    return title.toLowerCase().includes(word) ? 3 : 4;
  };
  return all
    .map((match) => ({ match, rank: rank(match) }))
    .filter((one) => one.rank < 4)
    .sort((a, b) => a.rank - b.rank)
    .map(({ match }) => match);
}
