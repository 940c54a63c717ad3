/**
 * The certificate: at every step the discrete equations of motion, the relations and laws, and the balance of
 * energy are recomputed from the recorded states. It evaluates the model itself and calls neither an
 * integrator, nor the rows and operator of the time loop, nor the solver, so that an error of theirs cannot
 * hide in it. It also works out which contacts take part in a step and what restitution compares with; the
 * time loop is asked only about contacts whose gap is zero to rounding, where either answer is right.
 *
 * Each residual is relative to the largest magnitude of its kind that the run has shown so far. See the
 * checks of integrators below, `relations.ts`, `contacts.ts` and `laws.ts` for what they are.
 */
import { EnergyBalance } from '../../certificate/energy-balance';
import { type Certificate, DYNAMICS } from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import { gammaOf, positionProjectionOf } from '../../model/settings/integrators';
import { isSparseSymmetric } from '../../linalg/sparse';
import type { LawRow } from '../../model/forms';
import { diagonalInertia } from '../../model/inertia';
import { type Interaction, type NonSmoothDynamicalSystem, offsetsOf } from '../../model/nsds';
import type { ResetRule } from '../../model/resets/reset';
import type { PresenceRule } from '../../model/settings/presences';
import type { StatePlaces } from '../../model/state-places';
import type { StepWriter } from '../../straight-line/writer';
import { type CarryOver, type CertificateState, createDynamicsMemory } from '../state';
import { ContactCheck } from './contacts';
import { type DynamicsCheck, GUARD, JUMP, type StepMaxima, createStepMaxima } from './dynamics-check';
import { EulerMoreauCheck, ZeroOrderHoldCheck } from './first-order';
import { HalfStepRelations, HalfStepsCheck } from './half-steps';
import { MoreauJeanCheck } from './lagrangian';
import { LinearMoreauJeanCheck } from './lagrangian-linear';
import { LawCheck } from './laws';
import { MiddleCheck } from './middle';
import { PresenceCheck } from './presence';
import { ResetCheck } from '../../certificate/reset-check';
import { type CheckContext, RelationCheck } from './relations';
import { ProjectionCheck } from './projection';
import { SchatzmanPaoliCheck } from './schatzman-paoli';

/* What of a step is not finite, found once the time loop has been told that something is not. */

export interface StepDefect {
  readonly what: 'state' | 'multiplier' | 'energy' | 'residual';
  /** id of the system or interaction; null when none can be named */
  readonly element: string | null;
  /** of which condition, in words; null unless it is a residual */
  readonly residual: string | null;
}

const hasDefect = (x: Float64Array): boolean => x.some((value) => !Number.isFinite(value));

/**
 * The first of these that is not finite, since each follows from the ones before it: state, multipliers,
 * energy, residuals.
 * @param energies of the present state, J
 */
export function findDefect(
  { systems, interactions }: NonSmoothDynamicalSystem,
  { state, offsets, q, v }: CheckContext,
  lambda: Float64Array,
  energies: readonly number[],
  maxima: StepMaxima,
): StepDefect {
  const phase = (i: number): Float64Array =>
    Float64Array.of(
      ...state.subarray(q + offsets[i], q + offsets[i + 1]),
      ...state.subarray(v + offsets[i], v + offsets[i + 1]),
    );
  const broken = systems.find((_, i) => hasDefect(phase(i)));
  if (broken !== undefined) return { what: 'state', element: broken.id, residual: null };
  let row = 0;
  for (const { id, relation } of interactions) {
    if (hasDefect(lambda.subarray(row, row + relation.size)))
      return { what: 'multiplier', element: id, residual: null };
    row += relation.size;
  }
  if (energies.some((energy) => !Number.isFinite(energy))) {
    // Squares overflow long before what is squared: the system that has grown most is the one to look at.
    const sizes = systems.map((_, i) => phase(i).reduce((most, value) => Math.max(most, Math.abs(value)), 0));
    const largest = systems.at(sizes.indexOf(Math.max(...sizes)));
    return { what: 'energy', element: largest?.id ?? null, residual: null };
  }
  return { what: 'residual', element: maxima.worstElement, residual: maxima.overflown };
}

/*
 * Discrete equations of motion as the certificate sees them: each scheme's equation, written down once more
 * from its definition and evaluated with the model's own functions at the recorded states.
 */

type Maker = (
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  assignment: AssignedIntegrator,
  energy: EnergyBalance,
  halfSteps: HalfStepRelations | null,
) => DynamicsCheck[];

const makers: Readonly<Record<string, Maker>> = {
  EulerMoreau: (context, model, a) => [new EulerMoreauCheck(context, model, a)],
  ZeroOrderHold: (context, model, a) => [new ZeroOrderHoldCheck(context, model, a)],
  SchatzmanPaoli: (context, model, a, energy) => [new SchatzmanPaoliCheck(context, model, a, energy)],
  MoreauHalfStep: (context, model, a, energy, relations) =>
    relations === null ? [] : [new HalfStepsCheck(context, model, a, energy, relations)],
  MoreauJean: (context, model, a, energy) => {
    const isLinear = (s: number): boolean => {
      const { form } = model.systems[s];
      return form.order === 2 && form.linear !== null;
    };
    const linear = a.systems.filter(isLinear);
    const others = a.systems.filter((s) => !isLinear(s));
    return [
      ...(linear.length > 0
        ? [new LinearMoreauJeanCheck(context, model, { ...a, systems: linear }, energy)]
        : []),
      ...(others.length > 0 ? [new MoreauJeanCheck(context, model, { ...a, systems: others }, energy)] : []),
    ];
  },
};

function createDynamicsChecks(
  context: CheckContext,
  model: NonSmoothDynamicalSystem,
  assignments: readonly AssignedIntegrator[],
  energy: EnergyBalance,
  halfSteps: HalfStepRelations | null,
): DynamicsCheck[] {
  return assignments.flatMap((assignment) =>
    makers[assignment.type](context, model, assignment, energy, halfSteps),
  );
}

/** What a run asks of the certificate of its steps. */
export type StepCertificate = Pick<
  CertificateChecker,
  | ('hasEnergy' | 'energyDrift' | 'energyGain' | 'kinetic' | 'potential')
  | ('start' | 'check' | 'beginStep' | 'inputsChanged' | 'changeStep' | 'reset' | 'rest')
  | ('save' | 'load' | 'defect' | 'report' | 'takeRecent' | 'write')
>;

export interface CertificateSettings {
  readonly integrators: readonly AssignedIntegrator[];
  readonly presence?: readonly PresenceRule[];
  readonly resets?: readonly ResetRule[];
}

/** Its rows are looked at in the middle of a step. */
const HALF_STEPS = 'MoreauHalfStep';

// Kinds of rows: values that count in different units are not measured by each other.
const FIRST_ORDER = 0;
const POSITION = 1;
const VELOCITY = 2;

export class CertificateChecker {
  /** whether T + V is defined for all systems that have an energy */
  readonly hasEnergy: boolean;

  readonly #layout: StatePlaces;
  readonly #context: CheckContext;
  readonly #contacts: ContactCheck;
  readonly #relations: RelationCheck;
  /** null where no system is advanced by half steps */
  readonly #halfSteps: HalfStepRelations | null;
  /** null where no positions are projected */
  readonly #projection: ProjectionCheck | null;
  /** 1 for rows whose law is y = 0 */
  readonly #isEquation: Uint8Array;
  readonly #laws: LawCheck;
  /** null where all interactions are always there */
  readonly #presence: PresenceCheck | null;
  /** null where no state jumps by a reset */
  readonly #resets: ResetCheck | null;
  /** multipliers without those of what has gone */
  readonly #acting: Float64Array;
  #isFirst = true;
  readonly #dynamics: DynamicsCheck[];
  readonly #energy = new EnergyBalance();
  readonly #maxima: StepMaxima;
  readonly #lambda: Float64Array;
  /** coordinates and velocities of the present state and their copy at the start of the step */
  readonly #present: Float64Array;
  readonly #copy: Float64Array;

  /** @param state the state vector that will be checked; its arrays are read at each step */
  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    layout: StatePlaces,
    settings: CertificateSettings,
    state: Float64Array,
    /** [0] present step length, s */
    h: Float64Array,
    /** Λ of the projection of positions by row; null where there is none */
    projected: Float64Array | null = null,
  ) {
    const { ndof, rows } = layout;
    this.#layout = layout;
    const before = new Float64Array(layout.v + ndof);
    this.#maxima = createStepMaxima(model);
    this.#present = state.subarray(layout.q, layout.q + 2 * ndof);
    this.#copy = before.subarray(layout.q, layout.q + 2 * ndof);
    this.#lambda = state.subarray(layout.lambda, layout.lambda + rows);
    this.#context = createCheckContext(model, layout, state, h, before, projected !== null);
    const assignments = new Map(
      settings.integrators.flatMap((assignment) => assignment.systems.map((s) => [s, assignment] as const)),
    );
    const schemeOf = (system: number): string => assignments.get(system)?.type ?? '';
    const kinds = rowKinds(model, rows, schemeOf);
    const isVelocity = kinds.map((kind) => (kind === VELOCITY ? 1 : 0));
    const points = settings.integrators.flatMap(({ choices: { relationPoint } }) => relationPoint ?? []);
    const point = (points.at(0) ?? 'predicted') as 'start' | 'predicted' | 'end';
    this.#contacts = new ContactCheck(model, isVelocity, (system) => assignments.get(system));
    const hasMiddle = (system: number): boolean => schemeOf(system) === HALF_STEPS;
    this.#halfSteps = model.systems.some((_, system) => hasMiddle(system))
      ? new HalfStepRelations(
          model,
          this.#context,
          this.#contacts,
          new MiddleCheck(model, this.#context, hasMiddle),
          isVelocity,
        )
      : null;
    const isTaken = (interaction: Interaction): boolean => this.#halfSteps?.takes(interaction) === true;
    this.#relations = new RelationCheck(
      model,
      this.#context,
      point,
      isVelocity,
      this.#contacts,
      isTaken,
      (system) => gammaOf(assignments.get(system)?.numbers ?? {}) ?? 1,
      settings.integrators.some((assignment) => positionProjectionOf(assignment)?.kind === 'combined'),
    );
    this.#projection =
      projected === null
        ? null
        : new ProjectionCheck(
            this.#context,
            model,
            (system) => assignments.get(system),
            this.#contacts,
            isVelocity,
            projected,
          );
    const laws = model.interactions.flatMap(({ relation, law }): LawRow[] =>
      Array.from({ length: relation.size }, (_, k) => law.rows[k % law.size]),
    );
    this.#isEquation = Uint8Array.from(laws, (row) =>
      row.kind === 'box' && row.lower === -Infinity && row.upper === Infinity ? 1 : 0,
    );
    const restitution = Float64Array.from(
      model.interactions.flatMap(({ relation, law }) =>
        Array.from({ length: relation.size }, (_, k) => {
          const row = law.rows[k % law.size];
          return row.kind === 'friction' ? row.restitution : (law.restitution ?? 0);
        }),
      ),
    );
    this.#laws = new LawCheck(laws, kinds, restitution);
    const conditions = settings.presence ?? [];
    this.#presence = conditions.length === 0 ? null : new PresenceCheck(conditions, layout.rows);
    const rules = settings.resets ?? [];
    this.#resets =
      rules.length === 0
        ? null
        : new ResetCheck(
            model,
            rules,
            layout,
            (isMap, value, row, rule) => {
              this.#maxima.raise(isMap ? JUMP : GUARD, value, 1, row.subarray(0, 1), rule);
            },
            true,
          );
    this.#acting = new Float64Array(rows);
    this.#dynamics = createDynamicsChecks(
      this.#context,
      model,
      settings.integrators,
      this.#energy,
      this.#halfSteps,
    );
    this.hasEnergy = layout.potential >= 0 && hasSymmetricStiffness(model) && hasBalance(model, schemeOf);
  }

  /** Takes the present state as the first start of a step. */
  start(): void {
    // Velocity-level relations are evaluated at q⁻ + h v⁻.
    this.#copy.set(this.#present);
    this.#projection?.begin();
    this.#relations.evaluate(this.#lambda);
    this.#laws.start(this.#relations.y);
    this.#halfSteps?.middle.start();
    this.#contacts.start(this.#context.h);
    this.#energy.begin();
    for (const check of this.#dynamics) check.start();
    this.#energy.start();
    this.#resets?.start(this.#context.state);
  }

  /** A copy of what has been seen so far. */
  save(): CertificateState {
    const dynamics = createDynamicsMemory(this.model.systems.length, this.#context.size);
    for (const check of this.#dynamics) check.save(dynamics);
    return {
      maxima: this.#maxima.save(),
      energy: this.#energy.save(this.hasEnergy),
      ...this.#laws.save(),
      ...this.#contacts.save(),
      dynamics,
      ...(this.#presence === null ? {} : { presence: this.#presence.save() }),
      ...(this.#resets === null ? {} : { resets: this.#resets.save() }),
    };
  }

  /** Goes on from what has been seen of the elements that stay; called after `start`. */
  load(carried: CarryOver): void {
    const { maxima, energy, presence, resets } = carried.state.certificate;
    if (resets !== undefined && this.#resets?.size === resets.sides.length) this.#resets.load(resets);
    if (presence !== undefined) {
      this.#presence?.load(presence);
      this.#isFirst = carried.state.step === 0;
    }
    this.#maxima.load(maxima);
    this.#energy.load(energy, this.hasEnergy);
    this.#laws.load(carried);
    this.#contacts.load(carried);
    const dynamics = createDynamicsMemory(this.model.systems.length, this.#context.size);
    carried.dynamics(dynamics);
    for (const check of this.#dynamics) check.load(dynamics);
  }

  /** A step begins: some interactions may come or go. Called where some can. */
  beginStep(): void {
    const acting = this.#acting;
    acting.set(this.#lambda);
    const hasGone = this.#presence?.begin(this.#context.state, this.#isFirst, acting) === true;
    this.#isFirst = false;
    if (!hasGone) return;
    // What has gone acts no more, also not as r_k.
    this.#relations.evaluate(acting);
    this.inputsChanged();
  }

  /** A round of resets at the present. @param before, after rows of the state */
  reset(before: Float64Array, after: Float64Array): void {
    this.#resets?.round(before, after);
  }

  /**
   * Nothing more is reset at the present.
   * @param hasJumped whether something was: what the next step starts from is evaluated there
   */
  rest(hasJumped: boolean): void {
    this.#resets?.row(this.#context.state);
    if (!hasJumped) return;
    this.#copy.set(this.#present);
    this.#relations.evaluate(this.#lambda);
    this.inputsChanged();
  }

  /** A source has jumped at the present. */
  inputsChanged(): void {
    for (const check of this.#dynamics) check.inputsChanged?.();
  }

  /** Follows a change of the step length. */
  changeStep(): void {
    this.#relations.changeStep();
    for (const check of this.#dynamics) check.changeStep?.();
  }

  get kinetic(): number {
    return this.#energy.sums.kinetic[0];
  }

  get potential(): number {
    return this.#energy.sums.potential[0];
  }

  /**
   * Checks the step to the present state.
   * @param word 1 for rows that took part in the step as the time loop has it
   * @returns false when something is not finite; see `defect`
   */
  check(word: Uint8Array): boolean {
    const { clock, h } = this.#context;
    const contacts = this.#contacts;
    this.#halfSteps?.begin();
    if (this.#projection !== null) {
      this.#projection.begin();
      for (let d = 0; d < this.#dynamics.length; d++) this.#dynamics[d].reach?.();
    }
    contacts.judge(word, h, this.#laws.push);
    this.#presence?.apply(contacts.active, contacts.isJudged);
    this.#relations.evaluate(this.#lambda);
    const { y, scale } = this.#relations;
    this.#halfSteps?.evaluate(this.#lambda, y, scale);
    this.#laws.check(y, this.#lambda, scale, contacts.reference, contacts.active, clock, this.#maxima);
    this.#energy.begin();
    for (let d = 0; d < this.#dynamics.length; d++) this.#dynamics[d].check(this.#maxima);
    this.#projection?.check(this.#maxima, this.#isEquation, this.#lambda, this.#laws.restitution);
    this.#energy.finish();
    this.#copy.set(this.#present);
    return (
      this.#maxima.isFinite &&
      this.#energy.isFinite &&
      isFiniteArray(this.#present) &&
      isFiniteArray(this.#lambda)
    );
  }

  /**
   * Writes `check` as straight-line code. What is judged are the values that the state will be recorded with.
   * @param word 1 for rows that took part in the step as the time loop has it
   * @returns the condition under which everything is finite; null when some part has to be called, with
   *   nothing written
   */
  write(w: StepWriter, word: Uint8Array): string | null {
    if (this.#halfSteps !== null || !this.#relations.isWritable || !this.#laws.isWritable) return null;
    const { state, before, q, v, h, size } = this.#context;
    const contacts = this.#contacts;
    const lambda = this.#layout.lambda;
    contacts.write(w, word, h[0], this.#laws.push);
    this.#relations.write(w, lambda);
    const { y, scale } = this.#relations;
    this.#laws.write(w, state, lambda, y, scale, contacts, this.#maxima);
    this.#energy.writeBegin(w);
    for (const check of this.#dynamics) this.#writeDynamics(w, check);
    const isEnergyFinite = this.#energy.writeFinish(w);
    const names: string[] = [];
    for (const first of [q, v])
      for (let i = 0; i < size; i++) names.push(w.set(before, first + i, w.get(state, first + i)));
    for (let row = 0; row < scale.length; row++) names.push(w.get(state, lambda + row));
    // As in `isFiniteArray`.
    const isStateFinite = `${['0', ...names.map((x) => `(${x} - ${x})`)].join(' + ')} === 0`;
    return `${this.#maxima.writeFinite(w)} && ${isEnergyFinite} && ${isStateFinite}`;
  }

  #writeDynamics(w: StepWriter, check: DynamicsCheck): void {
    const residuals = check.write?.(w) ?? null;
    if (residuals !== null) {
      this.#maxima.write(w, DYNAMICS, w.get(this.#context.state, 0), residuals);
      return;
    }
    w.call(`${w.bind(check)}.check(${w.bind(this.#maxima)});`, ...Object.values(this.#energy.sums));
  }

  /** What is not finite, after a check that returned false. */
  defect(): StepDefect {
    const energies = [this.kinetic, this.potential];
    return findDefect(this.model, this.#context, this.#lambda, energies, this.#maxima);
  }

  /** The worst so far; a new object, for reports outside the time loop. */
  get report(): Certificate {
    return this.#maxima.report;
  }

  /** See `ResidualMaxima.takeRecent`. */
  takeRecent(out: Float64Array): void {
    this.#maxima.takeRecent(out);
  }

  /** See `EnergyBalance.drift`; null where no energy is defined. */
  get energyDrift(): number | null {
    return this.hasEnergy ? this.#energy.drift : null;
  }

  get energyGain(): number | null {
    return this.hasEnergy ? this.#energy.gain : null;
  }
}

/**
 * @param state the state vector that is checked
 * @param h [0] present step length, s
 * @param before the state at the start of the step
 * @param isProjected whether positions are others than those that velocities lead to
 */
export function createCheckContext(
  model: NonSmoothDynamicalSystem,
  { q, v, ndof }: StatePlaces,
  state: Float64Array,
  h: Float64Array,
  before: Float64Array,
  isProjected: boolean,
): CheckContext {
  return {
    clock: state.subarray(0, 1),
    h,
    state,
    before,
    reached: isProjected ? new Float64Array(v + ndof) : state,
    q,
    v,
    offsets: offsetsOf(model).velocities,
    size: ndof,
    input: new Float64Array(ndof),
    inputMagnitude: new Float64Array(ndof),
    inertia: diagonalInertia(model, ndof),
  };
}

/** Kind of each row: the units its y counts in. */
function rowKinds(
  { interactions }: NonSmoothDynamicalSystem,
  count: number,
  schemeOf: (system: number) => string,
): Uint8Array {
  const kinds = new Uint8Array(count);
  let row = 0;
  for (const { relation, law, systems } of interactions) {
    // Restitution acts on positions in Schatzman–Paoli and on velocities otherwise.
    const isPosition =
      law.restitution === null
        ? law.level === 'position'
        : systems.every((s) => schemeOf(s) === 'SchatzmanPaoli');
    const kind = relation.order === 1 ? FIRST_ORDER : isPosition ? POSITION : VELOCITY;
    kinds.fill(kind, row, row + relation.size);
    row += relation.size;
  }
  return kinds;
}

/** Without a symmetric K there is no potential. */
export const hasSymmetricStiffness = ({ systems }: NonSmoothDynamicalSystem): boolean =>
  systems.every(({ form }) => form.order === 1 || isSparseSymmetric(form.linear?.stiffness ?? null));

/** Only these schemes have a balance of energy. */
const hasBalance = ({ systems }: NonSmoothDynamicalSystem, schemeOf: (system: number) => string): boolean =>
  systems.every(({ form }, s) => form.order === 1 || ['MoreauJean', HALF_STEPS].includes(schemeOf(s)));

export function isFiniteArray(x: Float64Array): boolean {
  // The difference is 0 of finite numbers and NaN of others; a sum of magnitudes could overflow.
  // Four sums, because each addition has to wait for the one before it.
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = x.length - (x.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += x[i] - x[i];
    b += x[i + 1] - x[i + 1];
    c += x[i + 2] - x[i + 2];
    d += x[i + 3] - x[i + 3];
  }
  for (let i = whole; i < x.length; i++) a += x[i] - x[i];
  return a + b + c + d === 0;
}
