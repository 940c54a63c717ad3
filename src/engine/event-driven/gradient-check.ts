/**
 * Whether ẏ = C v is the rate of the output that a relation gives, part of the certificate: forces act along C, and all that follows from a gradient of another output agrees
 * with itself. From outputs along the motion, y(s) = h(q + s v),
 *
 *     D₁ = (y(δ) − y(−δ))/2δ,     D₂ = (y(2δ) − y(−2δ))/4δ,     C v ≟ D₁ + (D₁ − D₂)/3,
 *
 * to what these leave open: the difference of D₁ and D₂, and where y has a bend, as on the surface of a cam, the change of its slope.
 *
 * Relations between bodies only, which the engine writes itself; a model's own functions are compared before a run (`jacobian-check.ts`), and might not be defined at q + s v.
 */
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import type { LinkedRows } from './linked-rows';

/** Impacts of an interaction at which its gradient is looked at: a gradient that is wrong is so everywhere but for a few places. */
const LOOKS = 16;
/** What differences leave open counts so many times. */
const CAUTION = 4;
/** Rounding of an output, in parts of the largest of them. */
const ROUNDING = 64 * Number.EPSILON;
/** Places of outputs, in δ. */
const PLACES = [-2, -1, 0, 1, 2] as const;

export class GradientCheck {
  /** by interaction: looks that are left */
  readonly #left: Uint8Array;
  /** outputs at the five places */
  readonly #outputs: readonly Float64Array[];

  constructor(
    { interactions }: NonSmoothDynamicalSystem,
    private readonly rows: LinkedRows,
    /** δ, s */
    private readonly delta: number,
  ) {
    this.#left = Uint8Array.from(interactions, ({ relation }) => {
      const { order, rows: described, C, isTimeDependent } = relation;
      return delta > 0 && order === 2 && described !== undefined && C === null && !isTimeDependent
        ? LOOKS
        : 0;
    });
    const most = Math.max(0, ...interactions.map(({ relation }) => relation.size));
    this.#outputs = PLACES.map(() => new Float64Array(most));
  }

  /** Looks at interaction i, unless it has been looked at often enough. @returns whether `defect` says anything of its rows */
  look(i: number, clock: Float64Array, row: Float64Array): boolean {
    if (this.#left[i] === 0) return false;
    this.#left[i]--;
    for (let k = 0; k < PLACES.length; k++)
      this.rows.outputAlong(i, clock, row, PLACES[k] * this.delta, this.#outputs[k]);
    return true;
  }

  /** @param r row of the interaction that was looked at last @param speed C v @returns what cannot be put down to differences */
  defect(r: number, speed: number): number {
    const { delta } = this;
    const [y0, y1, y2, y3, y4] = [0, 1, 2, 3, 4].map((k) => this.#outputs[k][r]);
    const near = (y3 - y1) / (2 * delta);
    const far = (y4 - y0) / (4 * delta);
    const bend = (y4 - 2 * y2 + y0) / (2 * delta) - (2 * (y3 - 2 * y2 + y1)) / delta;
    const rounding = (ROUNDING * Math.max(Math.abs(y0), Math.abs(y2), Math.abs(y4))) / delta;
    const open = CAUTION * (Math.abs(near - far) + Math.abs(bend)) + rounding;
    return Math.max(0, Math.abs(speed - near - (near - far) / 3) - open);
  }
}
