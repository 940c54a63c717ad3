/**
 * The rows of all relations in flat arrays. Linearised at the present iterate, row α reads
 *
 *     y_α = base_α + Σ_j C_αj z_j + Σ_β D_αβ λ_β,      r = offset + Σ_β B_β λ_β,
 *
 * where z_j is the end-of-step position, velocity or first-order state that the row's level asks for. In an
 * affine relation base is e(t); at velocity level it is ∂h/∂t; elsewhere it is h(t, z^α, λ^α) − C z^α − D
 * λ^α. A row that holds at z_γ = γ z⁺ + (1−γ) z⁻, t_γ = γ t⁺ + (1−γ) t⁻, has γC in place of C, and C (1−γ) z⁻
 * in its base.
 *
 * C and B are kept by row over the coordinates of the model. Where they are constant they are read once.
 */
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import { type SparseRows, rowDot, sparseFromPattern } from '../linalg/sparse';
import type { RelationForm } from '../model/forms';
import type { Interaction, NonSmoothDynamicalSystem } from '../model/nsds';
import {
  type EvaluatedRelation,
  type LevelChoice,
  RowResiduals,
  gather,
  takes,
  timeOf,
} from './evaluated-relation';
import {
  GAP_ROUNDING,
  IMPULSE,
  LAGRANGIAN,
  SWITCHED,
  VELOCITY_LEVEL,
  classifyRows,
  isByHalfSteps,
  shareOfEnd,
} from './row-kinds';

/* Laying out the sparse rows of relations once, before a run. */

/** Rows being gathered. */
interface SparseLists {
  readonly columns: number[][];
  readonly values: number[];
}

function fromLists({ columns, values }: SparseLists): SparseRows {
  const rows = sparseFromPattern(columns);
  for (let k = 0; k < values.length; k++) rows.values[k] = values[k];
  return rows;
}

/** Appends the rows of C, the columns of B and the rows of D; what is not constant gets a full pattern. */
function appendRows(
  { order, size, columns, C, B, D, hasFeedthrough }: RelationForm,
  dofs: readonly number[],
  first: number,
  output: SparseLists,
  input: SparseLists,
  feedthrough: SparseLists,
): void {
  const append = (
    lists: SparseLists,
    count: number,
    valueAt: ((k: number) => number) | null,
    name: (k: number) => number,
  ): void => {
    const used: number[] = [];
    for (let k = 0; k < count; k++) {
      const value = valueAt === null ? 0 : valueAt(k);
      if (valueAt !== null && value === 0) continue;
      used.push(name(k));
      lists.values.push(value);
    }
    lists.columns.push(used);
  };
  const coordinate = (k: number): number => dofs[k];
  for (let r = 0; r < size; r++) {
    const rowOfC = C === null ? null : (k: number): number => C[r * columns + k];
    const columnOfB = B === null ? null : (k: number): number => B[k * size + r];
    append(output, columns, rowOfC, coordinate);
    append(input, columns, order === 2 ? rowOfC : columnOfB, coordinate);
    const rowOfD = D === null ? null : (k: number): number => D[r * size + k];
    append(feedthrough, hasFeedthrough ? size : 0, rowOfD, (k) => first + k);
  }
}

/** Where rows that yield hold by half steps: ½ (q⁻ + q⁺). */
const MEAN = 0.5;

/** An integrator that takes ∇ₓg of relations r = g(t, x, λ) into its iteration matrices. */
export interface StateInputReceiver {
  clearStateInput(): void;
  addStateInput(systems: readonly number[], K: Float64Array, columns: number): void;
}

export class StepRelations {
  readonly count: number;
  /** first row of each interaction */
  readonly offsets: Int32Array;
  readonly kind: Uint8Array;
  /** coefficient of restitution by row, e_t of friction; 0 where the law is no impact law */
  readonly restitution: Float64Array;
  /**
   * Gap by row below which a contact counts as closed, m; of contacts that are switched. Bodies that touch
   * have a gap that is zero to rounding only; without this margin the sign of 1e-17 m would decide whether a
   * stack stands or falls. It grows with the magnitudes that cancel in the gap.
   */
  readonly closedGap: Float64Array;
  /** C by row, over coordinates */
  readonly jacobian: SparseRows;
  /** C by row over state slots: positions or velocities, as the row's level asks */
  readonly reading: SparseRows;
  /** columns of B by row, over coordinates; those of ᵗC for Lagrangian relations */
  readonly input: SparseRows;
  /** D by row, over rows; nothing where y does not depend on λ */
  readonly feedthrough: SparseRows;
  /** a by entry of `jacobian` and γ by entry of `input`, see `OneStepIntegrator` */
  readonly outputWeights: Float64Array;
  readonly inputWeights: Float64Array;
  readonly base: Float64Array;
  /** e of affine rows without explicit time */
  readonly constant: Float64Array;
  /** whether C, D and B are the same in all steps */
  readonly isConstant: boolean;
  /** whether every row's equation is linear in z and λ once velocity-level rows are linearised */
  readonly isAffine: boolean;
  /** whether some relation is evaluated at each step */
  readonly isEvaluated: boolean;

  /**
   * 1 for rows at velocity level of systems that are advanced by half steps: they belong to the middle of the
   * step
   */
  readonly isMiddle: Uint8Array;
  /**
   * by row: γ of rows that hold at γ q⁺ + (1−γ) q⁻ within the step, 1 of those at its end. It is ½ where such
   * systems yield under their multiplier, as springs do, and that of the integrator for relations of first
   * order (`OneStepIntegrator.share`).
   */
  readonly share: Float64Array;
  /** linked systems by row */
  readonly systemsByRow: readonly (readonly number[])[];
  /** whether all relations are Lagrangian */
  readonly isLagrangian: boolean;

  /** how far the linearised rows are from their relations */
  readonly residuals: RowResiduals;

  readonly #evaluated: EvaluatedRelation[] = [];
  /** 1 for rows whose relation is evaluated, and for rows whose input is general */
  readonly #isEvaluatedRow: Uint8Array;
  /** whether `#evaluatePairs` does */
  readonly #isOfPairs: boolean;
  readonly #isGeneralRow: Uint8Array;
  /** ∂h/∂t where the row was last linearised */
  readonly #rate: Float64Array;

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly context: StepContext,
    integratorOf: (system: number) => OneStepIntegrator,
  ) {
    const { interactions } = model;
    this.offsets = new Int32Array(interactions.length + 1);
    interactions.forEach(({ relation }, i) => (this.offsets[i + 1] = this.offsets[i] + relation.size));
    const count = this.offsets[interactions.length];
    this.count = count;
    this.isLagrangian = interactions.every(({ relation }) => relation.order === 2);
    this.systemsByRow = interactions.flatMap(({ systems, relation }) =>
      new Array<readonly number[]>(relation.size).fill(systems),
    );
    this.kind = new Uint8Array(count);
    this.restitution = new Float64Array(count);
    this.closedGap = new Float64Array(count);
    this.base = new Float64Array(count);
    this.constant = new Float64Array(count);
    this.#rate = new Float64Array(count);
    this.#isEvaluatedRow = new Uint8Array(count);
    this.#isGeneralRow = new Uint8Array(count);
    this.isMiddle = new Uint8Array(count);
    this.share = new Float64Array(count).fill(1);

    const output: SparseLists = { columns: [], values: [] };
    const input: SparseLists = { columns: [], values: [] };
    const feedthrough: SparseLists = { columns: [], values: [] };
    interactions.forEach((interaction, i) => {
      classifyRows(interaction, integratorOf).forEach(({ kind, restitution }, k) => {
        this.kind[this.offsets[i] + k] = kind;
        this.restitution[this.offsets[i] + k] = restitution;
      });
      const isByHalves = isByHalfSteps(interaction, (system) => integratorOf(system).hasMiddle === true);
      for (let row = this.offsets[i]; row < this.offsets[i + 1]; row++) {
        const isVelocity = (this.kind[row] & VELOCITY_LEVEL) !== 0;
        this.isMiddle[row] = isByHalves && isVelocity ? 1 : 0;
        if (isByHalves && !isVelocity && interaction.relation.hasFeedthrough) this.share[row] = MEAN;
      }
      if (interaction.relation.order === 1)
        this.share.fill(shareOfEnd(interaction, integratorOf), this.offsets[i], this.offsets[i + 1]);
      const dofs = this.#coordinates(interaction.systems);
      appendRows(interaction.relation, dofs, this.offsets[i], output, input, feedthrough);
    });
    this.jacobian = fromLists(output);
    this.input = fromLists(input);
    this.feedthrough = fromLists(feedthrough);
    this.outputWeights = new Float64Array(this.jacobian.columns.length).fill(1);
    this.inputWeights = new Float64Array(this.input.columns.length).fill(1);
    for (let row = 0; row < count; row++)
      if (this.share[row] !== 1)
        for (let k = this.jacobian.rowStart[row]; k < this.jacobian.rowStart[row + 1]; k++)
          this.jacobian.values[k] *= this.share[row];
    this.reading = { ...this.jacobian, columns: this.#slots() };
    interactions.forEach((interaction, i) => {
      this.#prepare(interaction, i);
    });
    this.residuals = new RowResiduals(this.#evaluated, context, this.base, this.reading);
    this.setWeights(integratorOf);
    this.isEvaluated = this.#evaluated.length > 0;
    this.#isOfPairs = this.#areOfPairs();
    this.isConstant = this.#evaluated.every(({ isLinearised, isGeneral }) => !isLinearised && !isGeneral);
    this.isAffine = this.#evaluated.every(({ relation, isVelocity }) => relation.isAffine || isVelocity);
  }

  /** Coordinates of systems, concatenated. */
  #coordinates(systems: readonly number[]): number[] {
    const { offsets } = this.context;
    return systems.flatMap((s) =>
      Array.from({ length: offsets[s + 1] - offsets[s] }, (_, k) => offsets[s] + k),
    );
  }

  /** Reads e of a relation that never changes, or makes one ready for evaluation. */
  #prepare({ systems, relation }: Interaction, i: number): void {
    const row = this.offsets[i];
    const { size, columns, order, isAffine, hasStateInput } = relation;
    const isVelocity = (this.kind[row] & VELOCITY_LEVEL) !== 0;
    const share = this.share[row];
    // With (1−γ) q⁻ the constant of such a row changes from step to step.
    if (isAffine && !relation.isTimeDependent && share === 1) {
      const y = new Float64Array(size);
      relation.output(this.context.clock, new Float64Array(columns), new Float64Array(size), y);
      this.constant.set(y, row);
      if (!isVelocity) this.base.set(y, row);
      return;
    }
    const isGeneral = order === 1 && !isAffine;
    this.#isEvaluatedRow.fill(1, row, row + size);
    if (isGeneral) this.#isGeneralRow.fill(1, row, row + size);
    this.#evaluated.push({
      relation,
      row,
      systems,
      dofs: Int32Array.from(this.#coordinates(systems)),
      weights: new Float64Array(columns).fill(1),
      z: new Float64Array(columns),
      lambda: new Float64Array(size),
      y: new Float64Array(size),
      r: new Float64Array(columns),
      movedY: new Float64Array(size),
      movedR: new Float64Array(columns),
      C: relation.C?.slice() ?? new Float64Array(size * columns),
      D: relation.D?.slice() ?? new Float64Array(size * size),
      K: new Float64Array(hasStateInput ? columns * columns : 0),
      B: relation.B?.slice() ?? new Float64Array(columns * size),
      isVelocity,
      isMiddle: this.isMiddle[row] === 1,
      share,
      time: new Float64Array(1),
      isLinearised: relation.C === null || (relation.hasFeedthrough && relation.D === null),
      isGeneral,
    });
  }

  /** State slot of each entry of C. */
  #slots(): Int32Array {
    const { q, v } = this.context;
    const slots = this.jacobian.columns.slice();
    for (let row = 0; row < this.count; row++) {
      const first = (this.kind[row] & VELOCITY_LEVEL) === 0 ? q : v;
      for (let k = this.jacobian.rowStart[row]; k < this.jacobian.rowStart[row + 1]; k++) slots[k] += first;
    }
    return slots;
  }

  /** Sets the weights of outputs and inputs for the present step length. See `OneStepIntegrator`. */
  setWeights(integratorOf: (system: number) => OneStepIntegrator): void {
    const { kind, jacobian, input } = this;
    this.model.interactions.forEach(({ systems }, i) => {
      for (let row = this.offsets[i]; row < this.offsets[i + 1]; row++) {
        const level = (kind[row] & VELOCITY_LEVEL) === 0 ? 'position' : 'velocity';
        const multiplier = (kind[row] & IMPULSE) === 0 ? 'force' : 'impulse';
        for (const s of systems) {
          const integrator = integratorOf(s);
          const output = integrator.outputWeight(level);
          const enters = integrator.inputWeight(multiplier);
          this.#weigh(jacobian, row, s, output, this.outputWeights);
          this.#weigh(input, row, s, enters, this.inputWeights);
        }
      }
    });
    const { offsets } = this.context;
    for (const { row, systems, weights, isGeneral } of this.#evaluated) {
      if (!isGeneral) continue;
      const multiplier = (kind[row] & IMPULSE) === 0 ? 'force' : 'impulse';
      let column = 0;
      for (const s of systems) {
        const end = column + offsets[s + 1] - offsets[s];
        weights.fill(integratorOf(s).inputWeight(multiplier), column, end);
        column = end;
      }
    }
  }

  #weigh(rows: SparseRows, row: number, system: number, weight: number, weights: Float64Array): void {
    const { offsets } = this.context;
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++) {
      const dof = rows.columns[k];
      if (dof >= offsets[system] && dof < offsets[system + 1]) weights[k] = weight;
    }
  }

  /**
   * Linearises the relations that change, at time clock[0].
   * @param positions indexed like the state: where positions and first-order states are read
   * @param lambda multipliers by row
   * @param levels the rows to linearise
   * @param stateInput takes ∇ₓg of the relations that have one; null when no integrator asks for it
   */
  linearise(
    clock: Float64Array,
    positions: Float64Array,
    lambda: Float64Array,
    levels: LevelChoice,
    stateInput: StateInputReceiver | null,
  ): void {
    for (let e = 0; e < this.#evaluated.length; e++) {
      const evaluated = this.#evaluated[e];
      if (!takes(levels, evaluated)) continue;
      gather(evaluated, this.context, positions, lambda);
      if (evaluated.isVelocity)
        this.#lineariseVelocity(
          evaluated,
          levels === 'predicted' && evaluated.isMiddle ? this.context.halfClock : clock,
        );
      else this.#lineariseOutput(evaluated, timeOf(evaluated, this.context, clock));
      if (evaluated.isGeneral)
        this.#lineariseInput(evaluated, timeOf(evaluated, this.context, clock), stateInput);
    }
  }

  /** base = ∂h/∂t, and C where it changes. */
  #lineariseVelocity(evaluated: EvaluatedRelation, clock: Float64Array): void {
    const { relation, z, lambda, y, C, D, row, isLinearised } = evaluated;
    relation.timeDerivative(clock, z, y);
    this.base.set(y, row);
    this.#rate.set(y, row);
    if (!isLinearised) return;
    relation.outputJacobians(clock, z, lambda, C, D);
    this.#storeOutput(evaluated);
  }

  /** base = h − C z − D λ, and the Jacobians where they change. */
  #lineariseOutput(evaluated: EvaluatedRelation, clock: Float64Array): void {
    const { relation, z, lambda, y, C, D, row, dofs, isLinearised, share } = evaluated;
    const { size, columns, hasFeedthrough } = relation;
    const { start, q } = this.context;
    relation.output(clock, z, lambda, y);
    if (isLinearised) {
      relation.outputJacobians(clock, z, lambda, C, D);
      this.#storeOutput(evaluated);
    }
    for (let r = 0; r < size; r++) {
      let rest = y[r];
      for (let k = 0; k < columns; k++) {
        const end = share === 1 ? z[k] : z[k] - (1 - share) * start[q + dofs[k]];
        rest -= C[r * columns + k] * end;
      }
      if (hasFeedthrough) for (let k = 0; k < size; k++) rest -= D[r * size + k] * lambda[k];
      this.base[row + r] = rest;
    }
    if (relation.order !== 2) return;
    relation.timeDerivative(clock, z, y);
    this.#rate.set(y, row);
  }

  /**
   * Copies what changes of C, with it ᵗC of Lagrangian relations, and of D into the rows, whose patterns are
   * full there.
   */
  #storeOutput({ relation, row, C, D, share }: EvaluatedRelation): void {
    const { jacobian, input, feedthrough } = this;
    if (relation.C === null) {
      const first = jacobian.rowStart[row];
      jacobian.values.set(C, first);
      if (share !== 1) for (let k = 0; k < C.length; k++) jacobian.values[first + k] *= share;
      if (relation.order === 2) input.values.set(C, input.rowStart[row]);
    }
    if (relation.hasFeedthrough && relation.D === null) feedthrough.values.set(D, feedthrough.rowStart[row]);
  }

  /** Jacobians of g, and γ (g − B λ) into the context's input offset. */
  #lineariseInput(
    evaluated: EvaluatedRelation,
    clock: Float64Array,
    stateInput: StateInputReceiver | null,
  ): void {
    const { relation, z, lambda, K, B, r, row, dofs, systems } = evaluated;
    const { size, columns } = relation;
    const { rowStart, values } = this.input;
    relation.input(clock, z, lambda, r);
    relation.inputJacobians(clock, z, lambda, K, B);
    if (relation.B === null) {
      for (let i = 0; i < size; i++)
        for (let k = 0; k < columns; k++) values[rowStart[row + i] + k] = B[k * size + i];
    }
    for (let k = 0; k < columns; k++) {
      let rest = r[k];
      for (let i = 0; i < size; i++) rest -= B[k * size + i] * lambda[i];
      this.context.inputOffset[dofs[k]] += evaluated.weights[k] * rest;
    }
    if (relation.hasStateInput && stateInput !== null) stateInput.addStateInput(systems, K, columns);
  }

  /** Adds γ B λ of all rows as they are linearised to `out`, by coordinate. */
  addLinearInputs(lambda: Float64Array, out: Float64Array): void {
    const { rowStart, columns, values } = this.input;
    const weights = this.inputWeights;
    for (let row = 0; row < this.count; row++) {
      if (lambda[row] === 0) continue;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
        out[columns[k]] += weights[k] * values[k] * lambda[row];
    }
  }

  /**
   * Adds the generalised inputs r of all rows to `out`, by coordinate.
   * @param weighted whether each is multiplied by the weight its integrator gives it
   */
  addInputs(
    clock: Float64Array,
    positions: Float64Array,
    lambda: Float64Array,
    weighted: boolean,
    out: Float64Array,
  ): void {
    const { rowStart, columns, values } = this.input;
    const weights = this.inputWeights;
    for (let row = 0; row < this.count; row++) {
      if (this.#isGeneralRow[row] === 1 || lambda[row] === 0) continue;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
        out[columns[k]] += (weighted ? weights[k] : 1) * values[k] * lambda[row];
    }
    for (let e = 0; e < this.#evaluated.length; e++) {
      const evaluated = this.#evaluated[e];
      if (!evaluated.isGeneral) continue;
      const { relation, dofs, z, r, lambda: own } = evaluated;
      gather(evaluated, this.context, positions, lambda);
      relation.input(timeOf(evaluated, this.context, clock), z, own, r);
      for (let k = 0; k < dofs.length; k++) out[dofs[k]] += (weighted ? evaluated.weights[k] : 1) * r[k];
    }
  }

  /** y of the linearised row: base + C z + D λ. */
  linearOutput(state: Float64Array, lambda: Float64Array, out: Float64Array): void {
    for (let row = 0; row < this.count; row++)
      out[row] = this.base[row] + rowDot(this.reading, row, state) + rowDot(this.feedthrough, row, lambda);
  }

  /**
   * y = h(t, z, λ) of all rows, and ẏ = C v + ∂h/∂t of those of Lagrangian relations, where the rows have
   * been linearised at the end of the step. Raises `closedGap` to what the magnitudes that cancel in the gaps
   * ask for.
   */
  evaluate(
    clock: Float64Array,
    state: Float64Array,
    lambda: Float64Array,
    y: Float64Array,
    yDot: Float64Array,
  ): void {
    this.#evaluate(clock, state, lambda, y, yDot, false);
  }

  /** The same of the rows that belong to the middle of the step, which have been linearised there. */
  evaluateMiddle(lambda: Float64Array, y: Float64Array, yDot: Float64Array): void {
    const { halfClock, middle } = this.context;
    this.#evaluate(halfClock, middle, lambda, y, yDot, true);
  }

  #evaluate(
    clock: Float64Array,
    state: Float64Array,
    lambda: Float64Array,
    y: Float64Array,
    yDot: Float64Array,
    isMiddle: boolean,
  ): void {
    const { q, v } = this.context;
    const { rowStart, columns, values } = this.jacobian;
    const { kind, constant, closedGap } = this;
    if (this.#isOfPairs && !isMiddle) {
      this.#evaluatePairs(state, y, yDot);
      return;
    }
    for (let row = 0; row < this.count; row++) {
      if (isMiddle && this.isMiddle[row] === 0) continue;
      const end = rowStart[row + 1];
      const isEvaluated = this.#isEvaluatedRow[row] === 1;
      const offset = constant[row];
      if ((kind[row] & LAGRANGIAN) === 0) {
        if (isEvaluated) continue;
        let sum = offset + rowDot(this.feedthrough, row, lambda);
        for (let k = rowStart[row]; k < end; k++) sum += values[k] * state[q + columns[k]];
        y[row] = sum;
        continue;
      }
      let sum = offset + rowDot(this.feedthrough, row, lambda);
      let speed = this.#rate[row];
      let terms = 0;
      for (let k = rowStart[row]; k < end; k++) {
        const place = q + columns[k];
        const term = values[k] * state[place];
        sum += term;
        terms += Math.abs(term);
        speed += values[k] * state[place + v - q];
      }
      yDot[row] = speed;
      if (!isEvaluated) y[row] = sum;
      if ((kind[row] & SWITCHED) === 0) continue;
      // Of a gap that is evaluated below, the linearisation and the last value stand for the terms.
      const limit = GAP_ROUNDING * (Math.abs(offset) + Math.abs(isEvaluated ? y[row] : sum) + terms);
      if (limit > closedGap[row]) closedGap[row] = limit;
    }
    for (let e = 0; e < this.#evaluated.length; e++) {
      const evaluated = this.#evaluated[e];
      const { relation, z, lambda: own, row } = evaluated;
      if (isMiddle && !evaluated.isMiddle) continue;
      gather(evaluated, this.context, state, lambda);
      relation.output(timeOf(evaluated, this.context, clock), z, own, evaluated.y);
      y.set(evaluated.y, row);
      if (evaluated.share !== 1 && relation.order === 2) this.#rates(evaluated, clock, state, yDot);
    }
  }

  /** Whether all rows are constant ones of contacts, of one or two entries and without multipliers. */
  #areOfPairs(): boolean {
    const { rowStart } = this.jacobian;
    if (this.feedthrough.columns.length > 0 || this.#evaluated.length > 0) return false;
    return this.kind.every((kind, row) => {
      const size = rowStart[row + 1] - rowStart[row];
      return (kind & LAGRANGIAN) !== 0 && (kind & SWITCHED) !== 0 && (size === 1 || size === 2);
    });
  }

  /** `#evaluate` of such rows. */
  #evaluatePairs(state: Float64Array, y: Float64Array, yDot: Float64Array): void {
    const { q, v } = this.context;
    const { rowStart, columns, values } = this.jacobian;
    const { constant, closedGap } = this;
    for (let row = 0; row < y.length; row++) {
      const k = rowStart[row];
      const offset = constant[row];
      const value = values[k];
      const column = columns[k];
      const term = value * state[q + column];
      let sum = offset + term;
      let terms = Math.abs(term);
      // From zero on, as all sums: beside it −0 is 0.
      let speed = 0 + value * state[v + column];
      if (rowStart[row + 1] - k === 2) {
        const other = values[k + 1] * state[q + columns[k + 1]];
        sum += other;
        terms += Math.abs(other);
        speed += values[k + 1] * state[v + columns[k + 1]];
      }
      y[row] = sum;
      yDot[row] = speed;
      const limit = GAP_ROUNDING * (Math.abs(offset) + Math.abs(sum) + terms);
      if (limit > closedGap[row]) closedGap[row] = limit;
    }
  }

  /** ẏ at the end of the step of rows that hold in its middle. */
  #rates(
    { relation, z, y, C, D, dofs, row, lambda, isLinearised }: EvaluatedRelation,
    clock: Float64Array,
    state: Float64Array,
    yDot: Float64Array,
  ): void {
    const { q, v } = this.context;
    for (let k = 0; k < dofs.length; k++) z[k] = state[q + dofs[k]];
    if (isLinearised) relation.outputJacobians(clock, z, lambda, C, D);
    relation.timeDerivative(clock, z, y);
    for (let r = 0; r < y.length; r++) {
      let speed = y[r];
      for (let k = 0; k < dofs.length; k++) speed += C[r * dofs.length + k] * state[v + dofs[k]];
      yDot[row + r] = speed;
    }
  }
}
