/**
 * Which blocks of the one-step matrix are non-zero: block (α, β) is when α and β share a system (Siconos developer's notes §2.1.1, (2.16)), so
 * the pattern is the linked-interaction map with the diagonal added, restricted to an index set.
 */
import type { InteractionGraph, InteractionHandle } from './interaction-graph';
import type { ReadonlyIndexSet } from './index-set';

/** Compressed block rows: block row k is interactions[k], and its blocks stand in columns[rowStart[k] … rowStart[k+1]−1]. */
export interface BlockPattern {
  /** handles of the members in increasing order */
  readonly interactions: Int32Array;
  readonly rowStart: Int32Array;
  /** positions in `interactions`, increasing within a row, the diagonal included */
  readonly columns: Int32Array;
}

/** @param set the interactions that take part; all of them when left out */
export function blockPattern(
  graph: InteractionGraph,
  set: ReadonlyIndexSet = graph.indexSet(0),
): BlockPattern {
  const interactions = new Int32Array(set.size);
  set.write(interactions);
  const position = new Map<InteractionHandle, number>();
  interactions.forEach((handle, k) => position.set(handle, k));
  const rowStart = new Int32Array(set.size + 1);
  const columns: number[] = [];
  interactions.forEach((handle, k) => {
    const row = [k];
    for (const { interaction } of graph.linked(handle)) {
      const column = position.get(interaction);
      if (column !== undefined) row.push(column);
    }
    columns.push(...row.sort((a, b) => a - b));
    rowStart[k + 1] = columns.length;
  });
  return { interactions, rowStart, columns: Int32Array.from(columns) };
}
