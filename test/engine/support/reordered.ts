/** The same model with its elements in another order and under other names. */
import type { ModelDocument } from '@engine/document/types';
import type { Random } from './random';

export interface Reordered {
  readonly document: ModelDocument;
  /** new id of each element */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * @param renames whether ids are others, too: not for documents that name their elements in scripts or
 *   sections
 */
export function reordered(document: ModelDocument, random: Random, renames: boolean): Reordered {
  const shuffled = <T>(list: readonly T[]): T[] =>
    random.sample(list.length, list.length).map((k) => list[k]);
  const ids = [...document.systems, ...document.interactions].map(({ id }) => id);
  const others = renames ? shuffled(ids.map((_, k) => `${'zyxwvut'[k % 7]}${k}`)) : ids;
  const names = new Map(ids.map((id, k) => [id, others[k]]));
  const renamed = (id: string): string => names.get(id) ?? id;
  return {
    names,
    document: {
      ...document,
      systems: shuffled(document.systems).map((system) => ({ ...system, id: renamed(system.id) })),
      interactions: shuffled(document.interactions).map((interaction) => ({
        ...interaction,
        id: renamed(interaction.id),
        systems: interaction.systems.map(renamed),
      })),
    },
  };
}
