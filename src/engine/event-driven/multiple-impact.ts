/**
 * An impact over all closed contacts by one of the laws for several contacts at once (`impacts/`), with the joints. These are rigid and act as fast as
 * the contacts do, so that with C the contacts and J the joints among the rows
 *
 *     ẏ_J = W_JJ P_J + W_JC P_C = 0     throughout, P_J = −W_JJ⁻¹ W_JC P_C,
 *     ẏ_C = ẏ_C⁻ + W P_C,               W = W_CC − W_CJ W_JJ⁻¹ W_JC,
 *
 * and the law sees W. A joint that moves before is stopped first, P_J = −W_JJ⁻¹ ẏ_J⁻. Where joints say the same W_JJ is singular, and P_J is one choice of many.
 *
 * Contacts that separate take part here: in the course of the impact they may be turned round.
 */
import { ContactImpacts, type ContactImpact } from '../impacts/contact-impacts';
import type { ImpactChoice } from '../impacts/registry';
import { SemidefiniteCholesky } from '../linalg/semidefinite-cholesky';
import { impactFailure } from './failures';
import type { RowLaws } from './row-laws';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';

/** Which contacts are closed, and which have their bounce left out. */
interface ContactStates {
  readonly isPlastic: Uint8Array;
  isClosed(row: number): boolean;
}

export class MultipleImpact {
  readonly #impacts: ContactImpacts;
  /** rows that take part: joints, then contacts */
  readonly #list: Int32Array;
  #joints = 0;
  #count = 0;
  /** W among them */
  readonly #operator: Float64Array;
  readonly #block: Float64Array;
  readonly #factor: SemidefiniteCholesky;
  /** W_JJ⁻¹ W_Jc by contact */
  readonly #shares: Float64Array;
  /** P by row of the list */
  readonly #impulse: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly state: RowState,
    private readonly contacts: ContactStates,
    choice: ImpactChoice,
  ) {
    const { count, kind } = laws;
    const joints = kind.filter((one) => one === 'joint').length;
    this.#impacts = new ContactImpacts(choice);
    this.#list = new Int32Array(count);
    this.#operator = new Float64Array(count * count);
    this.#block = new Float64Array(joints * joints);
    this.#factor = new SemidefiniteCholesky(joints);
    this.#shares = new Float64Array(joints * count);
    this.#impulse = new Float64Array(count);
  }

  /**
   * Changes the velocities in x, which `state` has read.
   * @param impulse receives P by row
   * @returns T⁺ − T⁻ that the law asks for, with that of the joints that are stopped, J; NaN where it says nothing of energy
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
    const { laws, contacts } = this;
    this.#count = 0;
    for (let row = 0; row < laws.count; row++)
      if (laws.kind[row] === 'joint') this.#list[this.#count++] = row;
    this.#joints = this.#count;
    for (let row = 0; row < laws.count; row++)
      if (laws.kind[row] === 'contact' && contacts.isClosed(row)) this.#list[this.#count++] = row;
  }

  /** W and ẏ⁻ of the contacts, with joints that hold. @returns T⁺ − T⁻ of stopping the joints that move, −½ ᵗẏ_J⁻ W_JJ⁻¹ ẏ_J⁻, J */
  #eliminateJoints(impact: ContactImpact): number {
    const { laws, state, contacts } = this;
    const { W, velocity, restitution, stiffness } = impact;
    const list = this.#list;
    const a = this.#operator;
    const n = this.#count;
    const joints = this.#joints;
    const m = n - joints;
    const shares = this.#shares;
    const stop = this.#impulse;
    for (let r = 0; r < joints; r++) {
      stop[r] = -state.speed[list[r]];
      for (let s = 0; s <= r; s++) this.#block[r * joints + s] = a[s * n + r];
    }
    this.#factor.factor(this.#block, joints);
    this.#factor.solve(stop);
    let stopped = 0;
    for (let r = 0; r < joints; r++) stopped += 0.5 * stop[r] * state.speed[list[r]];
    for (let c = 0; c < m; c++) {
      const row = list[joints + c];
      for (let r = 0; r < joints; r++) shares[c * joints + r] = a[r * n + joints + c];
      this.#factor.solve(shares, c * joints);
      velocity[c] = state.speed[row];
      for (let r = 0; r < joints; r++) velocity[c] += a[r * n + joints + c] * stop[r];
      restitution[c] = contacts.isPlastic[row] === 1 ? 0 : laws.restitution[row];
      stiffness[c] = laws.stiffness[row];
    }
    for (let c = 0; c < m; c++)
      for (let d = 0; d <= c; d++) {
        let sum = a[(joints + d) * n + joints + c];
        for (let r = 0; r < joints; r++) sum -= a[r * n + joints + c] * shares[d * joints + r];
        W[c * m + d] = W[d * m + c] = sum;
      }
    return stopped;
  }

  /** P of all rows, with what stops the joints in it already. */
  #read({ impulse }: ContactImpact): void {
    const joints = this.#joints;
    for (let c = 0; c < impulse.length; c++) {
      this.#impulse[joints + c] = impulse[c];
      for (let r = 0; r < joints; r++) this.#impulse[r] -= this.#shares[c * joints + r] * impulse[c];
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
