/**
 * Time-stepping: one step of all systems of a model, each with its own integrator, and of all interactions
 * together. With ⁻ and ⁺ the start and end of a step:
 *
 *     0. interactions with a condition that are there (`presence.ts`)
 *     1. contacts that take part: y⁻ + γ h ẏ⁻ ≤ 0 (to rounding), by half steps y_½ ≤ 0; all other rows do
 *     2. velocity-level rows linearised at t⁺ and the predicted position q⁻ + h v⁻, or at (t⁻, q⁻)
 *     3. Newton iteration (once where everything is linear):
 *        a. Ŵ, C, D, B and the constant parts at the iterate           (integrators, rows)
 *        b. free state, without the multipliers                        (integrators)
 *        c. y = W λ + y_free under the laws                            (one-step problem)
 *        d. end state = free state + Σ Ŵ⁻¹ γ B λ; residual of the step
 *           (velocity-level rows are linearised again at the iterate where the integrator asks for that)
 *     4. positions brought back onto contacts and joints, where that is asked for (`position-projection.ts`);
 *        combined with it, contacts take part that would be violated, found by repeating 2 to 4
 *     5. certificate of the step
 *     6. y⁺, ẏ⁺ with the rows linearised at (t⁺, q⁺)
 *     7. states of which a guard has passed zero jump (`resets.ts`), and 6 again
 *
 * Nothing in it allocates, and nothing is looked up by name.
 */
import { EngineError } from '../errors';
import { createIntegrators } from '../integrators/registry';
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { gammaOf } from '../model/settings/integrators';
import { CertificateChecker, type StepCertificate } from './certificate/certificate';
import { GalerkinCertificate } from './certificate/d1-minus-linear';
import { Delassus } from './delassus';
import type { StatePlaces } from '../model/state-places';
import {
  type ProblemClass,
  type LoopChoice,
  type TimeSteppingSettings,
  checkProblemClass,
  createContext,
  forecastByRow,
  hasFixedStep,
  keepAlwaysActive,
  lawsByRow,
  ownersOf,
  previousPositions,
  readsCompleted,
  relationPointOf,
  stateInputGroups,
  stateInputOf,
  writeInitialState,
} from './setup';
import { CarryOver, type Origin, type SimulationState } from './state';
import { type ForceStages, createStages } from './force-stages';
import { HalfSteps } from './half-steps';
import { type IterationParts, NewtonIteration } from './newton-iteration';
import { OneStepProblem } from './one-step';
import { SWITCHED } from './row-kinds';
import { StepRelations } from './rows';
import { PositionProjection, type StepPasses } from './position-projection';
import { Presence } from './presence';
import { StepResets } from './resets';
import { StepMemory } from './step-memory';
import { StepControl } from './step-control';
import { createStepSolver } from './step-solver';
import { type WrittenSteps, writeSteps } from './straight-line-step';
import {
  dependsOnStep,
  incompleteStep,
  newtonFailure,
  openJoints,
  projectionFailure,
  stateFailure,
  heldTogether,
} from './failures';

/** Steps a simulation takes before its step is written out: less would not pay for what that takes. */
const HOT = 1000;

export class TimeStepping {
  /** see `layoutState` */
  readonly state: Float64Array;
  readonly context: StepContext;
  readonly integrators: readonly OneStepIntegrator[];
  readonly rows: StepRelations;
  readonly delassus: Delassus;
  readonly oneStep: OneStepProblem;
  readonly certificate: StepCertificate;
  /** contacts that closed: rows whose impulse became positive */
  events = 0;
  step = 0;

  readonly #clock: Float64Array;
  readonly #clock0: Float64Array;
  /** positions and velocities of the state and of the step's start */
  readonly #present: Float64Array;
  readonly #startCopy: Float64Array;
  readonly #y: Float64Array;
  readonly #yDot: Float64Array;
  readonly #lambda: Float64Array;
  readonly #memory: StepMemory;
  /** null where all interactions are always there */
  readonly #presence: Presence | null;
  /** null where no state jumps by a reset */
  readonly resets: StepResets | null;
  /** γ of the activation by row */
  readonly #forecast: Float64Array;
  readonly #iteration: IterationParts;
  readonly #newton: NewtonIteration;
  readonly #isOperatorConstant: boolean;
  /** whether rows at the end of the step are found together with its projected positions */
  readonly #revisesRows: boolean;
  readonly #keepsInput: boolean;
  readonly #control: StepControl | null;
  /** null where no system is advanced by half steps */
  readonly #halfSteps: HalfSteps | null;
  /** null where no forces of contacts are found beside impulses */
  readonly #stages: ForceStages | null;
  /** null where positions are left as velocities lead to them */
  readonly projection: PositionProjection | null;
  readonly #lambdaCopy: Float64Array;
  readonly #trialY: Float64Array;
  readonly #trialYDot: Float64Array;
  /** [0] end of the last complete step, s */
  readonly #completed = new Float64Array(1);
  /** [0] s, end of the step that is being computed */
  readonly #target = new Float64Array(1);
  readonly #allRows: Int32Array;
  readonly #integratorOf: (system: number) => OneStepIntegrator;
  /** passes of a step whose contacts are found by repetition, or beforehand */
  readonly #passes: StepPasses = {
    solve: (taking, predicts) => {
      const changed = this.oneStep.take(taking);
      for (let i = 0; i < this.integrators.length; i++) this.integrators[i].begin();
      if (predicts && this.rows.isEvaluated) this.#newton.predict();
      return this.#isSolved(changed);
    },
    takeBack: () => {
      this.#present.set(this.#startCopy);
    },
  };
  /** the step written out, of small linear models, null where it is not; and steps until it is */
  #straightLine: WrittenSteps | null = null;
  #untilWritten: number;

  /**
   * @param origin state to go on from, taken from a simulation with the same settings; null starts at t₀
   * @throws {EngineError} for a singular iteration matrix, or a script that fails at the start
   */
  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    private readonly layout: StatePlaces,
    private readonly settings: TimeSteppingSettings,
    origin: Origin | null = null,
  ) {
    const carried = origin === null ? null : new CarryOver(model, origin);
    const { rows: count, ndof } = layout;
    const state = new Float64Array(layout.size);
    const start = new Float64Array(layout.size);
    const view = (from: number, length: number): Float64Array => state.subarray(from, from + length);
    this.state = state;
    this.#clock = view(0, 1);
    this.#clock0 = new Float64Array(1);
    this.#present = view(layout.q, 2 * ndof);
    this.#startCopy = start.subarray(layout.q, layout.q + 2 * ndof);
    this.#y = view(layout.y, count);
    this.#yDot = view(layout.yDot, count);
    this.#lambda = view(layout.lambda, count);
    const h = carried?.state.h ?? settings.h;
    this.context = createContext(model, layout, h, state, start, this.#clock, this.#clock0);
    this.#setInitialState(carried);

    this.integrators = createIntegrators(this.context, model, settings.integrators, stateInputGroups(model));
    const owners = ownersOf(model, this.integrators);
    this.#integratorOf = (system) => owners[system].integrator;
    this.#lambdaCopy = new Float64Array(count);
    this.#trialY = new Float64Array(count);
    this.#trialYDot = new Float64Array(count);
    this.#allRows = Int32Array.from({ length: count }, (_, row) => row);
    this.rows = new StepRelations(model, this.context, this.#integratorOf);
    const hasMiddle = this.integrators.some((integrator) => integrator.hasMiddle === true);
    this.#halfSteps = hasMiddle ? new HalfSteps(model, this.context, this.rows, this.#integratorOf) : null;
    if (this.#halfSteps?.settle() === false) throw openJoints(this.#halfSteps, this.context);
    this.#startCopy.set(this.#present);
    this.#forecast = forecastByRow(model, settings.integrators, this.rows);
    this.projection = PositionProjection.create(model, this.context, this.rows, settings.integrators);
    const { problem } = settings;
    const assembly = problem.choices.assembly === 'product' ? 'product' : 'blocks';
    const kept = carried === null ? null : carried.eliminated();
    this.delassus = new Delassus(
      this.rows,
      this.context,
      owners,
      { assembly, isStepFixed: hasFixedStep(settings) },
      kept,
    );
    checkProblemClass(model, problem.type as ProblemClass, this.delassus.isSymmetric);
    const solver = createStepSolver(model, settings, count);
    const rules = settings.presence ?? [];
    this.#presence = rules.length === 0 ? null : new Presence(rules, layout.rows);
    this.resets = StepResets.create(settings.resets ?? [], model.systems, this.rows, this.context, layout);
    const isOperatorConstant = this.rows.isConstant && this.integrators.every(({ isConstant }) => isConstant);
    this.#isOperatorConstant = isOperatorConstant;
    this.oneStep = new OneStepProblem(
      this.rows,
      this.delassus,
      lawsByRow(model),
      solver,
      settings.solver.numbers.tolerance,
      this.#isOperatorConstant,
      this.#presence,
    );

    this.#stages = createStages(model, settings, this, isOperatorConstant);
    const holdsTogether = [this.#halfSteps, this.projection, this.#stages].some((part) => part !== null);
    if (this.#presence !== null && holdsTogether) throw heldTogether(rules[0].name);
    this.#keepsInput = settings.integrators.some(
      ({ numbers: n }) => n.thetaR !== undefined && n.thetaR !== 1 && gammaOf(n) === null,
    );
    if (carried !== null) this.oneStep.load(carried);
    if (this.#isOperatorConstant) this.oneStep.restrict();
    this.#evaluateOutputs();

    keepAlwaysActive(model, settings.integrators, this.rows);
    this.#memory = new StepMemory(this.rows.kind);
    const relationPoint = relationPointOf(settings.integrators, this.context.ids);
    const isAtEnd = relationPoint === 'end' && !this.rows.isConstant;
    this.#revisesRows = isAtEnd && this.projection?.isCombined === true;
    this.#iteration = {
      model,
      context: this.context,
      integrators: this.integrators,
      rows: this.rows,
      delassus: this.delassus,
      oneStep: this.oneStep,
      lambda: this.#lambda,
      reference: this.#memory.reference,
      stateInput: stateInputOf(this.integrators, this.#integratorOf),
      newton: settings.newton,
      isOperatorConstant: this.#isOperatorConstant,
      readsCompleted: readsCompleted(model, this.rows, this.#integratorOf),
      // Combined projection finds q⁺ by passes of its own.
      relationsAtEnd: isAtEnd && !this.#revisesRows,
      relationsAtStart: relationPoint === 'start',
      halfSteps: this.#halfSteps,
    };
    this.#newton = new NewtonIteration(this.#iteration);
    this.#memory.start(this.#y, this.#yDot, h);
    if (this.#keepsInput) this.#keepInput();
    this.#control = StepControl.create(settings, this.context, this.#present, hasFixedStep(settings));
    const projected = this.projection?.multiplier ?? null;
    const word = this.#stages;
    this.certificate =
      word === null
        ? new CertificateChecker(model, layout, settings, state, this.context.h, projected)
        : new GalerkinCertificate(model, layout, settings.integrators[0], state, this.context.h, word);
    this.certificate.start();
    if (carried === null) this.#presence?.start(state, this.#clock[0]);
    this.resets?.start();
    if (carried !== null) this.#load(carried);
    this.#presence?.write(state, layout.presence);
    this.resets?.write();
    this.#publishEnergies();
    if (carried === null) this.#sample();
    else settings.samples?.write(state);
    if (this.#control?.limit(this.#nextStop) === true) this.#changeStep();
    this.#untilWritten = settings.loop === 'straight-line' ? 0 : HOT;
  }

  /** The step as straight-line code, where everything in it is constant; null where it is not. */
  #write(): WrittenSteps | null {
    const { context, integrators, rows, delassus, oneStep, layout, settings, certificate } = this;
    const isFixed = this.#newton.isLinear && this.#isOperatorConstant && hasFixedStep(settings);
    if (this.#halfSteps !== null || this.projection !== null || this.#stages !== null) return null;
    if (settings.loop === 'general' || !isFixed || rows.isEvaluated) return null;
    if (this.#iteration.readsCompleted || this.#presence !== null || this.resets !== null) return null;
    if (!oneStep.isWritable) return null;
    const keepInput = this.#keepsInput ? (): void => this.#keepInput() : null;
    const parts = { model: this.model, context, layout, integrators, rows, delassus, oneStep, certificate };
    const { t0 } = settings;
    return writeSteps({ ...parts, memory: this.#memory, forecast: this.#forecast, t0, keepInput });
  }

  #check(): void {
    if (!this.certificate.check(this.oneStep.active))
      throw stateFailure(this.certificate.defect(), this.context);
  }

  #setInitialState(carried: CarryOver | null): void {
    const t = carried?.state.time ?? this.settings.t0;
    this.#clock[0] = t;
    this.#clock0[0] = t;
    this.#completed[0] = t;
    writeInitialState(this.model, this.context);
    carried?.variables(this.#present, this.#lambda);
    this.#startCopy.set(this.#present);
  }

  /** Takes over what does not follow from the model and the variables. */
  #load(carried: CarryOver): void {
    const { context, rows } = this;
    const { state } = carried;
    this.step = state.step;
    this.events = state.events;
    Object.assign(context.counters, state.counters);
    const previous = previousPositions(this.integrators, context.size);
    carried.coordinates(state.previous, previous);
    for (const integrator of this.integrators) integrator.loadPrevious?.(previous);
    carried.rows(state.closedGap, rows.closedGap);
    const output = this.#y.slice();
    carried.rows(state.output, output);
    for (let row = 0; row < rows.count; row++) if (rows.share[row] !== 1) this.#y[row] = output[row];
    this.#memory.load(carried);
    if (state.presence !== null) this.#presence?.load(state.presence);
    this.resets?.load(state.resets);
    if (state.control !== null) this.#control?.load(state.control, carried);
    this.certificate.load(carried);
  }

  /**
   * A copy of everything the next step depends on.
   * @throws {EngineError} after a step that failed
   */
  exportState(): SimulationState {
    if (this.#clock[0] !== this.#completed[0]) throw incompleteStep(this.#clock[0]);
    const { context, rows, model } = this;
    return {
      systems: { ids: context.ids.slice(), offsets: context.offsets.slice() },
      interactions: { ids: model.interactions.map(({ id }) => id), offsets: rows.offsets.slice() },
      time: this.#completed[0],
      step: this.step,
      h: context.h[0],
      events: this.events,
      counters: { ...context.counters },
      q: this.#present.slice(0, context.size),
      v: this.#present.slice(context.size),
      previous: previousPositions(this.integrators, context.size),
      lambda: this.#lambda.slice(),
      closedGap: rows.closedGap.slice(),
      output: this.#y.slice(),
      ...this.#memory.save(),
      active: this.oneStep.active.slice(),
      elimination: this.delassus.order.slice(),
      unknowns: this.oneStep.saveUnknowns(this.#lambda),
      presence: this.#presence?.save() ?? null,
      resets: this.resets?.save() ?? null,
      control: this.#control?.save() ?? null,
      certificate: this.certificate.save(),
    };
  }

  /**
   * The state at the last complete step, in a row of its own; all but time, positions and velocities may be
   * newer.
   */
  get moment(): { time: number; row: Float64Array } {
    const row = this.state.slice();
    const { q } = this.layout;
    if (this.#clock[0] !== this.#completed[0]) row.set(this.#startCopy, q);
    row[0] = this.#completed[0];
    return { time: row[0], row };
  }

  get loop(): LoopChoice {
    return this.#straightLine === null ? 'general' : 'straight-line';
  }

  /** end of the last complete step, s */
  get time(): number {
    return this.#completed[0];
  }

  /** whether a run with step control has reached its end */
  get isAtEnd(): boolean {
    return this.#completed[0] >= this.settings.tEnd;
  }

  /** steps that step control has repeated */
  get rejectedSteps(): number {
    return this.#control?.rejected ?? 0;
  }

  #publishEnergies(): void {
    if (this.layout.kinetic >= 0) this.state[this.layout.kinetic] = this.certificate.kinetic;
    if (this.layout.potential >= 0) this.state[this.layout.potential] = this.certificate.potential;
  }

  /** Deepest present gap of an interaction, 0 unless its bodies overlap by more than rounding. */
  overlap(interaction: number): number {
    const { offsets, closedGap, kind } = this.rows;
    let deepest = 0;
    for (let row = offsets[interaction]; row < offsets[interaction + 1]; row++) {
      if (this.#presence?.rows[row] === 0) continue;
      if ((kind[row] & SWITCHED) !== 0 && this.#y[row] < -closedGap[row])
        deepest = Math.min(deepest, this.#y[row]);
    }
    return deepest;
  }

  /** Performs one step. @throws {EngineError} when it has no certified solution */
  advance(): void {
    const { integrators } = this;
    const control = this.#control;
    // A step that failed has left its iterate: what follows would start from there.
    if (this.#clock[0] !== this.#completed[0]) throw incompleteStep(this.#clock[0]);
    if (this.#untilWritten-- === 0) this.#straightLine = this.#write();
    if (this.#straightLine !== null) {
      this.#runWritten(this.#straightLine, 1, Infinity);
      this.#sample();
      return;
    }
    this.#clock0[0] = this.#clock[0];
    this.#startCopy.set(this.#present);
    if (this.#presence !== null) this.#decidePresence(this.#presence);
    this.#memory.begin(this.#y, this.#yDot);
    const isWhole = this.#aim();
    this.#attempt();
    if (control !== null) while (!control.accept(this.#hasClosed())) this.#repeat();
    this.events += this.#memory.end(this.#lambda);
    this.#check();
    this.#evaluateOutputs();
    if (this.#keepsInput) this.#keepInput();
    for (let i = 0; i < integrators.length; i++) integrators[i].accept();
    this.#publishEnergies();
    if (isWhole) this.step++;
    this.#completed[0] = this.#clock[0];
    const hasSampled = this.#sample();
    if (this.#reset() || hasSampled) control?.forget();
    if (control?.next(this.#nextStop) === true) this.#changeStep();
  }

  /**
   * Performs one step or more, of which nothing between them is seen.
   * @param most at least 1
   * @param until no step begins at this time or later but the first, s
   * @throws {EngineError} as `advance`, with the steps before complete
   */
  stride(most: number, until: number): void {
    const isAlone = (this.settings.samples ?? null) === null && this.#clock[0] === this.#completed[0];
    if (this.#straightLine === null || !isAlone) this.advance();
    else this.#runWritten(this.#straightLine, most, until);
  }

  #runWritten(written: WrittenSteps, most: number, until: number): void {
    try {
      written.advance(this.step, most, until);
    } finally {
      this.step += written.count;
      this.events += written.closed;
      if (written.count > 0) this.#completed[0] = this.settings.t0 + this.step * this.settings.h;
    }
    this.#publishEnergies();
  }

  /** Who is there in the step that begins. */
  #decidePresence(presence: Presence): void {
    const { state, layout } = this;
    this.certificate.beginStep();
    if (!presence.decide(state, this.#clock[0])) return;
    presence.takeOut(this.#lambda);
    // What has gone acts no more, nor does r_k of what comes.
    if (this.#keepsInput) this.#keepInput();
    presence.putBack(this.#lambda);
    presence.write(state, layout.presence);
  }

  /** Time that no step goes beyond, s. */
  get #nextStop(): number {
    const { tEnd, samples } = this.settings;
    return Math.min(tEnd, samples?.nextTime ?? Infinity);
  }

  /**
   * Chooses the end of the step: a point of the grid, or a sample before it.
   * @returns whether the step leads to a point of the grid
   */
  #aim(): boolean {
    const { settings, context } = this;
    const { samples, t0 } = settings;
    if (this.#control !== null) return true;
    // From the step number, not by adding h: a million additions would shift the last step.
    this.#target[0] = t0 + (this.step + 1) * settings.h;
    if (samples?.isOnGrid !== false) return true;
    const isWhole = samples.nextTime >= this.#target[0] || samples.isDue(this.#target[0]);
    if (!isWhole) this.#target[0] = samples.nextTime;
    const isFromGrid = this.#clock0[0] === t0 + this.step * settings.h;
    const h = isWhole && isFromGrid ? settings.h : this.#target[0] - this.#clock0[0];
    if (h !== context.h[0]) {
      context.h[0] = h;
      this.#changeStep();
    }
    return isWhole;
  }

  /** Samples control blocks that are due at the present. @returns whether there are some */
  #sample(): boolean {
    const { samples } = this.settings;
    if (samples?.isDue(this.#completed[0]) !== true) return false;
    samples.sample(this.state, this.#completed[0]);
    samples.write(this.state);
    for (let i = 0; i < this.integrators.length; i++) this.integrators[i].inputsChanged?.();
    this.certificate.inputsChanged();
    return true;
  }

  /** Step 7. @returns whether a state has jumped */
  #reset(): boolean {
    const hasJumped = this.resets?.apply(this.certificate) === true;
    if (hasJumped) {
      this.#evaluateOutputs();
      if (this.#keepsInput) this.#keepInput();
      for (const integrator of this.integrators) integrator.inputsChanged?.();
    }
    if (this.resets !== null) this.certificate.rest(hasJumped);
    return hasJumped;
  }

  /** Steps 1 to 3 with the present step length. */
  #attempt(): void {
    const { integrators, rows, context } = this;
    const h = context.h[0];
    this.#clock[0] = this.#control === null ? this.#target[0] : this.#clock0[0] + h;
    if (this.#control !== null) this.#lambdaCopy.set(this.#lambda);
    if (this.projection?.isCombined === true) {
      const { active } = this.oneStep;
      this.oneStep.activate(this.#y, this.#yDot, this.#forecast, this.#lambda, context);
      const { reference } = this.#memory;
      const isDone = this.projection.combine(
        active,
        this.#lambda,
        reference,
        this.#revisesRows,
        this.#passes,
      );
      if (!isDone) this.#shorten(this.projection);
      return;
    }
    if (this.#stages !== null) {
      if (!this.#withForces(this.#stages)) this.#shorten(null);
      return;
    }
    const isOpen = this.#halfSteps?.begin() === false;
    if (!isOpen) {
      if (this.#halfSteps !== null) {
        this.#newton.predict();
        this.#evaluateMiddle(this.#halfSteps);
      }
      const changed = this.oneStep.activate(this.#y, this.#yDot, this.#forecast, this.#lambda, context);
      for (let i = 0; i < integrators.length; i++) integrators[i].begin();
      if (rows.isEvaluated && this.#halfSteps === null) this.#newton.predict();
      const isSolved = this.#isSolved(changed) && this.#halfSteps?.finish(this.#lambda) !== false;
      const { active } = this.oneStep;
      const { reference } = this.#memory;
      if (isSolved && (this.projection?.project(active, this.#lambda, reference) ?? 'ok') === 'ok') return;
    }
    this.#shorten(this.projection);
  }

  /** A step whose contacts have forces, and at its end an impact. @returns false where it has no solution */
  #withForces(stages: ForceStages): boolean {
    stages.begin(this.#y, this.#yDot, this.#lambda);
    this.#memory.compareWith(stages.approach);
    if (!this.#passes.solve(stages.closed, false)) return false;
    stages.finish(this.#lambda);
    return true;
  }

  /** Tries a step that has failed with a shorter one. @throws {EngineError} where that cannot be */
  #shorten(projection: PositionProjection | null): void {
    if (this.#control?.shrink() !== true) {
      if (this.#halfSteps?.isOpen === true) throw openJoints(this.#halfSteps, this.context);
      if (projection !== null && projection.status !== 'ok')
        throw projectionFailure(this.model, this.context, this.rows, projection);
      throw newtonFailure(this.model, this.context, this.settings.newton);
    }
    this.#repeat();
  }

  /**
   * Gaps in the middle of the step, and the velocities that have led there, of the rows that belong to it.
   */
  #evaluateMiddle(halfSteps: HalfSteps): void {
    this.rows.evaluateMiddle(this.#lambda, this.#y, this.#yDot);
    this.#memory.beginMiddle(this.#yDot, this.rows.isMiddle);
    halfSteps.expect(this.#yDot);
  }

  /** Whether the step has a solution; of a step that can be shortened, every failure is a reason to do so. */
  #isSolved(changed: boolean): boolean {
    if (this.#control?.canShrink !== true) return this.#newton.solve(changed);
    try {
      return this.#newton.solve(changed);
    } catch (error) {
      if (error instanceof EngineError && dependsOnStep(error)) return false;
      throw error;
    }
  }

  /** Takes the step back and tries it with the length that stands in the context. */
  #repeat(): void {
    this.#present.set(this.#startCopy);
    this.#lambda.set(this.#lambdaCopy);
    this.#changeStep();
    this.#attempt();
  }

  /** Brings everything that depends on the step length to that of the context. */
  #changeStep(): void {
    const { integrators, rows } = this;
    for (let i = 0; i < integrators.length; i++) integrators[i].changeStep();
    rows.setWeights(this.#integratorOf);
    this.certificate.changeStep();
    if (!this.#isOperatorConstant) return;
    this.delassus.update(this.#allRows, rows.count);
    this.oneStep.restrict();
  }

  /** Whether a contact pushes that did not before the step, or has been run through without taking part. */
  #hasClosed(): boolean {
    const { rows, oneStep } = this;
    rows.evaluate(this.#clock, this.state, this.#lambda, this.#trialY, this.#trialYDot);
    const presence = this.#presence?.rows ?? null;
    return this.#memory.hasClosed(this.#lambda, this.#trialY, rows.closedGap, oneStep.active, presence);
  }

  /** Step 6. */
  #evaluateOutputs(): void {
    const { rows, state } = this;
    if (rows.isEvaluated) rows.linearise(this.#clock, state, this.#lambda, 'lagrangian', null);
    rows.evaluate(this.#clock, state, this.#lambda, this.#y, this.#yDot);
  }

  /** r at the end of the step, for the next one. */
  #keepInput(): void {
    this.context.input0.fill(0);
    this.rows.addInputs(this.#clock, this.state, this.#lambda, false, this.context.input0);
  }
}
