/**
 * The relations at a state: outputs y, their derivatives, and the directions in which multipliers act.
 *
 * Of a Lagrangian relation y = h(t, q), with C = ∇_q h,
 *
 *     ẏ = C v + ∂h/∂t,     ÿ = C v̇ + γ,     γ = d/dt (C v + ∂h/∂t) at constant v.
 *
 * γ vanishes where C and ∂h/∂t are constant. Forms give no derivative beyond ∂h/∂t; so where they are not, γ is the
 * derivative at s = 0 of s ↦ f(s) = ẏ(t + s, q + s v, v), from two central differences,
 *
 *     D₁ = (f(δ) − f(−δ)) / 2δ,     D₂ = (f(2δ) − f(−2δ)) / 4δ,     γ = D₁ + (D₁ − D₂)/3  (order 4).
 *
 * Where a derivative that is prescribed jumps within 2δ, as between the arcs of a cam, D₁ and D₂ disagree, and extrapolation would
 * overshoot: a force that stays positive on both sides of the jump could become negative. There γ = D₁, which lies between the
 * values on the two sides.
 *
 * Of a first-order relation y = h(t, x, λ), ẏ = C ẋ + ∂h/∂t + D λ̇, where ∂h/∂t is formed by the same differences.
 * Truncation is δ⁴/30 of the fifth derivative, rounding about ε/δ: with δ about a thousandth of the time over which the
 * motion prescribed changes, both stay below 1e-11 of it.
 */
import type { NonSmoothDynamicalSystem, Relation } from '../model/nsds';
import type { FreeMotion } from './free-motion';
import type { RowLaws } from './row-laws';
import type { IntegratedPlaces } from './state-places';

/** One relation with its workspace. */
interface Evaluated {
  readonly relation: Relation;
  readonly row: number;
  readonly systems: readonly number[];
  /** coordinates of its systems */
  readonly dofs: Int32Array;
  /** place in x that the rate of each coordinate has: its velocity or the first-order state itself */
  readonly rates: Int32Array;
  readonly z: Float64Array;
  readonly y: Float64Array;
  /** D₁ and D₂ */
  readonly near: Float64Array;
  readonly far: Float64Array;
  readonly lambda: Float64Array;
  /** C of displaced states */
  readonly C: Float64Array;
  readonly D: Float64Array;
  /** whether γ, or ∂h/∂t of a first-order relation, has to be formed by differences */
  readonly hasDrift: boolean;
}

/** D₁ and D₂ differ by less where f is smooth, by far, and by more when a jump of its derivative lies between. */
const AGREEMENT = 1e-3;

export class RelationRows {
  /** first entry of each row in the arrays below */
  readonly rowStart: Int32Array;
  /** coordinates that the entries belong to */
  readonly dofs: Int32Array;
  /** C by row */
  readonly C: Float64Array;
  /** the input direction of the multiplier, column of B or of ᵗC */
  readonly input: Float64Array;
  /** M⁻¹ times that */
  readonly response: Float64Array;
  /** whether C and the response are the same at all states */
  readonly isConstant: boolean;
  readonly #evaluated: readonly Evaluated[];
  readonly #clock = new Float64Array(1);
  readonly #velocity: Int32Array;
  #isReady = false;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly laws: RowLaws,
    private readonly places: IntegratedPlaces,
    private readonly motion: FreeMotion,
    /** δ of the differences, s */
    private readonly difference: number,
  ) {
    this.#velocity = places.velocity;
    const dofsOf = model.interactions.map(({ systems }) =>
      systems.flatMap((s) =>
        Array.from({ length: places.offsets[s + 1] - places.offsets[s] }, (_, k) => places.offsets[s] + k),
      ),
    );
    this.rowStart = new Int32Array(laws.count + 1);
    const all: number[] = [];
    model.interactions.forEach(({ relation }, i) => {
      for (let r = 0; r < relation.size; r++) {
        all.push(...dofsOf[i]);
        this.rowStart[laws.offsets[i] + r + 1] = all.length;
      }
    });
    this.dofs = Int32Array.from(all);
    this.C = new Float64Array(all.length);
    this.input = new Float64Array(all.length);
    this.response = new Float64Array(all.length);
    this.#evaluated = model.interactions.map(({ relation, systems }, i) => ({
      relation,
      row: laws.offsets[i],
      systems,
      dofs: Int32Array.from(dofsOf[i]),
      rates: Int32Array.from(dofsOf[i], (dof) => places.velocity[dof]),
      z: new Float64Array(relation.columns),
      y: new Float64Array(relation.size),
      near: new Float64Array(relation.size),
      far: new Float64Array(relation.size),
      lambda: new Float64Array(relation.size),
      C: new Float64Array(relation.size * relation.columns),
      D: new Float64Array(relation.size * relation.size),
      hasDrift: relation.isTimeDependent || (relation.order === 2 && relation.C === null),
    }));
    this.isConstant = motion.isConstant && this.#evaluated.every(({ relation }) => relation.C !== null);
  }

  /** Brings C, input directions and responses to the state, and masses before that unless they are there already. */
  update(clock: Float64Array, x: Float64Array, hasMasses = false): void {
    if (this.#isReady && this.isConstant) return;
    if (!hasMasses && !this.motion.isConstant) this.motion.updateMasses(x);
    for (let e = 0; e < this.#evaluated.length; e++) {
      const evaluated = this.#evaluated[e];
      if (!this.#isReady || evaluated.relation.C === null) this.#readJacobian(evaluated, clock, x);
      if (!this.#isReady || evaluated.relation.C === null || !this.motion.isConstant)
        this.#respond(evaluated);
    }
    this.#isReady = true;
  }

  #readJacobian(evaluated: Evaluated, clock: Float64Array, x: Float64Array): void {
    const { relation, row, z, lambda, D, dofs } = evaluated;
    const { size, columns } = relation;
    const at = this.rowStart[row];
    let C = relation.C;
    if (C === null) {
      C = evaluated.C;
      for (let k = 0; k < columns; k++) z[k] = x[dofs[k]];
      lambda.fill(0);
      relation.outputJacobians(clock, z, lambda, C, D);
    }
    // Rows of C follow one another in the arrays as they do in C.
    for (let k = 0; k < size * columns; k++) this.C[at + k] = C[k];
    const { B } = relation;
    for (let r = 0; r < size; r++) {
      for (let k = 0; k < columns; k++)
        this.input[at + r * columns + k] = B === null ? C[r * columns + k] : B[k * size + r];
    }
  }

  #respond({ relation, row, systems }: Evaluated): void {
    const { offsets } = this.places;
    for (let r = 0; r < relation.size; r++) {
      let at = this.rowStart[row + r];
      for (let k = 0; k < relation.columns; k++) this.response[at + k] = this.input[at + k];
      for (let s = 0; s < systems.length; s++) {
        this.motion.applyInverse(systems[s], this.response, at);
        at += offsets[systems[s] + 1] - offsets[systems[s]];
      }
    }
  }

  /** D of degree-0 rows: entry [r, s] of rows of one interaction, 0 of others. */
  feedthrough(row: number, other: number): number {
    if (this.laws.degree[row] !== 0) return 0;
    for (let e = 0; e < this.#evaluated.length; e++) {
      const { relation, row: first } = this.#evaluated[e];
      if (row < first || row >= first + relation.size) continue;
      if (other < first || other >= first + relation.size || relation.D === null) return 0;
      return relation.D[(row - first) * relation.size + other - first];
    }
    return 0;
  }

  /** y of all rows. @param lambda by row, for rows that y depends on */
  outputs(clock: Float64Array, x: Float64Array, lambda: Float64Array, out: Float64Array): void {
    for (let e = 0; e < this.#evaluated.length; e++) {
      const { relation, row, dofs, z, y, lambda: own } = this.#evaluated[e];
      for (let k = 0; k < dofs.length; k++) z[k] = x[dofs[k]];
      for (let r = 0; r < own.length; r++) own[r] = lambda[row + r];
      relation.output(clock, z, own, y);
      for (let r = 0; r < y.length; r++) out[row + r] = y[r];
    }
  }

  /** y of one row. */
  output(row: number, clock: Float64Array, x: Float64Array, lambda: Float64Array, out: Float64Array): void {
    for (let e = 0; e < this.#evaluated.length; e++) {
      const { relation, row: first, dofs, z, y, lambda: own } = this.#evaluated[e];
      if (row < first || row >= first + relation.size) continue;
      for (let k = 0; k < dofs.length; k++) z[k] = x[dofs[k]];
      for (let r = 0; r < own.length; r++) own[r] = lambda[first + r];
      relation.output(clock, z, own, y);
      out[0] = y[row - first];
      return;
    }
  }

  /** ∂h/∂t of Lagrangian rows, 0 of others. */
  timeDerivatives(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let e = 0; e < this.#evaluated.length; e++) {
      const { relation, row, dofs, z, y } = this.#evaluated[e];
      if (relation.order === 1 || !relation.isTimeDependent) continue;
      for (let k = 0; k < dofs.length; k++) z[k] = x[dofs[k]];
      relation.timeDerivative(clock, z, y);
      for (let r = 0; r < y.length; r++) out[row + r] = y[r];
    }
  }

  /** ẏ = C v + ∂h/∂t of Lagrangian rows, 0 of others, with C of the last `update`. */
  speeds(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    this.timeDerivatives(clock, x, out);
    const velocity = this.#velocity;
    for (let row = 0; row < this.laws.count; row++) {
      if (this.laws.kind[row] === 'output') continue;
      let sum = out[row];
      for (let k = this.rowStart[row]; k < this.rowStart[row + 1]; k++)
        sum += this.C[k] * x[velocity[this.dofs[k]]];
      out[row] = sum;
    }
  }

  /** γ of Lagrangian rows and ∂h/∂t of first-order ones. */
  drifts(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let e = 0; e < this.#evaluated.length; e++) {
      const evaluated = this.#evaluated[e];
      if (!evaluated.hasDrift) continue;
      const { relation, row, y, near, far } = evaluated;
      this.#difference(evaluated, clock, x, 2 * this.difference);
      for (let r = 0; r < relation.size; r++) far[r] = y[r];
      this.#difference(evaluated, clock, x, this.difference);
      for (let r = 0; r < relation.size; r++) {
        const change = near[r] - far[r];
        const size = Math.max(Math.abs(near[r]), Math.abs(far[r]));
        out[row + r] = Math.abs(change) <= AGREEMENT * size ? near[r] + change / 3 : near[r];
      }
    }
  }

  /** (f(s) − f(−s)) / 2s into `near`, and into y. */
  #difference(evaluated: Evaluated, clock: Float64Array, x: Float64Array, s: number): void {
    const { y, near } = evaluated;
    this.#clock[0] = clock[0] - s;
    const before = this.#clock[0];
    this.#displaced(evaluated, x, before - clock[0]);
    near.set(y);
    this.#clock[0] = clock[0] + s;
    // Divided by the distance that rounding of the times has left.
    const distance = this.#clock[0] - before;
    this.#displaced(evaluated, x, this.#clock[0] - clock[0]);
    for (let r = 0; r < y.length; r++) {
      near[r] = (y[r] - near[r]) / distance;
      y[r] = near[r];
    }
  }

  /** ẏ(t + s, q + s v, v) of a Lagrangian relation, or y(t + s, x, 0) of a first-order one, into its y. */
  #displaced({ relation, dofs, rates, z, y, lambda, C, D }: Evaluated, x: Float64Array, s: number): void {
    lambda.fill(0);
    if (relation.order === 1) {
      for (let k = 0; k < dofs.length; k++) z[k] = x[dofs[k]];
      relation.output(this.#clock, z, lambda, y);
      return;
    }
    for (let k = 0; k < dofs.length; k++) z[k] = x[dofs[k]] + s * x[rates[k]];
    if (relation.isTimeDependent) relation.timeDerivative(this.#clock, z, y);
    else y.fill(0);
    let c = relation.C;
    if (c === null) {
      relation.outputJacobians(this.#clock, z, lambda, C, D);
      c = C;
    }
    for (let r = 0; r < relation.size; r++) {
      let sum = y[r];
      for (let k = 0; k < dofs.length; k++) sum += c[r * dofs.length + k] * x[rates[k]];
      y[r] = sum;
    }
  }
}
