/**
 * Rolling and spinning friction: a contact puts a moment on its bodies besides its force, against their relative angular velocity
 * ω = ω₂ − ω₁,
 *
 *     |M_T| ≤ μ_r P_N,     M_T = −μ_r P_N ω_T/|ω_T| where ω_T ≠ 0,
 *     |M_N| ≤ μ_s P_N,     M_N = −μ_s P_N sgn ω_N   where ω_N ≠ 0,
 *
 * with lengths μ_r and μ_s, and P_N what the surfaces are pressed together with, R_N plus what holds them (`laws/contact-law.ts`). For μ_r
 * the law is that of V. Acary and F. Bourrier ("Coulomb friction with rolling resistance as a cone complementarity problem", Eur. J. Mech.
 * A 85, 2021): the cone {|R_T| ≤ μ R_N, |M_T| ≤ μ_r R_N} of five dimensions is the intersection of two, and maximal dissipation in it is maximal
 * dissipation in each of them. Both moments are blocks of three rows like those of friction in joints (`joint-rows/bounded.ts`), behind all others.
 * The bound is that of this step: with P' the unknown in the normal of the block, and a length ℓ that makes moments impulses, M = ℓ P'_T,
 *
 *     w 0 0      P'_N        −w P_N
 *     0         ·        +           ,     w' = ℓ² H_ω M⁻¹ ᵗH_ω,     μ = μ_r/ℓ,
 *     0  w'      P'_T        ℓ ω_Tf
 *
 *     normal    U'_N = w (P'_N − P_N), 0 ≤ U'_N ⊥ P'_N ≥ 0 and P_N ≥ 0: P'_N = P_N, as P'_N = 0 < P_N would give U'_N < 0. The tangents do not
 *               enter, and P'_N acts on nothing.
 *     tangent   Coulomb's law with the bound μ P'_N: that of M_T.
 *
 * Of spinning the first tangent has ℓ ω_N, the second one nothing and the mobility w, so that it has no impulse (`joint-rows/bounded.ts`). −w couples the block with
 * its contact and has no counterpart above the diagonal: W is not symmetric, and solvers that need it to be do not suit.
 *
 * Where joints hold a direction d of the tangents, w' d = 0 and M·d changes nothing. It gets the mobility of the other direction. Then U'_T·d = w M·d/ℓ,
 * which is zero where the block sticks and where it slips, so that M·d = 0 is the choice made.
 *
 * ℓ² = Σ 1/m / Σ ⅓ tr I⁻¹ over both bodies, for a sphere ⅖ r²: a turn about the mass centre and a displacement are of one size.
 */
import type { BlockRows } from '../linalg/block-rows';
import type { FrictionContactProblem } from '../problems/friction-contact';
import type { SpatialSystem } from '../spatial/system';
import type { ActiveFrames } from './active-frames';
import type { ContactFrames } from './contact-frames';
import type { ContactList } from './contact-list';
import { MOMENTS, ROLLING } from './moment-bounds';

const DIMENSION = 3;
const BLOCK = DIMENSION * DIMENSION;
/** Mobility below this part of that of the bodies without joints is rounding: the joints hold the direction. */
const HELD = 1e-12;
/** Axes of the contact in the second and third component of a block. */
const TANGENTS = [1, 2] as const;
const NORMAL = [0, -1] as const;

export class ContactMoments {
  /** (M_N, M_T) of the last step by row of a contact, N m s */
  impulses = new Float64Array(0);
  /** by moment: ℓ, m, and Σ 1/m of the bodies, 1/kg */
  #levers = new Float64Array(0);
  #mobilities = new Float64Array(0);
  /** by body: 1/m, and ⅓ tr I⁻¹ */
  readonly #ofBody: Float64Array;

  /** @param bounds by material (`momentBounds`) */
  constructor(
    { bodies }: SpatialSystem,
    private readonly active: ActiveFrames,
    private readonly bounds: Float64Array,
  ) {
    this.#ofBody = Float64Array.from(
      bodies.flatMap(({ mass, inverseInertia }) => [
        1 / mass,
        (inverseInertia[0] + inverseInertia[4] + inverseInertia[8]) / 3,
      ]),
    );
  }

  /** Row of the problem of the first moment. */
  get #first(): number {
    return this.active.contactCount + this.active.jointCount;
  }

  /** Adds their frames, behind all others. */
  addTo(frames: ContactFrames, q: Float64Array, { bodies }: ContactList): void {
    const { moments, momentCount, contacts } = this.active;
    this.#reserve();
    for (let k = 0; k < momentCount; k++) {
      const row = Math.floor(moments[k] / MOMENTS);
      const first = bodies[2 * contacts[row]];
      const second = bodies[2 * contacts[row] + 1];
      this.#measure(k, first, second);
      const isRolling = moments[k] % MOMENTS === ROLLING;
      frames.addTurn(q, first, second, row, isRolling ? TANGENTS : NORMAL, this.#levers[k], !isRolling);
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

  /** Completes W, which has just been formed: w, and −w beside the contact. */
  couple(W: BlockRows): void {
    const { moments, momentCount } = this.active;
    for (let k = 0; k < momentCount; k++) {
      const row = this.#first + k;
      const at = BLOCK * W.diagonal[row];
      const w = freeHeld(W.values, at, this.#mobilities[k]);
      W.values[at] = w;
      const contact = Math.floor(moments[k] / MOMENTS);
      let block = W.rowStart[row];
      while (W.columns[block] !== contact) block++;
      W.values[BLOCK * block] = -w;
    }
  }

  /** μ, and q of the first components, which no other law has a part in. */
  write({ mu, q }: FrictionContactProblem, { materials }: ContactList): void {
    const { moments, momentCount, contacts } = this.active;
    for (let k = 0; k < momentCount; k++) {
      const kind = moments[k] % MOMENTS;
      const material = materials[contacts[(moments[k] - kind) / MOMENTS]];
      mu[this.#first + k] = this.bounds[MOMENTS * material + kind] / this.#levers[k];
      q[DIMENSION * (this.#first + k)] = 0;
    }
  }

  /** The moments of the answer. */
  take({ r }: FrictionContactProblem): void {
    const { moments, momentCount, contactCount } = this.active;
    const { impulses } = this;
    impulses.fill(0, 0, DIMENSION * contactCount);
    for (let k = 0; k < momentCount; k++) {
      const from = DIMENSION * (this.#first + k);
      const kind = moments[k] % MOMENTS;
      const to = (DIMENSION * (moments[k] - kind)) / MOMENTS;
      const lever = this.#levers[k];
      if (kind === ROLLING) {
        impulses[to + 1] = lever * r[from + 1];
        impulses[to + 2] = lever * r[from + 2];
      } else impulses[to] = lever * r[from + 1];
    }
  }

  #reserve(): void {
    const { momentCount, contactCount } = this.active;
    if (this.#levers.length < momentCount) {
      this.#levers = new Float64Array(2 * momentCount);
      this.#mobilities = new Float64Array(2 * momentCount);
    }
    if (this.impulses.length < DIMENSION * contactCount)
      this.impulses = new Float64Array(2 * DIMENSION * contactCount);
  }
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
