import { describe, expect, it } from 'vitest';
import { FrameGraph } from '@engine/contact-dynamics/contacts/frame-graph';
import { type BlockRows, createBlockRows } from '@engine/linalg/block-rows';
import { seeded } from '../support/random';

const compiled = (graph: FrameGraph): { pattern: BlockRows; rowOf: Int32Array; blocks: number } => {
  const pattern = createBlockRows(3, 1, 1);
  const rowOf = new Int32Array(graph.extent);
  const blocks = graph.compile(pattern, rowOf);
  return { pattern, rowOf, blocks };
};

const rowsOf = ({ rowStart, columns, rows }: BlockRows): number[][] =>
  Array.from({ length: rows }, (_, i) => [...columns.subarray(rowStart[i], rowStart[i + 1])]);

/** Every pair of frames compared. */
function expected(frames: ReadonlyMap<number, readonly [number, number]>): number[][] {
  const list = [...frames].sort(([a], [b]) => a - b).map(([, groups]) => groups.filter((g) => g >= 0));
  return list.map((own, i) =>
    list.flatMap((other, j) => (i === j || own.some((group) => other.includes(group)) ? [j] : [])),
  );
}

describe('the graph of local frames', () => {
  it('has the pattern of a rebuilt graph after 10⁴ insertions and removals', () => {
    const { uniform } = seeded(7);
    const random = (): number => uniform(0, 1);
    const groups = 40;
    const graph = new FrameGraph(groups, 1);
    const frames = new Map<number, readonly [number, number]>();
    const group = (): number => Math.floor(random() * (groups + 1)) - 1;
    for (let k = 0; k < 10_000; k++) {
      if (frames.size === 0 || random() < 0.5 + (frames.size < 60 ? 0.1 : -0.1)) {
        const pair = [group(), group()] as const;
        const frame = graph.insert(...pair);
        expect(frames.has(frame)).toBe(false);
        frames.set(frame, pair);
      } else {
        const frame = [...frames.keys()][Math.floor(random() * frames.size)];
        expect(graph.remove(frame)).toBe(true);
        frames.delete(frame);
      }
      if (k % 97 > 0) continue;
      const { pattern, rowOf, blocks } = compiled(graph);
      const rows = rowsOf(pattern);
      expect(rows).toEqual(expected(frames));
      expect(blocks).toBe(rows.flat().length);
      rows.forEach((row, i) => expect(row[pattern.diagonal[i] - pattern.rowStart[i]]).toBe(i));
      expect([...frames.keys()].sort((a, b) => a - b).map((frame) => rowOf[frame])).toEqual(
        rows.map((_, i) => i),
      );
    }
    expect(graph.count).toBe(frames.size);
  });

  it('does not couple frames through what does not move', () => {
    const graph = new FrameGraph(2);
    graph.insert(0, -1);
    graph.insert(1, -1);
    expect(rowsOf(compiled(graph).pattern)).toEqual([[0], [1]]);
  });

  it('couples two frames between the same groups once', () => {
    const graph = new FrameGraph(2);
    graph.insert(0, 1);
    graph.insert(1, 0);
    graph.insert(0, 0);
    expect(rowsOf(compiled(graph).pattern)).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it('removes no frame twice', () => {
    const graph = new FrameGraph(1);
    const frame = graph.insert(0, -1);
    expect(graph.remove(frame)).toBe(true);
    expect(graph.remove(frame)).toBe(false);
    expect(graph.remove(5)).toBe(false);
    expect(graph.remove(-1)).toBe(false);
    expect(graph.count).toBe(0);
    expect(graph.insert(-1, 0)).toBe(frame);
  });
});
