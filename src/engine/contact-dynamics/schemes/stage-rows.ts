/**
 * Which stops, dry friction and limited motors of joints have forces at both ends of a Galerkin step, and
 * which stops are closed at its end, where they have impulses. A stop that is closed at q_k stays where it
 * does not approach (velocities), or where its rate is not above ε̇ or small against what it has pushed with
 * (accelerations); one that stays is closed at q_{k+1} too. Friction and motors have forces always.
 */
import type { StateArchive } from '../../state-archive';
import type { SpatialSystem } from '../../spatial/system';
import type { JointRows, RowChoice } from '../joint-rows';

interface RowSettings {
  readonly isOfVelocities: boolean;
  /** ε, in the unit of a stop, and κ */
  readonly closedGap: number;
  readonly kept: number;
}

export class StageRows {
  readonly left: RowChoice;
  readonly right: RowChoice;
  /** stops that are closed at the end: they have an impulse */
  readonly impact: RowChoice;
  /** H of all rows at q_k, or where forces of the start act */
  readonly jacobian: Float64Array;
  /** 1 where it has a force at the start, and at the end */
  readonly #stays: Uint8Array;
  readonly #ends: Uint8Array;
  /** 1 where it is a stop that is closed at the start, and at the end */
  readonly #wasClosed: Uint8Array;
  readonly #closes: Uint8Array;
  /** what it has pushed with in the last step, N s or N m s */
  readonly #pushed: Float64Array;
  readonly #atEnd: Float64Array;
  readonly #moved: Float64Array;

  constructor(
    private readonly system: SpatialSystem,
    private readonly rows: JointRows,
    private readonly settings: RowSettings,
  ) {
    const { list } = rows;
    this.jacobian = new Float64Array(list.length * system.velocities);
    this.#stays = new Uint8Array(list.length);
    this.#ends = new Uint8Array(list.length);
    this.#wasClosed = new Uint8Array(list.length);
    this.#closes = new Uint8Array(list.length);
    this.#pushed = new Float64Array(list.length);
    this.#atEnd = new Float64Array(list.length * system.velocities);
    this.#moved = new Float64Array(system.velocities);
    this.left = { part: 1, takesPart: (k) => this.#stays[k] === 1 };
    this.right = { part: 0.5, takesPart: (k) => this.#ends[k] === 1 };
    this.impact = { part: 1, takesPart: (k) => this.#closes[k] === 1 };
  }

  exchange(archive: StateArchive): void {
    archive.fixed(this.#pushed);
  }

  /** @param q q_k @param u u_k @param noise what solvers may have left of rates, m/s; `ε̇` included */
  begin(q: Float64Array, u: Float64Array, noise: number): void {
    const { list, scales } = this.rows;
    const { isOfVelocities } = this.settings;
    this.rows.formAll(q, this.jacobian);
    for (let k = 0; k < list.length; k++) {
      this.#wasClosed[k] = this.#isClosed(k, q);
      if (list[k].kind !== 'limit') this.#stays[k] = 1;
      else if (this.#wasClosed[k] === 0) this.#stays[k] = 0;
      else if (isOfVelocities) this.#stays[k] = scales[k] * rate(this.jacobian, k, u) >= -noise ? 1 : 0;
      else this.#stays[k] = this.#isKept(this.jacobian, k, u, this.#pushed[k], noise) ? 1 : 0;
    }
  }

  /** @param q q_{k+1} @param reached u_* @param pushed p⁺ by row @param noise see `begin` */
  end(q: Float64Array, reached: Float64Array, pushed: Float64Array, noise: number): void {
    const { list } = this.rows;
    const { isOfVelocities } = this.settings;
    if (!isOfVelocities) this.rows.formAll(q, this.#atEnd);
    for (let k = 0; k < list.length; k++) {
      const isStop = list[k].kind === 'limit';
      this.#closes[k] = this.#isClosed(k, q);
      if (!isStop || isOfVelocities) {
        this.#ends[k] = this.#stays[k] & (isStop ? this.#closes[k] : 1);
        continue;
      }
      const stays = (this.#closes[k] & this.#wasClosed[k]) === 1;
      this.#ends[k] = stays && this.#isKept(this.#atEnd, k, reached, pushed[k], noise) ? 1 : 0;
    }
  }

  /** Whether a stop closes in the step. */
  get hasClosed(): boolean {
    const before = this.settings.isOfVelocities ? this.#stays : this.#wasClosed;
    for (let k = 0; k < before.length; k++) if (this.#closes[k] === 1 && before[k] === 0) return true;
    return false;
  }

  /** Takes what a row has pushed with in the whole step. */
  keep(k: number, impulse: number): void {
    this.#pushed[k] = impulse;
  }

  #isClosed(k: number, q: Float64Array): 0 | 1 {
    const { list } = this.rows;
    return list[k].kind === 'limit' && this.rows.isClosed(k, q, this.settings.closedGap) ? 1 : 0;
  }

  /** Whether a stop rests, or ẏ is small against d R, d = H M⁻¹ ᵗH. */
  #isKept(jacobian: Float64Array, k: number, u: Float64Array, pushed: number, noise: number): boolean {
    const speed = rate(jacobian, k, u);
    if (this.rows.scales[k] * speed <= noise) return true;
    if (!(pushed > 0)) return false;
    const moved = this.#moved;
    for (let c = 0; c < moved.length; c++) moved[c] = jacobian[k * moved.length + c];
    this.system.applyInverseMass(moved);
    return speed <= this.settings.kept * pushed * rate(jacobian, k, moved);
  }
}

function rate(jacobian: Float64Array, k: number, u: Float64Array): number {
  let sum = 0;
  for (let c = 0; c < u.length; c++) sum += jacobian[k * u.length + c] * u[c];
  return sum;
}
