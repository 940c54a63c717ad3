/** Runs of a model in its own units and in others, by both schemes, and how they differ. */
import type { SchemeName } from '@engine/document/types';
import { EngineError } from '@engine/errors';
import { EventDriven } from '@engine/event-driven/event-driven';
import type { PreparedModel } from '@engine/preparation/prepare';
import { eventSettings } from '@engine/run/schemes/event-driven';
import { TimeStepping } from '@engine/time-stepping/time-stepping';
import { type ScaledModel, scaleModel, type Units } from '../../support/scaled-model';

const SAME_UNITS: Units = { time: 1, length: 1, mass: 1, current: 1 };
const NAMES = ['time', 'length', 'mass', 'current'] as const;

/** One unit of each kind at a time. */
export const unitsOf = (factors: readonly number[]): Units[] =>
  NAMES.flatMap((name) => factors.map((factor): Units => ({ ...SAME_UNITS, [name]: factor })));

/** Integers that are powers of two: nothing is rounded otherwise. */
export const BINARY_UNITS: readonly Units[] = [
  ...unitsOf([2 ** -20, 2 ** -10, 2 ** 10, 2 ** 20]),
  { time: 2 ** 20, length: 2 ** -10, mass: 2 ** 20, current: 2 ** 10 },
];

interface Motion {
  /** positions, and behind them velocities, at the points of the discretisation, in the units of the run */
  readonly states: Float64Array[];
  /** worst residual of the laws */
  readonly complementarity: number;
  /** `done`, or the code of the error that has ended the run */
  readonly end: string;
  /** whether no tolerance of an integration was needed */
  readonly isExact: boolean;
}

export interface Comparison {
  /** largest difference up to each point, relative to the largest that each state has been up to there */
  readonly differences: readonly number[];
  readonly own: Motion;
  readonly other: Motion;
}

/** Which of the factors of states the absolute tolerance follows: it is one number for all of them. */
export type Tolerance = 'smallest' | 'velocities';

/** Below this a number has lost digits to gradual underflow. */
const UNDERFLOW = 1e-300;
/** Absolute tolerance of event-driven integration. */
const ABSOLUTE = 1e-12;

/**
 * Follows a run, and its failure.
 * @param advance goes to the next row.
 * @returns code of the error, or `done`
 */
function follow(advance: () => boolean): string {
  try {
    while (advance());
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return error.details.code;
  }
  return 'done';
}

function stepped(
  { layout, settings }: PreparedModel,
  { model }: ScaledModel,
  time: number,
  steps: number,
): Motion {
  const { stepControl } = settings;
  const simulation = new TimeStepping(model, layout, {
    ...settings,
    loop: 'general',
    t0: settings.t0 * time,
    tEnd: settings.tEnd * time,
    h: settings.h * time,
    stepControl:
      stepControl === null
        ? null
        : { ...stepControl, hMin: stepControl.hMin * time, hMax: stepControl.hMax * time },
  });
  const { q, v, ndof } = layout;
  const states: Float64Array[] = [];
  const end = follow(() => {
    if (states.length === steps || simulation.isAtEnd) return false;
    simulation.advance();
    const { state } = simulation;
    states.push(Float64Array.of(...state.subarray(q, q + ndof), ...state.subarray(v, v + ndof)));
    return true;
  });
  return { states, complementarity: simulation.certificate.report.complementarity, end, isExact: true };
}

function fromEventToEvent(
  { layout, settings }: PreparedModel,
  { model, positions, velocities }: ScaledModel,
  time: number,
  steps: number,
  tolerance: Tolerance,
): Motion {
  const tEnd = Math.min(settings.tEnd, settings.t0 + steps * settings.h);
  const own = eventSettings(settings, tEnd);
  const factor = tolerance === 'velocities' ? Math.min(...velocities) : Math.min(...positions, ...velocities);
  const states: Float64Array[] = [];
  const { q, v, ndof } = layout;
  let simulation: EventDriven | null = null;
  let isExact = true;
  const end = follow(() => {
    simulation ??= new EventDriven(model, layout, {
      ...own,
      t0: own.t0 * time,
      tEnd: tEnd * time,
      h: own.h * time,
      absoluteTolerance: (own.absoluteTolerance ?? ABSOLUTE) * factor,
      ...(own.fastest !== undefined && { fastest: own.fastest * time }),
      ...(own.jumps && {
        jumps: {
          times: own.jumps.times.map((t) => t * time),
          periodic: own.jumps.periodic.map(({ from, every, until }) => ({
            from: from * time,
            every: every * time,
            until: until * time,
          })),
        },
      }),
    });
    if (!simulation.hasNextEvent) return false;
    simulation.computeOneStep();
    if (simulation.flight !== 'exact') isExact = false;
    const { state, manager } = simulation;
    if (manager.current[1] === 0)
      states.push(Float64Array.of(...state.subarray(q, q + ndof), ...state.subarray(v, v + ndof)));
    return true;
  });
  const made: EventDriven | null = simulation;
  const complementarity = (made as EventDriven | null)?.certificate.report.complementarity ?? 0;
  return { states, complementarity, end, isExact };
}

/**
 * @param steps at most this many
 * @returns what compares the model with itself in other units
 */
export function comparisons(
  prepared: PreparedModel,
  scheme: SchemeName,
  steps: number,
  tolerance: Tolerance = 'smallest',
): (units: Units) => Comparison {
  const move = (units: Units, scaled: ScaledModel): Motion =>
    scheme === 'time-stepping'
      ? stepped(prepared, scaled, units.time, steps)
      : fromEventToEvent(prepared, scaled, units.time, steps, tolerance);
  const own = move(SAME_UNITS, scaleModel(prepared.model, SAME_UNITS));
  return (units) => {
    const scaled = scaleModel(prepared.model, units);
    const other = move(units, scaled);
    const factors = Float64Array.of(...scaled.positions, ...scaled.velocities);
    const count = factors.length;
    const ndof = count / 2;
    const size = new Float64Array(count);
    let present = 0;
    const rows = Math.min(own.states.length, other.states.length);
    const differences = own.states.slice(0, rows).map((state, k) => {
      for (let i = 0; i < count; i++) {
        size[i] = Math.max(size[i], Math.abs(state[i]));
        const off = Math.abs(other.states[k][i] / factors[i] - state[i]);
        // What has been zero so far is so to the rounding of the others.
        const [from, to] = i < ndof ? [0, ndof] : [ndof, count];
        const scale = size[i] > 0 ? size[i] : Math.max(...size.subarray(from, to));
        if (off > UNDERFLOW) present = Math.max(present, off / scale);
      }
      return present;
    });
    return { differences, own, other };
  };
}
