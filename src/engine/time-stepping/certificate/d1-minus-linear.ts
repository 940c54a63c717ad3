/**
 * Steps with contact forces and impacts as the certificate sees them (`force-stages.ts` has the equations).
 * From the recorded states, and from λ⁺, λ⁻ and P of the time loop, of which the recorded multiplier has to
 * be the sum, it forms a_k, v_*, a_{k+1} and v⁻ again and asks
 *
 *     q_{k+1} = q_k + ½h (v_k + v_*),     M(q_{k+1}) (v_{k+1} − v⁻) = ᵗC P               equations of motion
 *     0 ≤ ÿ ⊥ λ⁺, λ⁻ ≥ 0,  or ẏ ⊥ p⁺, p⁻,     0 ≤ ẏ_{k+1} + e ẏ⁻ ⊥ P ≥ 0                            laws
 *
 * Which contacts are closed, which of them have forces, and whether one has closed in the step, is in
 * `stage-contacts.ts`.
 *
 * Energy: T + V against the work of forces without potential, by the trapezoidal rule, and of contacts. It is
 * no identity of these steps: what it misses is their error.
 */
import { EnergyBalance } from '../../certificate/energy-balance';
import { type Certificate, DYNAMICS, LargestResidual } from '../../certificate/residual-maxima';
import type { AssignedIntegrator } from '../../integrators/registry';
import type { LagrangianForm, LawRow } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { StatePlaces } from '../../model/state-places';
import { type CarryOver, type CertificateState, createDynamicsMemory } from '../state';
import {
  type StepCertificate,
  type StepDefect,
  createCheckContext,
  findDefect,
  hasSymmetricStiffness,
  isFiniteArray,
} from './certificate';
import { CANCELLATION, type StepMaxima, createStepMaxima } from './dynamics-check';
import {
  type LagrangianMember,
  addEnergies,
  loadScales,
  magnitudeOfMomentum,
  members,
  momentum,
  saveScales,
} from './lagrangian';
import { LawCheck } from './laws';
import { Sweep } from './middle';
import type { CheckContext } from './relations';
import { type PlacedRelation, StageContacts, type StageWord } from './stage-contacts';

/** Kind of all rows: ÿ count with ÿ, ẏ with ẏ. */
const ONE_KIND = 0;

interface Body {
  readonly member: LagrangianMember;
  readonly form: LagrangianForm;
  readonly dof: number;
  readonly inverse: Sweep;
}

/** One of three places where laws hold in a step. */
interface Place {
  readonly laws: LawCheck;
  readonly active: Uint8Array;
}

export class GalerkinCertificate implements StepCertificate {
  readonly hasEnergy: boolean;
  readonly #context: CheckContext;
  readonly #energy = new EnergyBalance();
  readonly #maxima: StepMaxima;
  readonly #bodies: readonly Body[];
  readonly #contacts: StageContacts;
  readonly #rows: readonly PlacedRelation[];
  readonly #left: Place;
  readonly #right: Place;
  readonly #impact: Place;
  /** whether impulses of the start act on v⁻ as contacts are there */
  readonly #turns: boolean;
  readonly #lambda: Float64Array;
  readonly #present: Float64Array;
  readonly #copy: Float64Array;
  /** [0] t_k, s */
  readonly #clock0: Float64Array;
  /** y of a law, d, and what restitution compares with, by row */
  readonly #y: Float64Array;
  readonly #scale: Float64Array;
  readonly #reference: Float64Array;
  readonly #nothing: Float64Array;
  /** indexed like the state: M⁻¹ F at both ends, answers to multipliers, v_* and v⁻, and a place of rows */
  readonly #free0: Float64Array;
  readonly #free1: Float64Array;
  readonly #answer0: Float64Array;
  readonly #answer1: Float64Array;
  readonly #reached: Float64Array;
  readonly #leftLimit: Float64Array;
  readonly #place: Float64Array;
  /** ᵗC P by coordinate; and the magnitudes that cancel in v⁻, in the slots of velocities */
  readonly #push: Float64Array;
  readonly #terms: Float64Array;
  /** worst difference of a multiplier from its parts */
  readonly #sum = new LargestResidual();

  constructor(
    private readonly model: NonSmoothDynamicalSystem,
    layout: StatePlaces,
    { numbers, systems, choices }: AssignedIntegrator,
    state: Float64Array,
    h: Float64Array,
    private readonly word: StageWord,
  ) {
    const { q, v, ndof, rows: count, lambda } = layout;
    const before = new Float64Array(v + ndof);
    const context = createCheckContext(model, layout, state, h, before, false);
    this.#context = context;
    this.#maxima = createStepMaxima(model);
    this.#present = state.subarray(q, q + 2 * ndof);
    this.#copy = before.subarray(q, q + 2 * ndof);
    this.#lambda = state.subarray(lambda, lambda + count);
    this.#clock0 = new Float64Array(1);
    this.#turns = choices.direction !== 'predicted';
    this.#bodies = members(context, model, systems).map((member) => createBody(member));
    this.#contacts = new StageContacts(model, context, numbers, word, choices.besideImpacts === 'dropped');
    this.#rows = this.#contacts.placed;
    const laws = model.interactions.flatMap(({ relation, law }): LawRow[] =>
      Array.from({ length: relation.size }, (_, k) => law.rows[k % law.size]),
    );
    const restitution = Float64Array.from(
      model.interactions.flatMap(({ relation, law }) =>
        Array.from({ length: relation.size }, (_, k) => {
          const row = law.rows[k % law.size];
          return row.kind === 'friction' ? row.restitution : (law.restitution ?? 0);
        }),
      ),
    );
    const place = (e: Float64Array): Place => ({
      laws: new LawCheck(laws, new Uint8Array(count).fill(ONE_KIND), e),
      active: new Uint8Array(count).fill(1),
    });
    const byRow = (): Float64Array => new Float64Array(count);
    this.#left = place(byRow());
    this.#right = place(byRow());
    this.#impact = place(restitution);
    this.#y = byRow();
    this.#scale = byRow();
    this.#reference = byRow();
    this.#nothing = byRow();
    const like = (): Float64Array => new Float64Array(v + ndof);
    this.#free0 = like();
    this.#free1 = like();
    this.#answer0 = like();
    this.#answer1 = like();
    this.#reached = like();
    this.#leftLimit = like();
    this.#place = like();
    this.#push = new Float64Array(ndof);
    this.#terms = like();
    this.hasEnergy = layout.potential >= 0 && hasSymmetricStiffness(model);
  }

  start(): void {
    const { state, clock } = this.#context;
    this.#copy.set(this.#present);
    this.#clock0[0] = clock[0];
    this.#energy.begin();
    for (const { member } of this.#bodies) addEnergies(member, this.#context, this.#energy);
    this.#energy.start();
    this.#contacts.begin(clock, state, this.#lambda);
  }

  save(): CertificateState {
    const dynamics = createDynamicsMemory(this.model.systems.length, this.#context.size);
    saveScales(
      this.#bodies.map(({ member }) => member),
      dynamics,
    );
    return {
      maxima: this.#maxima.save(),
      energy: this.#energy.save(this.hasEnergy),
      ...this.#impact.laws.save(),
      gapMagnitude: new Float64Array(this.#lambda.length),
      previousGap: new Float64Array(this.#lambda.length),
      dynamics,
      forceScales: { left: this.#left.laws.save().rowScale, right: this.#right.laws.save().rowScale },
    };
  }

  load(carried: CarryOver): void {
    const { maxima, energy, forceScales } = carried.state.certificate;
    this.#maxima.load(maxima);
    this.#energy.load(energy, this.hasEnergy);
    this.#impact.laws.load(carried);
    if (forceScales !== undefined) {
      this.#left.laws.load(carried, forceScales.left);
      this.#right.laws.load(carried, forceScales.right);
    }
    const dynamics = createDynamicsMemory(this.model.systems.length, this.#context.size);
    carried.dynamics(dynamics);
    loadScales(
      this.#bodies.map(({ member }) => member),
      dynamics,
    );
  }

  beginStep(): void {
    // Nothing comes and goes.
  }

  reset(): void {
    // States of first order are reset, and there are none.
  }

  rest(): void {
    // Nor are there rests between resets.
  }

  inputsChanged(): void {
    // Forces are formed within a step.
  }

  changeStep(): void {
    // The length is read at each step.
  }

  write(): null {
    return null;
  }

  get kinetic(): number {
    return this.#energy.sums.kinetic[0];
  }

  get potential(): number {
    return this.#energy.sums.potential[0];
  }

  check(): boolean {
    const { state, before, clock, q, v, h, size } = this.#context;
    const { word } = this;
    const [free0, free1, answer0, answer1] = [this.#free0, this.#free1, this.#answer0, this.#answer1];
    const [reached, leftLimit, place] = [this.#reached, this.#leftLimit, this.#place];
    const step = h[0];
    const isFast = word.isOfVelocities;
    this.#energy.begin();

    // Forces at the start, and where they lead.
    this.#accelerate(this.#clock0, before, free0);
    this.#contacts.judgeLeft(this.#left.active);
    for (let i = 0; i < size; i++) {
      place[q + i] = before[q + i] + (isFast ? step * before[v + i] : 0);
      place[v + i] = before[v + i];
    }
    const leftClock = isFast ? clock : this.#clock0;
    this.#respond(leftClock, place, word.left, answer0, true);
    for (let i = 0; i < size; i++) {
      const factor = isFast ? 1 : step;
      reached[v + i] = before[v + i] + step * free0[v + i] + factor * answer0[v + i];
      reached[q + i] = state[q + i];
      this.#terms[v + i] =
        Math.abs(before[v + i]) + step * Math.abs(free0[v + i]) + factor * Math.abs(answer0[v + i]);
    }
    this.#judgeForces(this.#left, word.left, free0, answer0, reached, null);

    if (isFast && this.#turns) this.#respond(this.#clock0, before, word.left, answer0, true);

    const half = isFast ? 0.5 : 0.5 * step;
    const startWork = this.#workOf(word.left, half, before);

    // What is closed at the end, and forces there.
    this.#contacts.reach(clock, reached);
    this.#contacts.judgeClosed(this.#impact.active);
    const hasImpact = this.#contacts.hasImpact();
    this.#accelerate(clock, reached, free1);
    this.#contacts.judgeRight(this.#right.active, hasImpact);
    this.#respond(clock, reached, word.right, answer1, true);
    for (let i = 0; i < size; i++) {
      let forces = 0;
      if (!hasImpact)
        forces = isFast
          ? 0.5 * answer0[v + i] + answer1[v + i]
          : 0.5 * step * (answer0[v + i] + answer1[v + i]);
      leftLimit[v + i] = before[v + i] + 0.5 * step * (free0[v + i] + free1[v + i]) + forces;
      this.#terms[v + i] += step * Math.abs(free1[v + i]) + Math.abs(forces) + Math.abs(state[v + i]);
    }
    this.#judgeForces(this.#right, word.right, free1, answer1, leftLimit, reached, hasImpact);
    if (!hasImpact)
      this.#energy.sums.work[0] += startWork + this.#workOf(word.right, isFast ? 1 : half, leftLimit);

    // The impact.
    this.#respond(clock, reached, word.impact, null, false);
    this.#judgeImpact();
    this.#judgeSums(hasImpact);
    for (let b = 0; b < this.#bodies.length; b++) this.#balance(this.#bodies[b]);
    for (let b = 0; b < this.#bodies.length; b++)
      addEnergies(this.#bodies[b].member, this.#context, this.#energy);
    this.#energy.finish();

    this.#contacts.begin(clock, state, this.#lambda);
    this.#copy.set(this.#present);
    this.#clock0[0] = clock[0];
    return (
      this.#maxima.isFinite &&
      this.#energy.isFinite &&
      isFiniteArray(this.#present) &&
      isFiniteArray(this.#lambda)
    );
  }

  /** M⁻¹ F of all systems; of the start of a step its work is taken at the velocities there. */
  #accelerate(clock: Float64Array, at: Float64Array, out: Float64Array): void {
    const { q, v } = this.#context;
    for (let b = 0; b < this.#bodies.length; b++) {
      const { form, dof, inverse, member } = this.#bodies[b];
      const { position, velocity, force0 } = member;
      for (let i = 0; i < form.size; i++) {
        position[i] = at[q + dof + i];
        velocity[i] = at[v + dof + i];
      }
      form.force(clock, position, velocity, force0);
      if (form.constantMass === null) {
        form.mass(position, inverse.matrix);
        inverse.invert();
      }
      for (let i = 0; i < form.size; i++) out[v + dof + i] = force0[i];
      inverse.apply(out, v + dof);
    }
  }

  /**
   * C of all rows at a place, where M was inverted last, and M⁻¹ ᵗC λ; without `out` ᵗC λ alone, into the
   * push.
   * @param isForce whether multipliers are those of forces
   */
  #respond(
    clock: Float64Array,
    at: Float64Array,
    lambda: Float64Array,
    out: Float64Array | null,
    isForce: boolean,
  ): void {
    const { v, inertia, size } = this.#context;
    const push = this.#push.fill(0);
    const isAcceleration = isForce && !this.word.isOfVelocities;
    for (let n = 0; n < this.#rows.length; n++) {
      const one = this.#rows[n];
      const { row, dofs, C, rest } = one;
      this.#contacts.linearise(one, clock, at, isAcceleration);
      for (let r = 0; r < rest.length; r++) {
        let sum = 0;
        for (let k = 0; k < dofs.length; k++) {
          const value = C[r * dofs.length + k];
          push[dofs[k]] += value * lambda[row + r];
          sum += (value * value) / inertia[dofs[k]];
        }
        this.#scale[row + r] = sum > 0 ? sum : 1;
      }
    }
    if (out === null) return;
    for (let i = 0; i < size; i++) out[v + i] = push[i];
    for (let b = 0; b < this.#bodies.length; b++) {
      const { inverse, dof } = this.#bodies[b];
      inverse.apply(out, v + dof);
    }
  }

  /**
   * Laws of contact forces: y = C a + γ, or C v + ∂h/∂t of the velocities that they lead to.
   * Friction from accelerations obeys velocities, over the time in which forces act.
   * @param former v_* at the end of a step; null at its start
   * @param isAbsent whether no force acts at all
   */
  #judgeForces(
    { laws, active }: Place,
    lambda: Float64Array,
    free: Float64Array,
    answer: Float64Array,
    velocities: Float64Array,
    former: Float64Array | null,
    isAbsent = false,
  ): void {
    const { v, clock, h } = this.#context;
    const isFast = this.word.isOfVelocities;
    for (let n = 0; n < this.#rows.length; n++) {
      const { row, dofs, C, rest, isFriction } = this.#rows[n];
      for (let r = 0; r < rest.length; r++) {
        const isSlip = !isFast && isFriction[r];
        const isEnd = isSlip && former !== null;
        let sum = isEnd ? 0 : rest[r];
        if (isSlip) sum += this.#slipOf(row + r, former !== null);
        let terms = Math.abs(sum);
        for (let k = 0; k < dofs.length; k++) {
          const value = C[r * dofs.length + k];
          const dof = dofs[k];
          if (isFast) {
            sum += value * velocities[v + dof];
            terms += Math.abs(value) * this.#terms[v + dof];
          } else if (isEnd) {
            const change = (2 * (velocities[v + dof] - former[v + dof])) / h[0];
            sum += value * change;
            terms += Math.abs(value) * ((2 * this.#terms[v + dof]) / h[0]);
          } else {
            sum += value * (free[v + dof] + answer[v + dof]);
            terms += Math.abs(value) * (Math.abs(free[v + dof]) + Math.abs(answer[v + dof]));
          }
        }
        // Where nothing acts nothing is asked of y.
        this.#y[row + r] = isAbsent ? 0 : without(sum, terms);
      }
    }
    laws.check(this.#y, lambda, this.#scale, this.#nothing, active, clock, this.#maxima);
  }

  /** ẏ of a row of friction, over the time in which forces act. */
  #slipOf(row: number, isEnd: boolean): number {
    const [h] = this.#context.h;
    return isEnd ? (2 * this.#contacts.after.rate[row]) / h : this.#contacts.before.rate[row] / h;
  }

  #judgeImpact(): void {
    const { state, v, clock } = this.#context;
    const leftLimit = this.#leftLimit;
    const { sums } = this.#energy;
    for (let n = 0; n < this.#rows.length; n++) {
      const { row, dofs, C, rest } = this.#rows[n];
      for (let r = 0; r < rest.length; r++) {
        let after = rest[r];
        let before = rest[r];
        let terms = Math.abs(rest[r]);
        for (let k = 0; k < dofs.length; k++) {
          const value = C[r * dofs.length + k];
          after += value * state[v + dofs[k]];
          before += value * leftLimit[v + dofs[k]];
          terms += Math.abs(value) * this.#terms[v + dofs[k]];
        }
        sums.work[0] += this.word.impact[row + r] * (0.5 * (before + after) - rest[r]);
        this.#y[row + r] = without(after, terms);
        this.#reference[row + r] = without(before, terms);
      }
    }
    const { laws, active } = this.#impact;
    laws.check(this.#y, this.word.impact, this.#scale, this.#reference, active, clock, this.#maxima);
  }

  /** Work of contact forces as rows are placed. @param factor makes impulses of them */
  #workOf(lambda: Float64Array, factor: number, velocities: Float64Array): number {
    const { v } = this.#context;
    let work = 0;
    for (let n = 0; n < this.#rows.length; n++) {
      const { row, dofs, C, rest } = this.#rows[n];
      for (let r = 0; r < rest.length; r++) {
        let speed = 0;
        for (let k = 0; k < dofs.length; k++) speed += C[r * dofs.length + k] * velocities[v + dofs[k]];
        work += factor * lambda[row + r] * speed;
      }
    }
    return work;
  }

  /** Recorded multipliers are the sums of their parts. */
  #judgeSums(hasImpact: boolean): void {
    const { clock, h } = this.#context;
    const { left, right, impact, isOfVelocities } = this.word;
    const sum = this.#sum;
    sum.begin(0);
    for (let row = 0; row < impact.length; row++) {
      const half = isOfVelocities ? 0.5 : 0.5 * h[0];
      const forces = hasImpact ? 0 : half * left[row] + (isOfVelocities ? 1 : half) * right[row];
      const terms = Math.abs(forces) + Math.abs(impact[row]);
      if (terms > sum.entry[1]) sum.entry[1] = terms;
      sum.take(Math.abs(without(this.#lambda[row] - impact[row] - forces, terms)), 0);
    }
    this.#maxima.enter(DYNAMICS, sum, clock);
  }

  /** Equations of motion of a system, and the work of its forces. */
  #balance({ form, dof, member }: Body): void {
    const { state, before, q, v, h, clock } = this.#context;
    const { motion, kinematic, position, velocity, mass } = member;
    const [reached, leftLimit] = [this.#reached, this.#leftLimit];
    const n = form.size;
    motion.begin(dof);
    kinematic.begin(dof);
    for (let i = 0; i < n; i++) {
      position[i] = state[q + dof + i];
      velocity[i] = state[v + dof + i] - leftLimit[v + dof + i];
    }
    if (form.constantMass === null) form.mass(position, mass);
    for (let i = 0; i < n; i++) {
      const p = this.#push[dof + i];
      const terms = Math.abs(p) + magnitudeOfMomentum(member, i, this.#terms, v);
      if (terms > motion.entry[1]) motion.entry[1] = terms;
      motion.take(Math.abs(without(momentum(member, i) - p, terms)), dof + i);
      const at = dof + i;
      const first = 0.5 * h[0] * before[v + at];
      const second = 0.5 * h[0] * reached[v + at];
      const size = Math.abs(state[q + at]) + Math.abs(before[q + at]) + Math.abs(first) + Math.abs(second);
      if (size > kinematic.entry[1]) kinematic.entry[1] = size;
      kinematic.take(Math.abs(without(state[q + at] - before[q + at] - first - second, size)), at);
    }
    this.#maxima.enter(DYNAMICS, motion, clock);
    this.#maxima.enter(DYNAMICS, kinematic, clock);
    if (form.linear !== null) this.#work(member);
  }

  /** Work of the forces of a linear system that have no potential. */
  #work(member: LagrangianMember): void {
    const { before, q, v, h, clock } = this.#context;
    const { form, dof, position, velocity, force1 } = member;
    const stiffness = form.linear?.stiffness ?? null;
    for (let end = 0; end < 2; end++) {
      const at = end === 0 ? before : this.#reached;
      const speeds = end === 0 ? before : this.#leftLimit;
      for (let i = 0; i < form.size; i++) {
        position[i] = at[q + dof + i];
        velocity[i] = speeds[v + dof + i];
      }
      form.force(end === 0 ? this.#clock0 : clock, position, velocity, force1);
      let power = 0;
      for (let i = 0; i < form.size; i++) {
        let force = force1[i];
        if (stiffness !== null)
          for (let k = stiffness.rowStart[i]; k < stiffness.rowStart[i + 1]; k++)
            force += stiffness.values[k] * position[stiffness.columns[k]];
        power += velocity[i] * force;
      }
      this.#energy.sums.work[0] += 0.5 * h[0] * power;
    }
  }

  defect(): StepDefect {
    const energies = [this.kinetic, this.potential];
    return findDefect(this.model, this.#context, this.#lambda, energies, this.#maxima);
  }

  get report(): Certificate {
    return this.#maxima.report;
  }

  takeRecent(out: Float64Array): void {
    this.#maxima.takeRecent(out);
  }

  get energyDrift(): number | null {
    return this.hasEnergy ? this.#energy.drift : null;
  }

  get energyGain(): number | null {
    return this.hasEnergy ? this.#energy.gain : null;
  }
}

/** A sum without what rounding of its terms may have left. */
const without = (sum: number, terms: number): number =>
  Math.sign(sum) * Math.max(0, Math.abs(sum) - CANCELLATION * terms);

function createBody(member: LagrangianMember): Body {
  const { form, dof } = member;
  const inverse = new Sweep(form.size);
  if (form.constantMass !== null) {
    const { rowStart, columns, values } = form.constantMass;
    for (let i = 0; i < form.size; i++)
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++)
        inverse.matrix[i * form.size + columns[k]] = values[k];
    inverse.invert();
  }
  return { member, form, dof, inverse };
}
