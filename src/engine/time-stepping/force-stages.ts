/**
 * What systems of `D1MinusLinear` do in a step before its impact: contact forces at both ends of the step,
 * and with them where it leads. With F and M at the places that their times name, and v_k the velocities
 * after the impact at t_k,
 *
 *     a_k = M⁻¹ (F(t_k, q_k, v_k) + ᵗC λ⁺)                                                   force
 *     v_* = v_k + h a_k,     q_{k+1} = q_k + ½h (v_k + v_*)
 *     a_{k+1} = M⁻¹ (F(t_{k+1}, q_{k+1}, v_*) + ᵗC λ⁻)                                       force
 *     v⁻ = v_k + ½h (a_k + a_{k+1}),     v_{k+1} = v⁻ + M⁻¹ ᵗC P                             impact
 *
 * which without contacts is velocity Verlet for forces that do not depend on v. Contacts are closed at y ≤ ε,
 * joints always. A contact that was open at t_k, or approached, and is closed at q_{k+1} closes in the step:
 * it has no force there, and P takes its velocity by its law of impact. In the reference (Schindler and Acary
 * 2014, §4) v⁻ of such a step is that of F alone, and P has what all contacts and joints do: one that rests
 * with e > 0 then hops by e g h whenever anything strikes anywhere (`besideImpacts`).
 *
 * Forces from accelerations: λ of contacts that are closed and stay, by 0 ≤ ÿ = C a + γ ⊥ λ ≥ 0, with γ as in
 * `relation-drift.ts`. A contact stays at ẏ ≤ ε̇. One that pushes stays also while ẏ is small against what
 * its impulse p does to ẏ in a step, ẏ ≤ κ d p with d = Σ C²/M_jj: with v_* and curved paths ẏ of a contact
 * that is kept is O(h²), and an impact with e > κ / (1 − κ) leaves more. Forces from velocities
 * (half-explicit): impulses p⁺ = h λ⁺ and p⁻ = ½h λ⁻ of closed contacts,
 *
 *     v_* = v_k + h M⁻¹ F + M⁻¹ ᵗC p⁺,     0 ≤ C v_* + ∂h/∂t ⊥ p⁺ ≥ 0     with C at t_{k+1}, q_k + h v_k
 *     v⁻ = v_k + ½h (M⁻¹ F|_k + M⁻¹ F|_{k+1}) + ½ M⁻¹ ᵗC_k p⁺ + M⁻¹ ᵗC p⁻,     0 ≤ C v⁻ + ∂h/∂t ⊥ p⁻ ≥ 0
 *
 * and friction by its cone, which is the same for impulses. From accelerations friction obeys velocities all
 * the same, those to which they lead in the step, over the time in which they act,
 *
 *     ẏ_t = ẏ_t|_k + h (C a_k + γ) with λ⁺,     ẏ_t = C v⁻ + ∂h/∂t with λ⁻.
 *
 * With C_k at t_k, q_k forces are taken by the
 * trapezoidal rule: order 2, since an error O(h) of p⁺/h is one of O(h³) in v⁻ along the constraint, and p⁻
 * takes care of what is across it. Siconos has C at q_k + h v_k there, too (`direction`): the force of both
 * halves then points as at the end, and a motion along a curve loses ½ (v h/r)² of its speed in each step.
 */
import { D1MinusLinear } from '../integrators/d1-minus-linear';
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import { rowDot } from '../linalg/sparse';
import { diagonalInertia } from '../model/inertia';
import { type Interaction, type NonSmoothDynamicalSystem, linkedPlaces } from '../model/nsds';
import { RelationDrift } from '../model/relation-drift';
import { forceDefect } from '../model/settings/force-rules';
import type { Delassus } from './delassus';
import { solverFailure } from './failures';
import { OneStepProblem } from './one-step';
import { FRICTION, SWITCHED } from './row-kinds';
import type { StepRelations } from './rows';
import { type TimeSteppingSettings, lawsByRow } from './setup';
import { createStepSolver } from './step-solver';

/** Differences that stand for a curvature which no form gives reach over this part of a step. */
const DIFFERENCE = 1 / 40;

interface Curved {
  readonly row: number;
  readonly dofs: Int32Array;
  readonly drift: RelationDrift;
  readonly z: Float64Array;
  readonly v: Float64Array;
  /** γ, and ∂h/∂t while γ stands in its place */
  readonly gamma: Float64Array;
  readonly rate: Float64Array;
}

interface StageParts {
  readonly model: NonSmoothDynamicalSystem;
  readonly context: StepContext;
  readonly rows: StepRelations;
  readonly delassus: Delassus;
  /** the problem of forces, over all rows */
  readonly forces: OneStepProblem;
  readonly integrator: D1MinusLinear;
  readonly settings: TimeSteppingSettings;
  readonly isOperatorConstant: boolean;
}

export class ForceStages {
  readonly isOfVelocities: boolean;
  /** λ⁺ and λ⁻ by row, of velocities p⁺ and p⁻; and P. Left out of v⁻, λ⁺ acts on positions alone */
  readonly left: Float64Array;
  readonly right: Float64Array;
  readonly impact: Float64Array;
  /** 1 for contacts that are closed at q_{k+1} */
  readonly closed: Uint8Array;
  /** 1 for contacts that had forces at both ends of the step, as they were decided */
  readonly leftActive: Uint8Array;
  readonly rightActive: Uint8Array;
  /** 1 for contacts that close in the step */
  readonly closing: Uint8Array;
  /** whether forces are left out of v⁻, as a contact closes in the step */
  hasImpact = false;
  /** gaps at q_{k+1} by row, and ẏ of v⁻ */
  readonly gap: Float64Array;
  readonly approach: Float64Array;

  /** whether p⁺ acts on v⁻ as contacts are at the start of a step */
  readonly #turns: boolean;
  /** ᵗC_k p⁺ by coordinate, then M⁻¹ of it */
  readonly #turned: Float64Array;
  /** whether forces are left out of steps in which a contact closes */
  readonly #drops: boolean;
  readonly #closedGap: number;
  readonly #restingRate: number;
  readonly #kept: number;
  readonly #curved: readonly Curved[];
  readonly #inertia: Float64Array;
  readonly #switched: Int32Array;
  /** rows of friction, where forces are found from accelerations; their rates over a time, and constants */
  readonly #frictions: Int32Array;
  readonly #slips: Float64Array;
  readonly #bent: Float64Array;
  readonly #nothing: Float64Array;
  /** M⁻¹ F at both ends, what multipliers make of it, and q_k + h v_k; indexed like the state */
  readonly #free: Float64Array;
  readonly #freeEnd: Float64Array;
  readonly #trial: Float64Array;
  readonly #predicted: Float64Array;
  readonly #taking: Uint8Array;

  constructor(private readonly parts: StageParts) {
    const { model, context, rows, settings, isOperatorConstant, forces } = parts;
    const [{ choices, numbers }] = settings.integrators;
    this.isOfVelocities = choices.level === 'velocity';
    this.#turns = this.isOfVelocities && choices.direction !== 'predicted' && !rows.isConstant;
    this.#turned = new Float64Array(context.size);
    this.#drops = choices.besideImpacts === 'dropped';
    this.#closedGap = numbers.closedGap;
    this.#restingRate = numbers.restingRate;
    this.#kept = numbers.kept;
    this.#inertia = diagonalInertia(model, context.size);
    const vector = (): Float64Array => new Float64Array(rows.count);
    this.left = vector();
    this.right = vector();
    this.impact = vector();
    this.gap = vector();
    this.approach = vector();
    this.#nothing = vector();
    this.closed = new Uint8Array(rows.count);
    this.closing = new Uint8Array(rows.count);
    this.leftActive = new Uint8Array(rows.count);
    this.rightActive = new Uint8Array(rows.count);
    this.#taking = new Uint8Array(rows.count);
    const state = (): Float64Array => new Float64Array(context.v + context.size);
    this.#free = state();
    this.#freeEnd = state();
    this.#trial = state();
    this.#predicted = state();
    this.#switched = Int32Array.from(rows.kind.keys()).filter((row) => (rows.kind[row] & SWITCHED) !== 0);
    this.#frictions = this.isOfVelocities
      ? new Int32Array(0)
      : Int32Array.from(rows.kind.keys()).filter((row) => (rows.kind[row] & FRICTION) !== 0);
    this.#slips = new Float64Array(this.#frictions.length);
    this.#bent = new Float64Array(this.#frictions.length);
    this.#curved = this.isOfVelocities ? [] : model.interactions.flatMap((one, i) => this.#curve(one, i));
    if (isOperatorConstant && forces.activeCount > 0) forces.restrict();
  }

  #curve({ relation, systems }: Interaction, i: number): Curved[] {
    const { context, rows } = this.parts;
    const drift = new RelationDrift(relation, DIFFERENCE * context.h[0]);
    if (!drift.isNeeded) return [];
    const dofs = linkedPlaces(context.offsets, systems);
    return [
      {
        row: rows.offsets[i],
        dofs,
        drift,
        z: new Float64Array(dofs.length),
        v: new Float64Array(dofs.length),
        gamma: new Float64Array(relation.size),
        rate: new Float64Array(relation.size),
      },
    ];
  }

  /**
   * Leaves q_{k+1} in the state, v⁻ with the integrator, and the rows linearised there.
   * @param gap y_k by row
   * @param rate ẏ_k after the impact at t_k
   * @param pushed impulses of the step before
   * @throws {EngineError} where a mass is singular, or forces have no solution
   */
  begin(gap: Float64Array, rate: Float64Array, pushed: Float64Array): void {
    const { context, integrator, rows } = this.parts;
    const { start, state, clock, clock0, q, v, size } = context;
    const h = context.h[0];
    const [free, end, trial, predicted] = [this.#free, this.#freeEnd, this.#trial, this.#predicted];
    const { leftLimit } = integrator;
    this.left.fill(0);
    this.right.fill(0);
    integrator.place(start);
    integrator.accelerate(clock0, start, free);
    for (let i = 0; i < size; i++) {
      predicted[q + i] = start[q + i] + h * start[v + i];
      trial[v + i] = this.isOfVelocities ? start[v + i] + h * free[v + i] : free[v + i];
    }
    this.closing.fill(0);
    if (this.isOfVelocities) this.#approach(gap, rate);
    this.#mark(gap, rate, pushed, 1, this.leftActive);
    if (this.isOfVelocities) this.#force(clock, predicted, this.left);
    else {
      for (let k = 0; k < this.#frictions.length; k++) this.#slips[k] = rate[this.#frictions[k]] / h;
      this.#force(clock0, start, this.left, 'added');
    }
    if (this.#turns) this.#turn();
    const turned = this.#turned;
    for (let i = 0; i < size; i++) {
      const after = this.isOfVelocities ? trial[v + i] : start[v + i] + h * trial[v + i];
      leftLimit[v + i] = this.isOfVelocities
        ? start[v + i] + 0.5 * (this.#turns ? h * free[v + i] + turned[i] : trial[v + i] - start[v + i])
        : start[v + i] + 0.5 * h * trial[v + i];
      state[v + i] = after;
      state[q + i] = start[q + i] + 0.5 * h * (start[v + i] + after);
    }
    rows.linearise(clock, state, this.#nothing, 'lagrangian', null);
    rows.evaluate(clock, state, this.#nothing, this.gap, this.approach);
    this.#close(gap);
    integrator.place(state);
    integrator.accelerate(clock, state, end);
    if (this.hasImpact) {
      this.rightActive.fill(0);
      for (let i = v; i < v + size; i++) leftLimit[i] = start[i] + 0.5 * h * (free[i] + end[i]);
    } else {
      this.#mark(this.gap, this.approach, this.left, h, this.rightActive);
      for (let i = v; i < v + size; i++)
        trial[i] = this.isOfVelocities ? leftLimit[i] + 0.5 * h * end[i] : end[i];
      for (let k = 0; k < this.#frictions.length; k++) {
        const row = this.#frictions[k];
        this.#slips[k] = (rows.base[row] + rowDot(rows.reading, row, leftLimit)) / (0.5 * h);
      }
      this.#force(clock, state, this.right, 'whole');
      for (let i = v; i < v + size; i++)
        leftLimit[i] = this.isOfVelocities ? trial[i] : leftLimit[i] + 0.5 * h * trial[i];
    }
    for (let row = 0; row < rows.count; row++)
      this.approach[row] = rows.base[row] + rowDot(rows.reading, row, leftLimit);
  }

  /** Takes P, and leaves the impulse of the whole step in its place. */
  finish(lambda: Float64Array): void {
    const { left, right, impact, isOfVelocities } = this;
    const half = 0.5 * this.parts.context.h[0];
    impact.set(lambda);
    if (this.hasImpact) return;
    for (let row = 0; row < lambda.length; row++)
      lambda[row] += isOfVelocities ? 0.5 * left[row] + right[row] : half * (left[row] + right[row]);
  }

  /** Contacts that are closed at the end of the step, and those of them that close in it. */
  #close(before: Float64Array): void {
    const { gap, closed, closing } = this;
    this.hasImpact = false;
    for (let k = 0; k < this.#switched.length; k++) {
      const row = this.#switched[k];
      closed[row] = gap[row] <= this.#closedGap ? 1 : 0;
      if (before[row] > this.#closedGap) closing[row] = 1;
      closing[row] &= closed[row];
      if (closing[row] === 1 && this.#drops) this.hasImpact = true;
    }
  }

  /** Contacts that are closed and approach: forces on velocities would stop them as if e were 0. */
  #approach(gap: Float64Array, rate: Float64Array): void {
    for (let k = 0; k < this.#switched.length; k++) {
      const row = this.#switched[k];
      if (gap[row] <= this.#closedGap && rate[row] < -this.#restingRate) this.closing[row] = 1;
    }
  }

  /**
   * Contacts that have forces where gaps and their rates are these, with rows linearised there.
   * @param pushed what they have pushed with, an impulse in the given time
   */
  #mark(gap: Float64Array, rate: Float64Array, pushed: Float64Array, time: number, active: Uint8Array): void {
    for (let k = 0; k < this.#switched.length; k++) {
      const row = this.#switched[k];
      const stays =
        this.isOfVelocities ||
        rate[row] <= this.#restingRate ||
        rate[row] <= this.#kept * time * pushed[row] * this.#mobility(row);
      active[row] = gap[row] <= this.#closedGap && stays && this.closing[row] === 0 ? 1 : 0;
      this.#taking[row] = active[row];
    }
  }

  /** d = Σ C²/M_jj of a row as it is linearised. */
  #mobility(row: number): number {
    const { rowStart, columns, values } = this.parts.rows.jacobian;
    let sum = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
      sum += (values[k] * values[k]) / this.#inertia[columns[k]];
    return sum;
  }

  /**
   * Solves for multipliers of the rows that were marked, with M where it was placed last, and adds what they
   * do to the trial.
   */
  #force(
    clock: Float64Array,
    at: Float64Array,
    lambda: Float64Array,
    slips: 'added' | 'whole' = 'added',
  ): void {
    const { model, rows, delassus, forces, context, isOperatorConstant } = this.parts;
    const changed = forces.take(this.#taking);
    if (forces.activeCount === 0) return;
    if (rows.isEvaluated) rows.linearise(clock, at, this.#nothing, 'lagrangian', null);
    this.#bend(clock, at);
    this.#slip(slips);
    if (!isOperatorConstant) delassus.update(forces.activeRows, forces.activeCount);
    if (changed || !isOperatorConstant) forces.restrict();
    forces.forget();
    forces.solve(this.#trial, this.#nothing, lambda);
    context.counters.solverIterations += forces.result.iterations;
    if (forces.result.status !== 'converged') throw solverFailure(model, context, rows, forces);
    forces.recover(lambda);
    delassus.addResponse(lambda, this.#trial);
    for (let k = this.#frictions.length - 1; k >= 0; k--) rows.base[this.#frictions[k]] = this.#bent[k];
    this.#straighten();
  }

  /** What p⁺ does with contacts as they are at the start, where M is placed. */
  #turn(): void {
    const { rows, context, integrator } = this.parts;
    const { clock0, start } = context;
    const turned = this.#turned.fill(0);
    rows.linearise(clock0, start, this.left, 'lagrangian', null);
    rows.addInputs(clock0, start, this.left, false, turned);
    for (let b = 0; b < integrator.blocks.length; b++) integrator.applyInverse(b, turned);
  }

  /** γ in place of ∂h/∂t in the constants of the rows. */
  #bend(clock: Float64Array, at: Float64Array): void {
    const { q, v } = this.parts.context;
    const { base } = this.parts.rows;
    for (let k = 0; k < this.#curved.length; k++) {
      const { row, dofs, drift, z, v: speed, gamma, rate } = this.#curved[k];
      for (let j = 0; j < dofs.length; j++) {
        z[j] = at[q + dofs[j]];
        speed[j] = at[v + dofs[j]];
      }
      drift.read(clock, z, speed, gamma);
      for (let r = 0; r < gamma.length; r++) {
        rate[r] = base[row + r];
        base[row + r] = gamma[r];
      }
    }
  }

  /** Rates of friction in the constants of its rows, beside γ or in its place. */
  #slip(slips: 'added' | 'whole'): void {
    const { base } = this.parts.rows;
    for (let k = 0; k < this.#frictions.length; k++) {
      const row = this.#frictions[k];
      this.#bent[k] = base[row];
      base[row] = this.#slips[k] + (slips === 'added' ? base[row] : 0);
    }
  }

  #straighten(): void {
    const { base } = this.parts.rows;
    for (let k = 0; k < this.#curved.length; k++) {
      const { row, rate } = this.#curved[k];
      for (let r = 0; r < rate.length; r++) base[row + r] = rate[r];
    }
  }
}

interface StepParts {
  readonly context: StepContext;
  readonly rows: StepRelations;
  readonly delassus: Delassus;
  readonly integrators: readonly OneStepIntegrator[];
}

/**
 * @returns null where no integrator has forces
 * @throws {EngineError} for a model that these steps cannot treat
 */
export function createStages(
  model: NonSmoothDynamicalSystem,
  settings: TimeSteppingSettings,
  { integrators, rows, delassus, context }: StepParts,
  isOperatorConstant: boolean,
): ForceStages | null {
  const integrator = integrators.find((one) => one instanceof D1MinusLinear);
  if (integrator === undefined) return null;
  const defect = forceDefect(model, settings.integrators);
  if (defect !== null) throw defect;
  const solver = createStepSolver(model, settings, rows.count);
  const { tolerance } = settings.solver.numbers;
  const laws = lawsByRow(model);
  const forces = new OneStepProblem(
    ...([rows, delassus, laws, solver, tolerance, isOperatorConstant] as const),
  );
  return new ForceStages({
    ...{ model, settings, context, rows, delassus, forces, integrator, isOperatorConstant },
  });
}
