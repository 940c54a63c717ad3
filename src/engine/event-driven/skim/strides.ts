/**
 * Motion that is not recorded, in any modes in which it is linear: it goes from event to event past points of
 * the discretisation, on arcs that are written out where they can be (`mode-arcs.ts`). Events are those of
 * the general path. The certificate sees of each arc the row at a place that is another one each time, in
 * place of those at the points.
 */
import type { Assembly } from '../assembly';
import { type StepFunction, StepWriter } from '../../straight-line/writer';
import type { LinearFlight } from '../../smooth-arcs/linear-flight';
import { UNWATCHED } from '../../smooth/event-functions';
import type { StatePlaces } from '../../model/state-places';
import { relative } from '../../certificate/residual-maxima';
import type { WrittenMultipliers } from '../certificate/motion-check';
import { FUNCTIONS } from '../rows/row-events';
import { RowSampler } from '../rows/row-sampler';
import { ModeArcs, watchedGaps } from './mode-arcs';
import { type PassedSimulation, Passages } from './passages';
import type { SkimGap } from './skim-arcs';
import { TimeTable } from './time-table';
import { TimedOutputs } from './timed-outputs';

/** Fractional parts of multiples of it are spread evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/**
 * Length of a table of a function of time, in steps of the discretisation, the same up to a time at which an
 * outcome of a condition changes at the latest, and parts it is looked at in.
 */
const STEPS = 16;
const STEPS_TO_CHANGE = 256;
const PARTS = 1;
/**
 * Points that are passed over at once. At the others drift of rows is looked at, and taken out; it grows with
 * the square of the time while rows are held.
 */
const MOST_POINTS = 1024;
const MOST_HELD = 64;
/** States beyond which arcs are not written out: they would be long texts for one mode of many. */
const LARGEST = 20;
/** Sets of modes of which arcs are kept: models that come to more hardly meet one of them again. */
const MOST_MADE = 256;

export class Strides {
  /**
   * arcs by what they are the flight of, which says the modes, and so what is watched; null where none are
   */
  #known = new WeakMap<LinearFlight, ModeArcs | null>();
  readonly #made: (readonly [LinearFlight, ModeArcs])[] = [];
  /** what outputs owe to time, by row and sign: the same in all modes */
  readonly #tables = new Map<string, TimeTable>();
  /** what the tables have been formed under: outcomes of conditions, and forces */
  readonly #formed = new Int32Array(2);
  readonly #sampler: RowSampler;
  readonly #row: Float64Array;
  readonly #place = new Float64Array(1);
  /** [0] part of an arc at which its row is judged */
  readonly #part = new Float64Array(1);
  readonly #clock = new Float64Array(1);
  readonly #outputs: TimedOutputs;
  /** state at that place, with forces of time behind it */
  #state = new Float64Array(0);
  /** by row: largest multiplier so far */
  readonly #largest: Float64Array;
  /** by row: its interaction */
  readonly #interaction: readonly number[];
  /** null where no events are remembered */
  readonly #passages: Passages | null;
  #isOn = false;

  private constructor(
    private readonly parts: Assembly,
    private readonly places: StatePlaces,
    /** whether functions of time are followed by tables */
    private readonly followsTime: boolean,
  ) {
    const { laws, model } = parts;
    this.#largest = new Float64Array(laws.count);
    this.#interaction = model.interactions.flatMap(({ relation }, i) =>
      new Array<number>(relation.size).fill(i),
    );
    this.#sampler = new RowSampler({ ...parts, flight: parts.integrator }, places);
    this.#row = new Float64Array(places.size);
    this.#outputs = new TimedOutputs(parts);
    this.#passages = Passages.of(parts, places);
  }

  /**
   * @param isSkimmed whether flights with open contacts are skimmed: walls that move have tables there
   * @returns null for models in which points of the discretisation have a meaning of their own
   */
  static of(parts: Assembly, places: StatePlaces, isSkimmed: boolean): Strides | null {
    const { resets, presence } = parts;
    return resets === null && presence === null ? new Strides(parts, places, !isSkimmed) : null;
  }

  /** The motion begins once more: what is known of the one before is forgotten. */
  rewind(): void {
    this.end();
    this.#part.fill(0);
    this.#largest.fill(0);
    this.#passages?.rewind();
    for (const table of this.#tables.values()) table.rewind();
    // What was refused may have been so at that time only.
    this.#known = new WeakMap();
    for (const [flight, arcs] of this.#made) {
      arcs.rewind();
      this.#known.set(flight, arcs);
    }
  }

  /** Whether the motion goes on in strides from the present. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Past the points of the discretisation from here on.
   * @param until s
   * @returns whether there is one before that time, and the motion up to it is known
   */
  begin(until: number): boolean {
    const { integrator, manager, conditions, energy, flow } = this.parts;
    // What rests on a wall with corners is hit by them: such a contact is looked at from point to point.
    if (conditions !== null && (conditions.complete !== true || !this.followsTime)) return false;
    const [step] = manager.current;
    const point = this.#pointAhead(this.#lastBefore(until), step, flow.activeCount > 0);
    if (!(point > manager.current[0]) || integrator.kind !== 'exact') return false;
    integrator.write(this.#written);
    manager.lookTo(point);
    // Work is not summed up on the way.
    energy?.abandon();
    if (flow.network !== null) flow.network.isUnrecorded = true;
    this.#isOn = true;
    return true;
  }

  /** Number of the last point before a time: the last step is one of points, whatever is asked. */
  #lastBefore(until: number): number {
    const { grid, finalTime } = this.parts.manager;
    return Math.floor((Math.min(until, finalTime - 0.5 * grid.h) - grid.t0) / grid.h);
  }

  /** Number of the point up to which a flight goes. @param last that may be asked for */
  #pointAhead(last: number, step: number, isHeld: boolean): number {
    return Math.min(last, step + (isHeld ? MOST_HELD : MOST_POINTS));
  }

  /** Events that have been decided before, as far as they are. See `Passages.follow`. */
  follow(simulation: PassedSimulation, until: number): void {
    if (this.#passages === null) return;
    const last = this.#lastBefore(until);
    this.#passages.follow(simulation, (step, isHeld) => this.#pointAhead(last, step, isHeld));
  }

  /** One event, by the general path. */
  step(simulation: { readonly step: () => void }): void {
    const { integrator, conditions } = this.parts;
    const from = integrator.written;
    const changes = conditions?.changes ?? 0;
    simulation.step();
    if (this.#passages === null) return;
    this.#passages.note();
    const gap = from?.rootAt ?? -1;
    if (from !== null && gap >= 0) this.#passages.remember(from, gap, changes);
  }

  /** The motion is one of points again. */
  end(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    const { integrator, flow } = this.parts;
    integrator.write(null);
    if (flow.network !== null) flow.network.isUnrecorded = false;
  }

  /**
   * Judges the stretch that the present ends: the row at a place of it that is another one each time, by the
   * functions of the model, and its equations.
   */
  judge(): void {
    const { integrator, certificate, check } = this.parts;
    const { stretch, written } = integrator;
    if (check === null || !(stretch[1] > 0)) return;
    const part = this.#part;
    part[0] = (part[0] + GOLDEN) % 1;
    this.#place[0] = part[0] * stretch[1];
    this.#sampler.sample(this.#place, this.#row);
    certificate.row(this.#row);
    if (written === null || written.judge === null || written.multipliers === null) check.judge();
    else {
      written.judge(0);
      this.#compare(written, written.multipliers);
    }
  }

  /** Multipliers at the place that has been judged: by the arcs, and by the functions of the model. */
  #compare({ arcs }: ModeArcs, { matrix, constant }: WrittenMultipliers): void {
    const { model, laws, certificate } = this.parts;
    const width = arcs.x.length;
    if (this.#state.length !== width) this.#state = new Float64Array(width);
    const x = this.#state;
    arcs.sample(this.#place, x);
    const largest = this.#largest;
    this.#clock[0] = this.#row[0];
    for (let row = 0; row < laws.count; row++) {
      let sum = constant[row];
      let size = Math.abs(sum);
      for (let j = 0; j < width; j++) {
        const term = matrix[row * width + j] * x[j];
        sum += term;
        size = Math.max(size, Math.abs(term));
      }
      const known = this.#row[this.places.lambda + row];
      largest[row] = Math.max(largest[row], size, Math.abs(known));
      const defect = Math.abs(sum - known);
      const element = model.systems.length + this.#interaction[row];
      certificate.motion(relative(defect, largest[row]), this.#clock, element);
    }
  }

  readonly #written = (flight: LinearFlight): ModeArcs | null => {
    const { functions, watchedFunctions, integrator, flow } = this.parts;
    if (flight.settled !== null || flow.size > LARGEST || flight.flow.bad >= 0) return null;
    for (let row = 0; row < functions.shift.length; row++) if (functions.shift[row] !== 0) return null;
    for (let j = functions.count; watchedFunctions !== null && j < watchedFunctions.count; j++)
      if (watchedFunctions.watch[j] !== UNWATCHED) return null;
    this.#keepTables();
    const known = this.#known.get(flight);
    if (known !== undefined) return known;
    if (this.#made.length >= MOST_MADE) return null;
    const gaps = watchedGaps(
      {
        count: functions.count,
        watch: functions.watch,
        linear: (index) => functions.linear(index),
        timed: (index, sign) => this.#timed(index, sign),
      },
      flight,
    );
    const held = this.#passages?.heldRows() ?? null;
    const modes = flow.modes.slice();
    const made = gaps && ModeArcs.of(flight, gaps, integrator.forced, integrator.counters, modes, held);
    if (made !== null) {
      made.judge = this.#writeJudge(flight, made);
      this.#made.push([flight, made]);
    }
    this.#known.set(flight, made);
    return made;
  };

  /** What conditions have decided is part of a function of time, and so are forces that are other ones. */
  #keepTables(): void {
    const { conditions, integrator } = this.parts;
    const formed = this.#formed;
    const outcomes = conditions?.changes ?? 0;
    if (outcomes !== formed[0]) for (const table of this.#tables.values()) table.forget();
    // Arcs that were made before are not used again.
    if (integrator.changes !== formed[1]) this.#tables.clear();
    formed[0] = outcomes;
    formed[1] = integrator.changes;
  }

  /** What judges the equations on an arc; null where that cannot be written out. */
  #writeJudge({ multipliers }: LinearFlight, { arcs, looked }: ModeArcs): StepFunction | null {
    const { check, flow, graphs } = this.parts;
    if (check === null || multipliers === null || graphs !== null) return null;
    const w = new StepWriter();
    const look = (nodes: number): void => {
      const [part, place, state] = [looked.part, looked.place, looked.x].map((array) => w.bind(array));
      const stored = Array.from(looked.x, (_, i) => `${state}[${i}] = z${i};`);
      w.line(`if (k === ~~(${nodes} * ${part}[0])) { ${place}[0] = tau; ${stored.join(' ')} }`);
    };
    if (!check.write(w, arcs, flow.places, multipliers, look)) return null;
    w.line('return 0;');
    return w.compile('value');
  }

  /** The output of a row, or its speed, where that is C x and a function of time. */
  #timed(index: number, sign: 1 | -1): SkimGap | null {
    const { laws, rows, functions, integrator } = this.parts;
    if (!this.followsTime || index >= functions.ofRows || index % FUNCTIONS !== 0 || !rows.isConstant)
      return null;
    const row = index / FUNCTIONS;
    if (laws.kind[row] === 'friction' || laws.kind[row] === 'slip' || laws.degree[row] === 0) return null;
    const form = this.#outputs.formOf(row, integrator.clock[0], integrator.x, sign);
    if (form === null) return null;
    const key = `${sign * (row + 1)}`;
    let table = this.#tables.get(key);
    if (table === undefined) {
      const source = {
        value: (time: number): number => sign * this.#outputs.at(row, time),
        note: () => undefined,
        isAsNoted: () => true,
        lengthFrom: this.#lengthFrom,
      };
      table = new TimeTable(source, null, STEPS * this.parts.manager.grid.h, PARTS);
      this.#tables.set(key, table);
    }
    // Where only values are known, a first look tells whether polynomials follow them.
    return table.seek(integrator.clock[0]) ? { form, table } : null;
  }

  /** How far a table goes from a time, s: outcomes that are held are those up to the next that changes. */
  readonly #lengthFrom = (time: number): number => {
    const { manager, conditions } = this.parts;
    const { h } = manager.grid;
    const ahead = (conditions?.nextTime ?? Infinity) - time;
    return ahead > 0 && ahead <= STEPS_TO_CHANGE * h ? ahead : STEPS * h;
  };
}
