/**
 * Steps of large networks: one linear system of first order and one affine relation whose laws hold row by
 * row, by the θ-method with sparse matrices (docs/adr/0044). A step is the system
 *
 *     x⁺ − hθ (A x⁺ + b⁺) − h B λ = x⁻ + h(1−θ) (A x⁻ + b⁻),
 *     C x⁺ + D λ + e⁺ = 0 of rows inside their bounds,     λ = bound of those at one,
 *
 * for x⁺ and λ together, so that nothing is inverted that would fill in. Which rows are where is found by the
 * primal-dual active set (Hintermüller, Ito and Kunisch 2002), beginning with the step before: rows that
 * violate an inequality change sides, all of them while their number falls, else the last of them (Murty
 * 1974). The factors are kept while no row changes.
 */
import { EngineError } from '../errors';
import type { AssignedIntegrator } from '../integrators/registry';
import type { StepCounters } from '../integrators/step';
import { type SparseRows, sparseFromDense, sparseFromPattern } from '../linalg/sparse';
import { SparseLU } from '../linalg/sparse-lu';
import type { AffineEntries, FirstOrderForm, RelationForm } from '../model/forms';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { gammaOf } from '../model/settings/integrators';
import type { PresenceRule } from '../model/settings/presences';
import type { StatePlaces } from '../model/state-places';
import { CertificateChecker } from './certificate/certificate';
import { incompleteStep, stateFailure } from './failures';
import { Presence } from './presence';
import type { LoopChoice, TimeSteppingSettings } from './setup';
import { CarryOver, type Origin, type SimulationState } from './state';

/** What rounding may leave of zero in λ and y, as a part of what they are made of. */
const ROUNDING = 1e-13;
/** Rounds in which all rows that violate something change sides although their number does not fall. */
const BLOCKS = 4;
/** Rounds of a first attempt, and in all, besides one for each row. */
const FEW_ROUNDS = 24;
const MOST_ROUNDS = 100;
/** Residual of the linear system, relative, and rounds of refinement to come to it. */
const REFINED = 1e-14;
const MOST_REFINEMENTS = 4;
/** beyond this a solution is none */
const SOLVED = 1e-8;

const LOWER = 0;
const ACTIVE = 1;
const UPPER = 2;
const ABSENT = 3;

/** The one system and relation of a large network. */
interface LargeNetwork {
  readonly form: FirstOrderForm;
  readonly A: SparseRows;
  readonly relation: RelationForm & { readonly entries: AffineEntries };
}

/** A of a few states, which may have many laws. */
function entriesOf(form: FirstOrderForm): SparseRows {
  const dense = new Float64Array(form.size * form.size);
  form.rateJacobian(new Float64Array(1), form.x0, dense);
  return sparseFromDense(dense, form.size, form.size);
}

const isBox = ({ law }: NonSmoothDynamicalSystem['interactions'][number]): boolean =>
  law.rows.every(({ kind }) => kind === 'box');

/** The parts of a large network; null where a model is none, or its settings ask for more. */
export function largeNetwork(
  { systems, interactions }: NonSmoothDynamicalSystem,
  settings: TimeSteppingSettings,
): LargeNetwork | null {
  if (systems.length !== 1 || interactions.length !== 1 || !isBox(interactions[0])) return null;
  const [{ form }] = systems;
  const [{ relation }] = interactions;
  if (form.order !== 1 || form.rateKind !== 'constant' || relation.entries === undefined) return null;
  if (form.mass !== null || settings.solver.type !== 'auto' || settings.stepControl !== null) return null;
  if ((settings.resets?.length ?? 0) > 0 || (settings.samples ?? null) !== null) return null;
  const [{ type, numbers }] = settings.integrators;
  if (type !== 'EulerMoreau' || numbers.thetaR !== 1 || gammaOf(numbers) !== null) return null;
  return { form, A: form.entries ?? entriesOf(form), relation: relation as LargeNetwork['relation'] };
}

const unsolved = (element: string, time: number, why: string): EngineError =>
  new EngineError({
    code: 'network-unsolved',
    message: `The step to t = ${time} s has no solution that was found: ${why}.`,
    where: element,
    time,
    remedy:
      'Shorten the step, or give ideal elements that are side by side or in a row a small resistance each.',
  });

export class NetworkStepping {
  readonly state: Float64Array;
  readonly certificate: CertificateChecker;
  readonly context: { readonly counters: StepCounters } = {
    counters: { factorisations: 0, newtonIterations: 0, solverIterations: 0 },
  };
  readonly oneStep = { hasCones: false, accepted: 0 };
  readonly resets = null;
  readonly projection = null;
  readonly events = 0;
  readonly rejectedSteps = 0;
  readonly isAtEnd = false;
  readonly loop: LoopChoice = 'general';
  step = 0;

  readonly #n: number;
  readonly #m: number;
  readonly #theta: number;
  readonly #lower: Float64Array;
  readonly #upper: Float64Array;
  readonly #clock: Float64Array;
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #lambda: Float64Array;
  readonly #h: Float64Array;
  readonly #presence: Presence | null;
  /** 1 for rows that take part: all of them, as far as they are there */
  readonly #word: Uint8Array;
  /** of the iterate, and of the factors */
  readonly #modes: Uint8Array;
  readonly #factored: Uint8Array;
  readonly #next: Uint8Array;
  readonly #system: SparseRows;
  readonly #lu: SparseLU;
  readonly #rate: Float64Array;
  readonly #source: Float64Array;
  readonly #offset: Float64Array;
  readonly #zeroState: Float64Array;
  readonly #zeroRows: Float64Array;
  readonly #right: Float64Array;
  readonly #solution: Float64Array;
  readonly #residual: Float64Array;
  readonly #correction: Float64Array;
  /** [0] end of the last complete step, s */
  readonly #completed = new Float64Array(1);
  readonly #before: Float64Array;
  #isFactored = false;

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly network: LargeNetwork,
    private readonly layout: StatePlaces,
    private readonly settings: TimeSteppingSettings & { readonly integrators: readonly AssignedIntegrator[] },
    origin: Origin | null,
  ) {
    const { form, relation } = network;
    const [n, m] = [form.size, relation.size];
    this.#n = n;
    this.#m = m;
    this.#theta = settings.integrators[0].numbers.theta;
    const state = new Float64Array(layout.size);
    this.state = state;
    this.#clock = state.subarray(0, 1);
    this.#x = state.subarray(layout.q, layout.q + n);
    this.#y = state.subarray(layout.y, layout.y + m);
    this.#lambda = state.subarray(layout.lambda, layout.lambda + m);
    this.#h = Float64Array.of(settings.h);
    const { law } = model.interactions[0];
    const rows = Array.from({ length: m }, (_, row) => law.rows[row % law.size]);
    this.#lower = Float64Array.from(rows, (row) => (row.kind === 'box' ? row.lower : NaN));
    this.#upper = Float64Array.from(rows, (row) => (row.kind === 'box' ? row.upper : NaN));
    const rules: readonly PresenceRule[] = settings.presence ?? [];
    this.#presence = rules.length === 0 ? null : new Presence(rules, m);
    this.#word = new Uint8Array(m).fill(1);
    this.#modes = new Uint8Array(m);
    this.#factored = new Uint8Array(m);
    this.#next = new Uint8Array(m);
    this.#system = this.#pattern();
    const late = new Uint8Array(n + m);
    for (let row = 0; row < m; row++) late[n + row] = this.#ownEntry(row) === 0 ? 1 : 0;
    this.#lu = new SparseLU(this.#system, late);
    this.#rate = new Float64Array(n);
    this.#source = new Float64Array(n);
    this.#offset = new Float64Array(m);
    this.#zeroState = new Float64Array(n);
    this.#zeroRows = new Float64Array(m);
    this.#right = new Float64Array(n + m);
    this.#solution = new Float64Array(n + m);
    this.#residual = new Float64Array(n + m);
    this.#correction = new Float64Array(n + m);
    this.#before = new Float64Array(n);

    const carried = origin === null ? null : new CarryOver(model, origin);
    this.#clock[0] = carried?.state.time ?? settings.t0;
    this.#completed[0] = this.#clock[0];
    this.#x.set(form.x0);
    if (carried !== null) {
      const phases = new Float64Array(2 * n);
      carried.variables(phases, this.#lambda);
      this.#x.set(phases.subarray(0, n));
    }
    relation.output(this.#clock, this.#x, this.#lambda, this.#y);
    this.certificate = new CertificateChecker(model, layout, settings, state, this.#h);
    this.certificate.start();
    if (carried === null) this.#presence?.start(state, this.#clock[0]);
    else {
      this.step = carried.state.step;
      Object.assign(this.context.counters, carried.state.counters);
      if (carried.state.presence !== null) this.#presence?.load(carried.state.presence);
      this.certificate.load(carried);
    }
    this.#presence?.write(state, layout.presence);
  }

  #ownEntry(row: number): number {
    const { D } = this.network.relation.entries;
    if (D === null) return 0;
    for (let k = D.rowStart[row]; k < D.rowStart[row + 1]; k++) if (D.columns[k] === row) return D.values[k];
    return 0;
  }

  /** Where entries of the system may stand, whatever the modes: in (x, λ). */
  #pattern(): SparseRows {
    const { A, relation } = this.network;
    const { C, D, B } = relation.entries;
    const n = this.#n;
    const placesOf = (a: SparseRows | null, i: number, first: number): number[] =>
      a === null ? [] : Array.from(a.columns.subarray(a.rowStart[i], a.rowStart[i + 1]), (j) => first + j);
    const union = (...lists: number[][]): number[] => [...new Set(lists.flat())].sort((a, b) => a - b);
    return sparseFromPattern([
      ...Array.from({ length: n }, (_, i) => union([i], placesOf(A, i, 0), placesOf(B, i, n))),
      ...Array.from({ length: this.#m }, (_, row) =>
        union([n + row], placesOf(C, row, 0), placesOf(D, row, n)),
      ),
    ]);
  }

  /** Adds the entries of a row of a matrix, which stand in the system's row in the same order. */
  #addRow(to: number, a: SparseRows | null, i: number, first: number, factor: number): void {
    if (a === null) return;
    const { rowStart, columns, values } = this.#system;
    let at = rowStart[to];
    for (let k = a.rowStart[i]; k < a.rowStart[i + 1]; k++) {
      const column = first + a.columns[k];
      while (columns[at] !== column) at++;
      values[at] += factor * a.values[k];
    }
  }

  #addOne(row: number): void {
    const { rowStart, columns, values } = this.#system;
    let at = rowStart[row];
    while (columns[at] !== row) at++;
    values[at] += 1;
  }

  /** Factors the system in the present modes, unless that has been done. */
  #factor(): void {
    const modes = this.#modes;
    let isSame = this.#isFactored;
    for (let row = 0; row < modes.length && isSame; row++)
      isSame =
        modes[row] === this.#factored[row] || (modes[row] !== ACTIVE && this.#factored[row] !== ACTIVE);
    if (isSame) return;
    const { A, relation } = this.network;
    const { C, D, B } = relation.entries;
    const n = this.#n;
    const h = this.#h[0];
    this.#system.values.fill(0);
    for (let i = 0; i < n; i++) {
      this.#addOne(i);
      this.#addRow(i, A, i, 0, -h * this.#theta);
      this.#addRow(i, B, i, n, -h);
    }
    for (let row = 0; row < modes.length; row++) {
      this.#factored[row] = modes[row];
      if (modes[row] !== ACTIVE) {
        this.#addOne(n + row);
        continue;
      }
      this.#addRow(n + row, C, row, 0, 1);
      this.#addRow(n + row, D, row, n, 1);
    }
    this.#lu.factor();
    this.#isFactored = true;
    this.context.counters.factorisations++;
  }

  /** x⁺ and λ in the present modes. @returns whether they solve the system */
  #solve(): boolean {
    const [right, solution, residual] = [this.#right, this.#solution, this.#residual];
    const system = this.#system;
    const n = this.#n;
    this.#factor();
    for (let row = 0; row < this.#m; row++) {
      const mode = this.#modes[row];
      right[n + row] =
        mode === ACTIVE
          ? -this.#offset[row]
          : mode === ABSENT
            ? 0
            : mode === LOWER
              ? this.#lower[row]
              : this.#upper[row];
    }
    this.#lu.solve(right, solution);
    let before = Infinity;
    for (let round = 0; ; round++) {
      let worst = 0;
      let largest = 0;
      for (let i = 0; i < right.length; i++) largest = Math.max(largest, Math.abs(right[i]));
      // What is nothing beside the rest of the network may be off by as much as that rounds.
      const nothing = Number.EPSILON * largest;
      for (let i = 0; i < right.length; i++) {
        let sum = right[i];
        let terms = Math.abs(sum);
        for (let k = system.rowStart[i]; k < system.rowStart[i + 1]; k++) {
          const term = system.values[k] * solution[system.columns[k]];
          sum -= term;
          terms += Math.abs(term);
        }
        residual[i] = sum;
        const relative = terms > nothing ? Math.abs(sum) / terms : 0;
        if (!(relative <= worst)) worst = relative;
      }
      if (worst <= REFINED) return true;
      if (round >= MOST_REFINEMENTS || !(worst < before)) return worst <= SOLVED;
      before = worst;
      this.#lu.solve(residual, this.#correction);
      for (let i = 0; i < solution.length; i++) solution[i] += this.#correction[i];
    }
  }

  /** Modes that violated inequalities ask for, into `#next`. @returns how many they are */
  #judge(): number {
    const { C, D } = this.network.relation.entries;
    const [modes, next, solution] = [this.#modes, this.#next, this.#solution];
    const n = this.#n;
    let largest = 0;
    for (let row = 0; row < this.#m; row++) largest = Math.max(largest, Math.abs(solution[n + row]));
    let wrong = 0;
    for (let row = 0; row < this.#m; row++) {
      const mode = modes[row];
      next[row] = mode;
      if (mode === ABSENT) continue;
      if (mode === ACTIVE) {
        const value = solution[n + row];
        const zero = ROUNDING * largest;
        if (value < this.#lower[row] - zero) next[row] = LOWER;
        else if (value > this.#upper[row] + zero) next[row] = UPPER;
      } else {
        let y = this.#offset[row];
        let terms = Math.abs(y);
        for (let k = C.rowStart[row]; k < C.rowStart[row + 1]; k++) {
          const term = C.values[k] * solution[C.columns[k]];
          y += term;
          terms += Math.abs(term);
        }
        for (let k = D?.rowStart[row] ?? 0; D !== null && k < D.rowStart[row + 1]; k++) {
          const term = D.values[k] * solution[n + D.columns[k]];
          y += term;
          terms += Math.abs(term);
        }
        if (mode === LOWER ? y < -ROUNDING * terms : y > ROUNDING * terms) next[row] = ACTIVE;
      }
      if (next[row] !== mode) wrong++;
    }
    return wrong;
  }

  /**
   * The modes of the step before, as its multipliers say.
   * @param isWide whether rows of which output and multiplier are at zero, as at rest, count as inside
   */
  #begin(isWide: boolean): void {
    const [lower, upper, lambda, y, modes] = [this.#lower, this.#upper, this.#lambda, this.#y, this.#modes];
    for (let row = 0; row < this.#m; row++) {
      if (this.#presence?.rows[row] === 0) modes[row] = ABSENT;
      else if (lambda[row] <= lower[row]) modes[row] = isWide && y[row] <= 0 ? ACTIVE : LOWER;
      else if (lambda[row] >= upper[row]) modes[row] = isWide && y[row] >= 0 ? ACTIVE : UPPER;
      else modes[row] = ACTIVE;
    }
  }

  /**
   * From the step before; where that leads from row to row for long, as where current has to come through a
   * row of diodes, from the same with all rows at work that may be; and then for as long as it takes.
   */
  #findModes(): void {
    for (const [isWide, most] of [
      [false, FEW_ROUNDS],
      [true, FEW_ROUNDS],
      [false, MOST_ROUNDS + this.#m],
    ] as const) {
      this.#begin(isWide);
      if (this.#iterate(most)) return;
    }
    throw unsolved(this.model.interactions[0].id, this.#clock[0], 'no modes of its elements agree');
  }

  /** @returns whether no inequality is violated */
  #iterate(most: number): boolean {
    const [modes, next] = [this.#modes, this.#next];
    let least = Infinity;
    let blocks = BLOCKS;
    for (let round = 0; round < most; round++) {
      this.context.counters.solverIterations++;
      if (!this.#solve()) {
        const { id } = this.model.interactions[0];
        throw unsolved(id, this.#clock[0], 'the equations of the elements are singular');
      }
      const wrong = this.#judge();
      if (wrong === 0) return true;
      const isBlock = wrong < least || blocks-- > 0;
      least = Math.min(least, wrong);
      for (let row = this.#m - 1; row >= 0; row--) {
        if (next[row] === modes[row]) continue;
        modes[row] = next[row];
        if (!isBlock) break;
      }
    }
    return false;
  }

  /** Performs one step. @throws {EngineError} when it has no solution */
  advance(): void {
    if (this.#clock[0] !== this.#completed[0]) throw incompleteStep(this.#clock[0]);
    const { form, relation } = this.network;
    const h = this.#h[0];
    const n = this.#n;
    this.#before.set(this.#x);
    if (this.#presence !== null) this.#decidePresence(this.#presence);
    form.rate(this.#clock, this.#x, this.#rate);
    this.#clock[0] = this.settings.t0 + (this.step + 1) * this.settings.h;
    form.rate(this.#clock, this.#zeroState, this.#source);
    relation.output(this.#clock, this.#zeroState, this.#zeroRows, this.#offset);
    for (let i = 0; i < n; i++)
      this.#right[i] = this.#x[i] + h * (1 - this.#theta) * this.#rate[i] + h * this.#theta * this.#source[i];
    this.#findModes();
    for (let i = 0; i < n; i++) this.#x[i] = this.#solution[i];
    for (let row = 0; row < this.#m; row++) this.#lambda[row] = this.#solution[n + row];
    relation.output(this.#clock, this.#x, this.#lambda, this.#y);
    this.context.counters.newtonIterations++;
    if (!this.certificate.check(this.#word))
      throw stateFailure(this.certificate.defect(), { clock: this.#clock });
    this.step++;
    this.#completed[0] = this.#clock[0];
  }

  #decidePresence(presence: Presence): void {
    this.certificate.beginStep();
    if (!presence.decide(this.state, this.#clock[0])) return;
    presence.takeOut(this.#lambda);
    presence.putBack(this.#lambda);
    presence.write(this.state, this.layout.presence);
  }

  get time(): number {
    return this.#completed[0];
  }

  get moment(): { time: number; row: Float64Array } {
    const row = this.state.slice();
    if (this.#clock[0] !== this.#completed[0]) row.set(this.#before, this.layout.q);
    row[0] = this.#completed[0];
    return { time: row[0], row };
  }

  /** Laws of first order hold at all times: nothing overlaps. */
  overlap(): number {
    return 0;
  }

  /**
   * A copy of everything the next step depends on.
   * @throws {EngineError} after a step that failed
   */
  exportState(): SimulationState {
    if (this.#clock[0] !== this.#completed[0]) throw incompleteStep(this.#clock[0]);
    const [n, m] = [this.#n, this.#m];
    return {
      systems: { ids: [this.model.systems[0].id], offsets: Int32Array.of(0, n) },
      interactions: { ids: [this.model.interactions[0].id], offsets: Int32Array.of(0, m) },
      time: this.#completed[0],
      step: this.step,
      h: this.#h[0],
      events: 0,
      counters: { ...this.context.counters },
      q: this.#x.slice(),
      v: new Float64Array(n),
      previous: new Float64Array(n),
      lambda: this.#lambda.slice(),
      output: this.#y.slice(),
      previousOutput: this.#y.slice(),
      closedGap: new Float64Array(m),
      pushed: new Uint8Array(m),
      active: this.#word.slice(),
      elimination: Int32Array.from({ length: m }, (_, row) => row),
      unknowns: { offsets: new Int32Array(m + 1), values: new Float64Array(0) },
      presence: this.#presence?.save() ?? null,
      resets: null,
      control: null,
      certificate: this.certificate.save(),
    };
  }
}
