/**
 * A mass of one coordinate that rests on a wall which moves by itself, where the motion is not recorded. The
 * wall says where the mass is and how fast; the force of the contact is a function of time, of which there
 * is a table (`time-table.ts`). The mass rests until that force vanishes, or falls below zero where the
 * wall has a corner. A wall that jumps, or whose speed does, is left to the general path.
 */
import type { Assembly } from '../assembly';
import { REACHED, REFUSED, ROOT } from './skim-arcs';
import { DEGREE, type TimeTable } from './time-table';
import type { TimedOutputs } from './timed-outputs';

/** Forces, gaps and speeds below this part of the largest ones are not plain. */
const NEAR = 1e-9;
/** Steps of one search beyond which it is not plain. */
const MOST_STEPS = 200;

export class WallRest {
  /** [0] present time, s */
  readonly clock = new Float64Array(1);
  readonly x: Float64Array;
  /** [0] where it began, s, [1] what of it lies behind the present, s */
  readonly stretch = new Float64Array(2);
  /** of the contact */
  readonly row = 0;
  /** whether it has ended with a corner of the wall */
  isAtCorner = false;
  /** [0] time just before that, on the same piece of the wall, s */
  readonly inside = new Float64Array(1);
  /** whether there is no table of the force: to look for one again and again would be dear */
  isUnknown = false;
  /** place at which it was refused, s behind its start */
  refusedAt = 0;
  readonly #force: TimeTable;
  /** [0] largest force so far */
  readonly #largest = new Float64Array(1);
  readonly #rate: Float64Array;
  readonly #at = new Float64Array(1);
  readonly #own: Float64Array;
  readonly #none: Float64Array;
  readonly #speeds = new Float64Array(1);
  readonly #offset = new Float64Array(1);
  readonly #drift = new Float64Array(1);
  /** [0] value and [1] rate of a table */
  readonly #read = new Float64Array(2);
  readonly #before = new Float64Array(2);
  readonly #behind = new Float64Array(2);

  private constructor(
    private readonly parts: Assembly,
    private readonly outputs: TimedOutputs,
    /** what the gap owes to the wall */
    private readonly wall: TimeTable,
    tableOf: (value: (time: number) => number) => TimeTable,
  ) {
    const { size } = parts.flow;
    this.x = new Float64Array(size);
    this.#own = new Float64Array(size);
    this.#none = new Float64Array(size);
    this.#rate = new Float64Array(size);
    this.#force = tableOf((time) => this.#forceAt(time));
  }

  /**
   * @param tableOf makes a table of a function of time
   * @returns null for models of which it is not known
   */
  static of(
    parts: Assembly,
    outputs: TimedOutputs,
    wall: TimeTable,
    tableOf: (value: (time: number) => number) => TimeTable,
  ): WallRest | null {
    const { laws, flow, rows, model } = parts;
    // Accelerations by differences would smear corners.
    if (model.interactions[0].relation.curvature === undefined) return null;
    const { positions, coordinates } = flow.places;
    const isAlone = laws.count === 1 && rows.rowStart[1] - rows.rowStart[0] === 1 && rows.C[0] !== 0;
    if (!isAlone || flow.size !== 2 || positions !== 1 || coordinates !== 1) return null;
    return new WallRest(parts, outputs, wall, tableOf);
  }

  begin(time: number): void {
    this.clock[0] = time;
    this.stretch[0] = time;
    this.stretch[1] = 0;
  }

  /** State at a place behind the start, s. */
  sample(place: Float64Array, out: Float64Array): void {
    this.#state(this.stretch[0] + place[0], out);
  }

  #state(time: number, out: Float64Array): void {
    const { rows, flow } = this.parts;
    const at = this.#at;
    at[0] = time;
    rows.speeds(at, this.#none, this.#speeds);
    out[flow.places.position[0]] = -this.outputs.at(0, time) / rows.C[0];
    out[flow.places.velocity[0]] = -this.#speeds[0] / rows.C[0];
  }

  /** λ with which the gap stays zero: C v̇ + γ of the free motion, by what a unit of λ does to it. */
  #forceAt(time: number): number {
    const { flow, rows } = this.parts;
    this.#state(time, this.#own);
    this.#at[0] = time;
    if (!flow.freeRate(this.#at, this.#own, this.#rate)) return Number.NaN;
    flow.offsets(this.#at, this.#own, this.#rate, this.#offset, this.#drift);
    return -this.#offset[0] / (rows.C[0] * rows.response[0]);
  }

  /** Whether the force is known from a time on. To be asked where values decide conditions. */
  isKnown(time: number): boolean {
    this.isUnknown ||= !this.#force.seek(time);
    return !this.isUnknown;
  }

  /**
   * Advances to a time, or to where the contact opens before it.
   * @returns `REACHED`, `ROOT` or `REFUSED`; of the last nothing has been done
   */
  fly(until: number): number {
    const force = this.#force;
    const { piece } = force;
    const read = this.#read;
    let t = this.clock[0];
    this.isAtCorner = false;
    if (!this.isKnown(t)) return this.#refuse(t);
    measure(force, t, read);
    for (;;) {
      this.#largest[0] = Math.max(this.#largest[0], Math.abs(read[0]));
      const near = NEAR * this.#largest[0];
      if (!(read[0] > near)) return this.#refuse(t);
      const end = Math.min(until, piece[1]);
      const root = this.#search(t, end);
      const uneven = Number.isNaN(root) ? t : this.#unevenness(t, root);
      if (!(uneven >= root)) return this.#refuse(uneven);
      if (root < end) return this.#arrive(root, t, ROOT);
      if (end >= until) return this.#arrive(until, t, REACHED);
      if (!this.isKnown(end)) return this.#refuse(end);
      measure(force, end, read);
      if (read[0] < -near) {
        this.isAtCorner = true;
        this.inside[0] = 0.5 * (t + end);
        return this.#arrive(this.#corner(end), t, ROOT);
      }
      t = end;
    }
  }

  #refuse(time: number): number {
    this.refusedAt = Math.max(0, time - this.clock[0]);
    return REFUSED;
  }

  /** Where the wall itself has the corner: rounding of whole periods is not the same for all tables. */
  #corner(time: number): number {
    const { wall } = this;
    wall.seek(time);
    const rest = wall.piece[1] - time;
    return rest <= 8 * Number.EPSILON * Math.abs(time) ? wall.piece[1] : time;
  }

  /** @param from start of the part of it that lies on one piece of the table, s */
  #arrive(time: number, from: number, status: number): number {
    const { clock, stretch } = this;
    clock[0] = time;
    stretch[1] = time - stretch[0];
    this.#state(time, this.x);
    // That is what its equations are judged on.
    if (time > from) this.parts.integrator.resolution[0] = time - from;
    return status;
  }

  /**
   * First root of the force on its present piece, from a place where it is positive: by steps that cannot
   * pass one, from a lower bound of the second derivative.
   * @returns `end` where there is none, NaN where it is not plain
   */
  #search(from: number, end: number): number {
    const force = this.#force;
    const read = this.#read;
    const least = force.piece[4];
    let t = from;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      const [value, rate] = read;
      const square = rate * rate - 2 * least * value;
      let step = Infinity;
      if (rate < 0 && square >= 0) step = (2 * value) / (Math.sqrt(square) - rate);
      else if (rate >= 0 && least < 0) step = (rate + Math.sqrt(square)) / -least;
      const next = t + step;
      if (!(next < end)) return end;
      if (next === t || !(value > 0)) {
        // It has to fall plainly, over the piece by more than rounding.
        const falls = -rate * (force.piece[1] - force.piece[0]) > NEAR * this.#largest[0];
        return falls ? t : Number.NaN;
      }
      t = next;
      measure(force, t, read);
    }
    return Number.NaN;
  }

  /**
   * First border of two pieces of the wall, from one time to another, at which it or its speed jumps.
   * @returns infinity where there is none, NaN where the wall is not known
   */
  #unevenness(from: number, to: number): number {
    const { wall } = this;
    const { outputs } = this.parts.event;
    const before = this.#before;
    const behind = this.#behind;
    const rounding = 8 * Number.EPSILON * Math.abs(to);
    if (!wall.seek(from)) return Number.NaN;
    while (wall.piece[1] <= to + rounding) {
      const border = wall.piece[1];
      measure(wall, border, before);
      if (!wall.seek(border)) return Number.NaN;
      measure(wall, border, behind);
      const isPlaced = Math.abs(behind[0] - before[0]) <= NEAR * outputs.length(0);
      const isEven = Math.abs(behind[1] - before[1]) <= NEAR * outputs.fastest(0);
      // A border at the end is one of what comes then.
      if (!isPlaced || !isEven) return Math.min(border, to - rounding);
    }
    return Infinity;
  }
}

/** Value and rate of a table on its present piece, also a little beyond it. */
function measure({ piece, coefficients }: TimeTable, time: number, out: Float64Array): void {
  const u = (time - piece[2]) * piece[3];
  let value = coefficients[DEGREE];
  let rate = 0;
  for (let k = DEGREE - 1; k >= 0; k--) {
    rate = value + u * rate;
    value = coefficients[k] + u * value;
  }
  out[0] = value;
  out[1] = rate * piece[3];
}
