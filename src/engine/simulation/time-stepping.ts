/**
 * Time-stepping with the Moreau–Jean scheme. One step, with ⁻ and ⁺ its start and end:
 *
 *   1. active rows: y⁻ + γ h ẏ⁻ ≤ 0 (to rounding)
 *   2. v_free from the smooth dynamics (integrator)
 *   3. ∂h/∂t and ∇h at t⁺ and the predicted position q⁻ + h v⁻; on active rows
 *      0 ≤ W p + ∇h v_free + ∂h/∂t + e ẏ⁻ ⊥ p ≥ 0  (one-step problem)
 *   4. v⁺ = v_free + Σ Ŵ⁻¹ ᵗ∇h p,  q⁺ = q⁻ + h (θ v⁺ + (1−θ) v⁻)
 *   5. certificate of the step
 *   6. y⁺, ẏ⁺ with ∂h/∂t and ∇h at (t⁺, q⁺)
 *
 * Nothing in it allocates, and nothing is looked up by name.
 */
import { EngineError } from '../errors';
import { MoreauJean } from '../integrators/moreau-jean';
import { rowDot } from '../linalg/csr';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { LinearComplementarityProblem } from '../problems/lcp';
import { createLcpSolver, type LcpSolver } from '../solvers/registry';
import { createSolverResult, STATUS_HELP } from '../solvers/status';
import { CertificateChecker } from './certificate';
import { Contacts } from './contacts';
import type { StateLayout } from './layout';

export interface TimeSteppingSettings {
  readonly t0: number;
  /** s */
  readonly h: number;
  readonly theta: number;
  readonly forecast: number;
  readonly solver: string;
  readonly tolerance: number;
}

export class TimeStepping {
  /** see `layoutState` */
  readonly state: Float64Array;
  readonly certificate: CertificateChecker;
  /** contacts that closed: rows whose impulse became positive */
  events = 0;
  step = 0;
  readonly integrator: MoreauJean;
  readonly contacts: Contacts;
  readonly problem: LinearComplementarityProblem;

  /** time, the first entry of the state: passed on as an array, because a number argument would be boxed */
  readonly #clock: Float64Array;
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #vOld: Float64Array;
  readonly #predicted: Float64Array;
  readonly #gap: Float64Array;
  readonly #gapVelocity: Float64Array;
  readonly #impulse: Float64Array;
  readonly #active: Uint8Array;
  /** active rows in elimination order, and the place of each row among them */
  readonly #activeRows: Int32Array;
  readonly #position: Int32Array;
  #activeCount = 0;
  readonly #solver: LcpSolver;
  readonly #result = createSolverResult();

  /** @throws {EngineError} when the iteration matrix of a system is singular or a script fails at t₀ */
  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly layout: StateLayout,
    private readonly settings: TimeSteppingSettings,
    parameters: object,
  ) {
    const { t0, h, theta, solver } = settings;
    const state = new Float64Array(layout.size);
    const view = (from: number, length: number): Float64Array => state.subarray(from, from + length);
    this.state = state;
    this.#clock = view(0, 1);
    this.#q = view(layout.q, layout.ndof);
    this.#v = view(layout.v, layout.ndof);
    this.#gap = view(layout.gap, layout.rows);
    this.#gapVelocity = view(layout.gapVelocity, layout.rows);
    this.#impulse = view(layout.impulse, layout.rows);
    this.#vOld = new Float64Array(layout.ndof);
    this.#predicted = new Float64Array(layout.ndof);
    this.#active = new Uint8Array(layout.rows);
    this.#activeRows = new Int32Array(layout.rows);
    this.#position = new Int32Array(layout.rows).fill(-1);

    this.integrator = new MoreauJean(model.systems, h, theta, parameters, t0);
    this.contacts = new Contacts(model, this.integrator, parameters);
    this.problem = new LinearComplementarityProblem(
      layout.rows,
      this.contacts.delassus.columns.length,
      this.integrator.symmetric,
    );
    this.#solver = createLcpSolver(solver, layout.rows);
    this.certificate = new CertificateChecker(model, this.contacts, this.integrator, h, theta);
    this.#initialise();
  }

  #initialise(): void {
    const { t0 } = this.settings;
    this.model.systems.forEach((system, i) => {
      this.#q.set(system.q0, this.integrator.offsets[i]);
      this.#v.set(system.v0, this.integrator.offsets[i]);
    });
    this.#clock[0] = t0;
    this.contacts.linearise(this.#clock, this.#q);
    this.contacts.evaluate(this.#clock, this.#q, this.#v, this.#gap, this.#gapVelocity);
    this.contacts.setClosedGap(this.#q, this.#gap);
    this.certificate.start(this.#q, this.#v);
    this.#publishEnergies();
  }

  #publishEnergies(): void {
    this.state[this.layout.kinetic] = this.certificate.kinetic;
    this.state[this.layout.potential] = this.certificate.potential;
  }

  /** Deepest present gap of an interaction, 0 unless its bodies overlap by more than rounding. */
  overlap(interaction: number): number {
    const { offsets, closedGap } = this.contacts;
    let deepest = 0;
    for (let row = offsets[interaction]; row < offsets[interaction + 1]; row++) {
      if (this.#gap[row] < -closedGap[row]) deepest = Math.min(deepest, this.#gap[row]);
    }
    return deepest;
  }

  /** Performs one step. @throws {EngineError} when the one-step problem has no certified solution */
  advance(): void {
    const { t0, h } = this.settings;
    // From the step number, not by adding h: a million additions would shift the last step.
    this.#clock[0] = t0 + (this.step + 1) * h;
    const { integrator, contacts } = this;
    const clock = this.#clock;
    const changedSet = this.#activate();
    integrator.evaluate(clock);
    this.#vOld.set(this.#v);
    integrator.computeFree(this.#q, this.#v);
    if (contacts.hasScripts) this.#predict();
    this.#v.set(integrator.freeVelocity);
    if (this.#activeCount > 0) this.#solveImpacts(contacts.updateDelassus() || changedSet);
    else if (changedSet) this.#impulse.fill(0);
    integrator.advancePosition(this.#q, this.#vOld, this.#v);
    // ẏ still is that of the step's start, which Newton's law compares with.
    const finite = this.certificate.check(
      clock,
      this.#q,
      this.#v,
      this.#gapVelocity,
      this.#impulse,
      this.#active,
    );
    if (!finite) this.#reportDivergence(clock[0]);
    contacts.linearise(clock, this.#q);
    contacts.evaluate(clock, this.#q, this.#v, this.#gap, this.#gapVelocity);
    integrator.accept();
    this.#publishEnergies();
    this.step++;
  }

  /** Linearises the relations at q⁻ + h v⁻: for constraints that are not linear, better than the old position. */
  #predict(): void {
    const { h } = this.settings;
    for (let i = 0; i < this.#q.length; i++) this.#predicted[i] = this.#q[i] + h * this.#v[i];
    this.contacts.linearise(this.#clock, this.#predicted);
  }

  /** Step 1. @returns true when the active set differs from the last step's */
  #activate(): boolean {
    const { h, forecast } = this.settings;
    const { order, closedGap } = this.contacts;
    let changed = false;
    for (let row = 0; row < order.length; row++) {
      const isActive = this.#gap[row] + forecast * h * this.#gapVelocity[row] <= closedGap[row] ? 1 : 0;
      if (isActive === this.#active[row]) continue;
      this.#active[row] = isActive;
      changed = true;
    }
    if (!changed) return false;
    let count = 0;
    for (let k = 0; k < order.length; k++) {
      const row = order[k];
      if (this.#active[row] === 0) {
        this.#position[row] = -1;
        continue;
      }
      this.#position[row] = count;
      this.#activeRows[count++] = row;
    }
    this.#activeCount = count;
    return true;
  }

  /** Steps 3 and 4 up to v⁺. */
  #solveImpacts(changed: boolean): void {
    const { contacts, problem } = this;
    const count = this.#activeCount;
    const rows = this.#activeRows;
    if (changed) problem.restrict(contacts.delassus, rows, count, this.#position);
    for (let k = 0; k < count; k++) {
      const row = rows[k];
      problem.q[k] =
        rowDot(contacts.jacobian, row, this.#v) +
        contacts.timeDerivative[row] +
        contacts.restitution[row] * this.#gapVelocity[row];
      // The last step's impulse only tells which contacts pushed; the solver starts from those.
      problem.z[k] = this.#impulse[row];
    }
    this.#solver.solve(problem, this.settings.tolerance, this.#result);
    if (this.#result.status !== 'converged') this.#reportSolver(this.#clock[0]);
    for (let row = 0; row < this.#impulse.length; row++) {
      const position = this.#position[row];
      const p = position < 0 ? 0 : problem.z[position];
      if (p > 0 && !(this.#impulse[row] > 0)) this.events++;
      this.#impulse[row] = p;
    }
    contacts.addResponse(this.#impulse, this.#v);
  }

  #reportSolver(t: number): never {
    const { status, residual, iterations } = this.#result;
    const { message, remedy } = STATUS_HELP[status];
    const names = this.#activeInteractions();
    throw new EngineError({
      code: `solver-${status}`,
      message:
        `The one-step problem of ${this.#activeCount} contacts at t = ${t} s was not solved: ${message} ` +
        `(residual ${residual.toExponential(2)} after ${iterations} iterations).`,
      where: names.slice(0, 8).join(', '),
      time: t,
      remedy,
    });
  }

  #activeInteractions(): string[] {
    const { offsets } = this.contacts;
    return this.model.interactions
      .filter((_, i) => this.#active.subarray(offsets[i], offsets[i + 1]).includes(1))
      .map(({ id }) => id);
  }

  #reportDivergence(t: number): never {
    const { offsets } = this.integrator;
    // An energy overflows before its velocities do; then the system that has grown most is the one to look at.
    let bad: { id: string } | undefined;
    let worst = 0;
    for (const [i, system] of this.model.systems.entries()) {
      const from = offsets[i];
      const to = offsets[i + 1];
      const values = [...this.#q.subarray(from, to), ...this.#v.subarray(from, to)];
      const size = values.every(Number.isFinite)
        ? Math.max(...values.map(Math.abs))
        : Number.POSITIVE_INFINITY;
      if (!(size > worst)) continue;
      worst = size;
      bad = system;
    }
    throw new EngineError({
      code: 'not-finite',
      message: `The state${bad === undefined ? '' : ` of “${bad.id}”`} is no longer finite at t = ${t} s.`,
      ...(bad === undefined ? {} : { where: bad.id }),
      time: t,
      remedy: 'Reduce the time step, raise θ towards 1, or check the forces.',
    });
  }
}
