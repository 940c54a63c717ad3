/**
 * An impact as a smooth map of the state before it, with the set of rows that push held fixed:
 *
 *     v⁺ = R(t, q, v⁻) = v⁻ + M⁻¹ᵗĈ P,     W P = −(1 + e) ẏ⁻,     W = C M⁻¹ᵗĈ,     ẏ⁻ = C v⁻ + ∂h/∂t,
 *
 * where e is 0 in joints and in contacts whose bounce has been left out, and Ĉ of a contact that slides
 * during the impact contains its friction, ĉ = c_n ± μ c_t. Then
 *
 *     ∂R/∂v = I − M⁻¹ᵗĈ W⁻¹ (1 + e) C.
 *
 * Where C and M are constant, ∂R/∂q = 0, and along the flow before the impact R changes by the acceleration
 * v̇⁻ and by γ,
 *
 *     dR/dt = v̇⁻ − M⁻¹ᵗĈ W⁻¹ (1 + e) (C v̇⁻ + γ).
 *
 * Otherwise ∂R/∂q and dR/dt are central differences of R of order 4 (`flow-jacobian.ts`).
 */
import { factorDense, solveDense } from '../../linalg/lu';
import type { ObservedParts } from '../flow/flight-observer';
import { DISPLACEMENT, PLACES, type StateSizes, WEIGHTS } from './flow-jacobian';

/** A tangential impulse that is this close to the bound of its cone, relative to it, slides. */
const AT_BOUND = 1e-9;

/** Why an impact has no derivative here. */
export type ImpactObstacle = 'redundant' | 'law';

export class ImpactMap {
  /** rows that push: contacts, joints, friction that sticks */
  readonly #list: Int32Array;
  #count = 0;
  /** f of contacts that slide, by row */
  readonly #factor: Float64Array;
  /** 1 + e by row */
  readonly #gain: Float64Array;
  readonly #matrix: Float64Array;
  readonly #pivots: Int32Array;
  readonly #impulse: Float64Array;
  readonly #speeds: Float64Array;
  readonly #drifts: Float64Array;
  readonly #direction: Float64Array;
  readonly #x: Float64Array;
  readonly #image: Float64Array;
  readonly #clock = new Float64Array(1);

  constructor(
    private readonly parts: ObservedParts,
    private readonly sizes: StateSizes,
    /** whether the law of impacts is Newton's, or Poisson's where that is the same */
    private readonly isPlainLaw: boolean,
  ) {
    const { count } = parts.laws;
    const { size } = parts.flow;
    this.#list = new Int32Array(count);
    this.#factor = new Float64Array(count);
    this.#gain = new Float64Array(count);
    this.#matrix = new Float64Array(count * count);
    this.#pivots = new Int32Array(count);
    this.#impulse = new Float64Array(count);
    this.#speeds = new Float64Array(count);
    this.#drifts = new Float64Array(count);
    this.#direction = new Float64Array(size);
    this.#x = new Float64Array(size);
    this.#image = new Float64Array(size);
  }

  /**
   * The rows that take part in the impact that has just been processed, by their impulses.
   * @param isIncluded by row: of contacts that open impacts, which belong to this one
   */
  select(isIncluded: Uint8Array): ImpactObstacle | null {
    const { laws, event } = this.parts;
    const { impulse, isPlastic } = event;
    this.#count = 0;
    this.#factor.fill(0);
    let contacts = 0;
    let hasFriction = false;
    for (let row = 0; row < laws.count; row++) {
      const kind = laws.kind[row];
      if (kind === 'joint') this.#add(row, 0);
      if (kind !== 'contact' || impulse[row] === 0 || isIncluded[row] === 0) continue;
      contacts++;
      this.#add(row, isPlastic[row] === 1 ? 0 : laws.restitution[row]);
      const rough = row + 1 < laws.count && laws.kind[row + 1] === 'friction' && laws.mu[row + 1] > 0;
      if (!rough) continue;
      hasFriction = true;
      const bound = laws.mu[row + 1] * impulse[row];
      if (Math.abs(impulse[row + 1]) >= (1 - AT_BOUND) * bound)
        this.#factor[row] = Math.sign(impulse[row + 1]) * laws.mu[row + 1];
      else this.#add(row + 1, isPlastic[row] === 1 ? 0 : laws.restitution[row + 1]);
    }
    const isPlain = this.isPlainLaw && !(laws.isPoisson && (hasFriction || contacts > 1));
    return isPlain || (contacts <= 1 && !hasFriction) ? null : 'law';
  }

  #add(row: number, restitution: number): void {
    this.#list[this.#count++] = row;
    this.#gain[row] = 1 + restitution;
  }

  /** Whether nothing is left of a relative velocity that the impact is about. */
  get isPlastic(): boolean {
    for (let k = 0; k < this.#count; k++) if (this.#gain[this.#list[k]] === 1) return true;
    return false;
  }

  /**
   * Whether rows act on each other through the masses, so that an impact at one changes the speed of the
   * other.
   */
  isCoupled(row: number, other: number, clock: Float64Array, x: Float64Array): boolean {
    const { rows } = this.parts;
    rows.update(clock, x);
    return this.#product(row, other) !== 0;
  }

  /** C_row M⁻¹ ĉ_column */
  #product(row: number, column: number): number {
    const { rows } = this.parts;
    const { rowStart, dofs, response, C } = rows;
    let sum = 0;
    for (let part = 0; part < 2; part++) {
      const factor = part === 0 ? 1 : this.#factor[column];
      if (factor === 0) continue;
      for (let k = rowStart[column + part]; k < rowStart[column + part + 1]; k++) {
        for (let i = rowStart[row]; i < rowStart[row + 1]; i++)
          if (dofs[i] === dofs[k]) sum += factor * C[i] * response[k];
      }
    }
    return sum;
  }

  /** Factors W at a state. @returns whether no row depends on the others */
  #factorise(clock: Float64Array, x: Float64Array): boolean {
    const list = this.#list;
    const n = this.#count;
    this.parts.rows.update(clock, x);
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) this.#matrix[j * n + i] = this.#product(list[i], list[j]);
    return factorDense(this.#matrix, 0, n, this.#pivots, 0) < 0;
  }

  /** Adds M⁻¹ᵗĈ P to the velocities in `out`, with P = −W⁻¹ (1 + e) times the values by row. */
  #respond(values: Float64Array, out: Float64Array): void {
    const { rows, flow } = this.parts;
    const { rowStart, dofs, response } = rows;
    const { velocity } = flow.places;
    const n = this.#count;
    const impulse = this.#impulse;
    for (let i = 0; i < n; i++) impulse[i] = -this.#gain[this.#list[i]] * values[this.#list[i]];
    solveDense(this.#matrix, 0, n, this.#pivots, 0, impulse);
    for (let i = 0; i < n; i++) {
      const row = this.#list[i];
      for (let part = 0; part < 2; part++) {
        const value = impulse[i] * (part === 0 ? 1 : this.#factor[row]);
        if (value === 0) continue;
        for (let k = rowStart[row + part]; k < rowStart[row + part + 1]; k++)
          out[velocity[dofs[k]]] += value * response[k];
      }
    }
  }

  /** The state after the impact into `out`. @returns whether it is determined */
  apply(clock: Float64Array, x: Float64Array, out: Float64Array): boolean {
    const { rows } = this.parts;
    if (!this.#factorise(clock, x)) return false;
    rows.speeds(clock, x, this.#speeds);
    for (let i = 0; i < x.length; i++) out[i] = x[i];
    this.#respond(this.#speeds, out);
    return true;
  }

  /**
   * @param rate ẋ before the impact
   * @param outMatrix ∂R/∂x, entry [i, j] at [i + n j]
   * @param outAlong dR/dt along the flow before the impact
   */
  differentiate(
    clock: Float64Array,
    x: Float64Array,
    rate: Float64Array,
    outMatrix: Float64Array,
    outAlong: Float64Array,
  ): ImpactObstacle | null {
    const { rows, flow } = this.parts;
    const { velocity, coordinates } = flow.places;
    const n = x.length;
    if (!this.#factorise(clock, x)) return 'redundant';
    outMatrix.fill(0);
    const column = this.#image;
    for (let j = 0; j < n; j++) outMatrix[j + n * j] = 1;
    for (let dof = 0; dof < coordinates; dof++) {
      const place = velocity[dof];
      if (place === dof) continue;
      column.fill(0);
      column[place] = 1;
      this.#direction.fill(0);
      this.#direction[place] = 1;
      this.#turn(this.#direction, column);
      for (let i = 0; i < n; i++) outMatrix[i + n * place] = column[i];
    }
    if (rows.isConstant) {
      rows.drifts(clock, x, this.#drifts);
      this.#along(rate, outAlong);
      return null;
    }
    this.#differenceByPosition(clock, x, outMatrix);
    this.#differenceAlong(clock, x, rate, outAlong);
    rows.update(clock, x);
    return null;
  }

  /** Changes of speeds by a change of velocities, and what the impact makes of them. */
  #turn(change: Float64Array, out: Float64Array): void {
    const values = this.#speeds;
    for (let i = 0; i < this.#count; i++) values[this.#list[i]] = this.#speedOf(this.#list[i], change);
    this.#respond(values, out);
  }

  #speedOf(row: number, change: Float64Array): number {
    const { rows, flow } = this.parts;
    const { rowStart, dofs, C } = rows;
    const { velocity } = flow.places;
    let sum = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += C[k] * change[velocity[dofs[k]]];
    return sum;
  }

  #along(rate: Float64Array, out: Float64Array): void {
    const values = this.#speeds;
    for (let i = 0; i < this.#count; i++) {
      const row = this.#list[i];
      values[row] = this.#speedOf(row, rate) + this.#drifts[row];
    }
    for (let i = 0; i < out.length; i++) out[i] = rate[i];
    this.#respond(values, out);
  }

  #differenceByPosition(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    const { velocity, coordinates } = this.parts.flow.places;
    const n = x.length;
    const moved = this.#x;
    moved.set(x);
    for (let dof = 0; dof < coordinates; dof++) {
      if (velocity[dof] === dof) continue;
      const delta = 2 ** Math.round(Math.log2(this.sizes.displacement(dof)));
      for (let i = 0; i < n; i++) out[i + n * dof] = 0;
      for (let k = 0; k < PLACES.length; k++) {
        moved[dof] = x[dof] + PLACES[k] * delta;
        this.apply(clock, moved, this.#image);
        for (let i = 0; i < n; i++) out[i + n * dof] += (WEIGHTS[k] / (12 * delta)) * this.#image[i];
      }
      moved[dof] = x[dof];
    }
  }

  #differenceAlong(clock: Float64Array, x: Float64Array, rate: Float64Array, out: Float64Array): void {
    let step = Infinity;
    for (let i = 0; i < x.length; i++)
      if (rate[i] !== 0) step = Math.min(step, this.sizes.displacement(i) / Math.abs(rate[i]));
    if (step === Infinity) step = DISPLACEMENT;
    step = 2 ** Math.round(Math.log2(step));
    out.fill(0);
    for (let k = 0; k < PLACES.length; k++) {
      const s = PLACES[k] * step;
      this.#clock[0] = clock[0] + s;
      for (let i = 0; i < x.length; i++) this.#x[i] = x[i] + s * rate[i];
      this.apply(this.#clock, this.#x, this.#image);
      for (let i = 0; i < x.length; i++) out[i] += (WEIGHTS[k] / (12 * step)) * this.#image[i];
    }
  }
}
