/**
 * Benchmark beside programs that users would take instead: scipy's solve_ivp, SUNDIALS' CVODE and XPPAUT,
 * all of which integrate from event to event. Each is given the loosest of its tolerances, or the longest
 * step, with which the times of all its events are within 1e-9 s of the exact ones; where no formula has
 * those, of the engine's, whose arcs are exact. Where a program does not come so far its best is shown.
 */
import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { computePoint } from '@engine/analysis/sweep/compute-point';
import type { SweepJob } from '@engine/analysis/sweep/job';
import { preparedMotion } from '@engine/analysis/stability/motion-model';
import type { ModelDocument } from '@engine/document/types';
import { compileRun } from '@engine/run/compile-run';
import { createSandbox } from '@engine/script/sandbox';
import type { Installation } from '@main/installation';
import { type Benchmark, type Measurement, median } from '../benchmark';
import { example } from '../engine';
import { processorTime } from '../small-models/side-by-side';
import { alternately } from '../twin';
import { EVENTS, type PeerModel, peerModels, withStart } from './peer-models';
import { findPeers, peersFolder, type Peer, type PeerRun } from './programs';

/** Error of times of events that all have to reach, s. */
const WANTED = 1e-9;
/** Odd, so that the median is one of them; one of a program that takes longer, s. */
const RUNS = 7;
const PATIENCE = 2;

/** Times of the first events. @throws {Error} when the model cannot be simulated */
export function eventTimes(document: ModelDocument, model: PeerModel): number[] {
  const { set, h, enough } = model;
  const options = { document, scheme: 'event-driven', ...(h !== undefined && { h }) } as const;
  const compiled = compileRun(options, { ...set }, createSandbox);
  if (!compiled.ok) throw new Error(compiled.error.message);
  const motion = preparedMotion(compiled.prepared);
  const run = motion.simulate(0, enough, motion.initialState);
  run.run();
  const times = [...new Set(run.events.map(({ time }) => time))].slice(0, EVENTS);
  if (times.length < EVENTS) throw new Error(`${model.label} has only ${times.length} events`);
  return times;
}

/** Time of an event without recording, ns. */
function timeHere(document: ModelDocument, { set, h, timed }: PeerModel): number {
  const job: SweepJob = {
    document,
    set,
    scheme: 'event-driven',
    tEnd: timed,
    ...(h !== undefined && { h }),
    plan: { kind: 'grid', axes: [] },
    measures: ['events'],
  };
  let events = 0;
  const taken = processorTime(() => {
    const result = computePoint(job, new Float64Array(0), null, { sandbox: createSandbox });
    if (result?.status !== 'done') throw new Error('the engine failed');
    [events] = result.measures;
  });
  return taken / events;
}

const errorOf = (times: readonly number[], exact: (k: number) => number, first = 0): number =>
  times.reduce((largest, time, k) => Math.max(largest, Math.abs(time - exact(first + k))), 0);

interface Chosen {
  readonly at: number;
  readonly run: PeerRun;
  readonly error: number;
}

/** The first of the ladder that is as good as wanted, or the best. */
function choose(peer: Peer, model: number, exact: (k: number) => number): Chosen | null {
  let best: Chosen | null = null;
  for (const at of peer.ladder) {
    const run = peer.run(model, at);
    if (run === null) continue;
    const error = errorOf(run.state, exact, run.first);
    if (best === null || error < best.error) best = { at, run, error };
    if (error <= WANTED) break;
  }
  return best;
}

function* measureModel(
  place: Installation,
  model: PeerModel,
  number: number,
  peers: readonly Peer[],
): Generator<Measurement> {
  const document = withStart(example(place, model.example), model);
  const ours = eventTimes(document, model);
  const exact = model.exact ?? ((k: number): number => ours[k]);
  for (let k = 0; k < 3; k++) timeHere(document, model);
  yield {
    quantity: `${model.label}, time of an event here`,
    value: timeHere(document, model) / 1e3,
    unit: 'µs',
  };
  if (model.exact !== null)
    yield { quantity: '  largest error of its time', value: errorOf(ours, model.exact), unit: 's' };
  for (const peer of peers) {
    const chosen = choose(peer, number, exact);
    if (chosen === null) {
      yield { quantity: `  ${peer.name}`, value: null, unit: '', note: 'failed' };
      continue;
    }
    const { at, run, error } = chosen;
    const runs = run.ns * EVENTS > PATIENCE * 1e9 ? 1 : RUNS;
    const [here, there] = alternately(
      () => timeHere(document, model),
      () => peer.run(number, at)?.ns ?? NaN,
      runs,
    );
    const parameter = peer.name === 'XPPAUT' ? `step ${at} s` : `tolerance ${at}`;
    yield { quantity: `  ${peer.name}, ${parameter}`, value: median(there) / 1e3, unit: 'µs' };
    yield { quantity: '    largest error of times', value: error, unit: 's' };
    yield { quantity: `    ${peer.name} / here`, value: median(there) / median(here), unit: '' };
  }
}

async function* measure(place: Installation): AsyncGenerator<Measurement> {
  const folder = peersFolder();
  try {
    const searches = findPeers(folder);
    for (const one of searches)
      if (!one.ok) yield { quantity: one.name, value: null, unit: '', note: one.reason };
    const peers = searches.flatMap((one) => (one.ok ? [one.peer] : []));
    for (const [k, model] of peerModels.entries()) {
      // An interrupt is heard between models.
      await setImmediate();
      yield* measureModel(place, model, k, peers);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const peersBenchmark: Benchmark = {
  name: 'peers',
  summary: 'small event-driven models beside scipy, CVODE and XPPAUT at equal accuracy of event times',
  measure,
};
