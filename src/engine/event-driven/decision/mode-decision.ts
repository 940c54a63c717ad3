/**
 * Which rows are ACTIVE after an event (the Siconos manual, "LCP at acceleration level", in both orders and
 * for all boxes). Of the rows whose output is zero, together with its derivatives below the one that λ
 * controls, find
 *
 *     w = W λ + b,     −w ∈ N_[l,u](λ):
 *
 * w > 0 sends a row to its LOWER mode, w < 0 to UPPER, and a λ between its bounds makes it ACTIVE. A tie is
 * w = 0 with λ at a bound. It occurs at each take-off, where the force has just become zero. Its next
 * derivative decides (docs/theory/errata.md):
 *
 *     w′ = W λ′ + b′,
 *     0 ≤ w′ ⊥ λ′ ≥ 0 at a lower bound, 0 ≥ w′ ⊥ λ′ ≤ 0 at an upper one, w′ = 0 on ACTIVE rows,
 *
 * where b′ = d/dt (W λ + b) along ẋ with λ held: no form gives that derivative, and it is taken from the flow
 * ahead, to second order,
 *
 *     b′ ≈ (−3 w(0) + 4 w(δ) − w(2δ)) / 2δ,   w(s) at (t + s, x + s ẋ + s²/2 ẍ).
 *
 * Without ẍ in the displaced state the error would be of first order in δ; it comes from ẋ at x + δ ẋ.
 * Functions of time are asked up to the next known jump only: what they are behind it has nothing to do with
 * the present. A tie that remains after that, as of a ball without weight that touches a table, is decided
 * for contact: λ then starts at its bound, and its event function is moved by a tolerance, so that it cannot
 * go below unnoticed. Only a row that has been ACTIVE and whose λ has passed its bound, however slowly, is
 * released.
 *
 * A sloped piece of a graph that ends at a vertical one has no tie of its own (`graph-corners.ts`).
 *
 * A contact with friction that slides brings its column of W with it (`friction-coupling.ts`); one whose slip
 * is zero has its cone in the problem (`contact-problem.ts`), and w_t > 0, w_t < 0 or a force inside the cone
 * say how it goes on. The ties of friction are λ_t at one side of the cone, or a cone without extent where
 * λ_n is a tie, with the same laws for the derivatives: 0 ≤ w_t′ ⊥ λ_t′ + μ λ_n′ ≥ 0 at the lower side, and
 * −w_t′ ∈ N_[−μ λ_n′, μ λ_n′](λ_t′) where λ_n = 0.
 */
import { ContactProblem } from './contact-problem';
import {
  accumulatedSwitches,
  frictionNoSolution,
  frictionSeveralSolutions,
  problemFailure,
  stateJump,
  undefinedDegree,
} from '../failures';
import { FrictionSolutions } from './friction-solutions';
import type { DiscFriction } from './disc-friction';
import type { FrictionCoupling } from './friction-coupling';
import { AT_BOTH, AT_LOWER, AT_UPPER, GraphCorners } from './graph-corners';
import { ACTIVE, LOWER, type RowLaws, UPPER } from '../rows/row-laws';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { EventState } from '../event-state';
import type { ZenoDetector } from '../impact/zeno';
import type { CompleteSettings } from '../settings';

/**
 * Values of w below this part of its terms, the largest of the run so far, are zero. Rounding at an event is
 * larger than that of one sum: the state there carries the tolerance of the integration.
 */
const TIE_ROUNDING = 1e-9;
/** The same of w′, from differences. */
const TIE_OF_DERIVATIVE = 1e-6;
/** Part of the time up to the next jump that δ takes. */
const OF_WINDOW = 0.25;
/** Rounding of w, differences within it included, as a part of its terms. */
const NOISE = 1e-13;

/**
 * Whether λ is so far from a bound that w, though not zero, is what rounding leaves of it. Of w and the
 * distance one is zero; where a row has had no load, its own terms do not say what is small, and the larger
 * of the two decides. An infinite bound is never reached.
 * @param reserve distance of λ from the bound
 * @param d diagonal entry of W
 * @param w on the side of that bound, > 0
 */
const isInside = (reserve: number, d: number, w: number): boolean => reserve === Infinity || d * reserve > w;

type DecisionSettings = Pick<CompleteSettings, 'solver' | 'solverTolerance' | 'difference'>;

export class ModeDecision {
  /** largest terms of w found so far, by row */
  readonly scales: Float64Array;
  /** largest multipliers found so far, by row: what is small in λ where W has no diagonal entry */
  readonly forces: Float64Array;
  readonly #problem: ContactProblem;
  /** longest δ of the differences, s */
  readonly #difference: number;
  readonly #b: Float64Array;
  readonly #drifts: Float64Array;
  readonly #lambda: Float64Array;
  /** rows with a tie, and which; 0 for none */
  readonly #tied: Int8Array;
  readonly #rate: Float64Array;
  readonly #ahead: Float64Array;
  readonly #x: Float64Array;
  readonly #clock = new Float64Array(1);
  /** [0] δ of the present differences, s */
  readonly #delta = new Float64Array(1);
  readonly #w: readonly Float64Array[];
  /** mode found for each candidate; those of the flow stand as they are until all are known */
  readonly #found: Int8Array;
  readonly #free: Float64Array;
  /** 1 for contacts that held a body together before the event, by first row of slip */
  readonly #wasHeld: Uint8Array;
  readonly #corners: GraphCorners;
  /** null where no row has friction */
  readonly #solutions: FrictionSolutions | null;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly event: EventState,
    { solver, solverTolerance, difference }: DecisionSettings,
    /** accumulations of switches, for messages */
    private readonly zeno: ZenoDetector,
  ) {
    const { count } = laws;
    this.#difference = difference;
    const isMechanical = laws.kind.every((kind) => kind !== 'output');
    this.#problem = new ContactProblem(laws, isMechanical, flow, solver, solverTolerance);
    this.scales = new Float64Array(count);
    this.forces = new Float64Array(count);
    this.#b = new Float64Array(count);
    this.#drifts = new Float64Array(count);
    this.#lambda = new Float64Array(count);
    this.#tied = new Int8Array(count);
    this.#rate = new Float64Array(flow.size);
    this.#ahead = new Float64Array(flow.size);
    this.#x = new Float64Array(flow.size);
    this.#w = [0, 1, 2].map(() => new Float64Array(count));
    this.#found = new Int8Array(count);
    this.#free = new Float64Array(flow.size);
    this.#wasHeld = new Uint8Array(count);
    this.#corners = new GraphCorners(laws);
    this.#solutions =
      laws.frictionRows.length > 0 ? new FrictionSolutions(laws, this.#problem, solverTolerance) : null;
  }

  /**
   * Sets the modes of the candidates, with those of the other rows as they stand in the flow.
   * @throws {EngineError} when a problem has no certified solution, friction leaves none or several, or a
   *   multiplier does not control its row
   */
  decide(clock: Float64Array, x: Float64Array): void {
    const { laws, flow } = this;
    const { isCandidate, isTie, carries } = this.event;
    const p = this.#problem;
    const { problem } = p;
    p.count = 0;
    p.coneCount = 0;
    p.discCount = 0;
    isTie.fill(0);
    for (let row = 0; row < laws.count; row++) {
      if (isCandidate[row] === 0) continue;
      flow.modes[row] = ACTIVE;
      if (laws.kind[row] === 'friction') p.cones[p.coneCount++] = p.count;
      if (flow.discs?.isFirst(row) === true) p.discs[p.discCount++] = p.count - 1;
      p.list[p.count++] = row;
    }
    this.#lambda.fill(0);
    carries.fill(0);
    const wasHeld = this.#wasHeld;
    if (flow.contacts !== null) wasHeld.set(flow.contacts.isHeld);
    flow.setModes(carries);
    if (p.count === 0) return;
    for (let k = 0; k < p.coneCount; k++) this.#setFactor(p.list[p.cones[k]], -1);
    if (flow.discs !== null) this.#setDirections(flow.discs, x);
    flow.freeRate(clock, x, this.#rate);
    flow.offsets(clock, x, this.#rate, this.#b, this.#drifts);
    p.fill();
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (!p.controls(i) && !this.#isCrossing(i)) throw this.#uncontrolled(row, clock);
      problem.q[i] = this.#b[row];
      if (laws.kind[row] === 'friction') continue;
      const isSlip = laws.kind[row] === 'slip';
      problem.lower[i] = isSlip ? -Infinity : laws.lower[row];
      problem.upper[i] = isSlip ? Infinity : laws.upper[row];
    }
    if (this.#solutions === null || this.#solutions.isSimple) {
      if (!p.solve()) throw this.#failure('problem of accelerations', clock);
    } else {
      this.#solveFriction(this.#solutions, clock);
    }
    this.#readModes();
    if (flow.discs !== null && this.#isHoldOver(wasHeld, flow.discs)) this.#lookAhead(clock, x);
    this.#corners.take(this.#tied);
    if (this.#hasTies) this.#decideTies(clock, x);
    this.#corners.leave(this.#found, isCandidate, flow.modes);
    if (flow.discs !== null) this.#openSlips(flow.discs);
    if (flow.friction !== null) this.#keepRatios(flow.friction);
    flow.decided.set(this.#lambda);
    for (let row = 0; row < laws.count; row++) if (isCandidate[row] === 1) flow.modes[row] = this.#found[row];
    for (let row = 0; row < laws.count; row++)
      carries[row] = flow.modes[row] === ACTIVE && this.#tied[row] === 0 ? 1 : 0;
    flow.setModes(carries);
  }

  /**
   * Whether the output of a relay goes through zero at a speed that no multiplier changes: it then switches,
   * and λ is at a bound. That is so where λ appears in a higher derivative only, as of a position that is
   * controlled by the sign of itself.
   */
  #isCrossing(i: number): boolean {
    const { list, problem, count } = this.#problem;
    const row = list[i];
    const { lower, upper, kind } = this.laws;
    if (kind[row] !== 'output' || lower[row] === -Infinity || upper[row] === Infinity) return false;
    for (let j = 0; j < count; j++) if (problem.values[i * problem.size + j] !== 0) return false;
    const terms = this.#magnitude(row);
    return Math.abs(this.#b[row]) > TIE_ROUNDING * Math.max(this.scales[row], terms);
  }

  /**
   * λ does not control its row: by the relation, or because switches that shrink have brought the speed of
   * the output to zero.
   */
  #uncontrolled(row: number, clock: Float64Array): Error {
    const name = this.laws.names[row];
    const { time, error } = this.zeno;
    if (Number.isNaN(time[row])) return undefinedDegree(name, clock[0]);
    return accumulatedSwitches(name, { time: time[row], error: error[row] }, clock[0]);
  }

  /** λ_t = z_t + side μ λ_n in the problem to be filled next. */
  #setFactor(row: number, side: number): void {
    const { friction } = this.flow;
    if (friction !== null) friction.factor[row - 1] = side * this.laws.mu[row];
  }

  #solveFriction(solutions: FrictionSolutions, clock: Float64Array): void {
    const p = this.#problem;
    const { modesBefore, isStart } = this.event;
    const isSolved = p.solve();
    const isPlain = p.coneCount === 0 && !this.#hasSliding();
    const isDecided = isSolved && (isPlain || solutions.continues(modesBefore, isStart));
    const count = isPlain || isDecided ? 'unknown' : solutions.decide(modesBefore, isStart);
    if (isDecided || count === 'one') {
      if (p.coneCount > 1) solutions.centre();
      return;
    }
    const rows = Array.from(p.list.subarray(0, p.count)).filter((row) => this.laws.mu[row + 1] > 0);
    const names = rows.map((row) => this.laws.names[row]);
    const mu = rows.map((row) => this.laws.mu[row + 1]);
    if (count === 'several') throw frictionSeveralSolutions(names, mu, clock[0]);
    if (p.solve()) return;
    if (count === 'none') throw frictionNoSolution(names, mu, clock[0]);
    throw this.#failure('problem of accelerations with friction', clock);
  }

  #hasSliding(): boolean {
    const p = this.#problem;
    for (let i = 0; i < p.count; i++) if (this.laws.mu[p.list[i] + 1] > 0) return true;
    return false;
  }

  /** Forces that are kept where several contacts stick; of a single one they are determined. */
  #keepRatios({ ratio, held }: FrictionCoupling): void {
    const { laws } = this;
    const { isCandidate, zeroForce } = this.event;
    const lambda = this.#lambda;
    let count = 0;
    for (let row = 0; row < laws.count; row++)
      if (laws.kind[row] === 'friction' && isCandidate[row] === 1 && this.#found[row] === ACTIVE) count++;
    for (let k = 0; k < laws.frictionRows.length; k++) {
      const row = laws.frictionRows[k];
      const normal = lambda[row - 1];
      const isClosed = count > 1 && isCandidate[row - 1] === 1 && this.#found[row - 1] === ACTIVE;
      const sticks = isClosed && isCandidate[row] === 1 && this.#found[row] === ACTIVE;
      ratio[row] = sticks && normal > zeroForce[row - 1] ? lambda[row] / normal : 0;
      held[row - 1] = isClosed ? normal : 0;
    }
  }

  /**
   * Takes note of what a root leaves of an output that contains its multiplier. That is small against what it
   * has been between events, and not against its terms at events, which may all have been zero.
   * @param closed |y| that counts as zero
   */
  noteOutput(row: number, closed: number): void {
    if (closed > TIE_ROUNDING * this.scales[row]) this.scales[row] = closed / TIE_ROUNDING;
  }

  /** Takes note of the multipliers of the flow: they are largest between events. */
  noteForces(): void {
    const { lambda } = this.flow;
    for (let row = 0; row < lambda.length; row++)
      if (Math.abs(lambda[row]) > this.forces[row]) this.forces[row] = Math.abs(lambda[row]);
  }

  #failure(what: string, clock: Float64Array): Error {
    const p = this.#problem;
    const rows = Array.from(p.list.subarray(0, p.count));
    const names = rows.map((row) => this.laws.names[row]);
    const isProved = p.result.status === 'infeasible' || p.result.status === 'noSolution';
    // These outputs contain their multipliers: what they cannot be given is a jump of the state, or a hidden
    // constraint.
    if (isProved && rows.every((row) => this.laws.kind[row] === 'output' && this.laws.degree[row] === 0))
      return stateJump(names, clock[0]);
    return problemFailure(what, names, p.result, p.accepted, clock[0]);
  }

  get #hasTies(): boolean {
    for (let row = 0; row < this.#tied.length; row++) if (this.#tied[row] !== 0) return true;
    return false;
  }

  #readModes(): void {
    const { laws, event } = this;
    const found = this.#found;
    const p = this.#problem;
    const { z, w, q } = p.problem;
    const n = p.count;
    this.#tied.fill(0);
    for (let i = 0; i < n; i++) {
      const row = p.list[i];
      const terms = p.addTerms(i, Math.abs(q[i]) + this.#magnitude(row));
      // What cancels at an event, such as a force that vanishes, does not say what is small there; earlier
      // events do.
      if (terms > this.scales[row]) this.scales[row] = terms;
      const zero = TIE_ROUNDING * this.scales[row];
      const d = p.diagonal(i);
      if (Math.abs(z[i]) > this.forces[row]) this.forces[row] = Math.abs(z[i]);
      const zeroForce = Math.max(d > 0 ? zero / d : 0, TIE_ROUNDING * this.forces[row]);
      event.zeroForce[row] = zeroForce;
      this.#lambda[row] = z[i];
      found[row] = ACTIVE;
      if (laws.kind[row] === 'slip') {
        this.#readSlip(i, row, zero);
        continue;
      }
      if (laws.kind[row] === 'friction') {
        this.#readFriction(row, w[i], d, zero);
        continue;
      }
      const aboveLower = z[i] - laws.lower[row];
      const belowUpper = laws.upper[row] - z[i];
      const isLow = aboveLower <= zeroForce;
      const isHigh = belowUpper <= zeroForce;
      if (w[i] > zero && !isInside(aboveLower, d, w[i])) found[row] = LOWER;
      else if (w[i] < -zero && !isInside(belowUpper, d, -w[i])) found[row] = UPPER;
      else if (isLow) this.#tied[row] = AT_LOWER;
      else if (isHigh) this.#tied[row] = AT_UPPER;
    }
    this.#readSliding();
  }

  /**
   * Mode of friction at a contact whose own mode has been read.
   * @param w ÿ_t
   * @param d diagonal entry of W
   * @param zero magnitude up to which ÿ_t is zero
   */
  #readFriction(row: number, w: number, d: number, zero: number): void {
    const found = this.#found;
    const bound = this.laws.mu[row] * this.#lambda[row - 1];
    const lambda = this.#lambda[row];
    const zeros = this.event.zeroForce;
    // The bounds are as uncertain as the normal force.
    zeros[row] += this.laws.mu[row] * zeros[row - 1];
    const zeroForce = zeros[row];
    const isLow = w > zero && !isInside(lambda + bound, d, w);
    if (found[row - 1] !== ACTIVE || isLow) found[row] = LOWER;
    else if (w < -zero && !isInside(bound - lambda, d, -w)) found[row] = UPPER;
    else if (lambda + bound <= zeroForce) this.#tied[row] = bound - lambda <= zeroForce ? AT_BOTH : AT_LOWER;
    else if (bound - lambda <= zeroForce) this.#tied[row] = AT_UPPER;
  }

  /** Directions of contacts that slide, and none of those that are at rest. */
  #setDirections(discs: DiscFriction, x: Float64Array): void {
    const { isCandidate } = this.event;
    for (let k = 0; k < discs.rows.length; k++) {
      const row = discs.rows[k];
      if (isCandidate[row] === 1) discs.clearFactor(row);
      else discs.setFactor(row, x);
    }
  }

  /**
   * Mode of a slip that was zero.
   * @param i place of the row in the list
   * @param zero magnitude up to which ÿ
   * is zero
   */
  #readSlip(i: number, row: number, zero: number): void {
    const { laws, flow, event } = this;
    const { discs } = flow;
    if (discs?.isFirst(row) !== true) {
      this.#found[row] = this.#found[row - 1];
      return;
    }
    const found = this.#found;
    const { z, w } = this.#problem.problem;
    const zeros = event.zeroForce;
    zeros[row] += laws.mu[row] * zeros[row - 1];
    if (found[row - 1] !== ACTIVE) {
      found[row] = LOWER;
      return;
    }
    discs.release(row);
    const acceleration = Math.sqrt(w[i] * w[i] + w[i + 1] * w[i + 1]);
    const force = Math.sqrt(z[i] * z[i] + z[i + 1] * z[i + 1]);
    const reserve = laws.mu[row] * z[i - 1] - force;
    if (acceleration > zero && !isInside(reserve, this.#problem.diagonal(i), acceleration)) {
      found[row] = LOWER;
      discs.hold(row, w[i], w[i + 1], this.#startsTogether(row));
      return;
    }
    if (reserve > zeros[row]) return;
    // The force has come to the surface of the cone, or starts there.
    if (event.isFlagged[row] === 1 && event.modesBefore[row] === ACTIVE && force > 0) {
      found[row] = LOWER;
      discs.hold(row, -z[i], -z[i + 1], this.#startsTogether(row));
    } else event.isTie[row] = 1;
  }

  /** Whether a contact that begins to slide is one of several that stood, by its first row of slip. */
  #startsTogether(row: number): boolean {
    return this.#wasHeld[row] === 1 || this.flow.contacts?.isMany(row) === true;
  }

  /**
   * Whether contacts that held a body together have come to the end of what they can hold, and nothing moves
   * yet.
   */
  #isHoldOver(wasHeld: Uint8Array, { rows }: DiscFriction): boolean {
    const { isFlagged, isCandidate, modesBefore } = this.event;
    for (let k = 0; k < rows.length; k++) {
      const row = rows[k];
      if (wasHeld[row] === 1 && isFlagged[row] === 1 && isCandidate[row] === 1 && modesBefore[row] === ACTIVE)
        return true;
    }
    return false;
  }

  /**
   * Solves the problem of accelerations for forces a little later: where contacts share forces, those at the
   * limit do not say how each of them begins to slide.
   */
  #lookAhead(clock: Float64Array, x: Float64Array): void {
    const p = this.#problem;
    const { problem } = p;
    this.#setDelta(clock);
    this.#differentiate(clock, x);
    const [w0, w1] = this.#w;
    for (let i = 0; i < p.count; i++) problem.q[i] += w1[p.list[i]] - w0[p.list[i]];
    if (!p.solve()) throw this.#failure('problem of accelerations', clock);
    this.#readModes();
  }

  #setDelta(clock: Float64Array): void {
    const ahead = this.flow.rows.window[1] - clock[0];
    this.#delta[0] = ahead > 0 ? Math.min(this.#difference, OF_WINDOW * ahead) : this.#difference;
  }

  /** Slips of contacts that open have no mode. */
  #openSlips(discs: DiscFriction): void {
    const found = this.#found;
    for (let k = 0; k < discs.rows.length; k++) {
      const row = discs.rows[k];
      if (this.event.isCandidate[row - 1] === 0 || found[row - 1] === ACTIVE) continue;
      found[row] = LOWER;
      found[row + 1] = LOWER;
    }
  }

  /** λ_t of contacts that go on sliding. */
  #readSliding(): void {
    const { laws, flow } = this;
    const { isCandidate } = this.event;
    const { discs } = flow;
    for (let k = 0; k < laws.slipRows.length; k++) {
      const row = laws.slipRows[k];
      if (discs === null || isCandidate[row] === 1 || isCandidate[row - 1] === 0) continue;
      this.#lambda[row] = discs.factor[row] * this.#lambda[row - 1];
      this.#lambda[row + 1] = discs.factor[row + 1] * this.#lambda[row - 1];
    }
    for (let k = 0; k < laws.frictionRows.length; k++) {
      const row = laws.frictionRows[k];
      if (isCandidate[row] === 1 || isCandidate[row - 1] === 0) continue;
      this.#lambda[row] = (flow.modes[row] === LOWER ? -1 : 1) * laws.mu[row] * this.#lambda[row - 1];
    }
  }

  #decideTies(clock: Float64Array, x: Float64Array): void {
    const { isFlagged, isTie, modesBefore } = this.event;
    const p = this.#problem;
    const { problem } = p;
    this.#setDelta(clock);
    const [delta] = this.#delta;
    this.#differentiate(clock, x);
    this.#gatherTies(x);
    p.fill();
    const [w0, w1, w2] = this.#w;
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      const tied = this.#tied[row];
      const rate = (-3 * w0[row] + 4 * w1[row] - w2[row]) / (2 * delta);
      // Of redundant rows that all rest, rates that are rounding would contradict each other.
      problem.q[i] = Math.abs(rate) > this.#noise(row) ? rate : 0;
      problem.lower[i] = tied === AT_LOWER || tied === AT_BOTH ? 0 : -Infinity;
      problem.upper[i] = tied === AT_UPPER ? 0 : Infinity;
    }
    const isSolved = p.solve();
    // Rates of redundant contacts contradict each other by the error of the differences: their ties remain.
    if (!isSolved && p.coneCount === 0 && this.#solutions === null && this.flow.discs === null)
      throw this.#failure('problem of derivatives of accelerations', clock);
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (this.#tied[row] === 0) continue;
      if (!isSolved) {
        isTie[row] = 1;
        continue;
      }
      const zero = Math.max(TIE_OF_DERIVATIVE * Math.abs(problem.q[i]), this.#noise(row));
      const isOpen = this.laws.kind[row] === 'friction' && this.#found[row - 1] !== ACTIVE;
      if (isOpen || problem.w[i] > zero) this.#found[row] = LOWER;
      else if (problem.w[i] < -zero) this.#found[row] = UPPER;
      else if (isFlagged[row] === 1 && modesBefore[row] === ACTIVE && this.laws.kind[row] !== 'friction') {
        // Its multiplier has passed the bound, or this would be no event.
        this.#found[row] = this.#tied[row] === AT_UPPER ? UPPER : LOWER;
      } else isTie[row] = 1;
    }
  }

  /** Rounding of w comes back divided by δ. */
  #noise(row: number): number {
    return (NOISE * this.scales[row]) / this.#delta[0];
  }

  /** Rows that are ACTIVE so far, with the coupling of friction that goes with their ties. */
  #gatherTies(x: Float64Array): void {
    const { discs } = this.flow;
    const p = this.#problem;
    const found = this.#found;
    let count = 0;
    p.coneCount = 0;
    p.discCount = 0;
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (discs?.isFirst(row) === true && found[row] !== ACTIVE) discs.setFactor(row, x);
      const isFriction = this.laws.kind[row] === 'friction';
      const tied = this.#tied[row];
      if (isFriction && found[row] !== ACTIVE) this.#setFactor(row, found[row] === LOWER ? -1 : 1);
      if (found[row] !== ACTIVE) continue;
      if (isFriction) this.#setFactor(row, tied === 0 ? 0 : tied === AT_UPPER ? 1 : -1);
      if (tied === AT_BOTH) p.cones[p.coneCount++] = count;
      p.list[count++] = row;
    }
    p.count = count;
  }

  /**
   * |γ| or |∂h/∂t|, and Σ |C_k ẋ_k| of a row: what cancels in its offset. Of an output itself that is
   * nothing.
   */
  #magnitude(row: number): number {
    const { rows, places } = this.flow;
    if (this.laws.degree[row] === 0) return 0;
    let sum = Math.abs(this.#drifts[row]);
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
      sum += Math.abs(rows.C[k] * this.#rate[places.velocity[rows.dofs[k]]]);
    return sum;
  }

  /** w at the state and at δ and 2δ along the flow, with λ held. */
  #differentiate(clock: Float64Array, x: Float64Array): void {
    const rate = this.#rate;
    const ahead = this.#ahead;
    const delta = this.#delta[0];
    for (let k = 0; k < 3; k++) {
      const s = k * delta;
      this.#clock[0] = clock[0] + s;
      for (let i = 0; i < x.length; i++) {
        const curvature = k === 0 ? 0 : ahead[i] - rate[i];
        this.#x[i] = k === 0 ? x[i] : x[i] + s * (rate[i] + 0.5 * k * curvature);
      }
      this.#heldRate(this.#x, k === 0 ? rate : this.#free);
      this.flow.offsets(this.#clock, this.#x, k === 0 ? rate : this.#free, this.#w[k], this.#drifts);
      this.#addFeedthrough(this.#w[k]);
      if (k > 0) continue;
      for (let i = 0; i < x.length; i++) this.#x[i] = x[i] + delta * rate[i];
      this.#clock[0] = clock[0] + delta;
      this.#heldRate(this.#x, ahead);
    }
  }

  /** ẋ at the displaced time with all multipliers held. */
  #heldRate(x: Float64Array, out: Float64Array): void {
    const p = this.#problem;
    this.flow.freeRate(this.#clock, x, out);
    for (let i = 0; i < p.count; i++) this.flow.push(p.list[i], this.#lambda, out);
    const { frictionRows, slipRows } = this.laws;
    const { isCandidate } = this.event;
    for (let k = 0; k < slipRows.length; k++) {
      const row = slipRows[k];
      if (isCandidate[row] === 1 || isCandidate[row - 1] === 0) continue;
      this.flow.push(row, this.#lambda, out);
      this.flow.push(row + 1, this.#lambda, out);
    }
    for (let k = 0; k < frictionRows.length; k++) {
      const row = frictionRows[k];
      if (isCandidate[row] === 0 && isCandidate[row - 1] === 1) this.flow.push(row, this.#lambda, out);
    }
  }

  /** D λ of degree-0 candidates, which `offsets` leaves out. */
  #addFeedthrough(w: Float64Array): void {
    const p = this.#problem;
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (this.laws.degree[row] !== 0) continue;
      for (let j = 0; j < p.count; j++)
        w[row] += this.flow.rows.feedthrough(row, p.list[j]) * this.#lambda[p.list[j]];
    }
  }
}
