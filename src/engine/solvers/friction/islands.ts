/**
 * Contacts that do not couple, directly or by way of others, are problems of their own: islands, as piles
 * that lie beside each other. Each is solved alone, so that one that is hard to solve holds up no other,
 * and methods with factors have those of its own bodies only. The order of islands is that of their first
 * contacts, and contacts stay in their order within, so that the answer depends on the problem alone.
 *
 * A residual is relative to what it is the residual of. With δ_i ≤ τ max(|q_i|, |r_i|, |u_i|) of all
 * islands
 *
 *     Σ δ_i² ≤ τ² (|q|² + |r|² + |u|²) ≤ 3 τ² max(|q|, |r|, |u|)²,
 *
 * so that islands solved to τ/√3 are solved together, and none has to know of the others. The last word
 * has the residual of the whole all the same: an island that has not come to its own tolerance may be
 * small beside the others.
 */
import type { BlockRows } from '../../linalg/block-rows';
import { type ContactFactors, FREEDOMS, FrictionContactProblem } from '../../problems/friction-contact';
import { type SolverResult, createSolverResult } from '../solver';
import { type FrictionSolver, acceptFriction, isSolved } from './solver';

/** Contacts up to which a problem is solved as a whole: it takes less than to take it apart. */
const FEW_CONTACTS = 40;
/** Tolerance of an island over that of the whole. */
const PART = 1 / Math.sqrt(3);
const NONE = -1;

/* What W of an island is made of: the rows of its contacts, and the bodies that these have. */

class IslandFactors implements ContactFactors {
  columns = 0;
  rowStart = new Int32Array(1);
  blockColumns = new Int32Array(0);
  values = new Float64Array(0);
  diagonal = new Float64Array(0);
  pressedBy: Int32Array | null = null;
  #pressedBy = new Int32Array(0);
  #given: ContactFactors | null = null;
  #island: Island | null = null;
  #isFormed = false;
  #isOfForm = false;
  /** column in the island by column of the whole, which is left at none */
  #columnOf = new Int32Array(0);

  /** To be formed when it is asked for. */
  take(given: ContactFactors, island: Island): void {
    this.#given = given;
    this.#island = island;
    this.#isFormed = false;
  }

  get scale(): number {
    return this.#given?.scale ?? 1;
  }

  /** It is W that is given which is in other units. */
  set scale(scale: number) {
    if (this.#given !== null) this.#given.scale = scale;
  }

  form(): boolean {
    if (!this.#isFormed) {
      this.#isFormed = true;
      const [given, island] = [this.#given, this.#island];
      this.#isOfForm = given !== null && island !== null && given.form();
      if (this.#isOfForm && given !== null && island !== null) this.#copy(given, island);
    }
    return this.#isOfForm;
  }

  #copy(given: ContactFactors, { rows, placeOf, first, count, dimension: d }: Island): void {
    this.#reserve(given, rows, first, count, d);
    const { rowStart, blockColumns, values, diagonal } = this;
    const columnOf = this.#columnOf;
    this.pressedBy = given.pressedBy === null ? null : this.#pressedBy;
    let block = 0;
    this.columns = 0;
    for (let c = 0; c < count; c++) {
      const row = rows[first + c];
      rowStart[c] = block;
      for (let k = given.rowStart[row]; k < given.rowStart[row + 1]; k++) {
        const column = given.blockColumns[k];
        if (columnOf[column] === NONE) columnOf[column] = this.columns++;
        blockColumns[block] = columnOf[column];
        const from = d * FREEDOMS * k;
        const to = d * FREEDOMS * block++;
        for (let e = 0; e < d * FREEDOMS; e++) values[to + e] = given.values[from + e];
      }
      for (let i = 0; i < d; i++) diagonal[d * c + i] = given.diagonal[d * row + i];
      if (given.pressedBy === null) continue;
      const presses = given.pressedBy[row];
      this.#pressedBy[c] = presses === NONE ? NONE : placeOf[presses];
    }
    rowStart[count] = block;
    for (let c = first; c < first + count; c++)
      for (let k = given.rowStart[rows[c]]; k < given.rowStart[rows[c] + 1]; k++)
        columnOf[given.blockColumns[k]] = NONE;
  }

  #reserve(given: ContactFactors, rows: Int32Array, first: number, count: number, d: number): void {
    if (this.rowStart.length <= count) {
      this.rowStart = new Int32Array(2 * count + 1);
      this.diagonal = new Float64Array(2 * d * count);
      this.#pressedBy = new Int32Array(2 * count);
    }
    if (this.#columnOf.length < given.columns) this.#columnOf = new Int32Array(2 * given.columns).fill(NONE);
    let blocks = 0;
    for (let c = first; c < first + count; c++)
      blocks += given.rowStart[rows[c] + 1] - given.rowStart[rows[c]];
    if (this.blockColumns.length >= blocks) return;
    this.blockColumns = new Int32Array(2 * blocks);
    this.values = new Float64Array(2 * blocks * d * FREEDOMS);
  }
}

/** Contacts of an island among those of the problem. */
interface Island {
  /** contacts of all islands, one island after the other */
  readonly rows: Int32Array;
  /** place in its island by contact */
  readonly placeOf: Int32Array;
  /** where it begins among `rows`, and how many it has */
  readonly first: number;
  readonly count: number;
  readonly dimension: number;
}

export class ByIslands implements FrictionSolver {
  /** for problems that are not divided, and the largest island, whose patterns it keeps; for the others */
  readonly #whole: FrictionSolver;
  readonly #others: FrictionSolver;
  readonly #factors = new IslandFactors();
  #problem = new FrictionContactProblem(3, 0, 0);
  /** contacts by island, and where each island begins among them */
  #rows = new Int32Array(0);
  #starts = new Int32Array(1);
  /** by contact: its island, and its place in it */
  #islandOf = new Int32Array(0);
  #placeOf = new Int32Array(0);
  /** by island: places taken so far */
  #next = new Int32Array(0);
  #count = 0;
  #largest = 0;
  readonly #attempt = createSolverResult();
  #attempts = 1;
  #reason = '';
  #isDivided = false;

  /** @param create a solver of any problem, with a workspace of its own */
  constructor(create: () => FrictionSolver) {
    this.#whole = create();
    this.#others = create();
  }

  get attempts(): number {
    return this.#isDivided ? this.#attempts : (this.#whole.attempts ?? 1);
  }

  get reason(): string {
    return this.#isDivided ? this.#reason : (this.#whole.reason ?? '');
  }

  solve(problem: FrictionContactProblem, tolerance: number, result: SolverResult): void {
    this.#isDivided =
      problem.count > FEW_CONTACTS && problem.dilatancy === null && this.#divide(problem.W) > 1;
    if (this.#isDivided && this.#solveIslands(problem, tolerance, result)) return;
    this.#isDivided = false;
    this.#whole.solve(problem, tolerance, result);
  }

  /** @returns whether that was enough; if not, r is the best that was found */
  #solveIslands(problem: FrictionContactProblem, tolerance: number, result: SolverResult): boolean {
    result.iterations = 0;
    result.solver = '';
    this.#attempts = 1;
    this.#reason = '';
    for (let island = 0; island < this.#count; island++)
      this.#solveOne(problem, island, PART * tolerance, result);
    if (!isSolved(problem, tolerance)) return false;
    acceptFriction(problem, result);
    return true;
  }

  #solveOne(problem: FrictionContactProblem, island: number, tolerance: number, result: SolverResult): void {
    const solver = island === this.#largest ? this.#whole : this.#others;
    const attempt = this.#attempt;
    const first = this.#starts[island];
    const count = this.#starts[island + 1] - first;
    this.#take(problem, first, count);
    solver.solve(this.#problem, tolerance, attempt);
    const { dimension: d, r } = problem;
    for (let c = 0; c < count; c++)
      for (let i = 0; i < d; i++) r[d * this.#rows[first + c] + i] = this.#problem.r[d * c + i];
    result.iterations = Math.max(result.iterations, attempt.iterations);
    if (island === this.#largest) result.solver = attempt.solver;
    const attempts = solver.attempts ?? 1;
    if (attempts <= this.#attempts) return;
    this.#attempts = attempts;
    this.#reason = `${count} of ${problem.count} contacts: ${solver.reason ?? ''}`;
  }

  /** Finds islands as what is connected in W. @returns how many */
  #divide({ rows: count, rowStart, columns }: BlockRows): number {
    this.#reserve(count);
    const islandOf = this.#islandOf.fill(NONE, 0, count);
    const [queue, starts] = [this.#rows, this.#starts];
    this.#count = 0;
    starts[0] = 0;
    let end = 0;
    for (let c = 0; c < count; c++) {
      if (islandOf[c] !== NONE) continue;
      const island = this.#count++;
      islandOf[c] = island;
      let next = end;
      queue[end++] = c;
      for (; next < end; next++)
        for (let k = rowStart[queue[next]]; k < rowStart[queue[next] + 1]; k++) {
          if (islandOf[columns[k]] !== NONE) continue;
          islandOf[columns[k]] = island;
          queue[end++] = columns[k];
        }
      starts[island + 1] = end;
    }
    if (this.#count > 1) this.#order(count);
    return this.#count;
  }

  /** Contacts of each island in their order. */
  #order(count: number): void {
    const [islandOf, placeOf, starts] = [this.#islandOf, this.#placeOf, this.#starts];
    this.#largest = 0;
    for (let island = 0; island < this.#count; island++)
      if (starts[island + 1] - starts[island] > starts[this.#largest + 1] - starts[this.#largest])
        this.#largest = island;
    const next = this.#next.fill(0, 0, this.#count);
    for (let c = 0; c < count; c++) {
      const island = islandOf[c];
      placeOf[c] = next[island]++;
      this.#rows[starts[island] + placeOf[c]] = c;
    }
  }

  /** States the problem of an island. */
  #take(problem: FrictionContactProblem, first: number, count: number): void {
    const { W, q, r, mu, dimension: d, factors } = problem;
    const rows = this.#rows;
    let blocks = 0;
    for (let c = first; c < first + count; c++) blocks += W.rowStart[rows[c] + 1] - W.rowStart[rows[c]];
    const { revision } = this.#problem;
    if (
      this.#problem.dimension !== d ||
      this.#problem.mu.length < count ||
      this.#problem.W.columns.length < blocks
    )
      this.#problem = new FrictionContactProblem(d, 2 * count, 2 * blocks);
    const to = this.#problem;
    to.count = count;
    to.revision = revision + 1;
    to.isSymmetric = problem.isSymmetric;
    to.W.rows = count;
    let block = 0;
    for (let c = 0; c < count; c++) {
      const row = rows[first + c];
      to.mu[c] = mu[row];
      for (let i = 0; i < d; i++) {
        to.q[d * c + i] = q[d * row + i];
        to.r[d * c + i] = r[d * row + i];
      }
      to.W.rowStart[c] = block;
      for (let k = W.rowStart[row]; k < W.rowStart[row + 1]; k++) {
        if (k === W.diagonal[row]) to.W.diagonal[c] = block;
        to.W.columns[block] = this.#placeOf[W.columns[k]];
        for (let e = 0; e < d * d; e++) to.W.values[d * d * block + e] = W.values[d * d * k + e];
        block++;
      }
    }
    to.W.rowStart[count] = block;
    to.factors = factors === null ? null : this.#factors;
    if (factors !== null)
      this.#factors.take(factors, { rows, placeOf: this.#placeOf, first, count, dimension: d });
  }

  #reserve(count: number): void {
    if (this.#rows.length >= count) return;
    const room = 2 * count;
    this.#rows = new Int32Array(room);
    this.#starts = new Int32Array(room + 1);
    this.#islandOf = new Int32Array(room);
    this.#placeOf = new Int32Array(room);
    this.#next = new Int32Array(room);
  }
}
