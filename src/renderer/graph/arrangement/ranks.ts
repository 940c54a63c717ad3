/**
 * Layers of very deep graphs, without recursion: columns by the distance from one end, in time that grows as
 * the number of links. Pure.
 */
import type { Point } from '../frames/rectangles';

export interface Sized {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** Sweeps over the columns that bring neighbours to the same height. */
const SWEEPS = 4;

/** Ids by their distance from a start, nearest first. */
function distances(start: string, neighbours: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const found = new Map([[start, 0]]);
  const queue = [start];
  for (let at = 0; at < queue.length; at++) {
    const id = queue[at] ?? '';
    for (const next of neighbours.get(id) ?? [])
      if (!found.has(next)) {
        found.set(next, (found.get(id) ?? 0) + 1);
        queue.push(next);
      }
  }
  return found;
}

/**
 * Upper left corners of nodes in columns, from left to right. Each part that is linked in itself begins at
 * its first node's far end.
 * @param gaps room between columns and between nodes of one, px
 */
export function rankedLayout(
  nodes: readonly Sized[],
  arrows: readonly (readonly [string, string])[],
  gaps: { readonly x: number; readonly y: number },
): Record<string, Point> {
  const neighbours = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const [from, to] of arrows) {
    if (!neighbours.has(from) || !neighbours.has(to)) continue;
    neighbours.get(from)?.push(to);
    neighbours.get(to)?.push(from);
  }
  const rank = new Map<string, number>();
  for (const { id } of nodes) {
    if (rank.has(id)) continue;
    // The node that is farthest from any other lies at an end; of two, the author's first one comes first.
    const ends = [...distances(id, neighbours).keys()];
    const far = [...distances(ends.at(-1) ?? id, neighbours).keys()].at(-1) ?? id;
    for (const [other, distance] of distances(far, neighbours)) rank.set(other, distance);
  }
  const columns: Sized[][] = [];
  for (const node of nodes) (columns[rank.get(node.id) ?? 0] ??= []).push(node);
  const places: Record<string, Point> = {};
  let x = 0;
  for (const column of columns) {
    let y = 0;
    for (const { id, height } of column) {
      places[id] = { x, y };
      y += height + gaps.y;
    }
    x += column.reduce((most, { width }) => Math.max(most, width), 0) + gaps.x;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const column of sweep % 2 === 0 ? columns : columns.toReversed())
      settle(column, places, neighbours, gaps.y);
  const top = Object.values(places).reduce((least, { y }) => Math.min(least, y), Infinity);
  for (const place of Object.values(places)) place.y = Math.round(place.y - top);
  return places;
}

/** Orders a column by the mean height of its neighbours, and places it around that. */
function settle(
  column: Sized[],
  places: Record<string, Point>,
  neighbours: ReadonlyMap<string, readonly string[]>,
  gap: number,
): void {
  const wanted = new Map(
    column.map(({ id }) => {
      const heights = (neighbours.get(id) ?? []).flatMap((other) => places[other]?.y ?? []);
      const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length;
      return [id, heights.length === 0 ? (places[id]?.y ?? 0) : mean];
    }),
  );
  const heightOf = ({ id }: Sized): number => wanted.get(id) ?? 0;
  column.sort((a, b) => heightOf(a) - heightOf(b));
  let bottom = -Infinity;
  let shift = 0;
  for (const node of column) {
    const y = Math.max(heightOf(node), bottom);
    shift += heightOf(node) - y;
    const place = places[node.id];
    if (place !== undefined) place.y = y;
    bottom = y + node.height + gap;
  }
  // What was pushed down lies as far above as below what it is linked to.
  for (const { id } of column) {
    const place = places[id];
    if (place !== undefined) place.y += shift / column.length;
  }
}
