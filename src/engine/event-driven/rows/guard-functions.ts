/** Guards of resets as functions of the integrated state. */
import type { AffineGuard } from '../../model/resets/reset';
import type { ResetGuards } from '../../model/resets/guards';
import type { StatePlaces } from '../../model/state-places';
import type { PieceForms } from '../../model/piece-forms';
import type { TimedSign } from '../../model/timed-sign';
import type { LinearForm, Twin } from '../../smooth/event-functions';
import type { IntegratedPlaces } from '../flow/free-motion';

/** Writes time, q and v of a state into a row; the state is not changed. */
export type MotionWriter = (clock: Float64Array, x: Float64Array, row: Float64Array) => void;

/** Functions behind those of rows, each watched from the side of zero where it is. */
export interface WatchedGuards {
  readonly count: number;
  linear(k: number): LinearForm | null;
  /** null, too, where it is left out */
  timed?(k: number): TimedSign | null;
  /** null, too, where it is left out */
  pieces?(k: number): PieceForms | null;
  /** null, too, where it is left out */
  twin?(k: number): Twin | null;
  value(k: number, clock: Float64Array, x: Float64Array, out: Float64Array): void;
  /** −1, 1, or 0 where it is not known */
  side(k: number): number;
  /** what counts as zero */
  zero(k: number): number;
  /** whether it is at zero where it was read last */
  isAtZero(k: number): boolean;
  describe(k: number): string;
}

/** Two lists of such functions, one behind the other. */
export function joinGuards(first: WatchedGuards | null, second: WatchedGuards | null): WatchedGuards | null {
  if (first === null || second === null) return first ?? second;
  const at = first.count;
  const of = (k: number): WatchedGuards => (k < at ? first : second);
  const own = (k: number): number => (k < at ? k : k - at);
  return {
    count: at + second.count,
    linear: (k) => of(k).linear(own(k)),
    timed: (k) => of(k).timed?.(own(k)) ?? null,
    pieces: (k) => of(k).pieces?.(own(k)) ?? null,
    twin: (k) => {
      const twin = of(k).twin?.(own(k)) ?? null;
      return twin && { ...twin, index: twin.index + (k < at ? 0 : at) };
    },
    value: (k, clock, x, out) => {
      of(k).value(own(k), clock, x, out);
    },
    side: (k) => of(k).side(own(k)),
    zero: (k) => of(k).zero(own(k)),
    isAtZero: (k) => of(k).isAtZero(own(k)),
    describe: (k) => of(k).describe(own(k)),
  };
}

/** Slots of a row as components of the integrated state. */
export const integratedTerms = (
  given: AffineGuard['terms'],
  places: StatePlaces,
  { positions, velocity }: Pick<IntegratedPlaces, 'positions' | 'velocity'>,
): (readonly [index: number, value: number])[] =>
  // The v of a first-order system stands in a row as zero, and is no component of the state.
  given.flatMap(([slot, value]) => {
    const index = slot < places.v ? slot - places.q : velocity[slot - places.v];
    return slot < places.v || index >= positions ? [[index, value] as const] : [];
  });

/** A form of slots of a row as one of the integrated state. */
export function integratedForm(
  affine: AffineGuard | null,
  places: StatePlaces,
  integrated: Pick<IntegratedPlaces, 'positions' | 'velocity'>,
): LinearForm | null {
  if (affine === null) return null;
  const terms = integratedTerms(affine.terms, places, integrated);
  return {
    indices: Int32Array.from(terms, ([index]) => index),
    values: Float64Array.from(terms, ([, value]) => value),
    offset: Float64Array.of(affine.constant, affine.rate),
  };
}

export class GuardFunctions implements WatchedGuards {
  readonly count: number;
  /** row in which guards are read; held outputs stand in it as they are at present */
  readonly row: Float64Array;
  readonly #forms: readonly (LinearForm | null)[];

  constructor(
    readonly guards: ResetGuards,
    private readonly places: StatePlaces,
    private readonly integrated: Pick<IntegratedPlaces, 'positions' | 'velocity'>,
    readonly write: MotionWriter,
  ) {
    this.count = guards.rules.length;
    this.row = new Float64Array(places.size);
    this.#forms = guards.rules.map(({ affine }) => integratedForm(affine, places, integrated));
  }

  linear(k: number): LinearForm | null {
    return this.#forms[k];
  }

  value(k: number, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    this.write(clock, x, this.row);
    this.guards.rules[k].guard(this.row, out);
  }

  /** Rates of the integrated state, each where it belongs in a row. */
  place(rate: Float64Array, row: Float64Array): void {
    const { places, integrated } = this;
    for (let i = 0; i < places.positions; i++) row[places.q + i] = rate[i];
    for (let i = 0; i < places.ndof; i++) {
      const index = integrated.velocity[i];
      row[places.v + i] = index >= integrated.positions ? rate[index] : 0;
    }
  }

  side(k: number): number {
    return this.guards.sides[k];
  }

  zero(k: number): number {
    return this.guards.zero(k);
  }

  isAtZero(k: number): boolean {
    return Math.abs(this.guards.values[k]) <= this.guards.zero(k);
  }

  describe(k: number): string {
    return `guard of “${this.guards.rules[k].id}”`;
  }
}
