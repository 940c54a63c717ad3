/**
 * Impact and stroboscopic maps of the cam-follower at 660 rpm by both schemes, compared as sets: its
 * trajectories part at once.
 */
import { hausdorffDistance, type PlaneSet } from '@engine/analysis/comparison/hausdorff';
import type { SchemeName } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { createSandbox } from '@engine/script/sandbox';
import { prepareRun } from '@engine/run/session';
import { describe, expect, it } from 'vitest';
import { sample } from '../../support/prove';
import { example } from '../support/example';

/** As long as the sets fill themselves closer than the distances below. */
const REVOLUTIONS = sample(1500, 4000);
/** Lengths of the axes: the extents of the sets at 660 rpm. */
const EXTENTS: readonly (readonly [number, number])[] = [
  [0.33, 82],
  [1, 40],
];

interface MapsOf {
  scheme: SchemeName;
  height0?: number;
  rpm?: number;
  h?: number;
}

/**
 * The stroboscopic map (q, v) and the impact map (turns, velocity of the gap after it), transients left out.
 */
function maps({ scheme, h, ...set }: MapsOf): PlaneSet[] {
  const sinks: MemoryChunks[] = [];
  const prepared = prepareRun(
    {
      document: example('cam-follower-maps-660'),
      scheme,
      set: { revolutions: REVOLUTIONS + 100, ...set },
      ...(h === undefined ? {} : { h }),
    },
    {
      sandbox: createSandbox,
      sink: new MemoryChunks(),
      sectionSinks: (k) => (sinks[k] = new MemoryChunks()),
    },
  );
  if (!prepared.ok) throw new Error(prepared.error.message);
  const { session } = prepared;
  if (session.advance(Number.MAX_SAFE_INTEGER) !== 'done') throw new Error(session.error?.message);
  const column = (chunks: MemoryChunks, name: string): Float64Array => {
    const c = session.signals.findIndex((one) => one.name === name);
    const { rowsPerChunk } = chunks.layout;
    const at = (row: number): number => chunks.column(Math.floor(row / rowsPerChunk), c)[row % rowsPerChunk];
    return Float64Array.from({ length: chunks.rows() }, (_, row) => at(row));
  };
  const [clock, impacts] = sinks;
  return [
    { x: column(clock, 'follower.q'), y: column(clock, 'follower.v') },
    { x: column(impacts, 'turns'), y: column(impacts, 'cam.gapVelocity') },
  ];
}

const distances = (a: PlaneSet[], b: PlaneSet[]): number[] =>
  EXTENTS.map((extent, map) => hausdorffDistance(a[map], b[map], extent).distance);

describe('maps of the cam-follower at 660 rpm', () => {
  const reference = maps({ scheme: 'event-driven' });

  it('have a point each revolution, and more impacts than that', () => {
    expect(reference.map(({ x }) => x.length)).toEqual([
      expect.toBeOneOf([REVOLUTIONS, REVOLUTIONS + 1]),
      expect.toSatisfy((impacts: number) => impacts > 1.2 * REVOLUTIONS && impacts < 1.35 * REVOLUTIONS),
    ]);
  });

  it('are the same sets from another start', () => {
    for (const distance of distances(reference, maps({ scheme: 'event-driven', height0: 0.41 })))
      expect(distance).toBeLessThan(0.08);
  });

  // A step that divides the revolution would let the motion repeat itself; at times it strays by some
  // hundredths of the extents.
  it('are the same sets by time-stepping', () => {
    for (const distance of distances(reference, maps({ scheme: 'time-stepping', h: 1.03e-4 })))
      expect(distance).toBeLessThan(0.15);
  });

  it('are other sets at another speed', () => {
    for (const distance of distances(reference, maps({ scheme: 'event-driven', rpm: 700 })))
      expect(distance).toBeGreaterThan(0.3);
  });
});
