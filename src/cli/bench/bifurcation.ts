/**
 * Benchmark of sweeps: the bifurcation diagram of the cam-follower, 500 speeds from 300 to 800 rpm, of each
 * 400 section points after 400 that are left out, from event to event. By one worker, by two, by four, and by
 * as many as there are cores; all have to come to the same bits.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import type { Installation } from '@main/installation';
import { computeSweep } from '@main/sweep/sweep';
import { WorkerPool } from '@main/sweep/worker-pool';
import type { Benchmark, Measurement } from './benchmark';
import { example } from './engine';

const SPEEDS = 500;
const POINTS = 400;

/** What all results come to, bit by bit. */
function hashOf(results: ReadonlyMap<number, PointResult>): string {
  const hash = createHash('sha256');
  for (const [, { section }] of [...results].sort(([a], [b]) => a - b))
    hash.update(Buffer.from(section.buffer, section.byteOffset, section.byteLength));
  return hash.digest('hex');
}

async function measure(place: Installation): Promise<Measurement[]> {
  const job: SweepJob = {
    document: example(place, 'cam-follower-event-driven-660'),
    plan: { kind: 'grid', axes: [{ parameter: 'rpm', from: 300, to: 800, count: SPEEDS }] },
    section: { section: { kind: 'stroboscopic', period: '60/rpm' }, transient: POINTS, count: POINTS },
    measures: [],
  };
  const counts = [...new Set([1, 2, 4, availableParallelism()])];
  const measurements: Measurement[] = [];
  const hashes = new Set<string>();
  let failed = 0;
  for (const workers of counts) {
    const began = performance.now();
    const pool = new WorkerPool(place.host.sweepWorkerUrl, workers);
    const results = await computeSweep(job, pool, new Map(), null, () => undefined);
    const taken = (performance.now() - began) / 1000;
    hashes.add(hashOf(results));
    failed = [...results.values()].filter(({ status }) => status === 'failed').length;
    const quantity = workers === 1 ? '1 worker' : `${workers} workers`;
    measurements.push(
      { quantity, value: taken, unit: 's' },
      { quantity: '  revolutions per second', value: (2 * POINTS * SPEEDS) / taken, unit: '1/s' },
    );
  }
  if (hashes.size > 1) throw new Error(`${hashes.size} different results, for ${counts.join(', ')} workers`);
  return [
    ...measurements,
    { quantity: 'points that failed', value: failed, unit: '' },
    { quantity: 'different results', value: hashes.size, unit: '' },
  ];
}

export const bifurcationBenchmark: Benchmark = {
  name: 'bifurcation',
  summary: 'bifurcation diagram of the cam-follower by sweep workers',
  measure,
};
