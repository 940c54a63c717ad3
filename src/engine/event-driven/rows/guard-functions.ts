/** Guards of resets as functions of the integrated state. */
import type { ResetGuards } from '../../model/resets/guards';
import type { StatePlaces } from '../../model/state-places';
import type { LinearForm } from '../../smooth/event-functions';
import type { IntegratedPlaces } from '../flow/free-motion';

/** Writes time, q and v of a state into a row; the state is not changed. */
export type MotionWriter = (clock: Float64Array, x: Float64Array, row: Float64Array) => void;

export class GuardFunctions {
  readonly count: number;
  /** row in which guards are read; held outputs stand in it as they are at present */
  readonly row: Float64Array;
  readonly #forms: readonly (LinearForm | null)[];

  constructor(
    readonly guards: ResetGuards,
    places: StatePlaces,
    { positions, velocity }: Pick<IntegratedPlaces, 'positions' | 'velocity'>,
    readonly write: MotionWriter,
  ) {
    this.count = guards.rules.length;
    this.row = new Float64Array(places.size);
    const indexOf = (slot: number): number => (slot < places.v ? slot - places.q : velocity[slot - places.v]);
    // The v of a first-order system stands in a row as zero, and is no component of the state.
    const isComponent = (slot: number): boolean => slot < places.v || indexOf(slot) >= positions;
    this.#forms = guards.rules.map(({ affine }): LinearForm | null =>
      affine === null
        ? null
        : {
            indices: Int32Array.from(
              affine.terms.filter(([slot]) => isComponent(slot)),
              ([slot]) => indexOf(slot),
            ),
            values: Float64Array.from(
              affine.terms.filter(([slot]) => isComponent(slot)),
              ([, value]) => value,
            ),
            offset: Float64Array.of(affine.constant, affine.rate),
          },
    );
  }

  linear(k: number): LinearForm | null {
    return this.#forms[k];
  }

  value(k: number, clock: Float64Array, x: Float64Array, out: Float64Array): void {
    this.write(clock, x, this.row);
    this.guards.rules[k].guard(this.row, out);
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
