/**
 * Blocks of rows that contacts have besides their own, behind all others: they come and go with their
 * contact, and their first component is coupled with its normal. Their kinds are moments that oppose rolling
 * and spinning, and dissipative percussions.
 *
 * Of angular velocities the block has ℓ ω, and M = ℓ P'_T. ℓ² = Σ 1/m / Σ ⅓ tr I⁻¹ over both bodies
 * (`SpatialBody.turnMobility`), for a sphere ⅖ r²: a turn about the mass centre and a displacement are of one
 * size.
 *
 * Where joints hold a direction d of the tangents, w' d = 0 and M·d changes nothing; and of what a block
 * leaves unused nothing is known. Both get the mobility of the other direction. Then U'_T·d = w M·d/ℓ, which
 * is zero where the block sticks and where it slips, so that M·d = 0 is the choice made.
 */
import type { BlockRows } from '../linalg/block-rows';
import type { FrictionContactProblem } from '../problems/friction-contact';
import { dot } from '../spatial/matrix3';
import type { SpatialSystem } from '../spatial/system';
import type { ActiveFrames } from './contacts/active-frames';
import { type ContactFrames, FRAME_NUMBERS } from './contacts/contact-frames';
import {
  type ContactList,
  KINDS,
  PERCUSSION,
  ROLLING,
  SPINNING,
  contactOf,
  contactKindOf,
} from './contacts/contact-list';
import type { KinematicBodies } from './contacts/kinematic-bodies';

/*
 * Rolling and spinning friction: a contact puts a moment on its bodies besides its force, against their
 * relative angular velocity ω = ω₂ − ω₁,
 *
 *     |M_T| ≤ μ_r P_N,     M_T = −μ_r P_N ω_T/|ω_T| where ω_T ≠ 0,
 *     |M_N| ≤ μ_s P_N,     M_N = −μ_s P_N sgn ω_N   where ω_N ≠ 0,
 *
 * with lengths μ_r and μ_s, and P_N what the surfaces are pressed together with, R_N plus what holds them
 * (`model/contact-laws/contact-law.ts`). For μ_r the law is that of Acary and Bourrier 2021: the cone {|R_T|
 * ≤ μ R_N, |M_T| ≤ μ_r R_N} of five dimensions is the intersection of two, and maximal dissipation in it is
 * maximal dissipation in each of them. Both moments are blocks of three rows like those of friction in joints
 * (`joint-rows.ts`). The bound is that of this step: with P' the unknown in the normal of the block, and a
 * length ℓ that makes moments impulses, M = ℓ P'_T,
 *
 *     w 0 0      P'_N        −w P_N
 *     0         ·        +           ,     w' = ℓ² H_ω M⁻¹ ᵗH_ω,     μ = μ_r/ℓ,
 *     0  w'      P'_T        ℓ ω_Tf
 *
 *     normal    U'_N = w (P'_N − P_N), 0 ≤ U'_N ⊥ P'_N ≥ 0 and P_N ≥ 0: P'_N = P_N, as P'_N = 0 < P_N would
 *               give U'_N < 0. The tangents do not enter, and P'_N acts on nothing.
 *     tangent   Coulomb's law with the bound μ P'_N: that of M_T.
 *
 * Of spinning the first tangent has ℓ ω_N, the second one nothing and the mobility w, so that it has no
 * impulse (`joint-rows.ts`). −w couples the block with its contact and has no counterpart above the diagonal:
 * W is not symmetric, and solvers that need it to be do not suit.
 */

class Moment implements MomentRow {
  readonly isSymmetric = false;

  constructor(
    readonly axes: readonly [number, number],
    readonly isOwn: boolean,
  ) {}

  couple(values: Float64Array, { own, beside }: MomentBlocks, _bound: number, w: number): void {
    values[own] = w;
    values[beside] = -w;
  }

  friction(bound: number, lever: number): number {
    return bound / lever;
  }

  rightSide(): number {
    return 0;
  }
}

const rolling: MomentRow = new Moment([1, 2], false);
/** Its one number is kept as it is: tangents turn with the normal. */
const spinning: MomentRow = new Moment([0, -1], true);

/*
 * Percussions that dissipate (`laws/percussion.ts`): R_N = S + D with 0 ≤ U_N⁺ ⊥ S ≥ 0 and D = k max(0,
 * −(U_N⁺ + U_N⁻)). With R_N in the contact's row and S in that of the moment row,
 *
 *     0 ≤ U_N⁺ + U_N⁻ + (R_N − S)/k ⊥ R_N ≥ 0,     0 ≤ (S − R_N)/k − U_N⁻ ⊥ S ≥ 0,
 *
 * which adds 1/k times (1, −1; −1, 1) to W: it stays symmetric and positive semidefinite. That this is the
 * law, by cases:
 *
 *     R_N > 0, S > 0    U_N⁺ + U_N⁻ = (S − R_N)/k = U_N⁻: U_N⁺ = 0, and R_N − S = −k U_N⁻ is D if U_N⁻ ≤ 0.
 *                       If U_N⁻ > 0, D is zero, R_N is the reaction that U_N⁺ = 0 takes, and S is larger than
 *                       it by k U_N⁻, which acts on nothing.
 *     R_N > 0, S = 0    R_N = −k (U_N⁺ + U_N⁻), and −U_N⁻ ≥ R_N/k = −U_N⁺ − U_N⁻ says U_N⁺ ≥ 0: all of it is
 *                       D.
 *     R_N = 0           S = max(0, k U_N⁻), and U_N⁺ ≥ −U_N⁻ + S/k = max(−U_N⁻, 0): neither S nor D is asked
 *                       for.
 *
 * The tangents of the block have no rows and no impulse.
 */

const percussion: MomentRow = {
  axes: [-1, -1],
  isOwn: true,
  isSymmetric: true,

  couple(values: Float64Array, { own, beside, above, contact }: MomentBlocks, viscosity: number): void {
    const softness = 1 / viscosity;
    values[own] = softness;
    values[beside] = -softness;
    values[above] = -softness;
    values[contact] += softness;
  },

  friction(): number {
    return 0;
  },

  rightSide(approach: number): number {
    return -approach;
  },
};

const DIMENSION = 3;
const BLOCK = DIMENSION * DIMENSION;
/**
 * Mobility below this part of that of the bodies without joints is rounding: the joints hold the direction.
 */
const HELD = 1e-12;
/** By number of the kind: one line each. */
const ROWS: Readonly<Record<number, MomentRow>> = {
  [ROLLING]: rolling,
  [SPINNING]: spinning,
  [PERCUSSION]: percussion,
};

export class MomentRows {
  /** moments (M_N, M_T) of the last step by row of a contact, N m s */
  moments = new Float64Array(0);
  /** by moment row: ℓ, m, and Σ 1/m of the bodies, 1/kg */
  #levers = new Float64Array(0);
  #mobilities = new Float64Array(0);
  /** by body: 1/m, and `turnMobility` */
  readonly #ofBody: Float64Array;
  readonly #spin = new Float64Array(3);
  readonly #blocks: MomentBlocks = { own: 0, beside: 0, above: 0, contact: 0 };
  /** whether W is symmetric with the rows of the present step */
  isSymmetric = true;

  /** @param numbers by material (`momentNumbers`) */
  constructor(
    { bodies }: SpatialSystem,
    private readonly active: ActiveFrames,
    private readonly numbers: Float64Array,
  ) {
    this.#ofBody = Float64Array.from(bodies.flatMap(({ mass, turnMobility }) => [1 / mass, turnMobility]));
  }

  /** Row of the problem of the first moment row. */
  get #first(): number {
    return this.active.contactCount + this.active.jointCount;
  }

  /** Adds their frames, behind all others. */
  addTo(frames: ContactFrames, q: Float64Array, { bodies }: ContactList): void {
    const { momentRows, momentRowCount, contacts } = this.active;
    this.#reserve();
    this.isSymmetric = true;
    for (let k = 0; k < momentRowCount; k++) {
      const row = contactOf(momentRows[k]);
      const first = bodies[2 * contacts[row]];
      const second = bodies[2 * contacts[row] + 1];
      this.#measure(k, first, second);
      const { axes, isOwn, isSymmetric } = ROWS[contactKindOf(momentRows[k])];
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
    const { momentRows, momentRowCount, contacts } = this.active;
    const blocks = this.#blocks;
    for (let k = 0; k < momentRowCount; k++) {
      const row = this.#first + k;
      const kind = contactKindOf(momentRows[k]);
      const contact = contactOf(momentRows[k]);
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
    const { momentRows, momentRowCount, contacts } = this.active;
    for (let k = 0; k < momentRowCount; k++) {
      const kind = contactKindOf(momentRows[k]);
      const contact = contactOf(momentRows[k]);
      const number = this.numbers[KINDS * materials[contacts[contact]] + kind];
      mu[this.#first + k] = ROWS[kind].friction(number, this.#levers[k]);
      q[DIMENSION * (this.#first + k)] = ROWS[kind].rightSide(former[DIMENSION * contact]);
    }
  }

  /** Adds what kinematic bodies turn by to the rows of angular velocities. @param which their velocities */
  addKinematicBodies(
    kinematicBodies: KinematicBodies,
    which: Float64Array,
    { axes }: ContactFrames,
    { bodies }: ContactList,
    out: Float64Array,
  ): void {
    const { momentRows, momentRowCount, contacts } = this.active;
    const spin = this.#spin;
    for (let k = 0; k < momentRowCount; k++) {
      const row = contactOf(momentRows[k]);
      kinematicBodies.addSpin(which, bodies, contacts[row], spin.fill(0));
      const at = DIMENSION * (this.#first + k) + 1;
      const about = ROWS[contactKindOf(momentRows[k])].axes;
      for (let a = 0; a < about.length; a++)
        if (about[a] >= 0)
          out[at + a] += this.#levers[k] * dot(axes, FRAME_NUMBERS * row + 3 + 3 * about[a], spin, 0);
    }
  }

  /** The moments of the answer. */
  take({ r }: FrictionContactProblem): void {
    const { momentRows, momentRowCount, contactCount } = this.active;
    const { moments } = this;
    moments.fill(0, 0, DIMENSION * contactCount);
    for (let k = 0; k < momentRowCount; k++) {
      const from = DIMENSION * (this.#first + k);
      const to = DIMENSION * contactOf(momentRows[k]);
      const { axes } = ROWS[contactKindOf(momentRows[k])];
      for (let a = 0; a < axes.length; a++)
        if (axes[a] >= 0) moments[to + axes[a]] = this.#levers[k] * r[from + 1 + a];
    }
  }

  #reserve(): void {
    const { momentRowCount, contactCount } = this.active;
    if (this.#levers.length < momentRowCount) {
      this.#levers = new Float64Array(2 * momentRowCount);
      this.#mobilities = new Float64Array(2 * momentRowCount);
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
 * Gives the direction of the two tangents that is held, if one is, the mobility of the other, or that of the
 * bodies where both are.
 * @param at the block in `values`
 * @returns w, the larger of the two
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

/*
 * What a kind of moment row rows does to the problem. Each takes a block of three behind those of contacts
 * and joints.
 */

/** Entries in the values of W at which blocks begin: of the moment row's row and the contact's, row first. */
export interface MomentBlocks {
  own: number;
  beside: number;
  above: number;
  contact: number;
}

interface MomentRow {
  /**
   * Axes of the contact, 0 for the normal, about which the relative angular velocity stands in the second and
   * third component; −1 for none. The first component has no row in H: what it couples with is added to W.
   */
  readonly axes: readonly [number, number];
  /** whether impulses are kept as the numbers they are, and not as a vector in the contact's axes */
  readonly isOwn: boolean;
  /** whether W stays symmetric */
  readonly isSymmetric: boolean;
  /** Adds the first component. @param number of the material @param w mobility of the other two, 1/kg */
  couple(values: Float64Array, blocks: MomentBlocks, number: number, w: number): void;
  /** μ of the block. @param lever ℓ, m */
  friction(number: number, lever: number): number;
  /** q of the first component, m/s. @param approach U_N⁻ of the contact, m/s */
  rightSide(approach: number): number;
}
