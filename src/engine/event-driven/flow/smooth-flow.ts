/**
 * The motion in given modes, ẋ = f(t, x). Multipliers of rows at a bound are that bound; those of ACTIVE rows
 * keep the output at zero by its lowest derivative in which they appear,
 *
 *     w = W λ + b = 0,     W_rs = C_r M⁻¹ B_s  or  D_rs,
 *     b = C v̇_free + γ (contacts, joints, switches on ẏ),
 *         C ẋ_free + ∂h/∂t (degree 1),  h(t, x, 0) (degree 0):
 *
 * "bilateral smooth dynamics" (the Siconos manual). A dependent row, such as the third contact of a stiff
 * beam, gets no multiplier of its own.
 */
import type { OdeSystem } from '../../smooth/ode-system';
import { BasicSolve, FrictionSharing } from '../decision/friction-sharing';
import { ContactSharing } from '../decision/contact-sharing';
import { DiscFriction } from '../decision/disc-friction';
import { isSymmetric, MOST_FULL, SparseFactor, SparseOperator } from '../decision/sparse-operator';
import { FrictionCoupling } from '../decision/friction-coupling';
import type { FreeMotion, IntegratedPlaces } from './free-motion';
import type { NetworkFlow } from '../network/network-flow';
import type { EventRelations } from '../rows/relation-rows';
import { ACTIVE, boundOf, type RowLaws } from '../rows/row-laws';

export class SmoothFlow implements OdeSystem {
  readonly size: number;
  /** mode of each row */
  readonly modes: Int8Array;
  /** multipliers of all rows, where the rate was evaluated last */
  readonly lambda: Float64Array;
  /**
   * Multipliers of candidates where the modes were decided. Where ACTIVE rows say the same, as a stop and dry
   * friction along one coordinate, only their sum follows from the motion: how they share it stays as it was
   * decided.
   */
  readonly decided: Float64Array;
  /** ẋ without ACTIVE multipliers, where a rate with some was evaluated last */
  readonly free: Float64Array;
  /** ACTIVE rows; those that pushed where the modes were decided come first */
  readonly active: Int32Array;
  activeCount = 0;
  /** null where no row has friction */
  readonly friction: FrictionCoupling | null;
  /** null where no contact has friction in a tangent plane */
  readonly discs: DiscFriction | null;
  /** how contacts with friction in a tangent plane share what they hold; null where there are none */
  readonly contacts: ContactSharing | null;
  readonly #sharing: FrictionSharing | null;
  /** W among the rows without its zeros; null where it is small, or not symmetric */
  readonly operator: SparseOperator | null;
  readonly #factor: SparseFactor | null;
  /** made when it is first needed: of many rows it is large */
  #full: BasicSolve | null = null;
  readonly #drifts: Float64Array;
  readonly #outputs: Float64Array;
  readonly #b: Float64Array;
  readonly #work: Float64Array;
  readonly #hasDegreeZero: boolean;
  /**
   * whether multipliers and rates of velocities are the same at all states and times in given modes, and
   * positions follow velocities (`ballistic-flight.ts`)
   */
  isSteady = false;
  /** those rates, and whether they have been evaluated in the present modes */
  readonly #steady: Float64Array;
  #isKnown = false;
  #isFactored = false;
  /** whether the factors are those without zeros */
  #isSparse = false;
  /** rows at a bound whose multiplier is not zero */
  readonly #pushing: Int32Array;
  #pushingCount = 0;

  constructor(
    private readonly laws: RowLaws,
    readonly rows: EventRelations,
    private readonly motion: FreeMotion,
    readonly places: IntegratedPlaces,
    /** modes of a network as a whole; null where each row has its degree */
    readonly network: NetworkFlow | null = null,
  ) {
    const { count } = laws;
    this.size = places.size;
    this.modes = new Int8Array(count);
    this.lambda = new Float64Array(count);
    this.decided = new Float64Array(count);
    this.free = new Float64Array(places.size);
    this.#steady = new Float64Array(places.size);
    this.active = new Int32Array(count);
    const isLarge = count > MOST_FULL && network === null && isSymmetric(laws);
    this.operator = isLarge ? new SparseOperator(rows, places.coordinates) : null;
    this.#factor = this.operator === null ? null : new SparseFactor(count, this.operator);
    this.#drifts = new Float64Array(count);
    this.#outputs = new Float64Array(count);
    this.#b = new Float64Array(count);
    this.#work = new Float64Array(places.coordinates);
    this.#pushing = new Int32Array(count);
    this.#hasDegreeZero = laws.degree.includes(0);
    this.friction = laws.frictionRows.length > 0 ? new FrictionCoupling(laws, rows) : null;
    this.discs = laws.slipRows.length > 0 ? new DiscFriction(laws, rows, places.velocity) : null;
    this.contacts =
      this.discs === null ? null : new ContactSharing(laws, this.discs, rows, this, places.offsets);
    this.#sharing = this.friction === null ? null : new FrictionSharing(laws, this.friction, this);
  }

  /**
   * After `modes` have changed.
   * @param carries by row: 1 for ACTIVE rows whose multiplier has room on both sides. They come first; of
   *   dependent rows, the later ones get no multiplier of their own
   */
  setModes(carries: Uint8Array): void {
    const { laws, modes, friction, discs } = this;
    this.activeCount = 0;
    this.#pushingCount = 0;
    friction?.setModes(modes);
    discs?.setModes(modes);
    this.#sharing?.begin();
    for (let pass = 0; pass < 2; pass++) {
      for (let row = 0; row < laws.count; row++) {
        if (modes[row] !== ACTIVE || (carries[row] === 1) !== (pass === 0)) continue;
        const isTangential = laws.kind[row] === 'friction' || laws.kind[row] === 'slip';
        if (!isTangential) this.active[this.activeCount++] = row;
      }
    }
    if (friction !== null) this.activeCount = friction.appendSticking(carries, this.active, this.activeCount);
    if (discs !== null) this.activeCount = discs.appendSticking(carries, this.active, this.activeCount);
    this.contacts?.begin(this.active, this.activeCount);
    for (let row = 0; row < laws.count; row++) {
      if (modes[row] === ACTIVE) continue;
      this.lambda[row] = boundOf(laws, modes, row);
      if (this.lambda[row] !== 0) this.#pushing[this.#pushingCount++] = row;
    }
    this.#isKnown = false;
    this.#isFactored = false;
    if (this.network?.isEngaged === true) this.network.setModes(modes);
  }

  rate(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    if (!this.isSteady) {
      this.#evaluate(clock, x, out);
      return;
    }
    if (!this.#isKnown) {
      this.#evaluate(clock, x, this.#steady);
      this.#isKnown = true;
    }
    const { positions } = this.places;
    for (let i = 0; i < positions; i++) out[i] = x[positions + i];
    for (let i = positions; i < out.length; i++) out[i] = this.#steady[i];
  }

  /** Forces may be others from here on. */
  forget(): void {
    this.#isKnown = false;
  }

  #evaluate(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    if (!this.freeRate(clock, x, out) || this.activeCount === 0) return;
    const { free, friction, discs } = this;
    for (let i = 0; i < out.length; i++) free[i] = out[i];
    discs?.follow(x);
    if (friction !== null) friction.pushHeld(this, free);
    this.#solve(clock, x);
    for (let k = 0; k < this.activeCount; k++) this.push(this.active[k], this.lambda, out);
    if (friction !== null)
      for (let k = 0; k < friction.slidingCount; k++) this.push(friction.sliding[k], this.lambda, out);
    if (discs !== null) this.#pushSlips(discs, this.lambda, out);
  }

  #pushSlips(discs: DiscFriction, lambda: Float64Array, out: Float64Array): void {
    for (let k = 0; k < discs.slidingCount; k++) {
      this.push(discs.sliding[k], lambda, out);
      this.push(discs.sliding[k] + 1, lambda, out);
    }
  }

  /**
   * ẋ with the multipliers of rows at a bound, without those of ACTIVE rows.
   * @returns false where a mass is singular; NaN then
   */
  freeRate(clock: Float64Array, x: Float64Array, out: Float64Array): boolean {
    const { motion, rows } = this;
    if (!motion.isConstant && !motion.updateMasses(x)) {
      out.fill(NaN);
      return false;
    }
    motion.rate(clock, x, out);
    if (this.activeCount === 0 && this.#pushingCount === 0) return true;
    rows.update(clock, x, true);
    for (let k = 0; k < this.#pushingCount; k++) this.push(this.#pushing[k], this.lambda, out);
    return true;
  }

  /** Adds what the multiplier of a row does to the rates. */
  push(row: number, lambda: Float64Array, out: Float64Array): void {
    const { rowStart, dofs, response } = this.rows;
    const { velocity } = this.places;
    const value = lambda[row];
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) out[velocity[dofs[k]]] += value * response[k];
  }

  #solve(clock: Float64Array, x: Float64Array): void {
    const { rows, active, activeCount, network } = this;
    if (network?.isEngaged === true) {
      rows.drifts(clock, x, this.#drifts);
      network.solve(clock, x, this.free, this.#drifts, this.lambda);
      return;
    }
    if (!this.#isFactored || !rows.isConstant) {
      this.#factorActive(true);
      this.#isFactored = true;
    }
    const b = this.#b;
    if (this.#isSparse && this.#factor !== null) {
      this.offsets(clock, x, this.free, b, this.#drifts);
      for (let k = 0; k < activeCount; k++) this.lambda[active[k]] = -b[active[k]];
      this.#factor.solve(active, activeCount, this.lambda);
      return;
    }
    const solver = this.#solver;
    const isHeld = solver.rank < activeCount && this.friction === null && !this.#hasDegreeZero;
    if (isHeld) this.#pushDecided();
    this.offsets(clock, x, this.free, b, this.#drifts);
    const { rhs } = solver;
    for (let k = 0; k < activeCount; k++) rhs[k] = -b[active[k]];
    solver.solve();
    for (let k = 0; k < activeCount; k++) this.lambda[active[k]] = rhs[k];
    if (isHeld) for (let k = 0; k < activeCount; k++) this.lambda[active[k]] += this.decided[active[k]];
    if (isHeld) this.contacts?.share(this.lambda);
    else this.contacts?.release();
    this.discs?.complete(this.lambda);
    if (this.friction === null) return;
    this.friction.complete(this.lambda);
    this.#sharing?.share(this.lambda);
  }

  get #solver(): BasicSolve {
    this.#full ??= new BasicSolve(this.laws.count);
    return this.#full;
  }

  /** Factors W among the ACTIVE rows. @param isCoupled see `fillOperator` */
  #factorActive(isCoupled: boolean): void {
    const { active, activeCount } = this;
    this.#isSparse =
      this.#factor !== null && activeCount > MOST_FULL && this.#factor.factor(active, activeCount);
    if (this.#isSparse) return;
    const solver = this.#solver;
    this.fillOperator(active, activeCount, solver.matrix, isCoupled);
    solver.factor(activeCount);
  }

  /** Adds what redundant rows hold to the free rates, with the friction that goes with it. */
  #pushDecided(): void {
    const { active, activeCount, decided, discs, free } = this;
    for (let k = 0; k < activeCount; k++) this.push(active[k], decided, free);
    if (discs === null) return;
    discs.complete(decided);
    this.#pushSlips(discs, decided, free);
  }

  /**
   * b of all rows, from rates that do not contain the multipliers in question.
   * @param free those rates
   * @param drifts workspace, filled with γ or ∂h/∂t
   */
  offsets(
    clock: Float64Array,
    x: Float64Array,
    free: Float64Array,
    b: Float64Array,
    drifts: Float64Array,
  ): void {
    const { rows, laws } = this;
    const { rowStart, dofs, C } = rows;
    const { velocity } = this.places;
    rows.drifts(clock, x, drifts);
    if (this.#hasDegreeZero) {
      // λ of degree-0 rows enters y through D only; bounds of rows that are not ACTIVE are part of the
      // offset.
      for (let row = 0; row < laws.count; row++) b[row] = this.modes[row] === ACTIVE ? 0 : this.lambda[row];
      rows.outputs(clock, x, b, this.#outputs);
    }
    for (let row = 0; row < laws.count; row++) {
      if (laws.degree[row] === 0) {
        b[row] = this.#outputs[row];
        continue;
      }
      let sum = drifts[row];
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += C[k] * free[velocity[dofs[k]]];
      b[row] = sum;
    }
  }

  /**
   * W among the given rows, column by column.
   * @param matrix filled from 0 on, count × count
   * @param isCoupled whether columns of contacts contain the friction that goes with their force
   */
  fillOperator(list: Int32Array, count: number, matrix: Float64Array, isCoupled = true): void {
    const { laws, rows } = this;
    const friction = isCoupled ? this.friction : null;
    const discs = isCoupled ? this.discs : null;
    const { rowStart, dofs, C, response } = rows;
    const work = this.#work;
    for (let j = 0; j < count; j++) {
      const column = list[j];
      for (let k = rowStart[column]; k < rowStart[column + 1]; k++) work[dofs[k]] = response[k];
      if (friction !== null) friction.addColumn(column, work);
      if (discs !== null) discs.addColumn(column, work);
      for (let i = 0; i < count; i++) {
        const row = list[i];
        let sum = 0;
        if (laws.degree[row] === 0) {
          sum = rows.feedthrough(row, column);
        } else {
          for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += C[k] * work[dofs[k]];
        }
        matrix[j * count + i] = sum;
      }
      for (let k = rowStart[column]; k < rowStart[column + 1]; k++) work[dofs[k]] = 0;
    }
  }

  /**
   * Solves W d = rhs among the ACTIVE rows with the factors of the last rate; where friction couples, with
   * those of W without it, because d are no forces.
   * @param rhs by row; replaced by d on ACTIVE rows
   */
  solveActive(clock: Float64Array, x: Float64Array, rhs: Float64Array): void {
    const { active, activeCount } = this;
    this.rows.update(clock, x);
    if (!this.#isFactored || !this.rows.isConstant || this.friction !== null) {
      this.#factorActive(false);
      this.#isFactored = this.friction === null;
    }
    if (this.#isSparse && this.#factor !== null) {
      this.#factor.solve(active, activeCount, rhs);
      return;
    }
    const solver = this.#solver;
    for (let k = 0; k < activeCount; k++) solver.rhs[k] = rhs[active[k]];
    solver.solve();
    for (let k = 0; k < activeCount; k++) rhs[active[k]] = solver.rhs[k];
  }
}
