/**
 * The impact equations (the Siconos manual, "LCP at velocity level") over I1, all contacts that are closed
 * and do not separate, with the joints:
 *
 *     M (v⁺ − v⁻) = ᵗC P,     w = ẏ⁺ + e ẏ⁻ = W P + (1 + e) ẏ⁻,     0 ≤ w ⊥ P ≥ 0,     ẏ⁺ = 0 in joints.
 *
 * Contacts that separate stay out: with ẏ⁻ > 0 Newton's law would let them gain energy. A neighbour's impulse
 * may turn one of them round, and a further impact at the same time follows; with equal e each of them loses
 * energy or keeps it. Such a sequence may be infinite, with speeds that shrink geometrically. It is ended by
 * an impact without restitution over all closed contacts,
 *
 *     0 ≤ ẏ⁺ = W P + ẏ⁻ ⊥ P ≥ 0,
 *
 * the projection of v⁻ onto the velocities that no contact forbids, in the metric of M, which loses energy ½
 * ᵗP W P.
 *
 * With Coulomb friction a contact has two rows, and the tangential impulse a law of its own in the same
 * problem,
 *
 *     −(ẏ_t⁺ + e_t ẏ_t⁻) ∈ N_[−μ P_n, μ P_n](P_t).
 *
 * Newton's law may then gain energy, because e compares velocities that friction has changed meanwhile (Kane
 * and Levinson 1985). Poisson's hypothesis compares impulses. There are two problems of this kind, one after
 * the other,
 *
 *     compression   0 ≤ ẏ_n^C ⊥ P_n^C ≥ 0,                  −ẏ_t^C ∈ N_[−μ P_n^C, μ P_n^C](P_t^C),
 *     expansion     0 ≤ ẏ_n⁺ ⊥ P_n^E − e P_n^C ≥ 0,         −ẏ_t⁺ ∈ N_[−μ P_n^E, μ P_n^E](P_t^E),
 *
 * from which with one e for all contacts, on surfaces at rest, no energy is gained: ⟨·,·⟩ being the product
 * ᵗP W P and T⁺ − T⁻ = ᵗP (ẏ⁻ + ẏ⁺)/2 in each phase, with e P_t^C, which lies in the cone of the expansion,
 * P_t^E ẏ_t⁺ ≤ e P_t^C ẏ_t⁺ and
 *
 *     ΔT = ᵗP^C ẏ^C − ½⟨P^C, P^C⟩ + ᵗP^E ẏ⁺ − ½⟨P^E, P^E⟩
 *        ≤ −½⟨P^C, P^C⟩ + e⟨P^C, P^E⟩ − ½⟨P^E, P^E⟩ ≤ −½ (1 − e²) ⟨P^C, P^C⟩ ≤ 0,
 *
 * since ᵗP^C ẏ^C ≤ 0 and ᵗP^E ẏ⁺ ≤ e ᵗP^C ẏ⁺ = e ᵗP^C (ẏ^C + W P^E) ≤ e⟨P^C, P^E⟩
 * (Pfeiffer and Glocker 1996, ch. 8).
 *
 * Other laws are those of `MultipleImpact`.
 */
import { type ContactImpact, ContactImpacts } from '../../impacts/contact-impacts';
import type { ImpactChoice } from '../../impacts/registry';
import type { StepWriter } from '../../straight-line/writer';
import { ContactProblem } from '../decision/contact-problem';
import { JointElimination } from '../decision/joint-elimination';
import type { EventState, ImpactStage, PhaseKind } from '../event-state';
import { frictionImpact, impactFailure, problemFailure, undefinedDegree } from '../failures';
import type { SmoothFlow } from '../flow/smooth-flow';
import { ACTIVE, type RowLaws } from '../rows/row-laws';
import { RESTING } from '../rows/row-state';
import type { CompleteSettings } from '../settings';

/*
 * An impact over all closed contacts by one of the laws for several contacts at once (`impacts/`), with the
 * joints. These are rigid and act as fast as the contacts do: ẏ_J = 0 throughout. So they are eliminated
 * (`joint-elimination.ts`), and the law sees W and ẏ⁻ of the contacts that is left, in which joints that move
 * before are stopped first, by P_J = −W_JJ⁻¹ ẏ_J⁻.
 *
 * Contacts that separate take part here: in the course of the impact they may be turned round.
 */

/**
 * Whether a contact is closed: by its gap, or because the root of the gap says so, whatever rounding has left
 * of it. Of one that has been closed roots are those of its force, and its gap is what drift may have left.
 */
const isClosed = ({ isFlagged, modesBefore, outputs }: EventState, row: number): boolean => {
  const wasActive = modesBefore[row] === ACTIVE;
  if (isFlagged[row] === 1 && !wasActive) return true;
  const closed = outputs.closed(row);
  const zero = wasActive ? Math.max(RESTING * closed, outputs.resolution(row)) : closed;
  return outputs.y[row] <= Math.max(zero, outputs.startOverlap[row]);
};

export class MultipleImpact {
  readonly #impacts: ContactImpacts;
  /** rows that take part: joints, then contacts */
  readonly #list: Int32Array;
  #joints = 0;
  #count = 0;
  /** W among them, and ẏ⁻ */
  readonly #operator: Float64Array;
  readonly #speeds: Float64Array;
  readonly #elimination: JointElimination;
  /** places of the joints in the list: 0, 1, … */
  readonly #places: Int32Array;
  /** P by row of the list */
  readonly #impulse: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly event: EventState,
    choice: ImpactChoice,
  ) {
    const { count, kind } = laws;
    const joints = kind.filter((one) => one === 'joint').length;
    this.#impacts = new ContactImpacts(choice);
    this.#list = new Int32Array(count);
    this.#operator = new Float64Array(count * count);
    this.#speeds = new Float64Array(count);
    this.#elimination = new JointElimination(joints, count);
    this.#places = Int32Array.from({ length: joints }, (_, r) => r);
    this.#impulse = new Float64Array(count);
  }

  /**
   * Changes the velocities in x, whose outputs have been read.
   * @param impulse receives P by row
   * @returns T⁺ − T⁻ that the law asks for, with that of the joints that are stopped, J; NaN where it says
   *   nothing of energy
   * @throws {EngineError} when the law does not bring the impact to an end
   */
  solve(clock: Float64Array, x: Float64Array, impulse: Float64Array): number {
    const { flow } = this;
    const list = this.#list;
    this.#gather();
    flow.fillOperator(list, this.#count, this.#operator, false);
    const impact = this.#impacts.of(this.#count - this.#joints);
    const stopped = this.#eliminateJoints(impact);
    if (!impact.solve()) throw this.#failure(impact, clock[0]);
    this.#read(impact);
    for (let i = 0; i < this.#count; i++) {
      impulse[list[i]] = this.#impulse[i];
      if (this.#impulse[i] !== 0) flow.push(list[i], impulse, x);
    }
    return stopped + impact.energyChange;
  }

  #gather(): void {
    const { laws, event } = this;
    this.#count = 0;
    for (let row = 0; row < laws.count; row++)
      if (laws.kind[row] === 'joint') this.#list[this.#count++] = row;
    this.#joints = this.#count;
    for (let row = 0; row < laws.count; row++)
      if (laws.kind[row] === 'contact' && isClosed(event, row)) this.#list[this.#count++] = row;
  }

  /**
   * W and ẏ⁻ of the contacts, with joints that hold.
   * @returns T⁺ − T⁻ of stopping the joints that move, −½ ᵗẏ_J⁻ W_JJ⁻¹ ẏ_J⁻, J
   */
  #eliminateJoints(impact: ContactImpact): number {
    const { laws } = this;
    const { outputs, isPlastic } = this.event;
    const { W, velocity, restitution, stiffness } = impact;
    const { held, W: left, q } = this.#elimination;
    const list = this.#list;
    const a = this.#operator;
    const speeds = this.#speeds;
    const n = this.#count;
    const joints = this.#joints;
    const m = n - joints;
    for (let i = 0; i < n; i++) {
      speeds[i] = outputs.speed[list[i]];
      // Laws rely on exact symmetry, which rounding takes.
      for (let j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
    }
    this.#elimination.eliminate({ count: n, size: n, values: a, q: speeds }, this.#places, joints);
    let stopped = 0;
    for (let r = 0; r < joints; r++) {
      this.#impulse[r] = held[r];
      stopped += 0.5 * held[r] * speeds[r];
    }
    for (let c = 0; c < m; c++) {
      const row = list[joints + c];
      velocity[c] = q[joints + c];
      restitution[c] = isPlastic[row] === 1 ? 0 : laws.restitution[row];
      stiffness[c] = laws.stiffness[row];
      for (let d = 0; d <= c; d++) W[c * m + d] = W[d * m + c] = left[(joints + c) * n + joints + d];
    }
    return stopped;
  }

  /** P of all rows, with what stops the joints in it already. */
  #read({ impulse }: ContactImpact): void {
    const joints = this.#joints;
    const { shares } = this.#elimination;
    for (let c = 0; c < impulse.length; c++) {
      this.#impulse[joints + c] = impulse[c];
      for (let r = 0; r < joints; r++) this.#impulse[r] -= shares[(joints + c) * joints + r] * impulse[c];
    }
  }

  #failure({ result }: ContactImpact, time: number): Error {
    const { status, count } = result;
    const rows = this.#list.subarray(this.#joints, this.#count);
    const names = Array.from(rows, (row) => this.laws.names[row]);
    if (status === 'separated') throw new Error('an impact that has ended failed');
    return impactFailure(names, status, count, time);
  }
}

type ImpactSettings = Pick<CompleteSettings, 'solver' | 'solverTolerance' | 'impacts'>;

/**
 * A joint that moves faster than this many times what counts as rest is given a velocity that it cannot have;
 * slower is drift.
 */
const JOINT_DRIFT = 1e4;

export class Impact {
  /** P by row; 0 on rows that took no part */
  readonly impulse: Float64Array;
  /** T⁺ − T⁻ that the law asks of the last impact, J; NaN where it says nothing of energy */
  energyChange = Number.NaN;
  readonly #problem: ContactProblem;
  /** null where contacts push by Newton's law or Poisson's */
  readonly #multiple: MultipleImpact | null;
  /** impulses of one phase by row */
  readonly #phase: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly event: EventState,
    { solver, solverTolerance, impacts }: ImpactSettings,
  ) {
    this.impulse = new Float64Array(laws.count);
    this.#phase = new Float64Array(laws.count);
    this.#problem = new ContactProblem(laws, true, flow, solver, solverTolerance);
    const isSimultaneous = impacts.type === 'Newton' || impacts.type === 'Poisson';
    this.#multiple = isSimultaneous ? null : new MultipleImpact(laws, flow, event, impacts);
  }

  /** Whether a contact closes, or a joint moves, at the state that has been read. */
  get isDue(): boolean {
    const { laws, event } = this;
    const { outputs } = event;
    for (let row = 0; row < laws.count; row++) {
      const speed = outputs.speed[row];
      if (laws.kind[row] === 'joint' && Math.abs(speed) > JOINT_DRIFT * outputs.atRest(row)) return true;
      if (laws.kind[row] === 'contact' && isClosed(event, row) && speed < -outputs.atRest(row)) return true;
    }
    return false;
  }

  /** See `isClosed`. */
  isClosed(row: number): boolean {
    return isClosed(this.event, row);
  }

  /**
   * Solves for P and changes the velocities in x, whose outputs have been read.
   * @param isLast whether this impact ends a sequence: over all closed contacts, without restitution
   * @throws {EngineError} when the problem has no certified solution
   */
  solve(clock: Float64Array, x: Float64Array, isLast: boolean): void {
    const { laws, impulse } = this;
    const { outputs } = this.event;
    const p = this.#problem;
    const { problem } = p;
    impulse.fill(0);
    this.energyChange = Number.NaN;
    if (this.#multiple !== null && !isLast) {
      this.energyChange = this.#multiple.solve(clock, x, impulse);
      return;
    }
    this.#gather(isLast);
    p.fill();
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      if (laws.frictionRows.length > 0 && !p.controls(i)) throw undefinedDegree(laws.names[row], clock[0]);
      const e = laws.isPoisson ? 0 : this.#restitution(row, isLast);
      problem.q[i] = (1 + e) * outputs.speed[row];
      if (laws.kind[row] === 'friction') continue;
      problem.lower[i] = laws.kind[row] === 'contact' ? 0 : -Infinity;
      problem.upper[i] = Infinity;
    }
    const kind = laws.isPoisson ? 'compression' : 'newton';
    this.#apply(clock, x, this.#begin(clock, x, isLast ? 'end' : kind));
    if (!laws.isPoisson || isLast) return;
    let hasExpansion = false;
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      // ẏ^C, which with zero restitution is w
      problem.q[i] = problem.w[i];
      if (laws.kind[row] !== 'contact') continue;
      problem.lower[i] = this.#restitution(row, isLast) * problem.z[i];
      if (problem.lower[i] > 0) hasExpansion = true;
    }
    if (!hasExpansion) return;
    problem.z.fill(0, 0, problem.size);
    // Solvers read bounds again when the operator counts as another.
    problem.revision++;
    this.#apply(clock, x, this.#begin(clock, x, 'expansion'));
  }

  /**
   * Whether a contact that is hit alone rebounds with e times its speed, and nothing else asks to be
   * known.
   */
  get isNewtons(): boolean {
    return this.#multiple === null && !this.laws.isPoisson;
  }

  /**
   * The impact of a contact without friction that is hit alone, w = 0: what `solve` does, without a
   * problem.
   */
  solveAlone(row: number, clock: Float64Array, x: Float64Array): void {
    const { laws, impulse, flow } = this;
    const { rowStart, C, response } = flow.rows;
    let W = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) W += C[k] * response[k];
    impulse.fill(0);
    this.energyChange = Number.NaN;
    const record = this.#begin(clock, x, 'newton', this.event.outputs.speed);
    impulse[row] = -((1 + laws.restitution[row]) * this.event.outputs.speed[row]) / W;
    record.impulse[row] = impulse[row];
    flow.push(row, impulse, x);
    flow.rows.speedsAgain(x, this.event.outputs.walls, record.after);
  }

  /**
   * Writes `solveAlone`.
   * @param speed name of ẏ⁻
   * @param x names of the components of the state, which are replaced where they change
   * @returns name of P
   */
  writeAlone(w: StepWriter, row: number, speed: string, x: string[]): string {
    const { laws, flow } = this;
    const { rowStart, C, response, dofs } = flow.rows;
    let W = 0;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) W += C[k] * response[k];
    const impulse = w.constant(`-(${w.literal(1 + laws.restitution[row])} * ${speed}) / ${w.literal(W)}`);
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      const at = flow.places.velocity[dofs[k]];
      x[at] = w.constant(w.add(x[at], [[response[k], impulse]]));
    }
    return impulse;
  }

  /** Takes note of a problem that is about to be solved. @param speed by row, where it has been read */
  #begin(clock: Float64Array, x: Float64Array, kind: PhaseKind, speed?: Float64Array): ImpactStage {
    const { count } = this.laws;
    const { event } = this;
    const { phases } = event;
    if (event.phaseCount === phases.length) {
      const vector = (): Float64Array => new Float64Array(count);
      const [before, after, impulse] = [vector(), vector(), vector()];
      phases.push({ before, after, impulse, isPlastic: new Uint8Array(count), kind });
    }
    const phase = phases[event.phaseCount++];
    if (speed === undefined) this.flow.rows.speeds(clock, x, phase.before);
    else for (let row = 0; row < speed.length; row++) phase.before[row] = speed[row];
    phase.impulse.fill(0);
    phase.isPlastic.set(event.isPlastic);
    phase.kind = kind;
    return phase;
  }

  /** Of contacts e, of friction e_t; 0 where there is none to be. */
  #restitution(row: number, isLast: boolean): number {
    const { kind, restitution } = this.laws;
    const { isPlastic } = this.event;
    let contact = row;
    while (kind[contact] === 'friction' || kind[contact] === 'slip') contact--;
    return isLast || isPlastic[contact] === 1 ? 0 : restitution[row];
  }

  /** Rows that take part: joints, closed contacts that do not separate, and friction of these. */
  #gather(isLast: boolean): void {
    const { laws, event } = this;
    const { outputs } = event;
    const { friction } = this.flow;
    const p = this.#problem;
    p.count = 0;
    p.coneCount = 0;
    p.discCount = 0;
    const { discs } = this.flow;
    for (let row = 0; row < laws.count; row++) {
      const isContact = laws.kind[row] === 'contact';
      if (!isContact && laws.kind[row] !== 'joint') continue;
      if (isContact && !isClosed(event, row)) continue;
      if (isContact && !isLast && outputs.speed[row] > outputs.atRest(row)) continue;
      p.list[p.count++] = row;
      if (isContact && discs?.isFirst(row + 1) === true && laws.mu[row + 1] > 0) {
        discs.clearFactor(row + 1);
        p.discs[p.discCount++] = p.count - 1;
        p.list[p.count++] = row + 1;
        p.list[p.count++] = row + 2;
        continue;
      }
      if (friction === null || !isContact) continue;
      const hasFriction = laws.mu[row + 1] > 0;
      friction.factor[row] = hasFriction ? -laws.mu[row + 1] : 0;
      if (!hasFriction) continue;
      p.cones[p.coneCount++] = p.count;
      p.list[p.count++] = row + 1;
    }
  }

  /** Solves one phase, adds its impulses and changes the velocities. */
  #apply(clock: Float64Array, x: Float64Array, record: ImpactStage): void {
    const { laws, flow, impulse } = this;
    const p = this.#problem;
    const { problem } = p;
    if (!p.solve()) {
      const names = Array.from(p.list.subarray(0, p.count), (row) => laws.names[row]);
      const { status } = p.result;
      const isProved = status === 'noSolution' || status === 'infeasible';
      if (isProved && p.coneCount > 0) throw frictionImpact(names, clock[0]);
      throw problemFailure('problem of impacts', names, p.result, p.accepted, clock[0]);
    }
    const phase = this.#phase;
    for (let i = 0; i < p.count; i++) {
      const row = p.list[i];
      phase[row] = problem.z[i];
      impulse[row] += phase[row];
      record.impulse[row] = phase[row];
      if (phase[row] !== 0) flow.push(row, phase, x);
    }
    flow.rows.speeds(clock, x, record.after);
  }
}
