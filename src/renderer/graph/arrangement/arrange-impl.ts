/** The layout of large graphs, part by part: what the worker does, testable without one. */
import {
  type LaidOutElements,
  gridLayout,
  type GroupExtent,
  layeredLayout,
  NODE_SIZE,
  type Point,
} from './layout';

/** What the worker says: how far it is, and at last the places. */
export type ArrangeAnswer =
  { kind: 'progress'; share: number } | { kind: 'done'; positions: Record<string, Point> };

/** Room between parts, px. */
const GAP = 90;

/** Splits a graph into parts that are not linked with each other, the largest first. */
export function parts({ systems, interactions, groups = [] }: LaidOutElements): LaidOutElements[] {
  const root = new Map<string, string>([...systems, ...interactions].map(({ id }) => [id, id]));
  const find = (id: string): string => {
    let top = id;
    for (let next = root.get(top); next !== undefined && next !== top; next = root.get(top)) top = next;
    for (let at = id; at !== top;) {
      const next = root.get(at) ?? top;
      root.set(at, top);
      at = next;
    }
    return top;
  };
  for (const { id, systems: linked } of interactions)
    for (const system of linked) if (root.has(system)) root.set(find(system), find(id));
  for (const { members } of groups) {
    const [first, ...others] = members.filter((id) => root.has(id));
    if (first !== undefined) for (const id of others) root.set(find(id), find(first));
  }
  const byRoot = new Map<
    string,
    {
      systems: { id: string }[];
      interactions: LaidOutElements['interactions'][number][];
      groups: GroupExtent[];
    }
  >();
  const part = (id: string) => {
    const key = find(id);
    let found = byRoot.get(key);
    if (found === undefined) byRoot.set(key, (found = { systems: [], interactions: [], groups: [] }));
    return found;
  };
  for (const system of systems) part(system.id).systems.push(system);
  for (const interaction of interactions) part(interaction.id).interactions.push(interaction);
  for (const group of groups) {
    const first = group.members.find((id) => root.has(id));
    if (first !== undefined) part(first).groups.push(group);
  }
  const size = (elements: LaidOutElements): number => elements.systems.length + elements.interactions.length;
  return [...byRoot.values()].sort((a, b) => size(b) - size(a));
}

/**
 * Positions of all elements: parts in layers, one beside and below the other.
 * @param progress receives the share of placed elements
 */
export function arrange(elements: LaidOutElements, progress: (share: number) => void): Record<string, Point> {
  const all = parts(elements);
  // Systems that nothing links stand in one block.
  const loose = all.filter(
    ({ systems, interactions, groups = [] }) => systems.length + interactions.length + groups.length === 1,
  );
  const linked = all.filter((part) => !loose.includes(part));
  const blocksOf = loose.length > 8 ? [...linked, joined(loose)] : all;
  const total = Math.max(1, elements.systems.length + elements.interactions.length);
  const blocks: { positions: Record<string, Point>; width: number; height: number }[] = [];
  let done = 0;
  for (const group of blocksOf) {
    const count = group.systems.length + group.interactions.length;
    const isLoose = group.interactions.length === 0 && (group.groups ?? []).length === 0;
    const positions = isLoose ? gridLayout(group) : layeredLayout(group);
    const places = Object.values(positions);
    blocks.push({
      positions,
      width: places.reduce((most, { x }) => Math.max(most, x), 0) + NODE_SIZE.width,
      height: places.reduce((most, { y }) => Math.max(most, y), 0) + NODE_SIZE.height,
    });
    done += count;
    progress(done / total);
  }
  return packed(blocks);
}

const joined = (all: readonly LaidOutElements[]): LaidOutElements => ({
  systems: all.flatMap(({ systems }) => systems),
  interactions: all.flatMap(({ interactions }) => interactions),
});

/** Blocks in rows, about half as high as they are wide. */
function packed(
  blocks: readonly { positions: Record<string, Point>; width: number; height: number }[],
): Record<string, Point> {
  const area = blocks.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const widest = blocks.reduce((most, { width }) => Math.max(most, width), Math.sqrt(1.7 * area));
  const result: Record<string, Point> = {};
  let [left, top, rowHeight] = [0, 0, 0];
  for (const { positions, width, height } of blocks) {
    if (left > 0 && left + width > widest) {
      top += rowHeight + GAP;
      [left, rowHeight] = [0, 0];
    }
    for (const [id, { x, y }] of Object.entries(positions)) result[id] = { x: left + x, y: top + y };
    left += width + GAP;
    rowHeight = Math.max(rowHeight, height);
  }
  return result;
}
