/**
 * Benchmark of basins of attraction: 400 × 400 starts of an impact oscillator with two coexisting motions,
 * from event to event. By one thread and by two; both have to come to the same bytes.
 */
import { createHash } from 'node:crypto';
import { analysisJob } from '@engine/analysis/jobs/job';
import { computeBasins } from '@main/analysis/basins-threads';
import type { Installation } from '@main/installation';
import type { Benchmark, Measurement } from './benchmark';
import { example } from './engine';

async function measure(place: Installation): Promise<Measurement[]> {
  const job = analysisJob(example(place, 'impact-oscillator-basins'), 'basins');
  if (job.kind !== 'basins') throw new Error('the example asks for something else');
  const measurements: Measurement[] = [];
  const hashes = new Set<string>();
  for (const workers of [1, 2]) {
    const began = performance.now();
    const { signal } = new AbortController();
    const url = place.host.analysisWorkerUrl;
    const found = await computeBasins(url, job, workers, () => undefined, signal);
    const taken = (performance.now() - began) / 1000;
    if (found === null) throw new Error('the computation of the basins stopped without a cause');
    hashes.add(
      createHash('sha256').update(found.codes).update(new Uint8Array(found.periods.buffer)).digest('hex'),
    );
    const periods = found.periods.reduce((sum, one) => sum + one, 0);
    const quantity = workers === 1 ? '1 worker' : `${workers} workers`;
    measurements.push(
      { quantity, value: taken, unit: 's' },
      { quantity: '  periods per second', value: periods / taken, unit: '1/s' },
    );
    if (workers > 1)
      measurements.push(
        { quantity: 'attractors', value: found.attractors.length, unit: '' },
        {
          quantity: 'undecided starts',
          value: found.codes.filter((code) => code === found.undecided).length,
          unit: '',
        },
      );
  }
  return [...measurements, { quantity: 'different results', value: hashes.size, unit: '' }];
}

export const basinsBenchmark: Benchmark = {
  name: 'basins',
  summary: 'basins of attraction of an impact oscillator, 400 × 400 starts',
  measure,
};
