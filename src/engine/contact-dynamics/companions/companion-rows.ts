/**
 * Blocks of rows that contacts have besides their own, behind all others: they come and go with their contact, and their first component is coupled with its
 * normal. What a kind of them is stands in a file of its own (`moment.ts`, `percussion.ts`).
 *
 * Of angular velocities the block has ℓ ω, and M = ℓ P'_T. ℓ² = Σ 1/m / Σ ⅓ tr I⁻¹ over both bodies (`SpatialBody.turnMobility`), for a sphere ⅖ r²: a turn about the mass centre and a displacement
 * are of one size.
 *
 * Where joints hold a direction d of the tangents, w' d = 0 and M·d changes nothing; and of what a block leaves unused nothing is known. Both get the mobility of
 * the other direction. Then U'_T·d = w M·d/ℓ, which is zero where the block sticks and where it slips, so that M·d = 0 is the choice made.
 */
import type { BlockRows } from '../../linalg/block-rows';
import type { FrictionContactProblem } from '../../problems/friction-contact';
import type { SpatialSystem } from '../../spatial/system';
import { dot } from '../../spatial/vector-product';
import type { ActiveFrames } from '../active-frames';
import { type ContactFrames, FRAME_NUMBERS } from '../contact-frames';
import type { ContactList } from '../contact-list';
import type { Obstacles } from '../obstacles';
import type { CompanionBlocks, CompanionRow } from './companion-row';
import { contactOf, KINDS, kindOf, PERCUSSION, ROLLING, SPINNING } from './kinds';
import { rolling, spinning } from './moment';
import { percussion } from './percussion';

const DIMENSION = 3;
const BLOCK = DIMENSION * DIMENSION;
/** Mobility below this part of that of the bodies without joints is rounding: the joints hold the direction. */
const HELD = 1e-12;
/** By number of the kind: one line each. */
const ROWS: Readonly<Record<number, CompanionRow>> = {
  [ROLLING]: rolling,
  [SPINNING]: spinning,
  [PERCUSSION]: percussion,
};

export class CompanionRows {
  /** moments (M_N, M_T) of the last step by row of a contact, N m s */
  moments = new Float64Array(0);
  /** by companion: ℓ, m, and Σ 1/m of the bodies, 1/kg */
  #levers = new Float64Array(0);
  #mobilities = new Float64Array(0);
  /** by body: 1/m, and `turnMobility` */
  readonly #ofBody: Float64Array;
  readonly #spin = new Float64Array(3);
  readonly #blocks: CompanionBlocks = { own: 0, beside: 0, above: 0, contact: 0 };
  /** whether W is symmetric with the rows of the present step */
  isSymmetric = true;

  /** @param numbers by material (`companionNumbers`) */
  constructor(
    { bodies }: SpatialSystem,
    private readonly active: ActiveFrames,
    private readonly numbers: Float64Array,
  ) {
    this.#ofBody = Float64Array.from(bodies.flatMap(({ mass, turnMobility }) => [1 / mass, turnMobility]));
  }

  /** Row of the problem of the first companion. */
  get #first(): number {
    return this.active.contactCount + this.active.jointCount;
  }

  /** Adds their frames, behind all others. */
  addTo(frames: ContactFrames, q: Float64Array, { bodies }: ContactList): void {
    const { companions, companionCount, contacts } = this.active;
    this.#reserve();
    this.isSymmetric = true;
    for (let k = 0; k < companionCount; k++) {
      const row = contactOf(companions[k]);
      const first = bodies[2 * contacts[row]];
      const second = bodies[2 * contacts[row] + 1];
      this.#measure(k, first, second);
      const { axes, isOwn, isSymmetric } = ROWS[kindOf(companions[k])];
      frames.addTurn(q, first, second, row, axes, this.#levers[k], isOwn);
      this.isSymmetric &&= isSymmetric;
    }
  }

  #measure(k: number, first: number, second: number): void {
    let [displaced, turned] = [0, 0];
    for (let side = 0; side < 2; side++) {
      const body = side === 0 ? first : second;
      if (body < 0) continue;
      displaced += this.#ofBody[2 * body];
      turned += this.#ofBody[2 * body + 1];
    }
    this.#levers[k] = Math.sqrt(displaced / turned);
    this.#mobilities[k] = displaced;
  }

  /** Completes W, which has just been formed. */
  couple(W: BlockRows, { materials }: ContactList): void {
    const { companions, companionCount, contacts } = this.active;
    const blocks = this.#blocks;
    for (let k = 0; k < companionCount; k++) {
      const row = this.#first + k;
      const kind = kindOf(companions[k]);
      const contact = contactOf(companions[k]);
      blocks.own = BLOCK * W.diagonal[row];
      blocks.contact = BLOCK * W.diagonal[contact];
      blocks.beside = BLOCK * placeOf(W, row, contact);
      blocks.above = BLOCK * placeOf(W, contact, row);
      const w = freeHeld(W.values, blocks.own, this.#mobilities[k]);
      ROWS[kind].couple(W.values, blocks, this.numbers[KINDS * materials[contacts[contact]] + kind], w);
    }
  }

  /**
   * μ, and q of the first components, which no other law has a part in.
   * @param former U_N⁻ of contacts with a percussion, in the first of three entries by row
   */
  write({ mu, q }: FrictionContactProblem, { materials }: ContactList, former: Float64Array): void {
    const { companions, companionCount, contacts } = this.active;
    for (let k = 0; k < companionCount; k++) {
      const kind = kindOf(companions[k]);
      const contact = contactOf(companions[k]);
      const number = this.numbers[KINDS * materials[contacts[contact]] + kind];
      mu[this.#first + k] = ROWS[kind].friction(number, this.#levers[k]);
      q[DIMENSION * (this.#first + k)] = ROWS[kind].rightSide(former[DIMENSION * contact]);
    }
  }

  /** Adds what obstacles turn by to the rows of angular velocities. @param which their velocities */
  addObstacles(
    obstacles: Obstacles,
    which: Float64Array,
    { axes }: ContactFrames,
    { bodies }: ContactList,
    out: Float64Array,
  ): void {
    const { companions, companionCount, contacts } = this.active;
    const spin = this.#spin;
    for (let k = 0; k < companionCount; k++) {
      const row = contactOf(companions[k]);
      obstacles.addSpin(which, bodies, contacts[row], spin.fill(0));
      const at = DIMENSION * (this.#first + k) + 1;
      const about = ROWS[kindOf(companions[k])].axes;
      for (let a = 0; a < about.length; a++)
        if (about[a] >= 0)
          out[at + a] += this.#levers[k] * dot(axes, FRAME_NUMBERS * row + 3 + 3 * about[a], spin, 0);
    }
  }

  /** The moments of the answer. */
  take({ r }: FrictionContactProblem): void {
    const { companions, companionCount, contactCount } = this.active;
    const { moments } = this;
    moments.fill(0, 0, DIMENSION * contactCount);
    for (let k = 0; k < companionCount; k++) {
      const from = DIMENSION * (this.#first + k);
      const to = DIMENSION * contactOf(companions[k]);
      const { axes } = ROWS[kindOf(companions[k])];
      for (let a = 0; a < axes.length; a++)
        if (axes[a] >= 0) moments[to + axes[a]] = this.#levers[k] * r[from + 1 + a];
    }
  }

  #reserve(): void {
    const { companionCount, contactCount } = this.active;
    if (this.#levers.length < companionCount) {
      this.#levers = new Float64Array(2 * companionCount);
      this.#mobilities = new Float64Array(2 * companionCount);
    }
    if (this.moments.length < DIMENSION * contactCount)
      this.moments = new Float64Array(2 * DIMENSION * contactCount);
  }
}

/** Place of a block of W that there is. */
function placeOf({ rowStart, columns }: BlockRows, row: number, column: number): number {
  let place = rowStart[row];
  while (columns[place] !== column) place++;
  return place;
}

/**
 * Gives the direction of the two tangents that is held, if one is, the mobility of the other, or that of the bodies where both are.
 * @param at the block in `values` @returns w, the larger of the two
 */
function freeHeld(values: Float64Array, at: number, mobility: number): number {
  const [a, b, d] = [values[at + 4], values[at + 5], values[at + 8]];
  const larger = 0.5 * (a + d) + Math.sqrt(0.25 * (a - d) * (a - d) + b * b);
  if (!(larger > HELD * mobility)) {
    values[at + 4] = values[at + 8] = mobility;
    values[at + 5] = values[at + 7] = 0;
    return mobility;
  }
  if (a * d - b * b > HELD * mobility * larger) return larger;
  // Direction of the smaller eigenvalue, at right angles to that of the larger one.
  const [x, y] = a >= d ? [-b, larger - d] : [larger - a, -b];
  const factor = larger / (x * x + y * y);
  values[at + 4] += factor * x * x;
  values[at + 5] += factor * x * y;
  values[at + 7] += factor * x * y;
  values[at + 8] += factor * y * y;
  return larger;
}
