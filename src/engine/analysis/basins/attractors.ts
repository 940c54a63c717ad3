/**
 * Attractors of a forced model in its stroboscopic section, and which of them a motion comes to.
 *
 * An attractor is a finite set of section points that repeats: a periodic orbit of k periods of the forcing has k. A motion belongs to it when
 * its section points have followed that set, each within the tolerance of the next one, for several periods in a row. Motions that do not
 * settle in the time that is allowed belong to none; their number says whether that time, or an attractor that does not repeat, is the reason.
 *
 * Distances are relative to the size of each component over the motions among which attractors were looked for. Motions that only come to
 * known attractors leave the sizes as they are, so that what becomes of one does not depend on which others were followed before.
 */
import { EngineError } from '../../errors';
import type { MotionModel } from '../stability/motion-model';

export interface BasinSettings {
  /** of the forcing, s */
  readonly period: number;
  /** time of the first section point, s */
  readonly t0: number;
  /** periods after which a motion is given up */
  readonly maxPeriods: number;
  /** longest cycle that is looked for, in periods */
  readonly longestCycle: number;
  /** distance of section points that counts as none, relative to the sizes */
  readonly tolerance: number;
  /** periods in a row for which a motion has to follow an attractor */
  readonly confirm: number;
}

export interface Attractor {
  /** section points, one after the other, n entries each */
  readonly points: Float64Array;
  /** number of them */
  readonly cycle: number;
}

/** All that decides what becomes of a further motion. */
export interface KnownAttractors {
  readonly list: readonly Attractor[];
  /** of the components of the state */
  readonly sizes: Float64Array;
}

/** What became of a motion: the number of its attractor, −1 for none, −2 where it could not be simulated; and after how many periods. */
export interface Settled {
  readonly attractor: number;
  readonly periods: number;
}

/** A cycle is taken for an attractor when it repeats to this part of the tolerance: motions that come to it later are then within the tolerance. */
const SETTLED = 1e-2;

export const UNSETTLED = -1;
export const FAILED = -2;

export class Attractors {
  readonly list: Attractor[] = [];
  readonly #sizes: Float64Array;
  /** section points of the present motion, the last first */
  readonly #trail: Float64Array;
  readonly #n: number;

  constructor(
    private readonly model: MotionModel,
    private readonly settings: BasinSettings,
    known?: KnownAttractors,
  ) {
    this.#n = model.size;
    this.#sizes = known === undefined ? new Float64Array(model.size) : known.sizes.slice();
    if (known !== undefined) this.list.push(...known.list);
    this.#trail = new Float64Array((2 * settings.longestCycle + settings.confirm + 1) * model.size);
  }

  /** What is known by now, to go on from elsewhere. */
  get known(): KnownAttractors {
    return { list: [...this.list], sizes: this.#sizes.slice() };
  }

  /** Follows a motion until it settles; an attractor that is not known yet is added where that is wanted. */
  settle(start: Float64Array, mayAdd: boolean): Settled {
    try {
      return this.#settle(start, mayAdd);
    } catch (error) {
      if (error instanceof EngineError) return { attractor: FAILED, periods: 0 };
      throw error;
    }
  }

  #settle(start: Float64Array, mayAdd: boolean): Settled {
    const { period, t0, maxPeriods, confirm, longestCycle } = this.settings;
    const steps = Math.max(1, Math.round(period / this.model.settings.h));
    const simulation = this.model.simulate(t0, maxPeriods * period, start, steps * maxPeriods);
    if (mayAdd) this.#note(start);
    this.#push(start);
    /** attractor that is being followed, the place on it, and for how many periods */
    let [followed, place, count] = [-1, 0, 0];
    for (let periods = 1; simulation.hasNextEvent; periods++) {
      const target = steps * periods;
      // Points of the discretisation carry the number of their step.
      do simulation.computeOneStep();
      while (simulation.hasNextEvent && simulation.manager.current[0] < target);
      const { x } = simulation;
      if (mayAdd) this.#note(x);
      this.#push(x);
      if (followed >= 0) {
        const { cycle } = this.list[followed];
        place = (place + 1) % cycle;
        if (this.#isAt(followed, place, x)) count++;
        else followed = -1;
      }
      if (followed < 0) {
        [followed, place] = this.#nearest(x);
        count = followed < 0 ? 0 : 1;
      }
      if (count > confirm) return { attractor: followed, periods };
      if (!mayAdd || followed >= 0 || periods < 2 * longestCycle + confirm) continue;
      const cycle = this.#cycle();
      if (cycle === 0) continue;
      this.list.push({ points: this.#trailOf(cycle), cycle });
      return { attractor: this.list.length - 1, periods };
    }
    return { attractor: UNSETTLED, periods: maxPeriods };
  }

  #note(x: Float64Array): void {
    for (let i = 0; i < this.#n; i++) this.#sizes[i] = Math.max(this.#sizes[i], Math.abs(x[i]));
  }

  #push(x: Float64Array): void {
    this.#trail.copyWithin(this.#n, 0);
    for (let i = 0; i < this.#n; i++) this.#trail[i] = x[i];
  }

  /** Whether two points are one; `a` and `b` are places of their first entries. */
  #isSame(p: Float64Array, a: number, q: Float64Array, b: number, tolerance: number): boolean {
    for (let i = 0; i < this.#n; i++)
      if (Math.abs(p[a + i] - q[b + i]) > tolerance * this.#sizes[i]) return false;
    return true;
  }

  #isAt(attractor: number, place: number, x: Float64Array): boolean {
    return this.#isSame(this.list[attractor].points, place * this.#n, x, 0, this.settings.tolerance);
  }

  /** The first attractor with a point here, and its place; −1 for none. */
  #nearest(x: Float64Array): [number, number] {
    for (let a = 0; a < this.list.length; a++)
      for (let place = 0; place < this.list[a].cycle; place++) if (this.#isAt(a, place, x)) return [a, place];
    return [-1, 0];
  }

  /** The shortest cycle that the last points have followed; 0 for none. */
  #cycle(): number {
    const { longestCycle, confirm } = this.settings;
    const tolerance = SETTLED * this.settings.tolerance;
    for (let cycle = 1; cycle <= longestCycle; cycle++) {
      let repeats = true;
      for (let k = 0; k < cycle + confirm && repeats; k++)
        repeats = this.#isSame(this.#trail, k * this.#n, this.#trail, (k + cycle) * this.#n, tolerance);
      if (repeats) return cycle;
    }
    return 0;
  }

  /** The last points in the order of time. */
  #trailOf(cycle: number): Float64Array {
    const points = new Float64Array(cycle * this.#n);
    for (let k = 0; k < cycle; k++)
      points.set(this.#trail.subarray((cycle - 1 - k) * this.#n, (cycle - k) * this.#n), k * this.#n);
    return points;
  }
}
