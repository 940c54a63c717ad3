/**
 * Benchmark of the event-driven scheme: whole simulations, with the certificate that belongs to every run, by
 * general integration and by exact arcs, and the same models in the event-driven scheme of Siconos. All take
 * turns, and the median of the runs counts.
 */
import type { PreparedModel } from '@engine/preparation/prepare';
import type { Installation } from '@main/installation';
import { type Benchmark, type Measurement, median } from './benchmark';
import { type EventDrivenModel, eventDrivenModels } from './event-driven-models';
import { type EventDrivenRun, type TimedFlightKind, prepareModel, simulate } from './event-driven-run';
import { callProgram } from './siconos/run';
import { build, findToolchain } from './siconos/toolchain';

/** Odd, so that the median is one of them. */
const RUNS = 7;
/** Time for which each kind of flight runs before it is measured, so that the compiler is done with it, s. */
const WARM_UP = 1.5;
/** Simulations that a program of Siconos times together. */
const REPEAT = 3;
/** A program that has taken longer than this, a run, is run only once more, s. */
const PATIENCE = 2;
const FLIGHTS: readonly TimedFlightKind[] = ['integrated', 'exact'];

interface SiconosRun {
  seconds: number;
  rows: number;
  times: number[];
  state: number[];
}

/** What Siconos did with a model: its runs, or why there are none. */
interface Peer {
  readonly runs: SiconosRun[];
  failure: string | null;
}

const argumentsOf = ({
  program,
  parameters,
  h,
  steps,
}: EventDrivenModel): Record<string, string | number> => ({
  ...program,
  ...parameters,
  h,
  steps,
  repeat: REPEAT,
});

function runPeer(peer: Peer, model: EventDrivenModel, executable: string): void {
  const { runs } = peer;
  if (peer.failure !== null || (runs.length > 1 && runs[0].seconds * REPEAT > PATIENCE)) return;
  try {
    runs.push(callProgram(executable, argumentsOf(model)) as SiconosRun);
  } catch {
    peer.failure = 'Siconos’ event-driven scheme does not get through this model';
  }
}

/** Largest difference of the impact times from those of a formula. */
const timeError = (times: readonly number[], exact: (k: number) => number): number =>
  Math.max(...times.map((time, k) => Math.abs(time - exact(k))));

/** Largest difference of the times of as many impacts as both have. */
const timeDifference = (ours: readonly number[], theirs: readonly number[]): number =>
  Math.max(...theirs.slice(0, ours.length).map((time, k) => Math.abs(time - ours[k])));

function ownMeasurements(
  { label, impactTime }: EventDrivenModel,
  kind: TimedFlightKind,
  runs: readonly EventDrivenRun[],
): Measurement[] {
  const taken = median(runs.map((run) => run.seconds));
  const { times, rows } = runs[0];
  const name = `${label}, ${kind}`;
  const error = impactTime && {
    quantity: '  worst error of an impact time',
    value: timeError(times, impactTime),
    unit: 's',
  };
  return [
    { quantity: name, value: 1000 * taken, unit: 'ms' },
    { quantity: '  times of impacts', value: times.length, unit: '' },
    { quantity: '  events per second', value: times.length / taken, unit: '1/s' },
    { quantity: '  rows per second', value: (rows + 2 * times.length) / taken, unit: '1/s' },
    ...(error === null ? [] : [error]),
  ];
}

function peerMeasurements(
  { label, impactTime }: EventDrivenModel,
  { runs, failure }: Peer,
  own: readonly (readonly EventDrivenRun[])[],
): Measurement[] {
  const quantity = `${label}, Siconos`;
  if (failure !== null || runs.length === 0)
    return [{ quantity, value: null, unit: '', note: failure ?? 'not run' }];
  const taken = median(runs.map((run) => run.seconds));
  const { times, state } = runs[0];
  const here = own[0][0];
  return [
    { quantity, value: 1000 * taken, unit: 'ms' },
    { quantity: '  times of impacts', value: times.length, unit: '' },
    impactTime
      ? { quantity: '  worst error of an impact time', value: timeError(times, impactTime), unit: 's' }
      : {
          quantity: '  largest difference of event times',
          value: timeDifference(here.times, times),
          unit: 's',
        },
    {
      quantity: '  largest difference at the end',
      value: Math.max(...state.map((value, k) => Math.abs(value - here.state[k]))),
      unit: '',
    },
    ...own.map((ours, k) => ({
      quantity: `  Siconos / here, ${FLIGHTS[k]}`,
      value: taken / median(ours.map((run) => run.seconds)),
      unit: '',
    })),
  ];
}

function measureModel(
  model: EventDrivenModel,
  prepared: PreparedModel,
  executable: string | null,
): Measurement[] {
  const began = performance.now();
  while (performance.now() - began < 1000 * WARM_UP * FLIGHTS.length)
    for (const kind of FLIGHTS) simulate(model, prepared, kind);
  const own: EventDrivenRun[][] = FLIGHTS.map(() => []);
  const peer: Peer = { runs: [], failure: executable === null ? 'Siconos not installed' : null };
  for (let run = 0; run < RUNS; run++) {
    FLIGHTS.forEach((kind, k) => own[k].push(simulate(model, prepared, kind)));
    if (executable !== null) runPeer(peer, model, executable);
  }
  return [
    ...FLIGHTS.flatMap((kind, k) => ownMeasurements(model, kind, own[k])),
    ...peerMeasurements(model, peer, own),
  ];
}

function measure(place: Installation): Measurement[] {
  const search = findToolchain();
  const executable = search.ok ? build('event-driven', search.toolchain) : null;
  return eventDrivenModels.flatMap((model) => measureModel(model, prepareModel(model, place), executable));
}

export const eventDrivenBenchmark: Benchmark = {
  name: 'event-driven',
  summary: 'whole simulations from event to event, integrated and by exact arcs',
  measure,
};
