/** A model of the benchmark of the event-driven scheme, made ready once and simulated here. */
import { MoreauError } from '@contract/errors';
import { EventDriven } from '@engine/event-driven/event-driven';
import type { EventDrivenSettings } from '@engine/event-driven/settings';
import { needsBuilder } from '@engine/document/builder-scripts';
import { runBuilder } from '@engine/script/builder';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { prepare, type PreparedModel } from '@engine/preparation/prepare';
import type { Installation } from '@main/installation';
import { seconds } from './benchmark';
import { example } from './engine';
import type { EventDrivenModel } from './event-driven-models';

export type TimedFlightKind = NonNullable<EventDrivenSettings['flights']>;

/** Simulations that are timed together, s at least. */
const TIMED = 0.02;

export interface EventDrivenRun {
  /** wall time of one simulation from the first to the last event, s */
  seconds: number;
  /** points of the time discretisation */
  rows: number;
  /** times of the impacts, each once */
  times: number[];
  state: number[];
  /** how the motion between events was computed at the end */
  flight: EventDriven['flight'];
}

/** Builds the model of the example. @throws {MoreauError} when it cannot be simulated */
export function prepareModel(
  model: Pick<EventDrivenModel, 'example' | 'parameters'>,
  place: Installation,
): PreparedModel {
  const document = example(place, model.example);
  const set = model.parameters;
  const sandbox = createSandbox();
  const built = needsBuilder(document) ? runBuilder(document, sandbox, set) : null;
  if (built?.ok === false) throw new MoreauError(built.error);
  const scripts = new FunctionScripts(document);
  const { functionNames, analytic, generate } = scripts;
  const options = { functionNames, analytic, generate, built: built?.built, set };
  // Which derivatives the model asks for is known after it has been built once.
  prepare(document, { ...options, functions: scripts.functions, derivatives: scripts.request });
  const { prepared, issues } = prepare(document, { ...options, ...scripts.evaluate(sandbox) });
  if (prepared !== null) return prepared;
  throw new Error(
    `the example ${model.example} is not sound: ${issues.map(({ message }) => message).join(' ')}`,
  );
}

function impactTimes({ events }: EventDriven): number[] {
  const times = events.filter(({ kind }) => kind === 'impact').map(({ time }) => time);
  // Where bodies touch, one event is many impacts.
  return times.filter((time, k) => k === 0 || time !== times[k - 1]);
}

/** @throws {EngineError} when the simulation fails */
export function simulate(
  { h, steps, state }: Pick<EventDrivenModel, 'h' | 'steps' | 'state'>,
  { model, layout }: PreparedModel,
  flights: TimedFlightKind,
): EventDrivenRun {
  let taken = 0;
  let count = 0;
  for (;;) {
    const simulation = new EventDriven(model, layout, { t0: 0, tEnd: h * steps, h, flights });
    taken += seconds(() => {
      simulation.run();
    });
    count++;
    if (taken < TIMED) continue;
    return {
      seconds: taken / count,
      rows: steps,
      times: impactTimes(simulation),
      state: state(simulation.state, layout),
      flight: simulation.flight,
    };
  }
}
