/**
 * What is measured of a run: `KIND SIGNAL`, or a kind that needs no signal. A new measure is one entry here.
 *
 * Means are over time, by the trapezoidal rule on the rows; at an event there are two rows at one time, between which nothing is added.
 */
import { EngineError } from '../../errors';
import type { StateLayout } from '../../simulation/layout';
import type { Simulation } from '../../simulation/schemes/scheme';

/** A measure that is being taken. */
interface Taking {
  /** A row of the result, complete, in the order of time. */
  row(row: Float64Array): void;
  value(simulation: Simulation): number;
}

interface MeasureKind {
  readonly description: string;
  readonly needsSignal: boolean;
  /** @param slot of the signal in a row */
  begin(slot: number, eventsBefore: number): Taking;
}

const extreme = (sign: 1 | -1): MeasureKind['begin'] => {
  return (slot) => {
    let best = -Infinity;
    return { row: (row) => (best = Math.max(best, sign * row[slot])), value: () => sign * best };
  };
};

/** ∫ f dt / ∫ dt */
const mean = (f: (value: number) => number, finish: (mean: number) => number): MeasureKind['begin'] => {
  return (slot) => {
    let [time, last, sum, whole] = [NaN, NaN, 0, 0];
    return {
      row: (row) => {
        const value = f(row[slot]);
        if (row[0] > time) {
          sum += 0.5 * (value + last) * (row[0] - time);
          whole += row[0] - time;
        }
        time = row[0];
        last = value;
      },
      value: () => finish(sum / whole),
    };
  };
};

export const MEASURES: Readonly<Record<string, MeasureKind>> = {
  max: { description: 'largest value', needsSignal: true, begin: extreme(1) },
  min: { description: 'smallest value', needsSignal: true, begin: extreme(-1) },
  mean: {
    description: 'mean over time',
    needsSignal: true,
    begin: mean(
      (v) => v,
      (m) => m,
    ),
  },
  rms: { description: 'root of the mean square', needsSignal: true, begin: mean((v) => v * v, Math.sqrt) },
  final: {
    description: 'value at the end',
    needsSignal: true,
    begin: (slot) => {
      let last = NaN;
      return { row: (row) => (last = row[slot]), value: () => last };
    },
  },
  events: {
    description: 'number of events',
    needsSignal: false,
    begin: (_slot, before) => ({ row: () => undefined, value: ({ eventCount }) => eventCount - before }),
  },
};

export interface Measure {
  readonly name: string;
  readonly unit: string;
  readonly slot: number;
  readonly kind: MeasureKind;
}

/** @throws {EngineError} for a kind or a signal that does not exist */
export function readMeasure(text: string, layout: StateLayout): Measure {
  const [name, ...rest] = text.trim().split(/[\s:]+/);
  const kind = Object.hasOwn(MEASURES, name) ? MEASURES[name] : undefined;
  if (kind === undefined)
    throw new EngineError({
      code: 'unknown-measure',
      message: `There is no measure “${name}”.`,
      remedy: `Measures are ${Object.keys(MEASURES).join(', ')}.`,
    });
  if (!kind.needsSignal) return { name: text, unit: '', slot: 0, kind };
  const wanted = rest.join(' ');
  const at = layout.signals.findIndex((signal) => signal.name === wanted);
  if (at < 0)
    throw new EngineError({
      code: 'unknown-signal',
      message: wanted === '' ? `The measure “${name}” needs a signal.` : `There is no signal “${wanted}”.`,
      remedy: `Write it as in “${name} ${layout.signals.at(1)?.name ?? 't'}”. Signals of this model start with ${layout.signals
        .slice(0, 12)
        .map((signal) => signal.name)
        .join(', ')}.`,
    });
  return { name: text, unit: layout.signals[at].unit, slot: layout.slots[at], kind };
}

export class TakenMeasures {
  readonly #takings: readonly Taking[];

  constructor(measures: readonly Measure[], eventsBefore: number) {
    this.#takings = measures.map(({ kind, slot }) => kind.begin(slot, eventsBefore));
  }

  row(row: Float64Array): void {
    for (let k = 0; k < this.#takings.length; k++) this.#takings[k].row(row);
  }

  values(simulation: Simulation): Float64Array {
    return Float64Array.from(this.#takings, (taking) => taking.value(simulation));
  }
}
