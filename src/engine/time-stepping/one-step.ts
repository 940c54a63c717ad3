/**
 * The one-step problem of a step: which rows take part, the canonical problem they make, its solution.
 *
 *     y = W λ + y_free + e y_ref,     −y ∈ N_[l,u](λ)  or  what else a law says of rows together
 *
 * Where contacts have friction in a tangent plane it is a friction-contact problem in space, whose rows are
 * all others, too (`problems/cone-reduction.ts`).
 *
 * with y_ref = ẏ_k for Newton's law at velocity level and y_{k−1} at position level. Friction takes part
 * exactly when its contact does.
 */
import type { StepContext } from '../integrators/step';
import { rowDot } from '../linalg/sparse';
import type { LawRow } from '../model/forms';
import { AffineVariationalInequality } from '../problems/avi';
import { ConeReduction } from '../problems/cone-reduction';
import { LawReduction } from '../problems/law-reduction';
import type { FrictionSolver } from '../solvers/friction/solver';
import { type Solver, type SolverResult, createSolverResult } from '../solvers/solver';
import type { CarryOver } from './state';
import type { Delassus } from './delassus';
import { FRICTION, SWITCHED } from './row-kinds';
import type { StepRelations } from './rows';
import type { StepWriter, Term } from '../straight-line/writer';

/**
 * Part of W_αα λ that rounding of λ leaves in ẏ of a resting contact. In a stack λ exceeds what one body
 * weighs by the number of bodies above, and the noise in ẏ grows with it; a handful of terms, each off by
 * half a unit.
 */
const REST_ROUNDING = 64 * Number.EPSILON;
/** Steps over which that noise may add up in the gap before a contact is let go. */
const REST_STEPS = 1000;

/** How a problem with cones is solved. */
export interface ConeSolver {
  readonly solver: FrictionSolver;
  /** residual that is asked for, and that which is accepted where it is not reached */
  readonly tolerance: number;
  readonly loosest: number;
}

const FREE: LawRow = {
  kind: 'box',
  lower: Number.NEGATIVE_INFINITY,
  upper: Number.POSITIVE_INFINITY,
};

export class OneStepProblem {
  /** the rows that take part; with cones only what is shown of them: W, q and multipliers */
  readonly problem: AffineVariationalInequality;
  readonly result: SolverResult = createSolverResult();
  /** 1 for rows that take part in the step */
  readonly active: Uint8Array;
  /** active rows, in elimination order, and their number */
  readonly activeRows: Int32Array;
  activeCount = 0;

  readonly #reduction: LawReduction;
  /** active canonical rows, in elimination order */
  readonly #canonical: Int32Array;
  #canonicalCount = 0;
  /** place of each canonical row in the problem, −1 for those that do not take part */
  readonly #position: Int32Array;
  /** canonical unknowns and offsets over all rows; unused where all laws are boxes */
  readonly #unknowns: Float64Array;
  readonly #offsets: Float64Array;
  readonly #free: Float64Array;
  /** y_free and λ by row; unused without cones */
  readonly #rowFree: Float64Array;
  readonly #rowLambda: Float64Array;
  /** rows whose participation changes from step to step, and W_αα of each */
  readonly #switched: Int32Array;
  readonly #mobility: Float64Array;
  /** how many rows of friction follow each of them */
  readonly #friction: Int32Array;
  /** 1 by row where it is there; null where all rows always are */
  readonly #presence: Uint8Array | null;
  /** rows of interactions that come and go, and those of them that are neither contacts nor friction */
  readonly #conditioned: Int32Array;
  readonly #gated: Int32Array;
  /** canonical unknowns of rows that are absent, when they were there last */
  readonly #keptUnknowns: Float64Array;
  /** null where no contact has friction in a tangent plane */
  readonly #cones: ConeReduction | null;

  constructor(
    private readonly rows: StepRelations,
    private readonly delassus: Delassus,
    laws: readonly LawRow[],
    private readonly solver: Solver | ConeSolver,
    private readonly tolerance: number,
    private readonly isOperatorConstant: boolean,
    presence: { readonly rows: Uint8Array; readonly conditioned: Int32Array } | null = null,
  ) {
    this.#presence = presence?.rows ?? null;
    this.#conditioned = presence?.conditioned ?? new Int32Array(0);
    this.#gated = this.#conditioned.filter((row) => (rows.kind[row] & (SWITCHED | FRICTION)) === 0);
    this.#cones = 'loosest' in solver ? new ConeReduction(laws, delassus.operator) : null;
    const shown = this.#cones === null ? laws : laws.map((law) => (law.kind === 'box' ? law : FREE));
    const reduction = new LawReduction(shown, delassus.operator);
    this.#reduction = reduction;
    this.active = new Uint8Array(rows.count);
    this.activeRows = new Int32Array(rows.count);
    this.#canonical = new Int32Array(reduction.count);
    this.#position = new Int32Array(reduction.count).fill(-1);
    this.#unknowns = new Float64Array(reduction.isPlain ? 0 : reduction.count);
    this.#keptUnknowns = new Float64Array(this.#unknowns.length);
    this.#offsets = new Float64Array(reduction.isPlain ? 0 : reduction.count);
    this.#free = new Float64Array(reduction.isPlain ? 0 : rows.count);
    this.#rowFree = new Float64Array(this.#cones === null ? 0 : rows.count);
    this.#rowLambda = new Float64Array(this.#cones === null ? 0 : rows.count);
    this.problem = new AffineVariationalInequality(
      reduction.count,
      reduction.operator.columns.length,
      delassus.isSymmetric && reduction.isSymmetric,
    );
    this.problem.hasFriction = reduction.hasFriction || this.#cones !== null;
    const switched: number[] = [];
    for (let row = 0; row < rows.count; row++) {
      if ((rows.kind[row] & SWITCHED) !== 0) switched.push(row);
      else if ((rows.kind[row] & FRICTION) === 0) this.active[row] = 1;
    }
    this.#switched = Int32Array.from(switched);
    this.#friction = Int32Array.from(switched, (row) => {
      let end = row + 1;
      while (end < rows.count && (rows.kind[end] & FRICTION) !== 0) end++;
      return end - row - 1;
    });
    this.#mobility = new Float64Array(switched.length);
    this.#select();
  }

  /**
   * The canonical unknowns of the last step.
   * @param lambda multipliers by row, which they are where all laws are boxes
   */
  saveUnknowns(lambda: Float64Array): { offsets: Int32Array; values: Float64Array } {
    const { first, isPlain } = this.#reduction;
    return { offsets: first.slice(), values: isPlain ? lambda.slice() : this.#unknowns.slice() };
  }

  /** The row of the model that each unknown of the problem belongs to. */
  canonicalRows(): Int32Array {
    const { first } = this.#reduction;
    return this.#canonical.slice(0, this.#canonicalCount).map((unknown) => {
      let row = 0;
      while (first[row + 1] <= unknown) row++;
      return row;
    });
  }

  /** Takes over which rows took part in the last step, and its unknowns as the guess of the next. */
  load(carried: CarryOver): void {
    carried.rows(carried.state.active, this.active);
    if (!this.#reduction.isPlain) carried.unknowns(this.#reduction.first, this.#unknowns);
    this.#select();
  }

  /**
   * Switches contacts on that are closed or about to close, y + γ h ẏ ≤ 0 to rounding, and keeps those that
   * pushed and rest.
   * @returns whether the set differs from the last step's
   */
  activate(
    gap: Float64Array,
    gapVelocity: Float64Array,
    forecast: Float64Array,
    lambda: Float64Array,
    context: StepContext,
  ): boolean {
    const { active, rows } = this;
    const { closedGap } = rows;
    const switched = this.#switched;
    const mobility = this.#mobility;
    const h = context.h[0];
    const presence = this.#presence;
    let changed = presence !== null && this.#gate(presence);
    for (let k = 0; k < switched.length; k++) {
      const row = switched[k];
      // A contact that pushed and rests stays: rounding of its own impulse must not part the bodies.
      const noise = REST_ROUNDING * mobility[k] * lambda[row];
      const rests = noise > 0 && Math.abs(gapVelocity[row]) <= noise;
      const limit = closedGap[row] + (rests ? REST_STEPS * h * noise : 0);
      const isClosed = gap[row] + forecast[row] * h * gapVelocity[row] <= limit ? 1 : 0;
      const isActive = presence === null ? isClosed : isClosed & presence[row];
      if (isActive === active[row]) continue;
      active[row] = isActive;
      for (let f = 1; f <= this.#friction[k]; f++) active[row + f] = isActive;
      changed = true;
    }
    if (changed) this.#select();
    return changed;
  }

  /**
   * Lets the given contacts take part.
   * @param taking 1 for those that do, by row
   * @returns whether the set differs from the last one
   */
  take(taking: Uint8Array): boolean {
    const { active } = this;
    let changed = false;
    for (let k = 0; k < this.#switched.length; k++) {
      const row = this.#switched[k];
      if (active[row] === taking[row]) continue;
      for (let f = 0; f <= this.#friction[k]; f++) active[row + f] = taking[row];
      changed = true;
    }
    if (changed) this.#select();
    return changed;
  }

  /** Rows that are no contacts take part while they are there. @returns whether others do than before */
  #gate(presence: Uint8Array): boolean {
    const { active } = this;
    let changed = false;
    for (let k = 0; k < this.#gated.length; k++) {
      const row = this.#gated[k];
      if (active[row] === presence[row]) continue;
      active[row] = presence[row];
      changed = true;
    }
    if (!changed) return false;
    const { first } = this.#reduction;
    // A guess for those that come; what goes leaves its own behind.
    for (let k = 0; k < this.#gated.length; k++) {
      const row = this.#gated[k];
      for (let c = first[row]; c < first[row + 1] && c < this.#unknowns.length; c++) {
        if (presence[row] === 0 && this.#position[c] >= 0) this.#keptUnknowns[c] = this.#unknowns[c];
        if (presence[row] === 1 && this.#position[c] < 0) this.#unknowns[c] = this.#keptUnknowns[c];
      }
    }
    return true;
  }

  /** Lists the rows that take part, in the order that keeps the operator's envelope thin. */
  #select(): void {
    const { order } = this.delassus;
    const { first } = this.#reduction;
    let count = 0;
    let canonical = 0;
    for (let k = 0; k < order.length; k++) {
      const row = order[k];
      const isActive = this.active[row] === 1;
      if (isActive) this.activeRows[count++] = row;
      for (let c = first[row]; c < first[row + 1]; c++) {
        this.#position[c] = isActive ? canonical : -1;
        if (isActive) this.#canonical[canonical++] = c;
      }
    }
    this.activeCount = count;
    this.#canonicalCount = canonical;
  }

  /** Takes the operator over, after the set or W has changed. */
  restrict(): void {
    const { problem } = this;
    const reduction = this.#reduction;
    reduction.update();
    problem.restrict(reduction.operator, this.#canonical, this.#canonicalCount, this.#position);
    this.#cones?.restrict(this.active);
    this.#readMobility();
    for (let i = 0; i < this.#canonicalCount; i++) {
      problem.lower[i] = reduction.lower[this.#canonical[i]];
      problem.upper[i] = reduction.upper[this.#canonical[i]];
    }
  }

  /** W_αα of the contacts that are switched, where W is known. */
  #readMobility(): void {
    const { rowStart, columns, values } = this.delassus.operator;
    for (let i = 0; i < this.#switched.length; i++) {
      const row = this.#switched[i];
      // Of an operator that changes, only the active rows are assembled.
      if (this.active[row] === 0 && !this.isOperatorConstant) continue;
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
        if (columns[k] === row) this.#mobility[i] = values[k];
    }
  }

  /**
   * Solves for the multipliers.
   * @param state free state, where the rows read their y_free
   * @param reference y_ref by row
   * @param lambda on entry the guess, on return the solution; 0 on rows that do not take part
   */
  solve(state: Float64Array, reference: Float64Array, lambda: Float64Array): void {
    if (this.#reduction.isPlain) this.#fill(state, reference, lambda);
    else this.#fillReduced(state, reference);
    if (this.#cones === null) this.solvePosed();
    else this.#solveCones(this.#cones, lambda);
  }

  /** largest residual that was accepted so far of problems with cones */
  accepted = 0;

  /** Relative residual that its solver is asked for. */
  get residualAsked(): number {
    return 'loosest' in this.solver ? this.solver.tolerance : this.tolerance;
  }

  /** Whether contacts have friction in a tangent plane. */
  get hasCones(): boolean {
    return this.#cones !== null;
  }

  #solveCones(cones: ConeReduction, lambda: Float64Array): void {
    if (!('loosest' in this.solver)) return;
    const { problem, result, activeRows } = this;
    const { solver, tolerance, loosest } = this.solver;
    this.accepted = Math.max(this.accepted, tolerance);
    const free = this.#rowFree;
    for (let i = 0; i < this.activeCount; i++) free[activeRows[i]] = problem.q[i];
    cones.pose(free, lambda);
    if (cones.problem.count === 0) {
      result.status = 'converged';
      result.residual = 0;
      result.iterations = 0;
    } else {
      solver.solve(cones.problem, tolerance, result);
      if (result.status !== 'converged' && result.status !== 'unsuitable' && loosest > tolerance) {
        const { iterations } = result;
        solver.solve(cones.problem, loosest, result);
        result.iterations += iterations;
        this.accepted = loosest;
      }
    }
    cones.recover(this.#rowLambda);
    for (let i = 0; i < this.activeCount; i++) problem.z[i] = this.#rowLambda[activeRows[i]];
  }

  /** Solves the problem as it stands. */
  solvePosed(): void {
    if (!('loosest' in this.solver)) this.solver.solve(this.problem, this.tolerance, this.result);
  }

  #fill(state: Float64Array, reference: Float64Array, lambda: Float64Array): void {
    const { rows, activeRows } = this;
    const { q, z } = this.problem;
    const { base, restitution } = rows;
    const { rowStart, columns, values } = rows.reading;
    for (let i = 0; i < this.activeCount; i++) {
      const row = activeRows[i];
      const end = rowStart[row + 1];
      let sum = 0;
      for (let k = rowStart[row]; k < end; k++) sum += values[k] * state[columns[k]];
      q[i] = base[row] + sum + restitution[row] * reference[row];
      // The last step's multiplier only tells which rows pushed; the solver starts from those.
      z[i] = lambda[row];
    }
  }

  #fillReduced(state: Float64Array, reference: Float64Array): void {
    const { problem, rows } = this;
    const { base, reading, restitution } = rows;
    for (let row = 0; row < rows.count; row++)
      this.#free[row] = base[row] + rowDot(reading, row, state) + restitution[row] * reference[row];
    this.#reduction.offsets(this.#free, reference, this.#offsets);
    for (let i = 0; i < this.#canonicalCount; i++) {
      problem.q[i] = this.#offsets[this.#canonical[i]];
      problem.z[i] = this.#unknowns[this.#canonical[i]];
    }
  }

  /** Begins the next solution from nothing, so that it does not depend on the ones before. */
  forget(): void {
    this.#unknowns.fill(0);
  }

  /** λ of all rows from the solution. */
  recover(lambda: Float64Array): void {
    const { problem } = this;
    const position = this.#position;
    if (this.#reduction.isPlain) {
      for (let row = 0; row < lambda.length; row++)
        lambda[row] = position[row] < 0 ? 0 : problem.z[position[row]];
      return;
    }
    const unknowns = this.#unknowns;
    for (let c = 0; c < unknowns.length; c++) unknowns[c] = position[c] < 0 ? 0 : problem.z[position[c]];
    this.#reduction.recover(unknowns, lambda);
    // Of some laws λ is not zero where the unknowns are.
    const conditioned = this.#conditioned;
    for (let k = 0; k < conditioned.length; k++)
      if (this.active[conditioned[k]] === 0) lambda[conditioned[k]] = 0;
  }

  /** Lists the rows that take part again, and takes the operator over. */
  reselect(): void {
    this.#select();
    if (this.activeCount > 0) this.restrict();
  }

  /** Whether a step can be written out: the laws are boxes and W is constant. */
  get isWritable(): boolean {
    return this.#reduction.isPlain && this.#cones === null && this.isOperatorConstant;
  }

  /**
   * Writes `activate`, and the restriction that a change of the set asks for.
   * @param places of y, ẏ and λ in the state
   */
  writeActivation(
    w: StepWriter,
    state: Float64Array,
    places: RowPlaces,
    forecast: Float64Array,
    h: number,
  ): void {
    const switched = this.#switched;
    if (switched.length === 0) return;
    const { closedGap } = this.rows;
    w.line('let changed = 0;');
    switched.forEach((row, k) => {
      const speed = w.get(state, places.yDot + row);
      const gap = w.get(state, places.y + row);
      const noise = w.constant(
        `${w.literal(REST_ROUNDING)} * ${w.read(this.#mobility, k)} * ${w.get(state, places.lambda + row)}`,
      );
      const rest = `${noise} > 0 && abs(${speed}) <= ${noise} ? ${w.literal(REST_STEPS * h)} * ${noise} : 0`;
      const ahead = forecast[row] * h;
      const reach = ahead === 0 ? gap : `${gap} + ${w.literal(ahead)} * ${speed}`;
      const limit = `${w.get(closedGap, row)} + (${rest})`;
      const now = w.constant(`${reach} <= ${limit} ? 1 : 0`);
      w.line(`if (${now} !== ${w.get(this.active, row)}) changed = 1;`);
      w.set(this.active, row, now);
    });
    w.branch('changed === 1', `${w.bind(this)}.reselect();`, [this.active]);
  }

  /**
   * Writes `solve` and `recover`; a step without solution calls `failed`.
   * @param lambda place of λ in the state
   * @param count counts the solver's iterations, of which it is given the name
   */
  writeSolution(
    w: StepWriter,
    state: Float64Array,
    lambda: number,
    reference: Float64Array,
    failed: string,
    count: (iterations: string) => void,
  ): void {
    const { problem, rows, delassus, active } = this;
    const { base, reading, restitution, kind } = rows;
    const { rowStart, columns, values } = reading;
    const { order } = delassus;
    const free: string[] = [];
    for (const row of order) {
      const terms = Array.from({ length: rowStart[row + 1] - rowStart[row] }, (_, k): Term => {
        const entry = rowStart[row] + k;
        return [values[entry], w.get(state, columns[entry])];
      });
      let text = w.add('', terms);
      if (base[row] !== 0) text = `${w.literal(base[row])} + (${text})`;
      if (restitution[row] !== 0) text += ` + ${w.literal(restitution[row])} * ${w.get(reference, row)}`;
      free.push(w.constant(text));
    }
    const guess = Array.from(order, (row) => w.get(state, lambda + row));
    const isOn = Array.from(order, (row) =>
      (kind[row] & SWITCHED) === 0 ? '' : `${w.get(active, row)} === 1`,
    );
    const z = guess.map(() => w.variable('0'));
    const iterations = w.variable('0');
    const isDone = this.#writeAttempts(w, free, guess, isOn, z, iterations);
    const result = w.bind(this.result);
    const [qs, zs] = [w.bind(problem.q), w.bind(problem.z)];
    w.line(isDone === null ? '{' : `if (!${isDone}) {`);
    w.line('let n = 0;');
    z.forEach((_, i) => {
      w.line(
        `${isOn[i] === '' ? '' : `if (${isOn[i]}) `}{ ${qs}[n] = ${free[i]}; ${zs}[n++] = ${guess[i]}; }`,
      );
    });
    w.line('if (n > 0) {');
    // A tolerance taken from the table of numbers would be boxed for the call.
    w.line(`${w.bind(this)}.solvePosed();`);
    w.line(`${iterations} = ${result}.iterations;`);
    w.branch(`${result}.status !== 'converged'`, `${failed}();`);
    w.line('}');
    w.line('n = 0;');
    z.forEach((name, i) => {
      w.line(`${isOn[i] === '' ? '' : `if (${isOn[i]}) `}${name} = ${zs}[n++];`);
    });
    w.line('}');
    count(iterations);
    order.forEach((row, i) => w.set(state, lambda + row, z[i]));
  }

  /**
   * Writes attempts at the problems that rows make which take part, where they are few.
   * @param free names of y_free and, with the next three, of guesses, in elimination order
   * @param isOn conditions of those that are switched, empty for the others
   * @param z variables for the answer
   * @param iterations variable for what the solver would have counted
   * @returns name of whether there is an answer; null where nothing is written
   */
  #writeAttempts(
    w: StepWriter,
    free: readonly string[],
    guess: readonly string[],
    isOn: readonly string[],
    z: readonly string[],
    iterations: string,
  ): string | null {
    const { solver, tolerance } = this;
    const { order } = this.delassus;
    if ('loosest' in solver || solver.write === undefined) return null;
    const switched = isOn.flatMap((text, i) => (text === '' ? [] : [i]));
    if (order.length > MOST_ROWS_ATTEMPTED || switched.length > MOST_SWITCHED_ATTEMPTED) return null;
    const isDone = w.variable('false');
    if (switched.length > 0)
      w.line(`switch (${switched.map((i, k) => `(${isOn[i]} ? ${1 << k} : 0)`).join(' | ')}) {`);
    for (let set = 0; set < 1 << switched.length; set++) {
      const rows = [...order.keys()].filter((i) => {
        const k = switched.indexOf(i);
        return k < 0 || ((set >> k) & 1) === 1;
      });
      if (switched.length > 0) w.line(`case ${set}: {`);
      const names = (of: readonly string[]): string[] => rows.map((i) => of[i]);
      const problem = this.#problemOf(rows.map((i) => order[i]));
      const written =
        rows.length === 0 ? null : solver.write(w, problem, tolerance, names(free), names(guess));
      if (rows.length === 0) w.line(`${isDone} = true;`);
      if (written !== null) {
        rows.forEach((i, k) => {
          w.line(`${z[i]} = ${written.z[k]};`);
        });
        w.line(`${isDone} = ${written.isSolved};`);
        w.line(`${iterations} = 1;`);
      }
      if (switched.length > 0) w.line('break; }');
    }
    if (switched.length > 0) w.line('}');
    return isDone;
  }

  /** The problem of some rows, in this order. */
  #problemOf(rows: readonly number[]): AffineVariationalInequality {
    const { first, operator, lower, upper } = this.#reduction;
    const problem = new AffineVariationalInequality(
      rows.length,
      operator.columns.length,
      this.problem.symmetric,
    );
    const position = new Int32Array(this.#position.length).fill(-1);
    const unknowns = rows.map((row) => first[row]);
    unknowns.forEach((unknown, i) => (position[unknown] = i));
    problem.restrict(operator, Int32Array.from(unknowns), rows.length, position);
    problem.hasFriction = this.problem.hasFriction;
    unknowns.forEach((unknown, i) => {
      problem.lower[i] = lower[unknown];
      problem.upper[i] = upper[unknown];
    });
    return problem;
  }
}

/** Rows, and switched ones among them, up to which the problems of a step are written out. */
const MOST_ROWS_ATTEMPTED = 4;
const MOST_SWITCHED_ATTEMPTED = 2;

/** Places in the state of what belongs to row 0; the other rows follow. */
export interface RowPlaces {
  readonly y: number;
  readonly yDot: number;
  readonly lambda: number;
}
