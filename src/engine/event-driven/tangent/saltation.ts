/**
 * What an event does to a small disturbance of the motion (saltation matrix, di Bernardo et al. 2008 §2.5).
 * The event is where g(t, x) = 0; there the state jumps to R(t, x), and the flow changes from f⁻ to f⁺. A
 * motion that is δ off reaches the event later by
 *
 *     δt = −∇g δ / ġ,     ġ = ∂g/∂t + ∇g f⁻,
 *
 * meanwhile moving by f⁻ δt before it and not by f⁺ δt after it, so that
 *
 *     δ⁺ = S δ,     S = ∂R/∂x + (f⁺ − dR/dt) ∇g / ġ,     dR/dt = ∂R/∂x f⁻ + ∂R/∂t.
 *
 * | event | g | R |
 * | --- | --- | --- |
 * | impact | gap | the impact (`impact-map.ts`) |
 * | a contact closes without impulse, a relay switches or begins to slide | output | identity |
 * | friction reverses or begins to stick | slip ẏ_t | identity |
 * | a contact takes off, a relay or friction begins to slide | multiplier | identity; f is smooth, S = I |
 * | a force jumps at a given time | time | identity; all motions meet it together, and S = I |
 * | a condition in a script changes with the state | its margin | identity |
 * | a gate of a first-order system | its condition | identity |
 * | a reset | its guard | the map, and those that follow from it (`reset-map.ts`) |
 * | modes of a network change | output, multiplier or gate | its jump (`network-map.ts`) |
 *
 * Where a multiplier jumps across zero with a prescribed motion, its event is at a given time, too.
 *
 * Where ġ = 0 the event is a grazing one: S has no limit, and the motion is not differentiable. Several
 * contacts that meet at one time and act on each other give a map that depends on their order: it has no
 * derivative either.
 */
import type { ObservedParts } from '../flow/flight-observer';
import { ACROSS } from '../impact/event-presence';
import { ACTIVE } from '../rows/row-laws';
import { EventLimit } from './event-limit';
import { PLACES, type StateSizes, WEIGHTS } from './flow-jacobian';
import { FunctionGradient } from './function-gradient';
import { ImpactMap } from './impact-map';
import { NetworkMap } from './network-map';
import { ResetMap } from './reset-map';

/** Speeds of approach, relative to the largest of the run, that count as grazing. */
const GRAZING = 1e-9;

/**
 * Part of the largest speed so far that may be rounding of another one, and part of a derivative by
 * differences.
 */
const AT_REST = 1e-11;
const DIFFERENCE = 1e-10;
/** Jump of a rate, relative to the largest, that is none. */
const SMOOTH = 1e-7;
/** Of terms that cancel. */
const ROUNDING = 64 * Number.EPSILON;
/** Part of a step within which two events are at one time. */
const NEAR = 1e-9;
/** A step of the discretisation, in δ of the differences of relations. */
const STEP_OF_DIFFERENCE = 40;

/** Whether an event could be differentiated, and if not, why. */
export type SaltationStatus =
  | 'ok'
  /** an event whose function touches zero */
  | 'grazing'
  /** several events at one time that depend on each other */
  | 'simultaneous'
  /** the impulses are not determined by the rows that push */
  | 'redundant'
  /**
   * the law of impacts has no formula here: several contacts by Poisson's law or a law of waves, or a
   * sequence of impacts at one time
   */
  | 'law'
  /** modes of a network change, or charges flow, and no function says when */
  | 'network';

export class Saltation {
  /** S of the event processed last, entry [i, j] at [i + n j] */
  readonly matrix: Float64Array;
  status: SaltationStatus = 'ok';
  /** row whose event `status` is about; −1 where it is ok, or about a condition or a reset */
  row = -1;
  /** the reset that `status` is about; empty where it is about none */
  reset = '';
  /** whether S is the identity */
  isIdentity = true;
  /** whether S may be singular: a body stays on what it meets, or outputs are kept at zero from here on */
  mayBeSingular = false;
  /**
   * what may be rounding in the entries of S: at slow approaches large terms cancel where a body stays on
   * what it meets
   */
  readonly rounding: Float64Array;
  /** null where the model is no network */
  readonly network: NetworkMap | null;
  readonly #impact: ImpactMap;
  readonly #resets: ResetMap | null;
  readonly #gradients: FunctionGradient;
  /** what conditions, gates and guards say of when the event happens */
  readonly #limit: EventLimit;
  readonly #modes: Int8Array;
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #after: Float64Array;
  readonly #along: Float64Array;
  readonly #next: Float64Array;
  readonly #step: Float64Array;
  readonly #product: Float64Array;
  readonly #gradient: Float64Array;
  readonly #moved: Float64Array;
  readonly #drifts: Float64Array;
  readonly #speeds: Float64Array;
  readonly #fastest: Float64Array;
  readonly #isIncluded: Uint8Array;
  readonly #triggers: Int32Array;
  /** rows whose functions have passed zero at the event, and those that have jumped across it */
  readonly #isFlagged: Uint8Array;
  readonly #hasJumped: Uint8Array;
  #count = 0;
  readonly #value = new Float64Array(1);

  constructor(
    private readonly parts: ObservedParts,
    private readonly sizes: StateSizes,
    isPlainLaw: boolean,
    /** disturbances that are carried along, n entries of each */
    frame: Float64Array,
  ) {
    const n = parts.flow.size;
    const { count } = parts.laws;
    this.#impact = new ImpactMap(parts, sizes, isPlainLaw);
    const { resets, flow } = parts;
    this.#limit = new EventLimit(n, frame);
    this.#gradients = new FunctionGradient(sizes, STEP_OF_DIFFERENCE * parts.rows.difference);
    this.#resets = resets === null ? null : new ResetMap(resets, flow.places, sizes, this.#gradients, n);
    this.network = flow.network === null ? null : new NetworkMap(parts, flow.network, this.#gradients);
    this.matrix = new Float64Array(n * n);
    this.rounding = new Float64Array(n * n);
    this.#step = new Float64Array(n * n);
    this.#product = new Float64Array(n * n);
    this.#modes = new Int8Array(count);
    this.#x = new Float64Array(n);
    this.#rate = new Float64Array(n);
    this.#after = new Float64Array(n);
    this.#along = new Float64Array(n);
    this.#next = new Float64Array(n);
    this.#gradient = new Float64Array(n);
    this.#moved = new Float64Array(n);
    this.#drifts = new Float64Array(count);
    this.#speeds = new Float64Array(count);
    this.#fastest = new Float64Array(count);
    this.#isIncluded = new Uint8Array(count);
    this.#triggers = new Int32Array(count);
    this.#isFlagged = new Uint8Array(count);
    this.#hasJumped = new Uint8Array(count);
  }

  /** The state, rates and modes before the event. */
  begin(): void {
    const { flow, flight, event } = this.parts;
    this.#modes.set(flow.modes);
    this.#isFlagged.set(event.isFlagged);
    this.#hasJumped.set(event.isJump);
    this.#x.set(flight.x);
    this.network?.begin();
    flow.rate(flight.clock, flight.x, this.#rate);
    this.#limit.begin();
    if (this.parts.conditions?.isTimed === true) this.#limit.meetTime();
    for (const margin of this.parts.conditions?.ended ?? []) {
      const byTime = this.parts.conditions?.gradient(margin, flight.clock, flight.x, this.#gradient);
      this.#limit.meet(this.#gradient, byTime ?? 0, this.#rate);
    }
    this.#meetGates();
  }

  /** What comes or goes by a condition that the flight has come to. */
  #meetGates(): void {
    const { presence, flight } = this.parts;
    const gradients = this.#gradients;
    for (let k = 0; presence !== null && k < presence.count; k++) {
      if (presence.arrivals[k] === 0) continue;
      if (presence.arrivals[k] === ACROSS || presence.timed(k) !== null) {
        this.#limit.meetTime();
        continue;
      }
      const value = (): number => {
        presence.value(k, gradients.clock, gradients.x, this.#value);
        return this.#value[0];
      };
      const byTime = gradients.evaluate(presence.linear(k), value, flight.clock[0], flight.x, this.#gradient);
      this.#limit.meet(this.#gradient, byTime, this.#rate);
    }
  }

  /**
   * S of a condition: the force jumps where its margin is zero, and a contact that it moves may have an
   * impact.
   */
  #passCondition(): void {
    const limit = this.#limit;
    if (limit.isCorner) this.#refuse('simultaneous', -1);
    else if (limit.isGrazing) this.#refuse('grazing', -1);
    else if (!limit.isApart(this.parts.flight.clock[0], NEAR * this.#gradients.step))
      this.#refuse('simultaneous', -1);
    else if (this.#firstStruck >= 0) this.#strike(-1);
    else this.#stay();
    if (this.status !== 'ok') return;
    this.#readAfter();
    this.#addLate(this.#after, limit.gradient, limit.speed, Math.abs(limit.speed));
    this.matrix.set(this.#step);
    this.isIdentity = false;
  }

  /** S of resets, whose guards say when they happen. What they change besides, modes of rows, follows. */
  #passResets(resets: ResetMap): void {
    const limit = this.#limit;
    const isKnown = resets.meet(limit, this.#rate) && this.#isMet() && this.#firstStruck < 0;
    this.#stay();
    for (let round = 0; round < resets.rounds; round++) resets.compose(round, this.#step, this.#along);
    this.mayBeSingular = true;
    this.#pass(isKnown && (limit.isByState || limit.isTimed));
    if (this.status !== 'ok') this.reset = resets.element;
  }

  /**
   * S of a jump in `#step` and `#along`, with the functions that the flight has come to.
   * @param isKnown whether these say when it happens
   */
  #pass(isKnown: boolean): void {
    const limit = this.#limit;
    this.isIdentity = false;
    this.#readAfter();
    if (!isKnown || limit.isCorner) this.#refuse('simultaneous', -1);
    else if (limit.isByState && limit.isGrazing) this.#refuse('grazing', -1);
    else if (!limit.isApart(this.parts.flight.clock[0], NEAR * this.#gradients.step))
      this.#refuse('simultaneous', -1);
    else if (!limit.isByState) this.rounding.set(this.#step.map((entry) => DIFFERENCE * Math.abs(entry)));
    else this.#addLate(this.#after, limit.gradient, limit.speed, Math.abs(limit.speed));
    if (this.status === 'ok') this.matrix.set(this.#step);
  }

  /**
   * Whether rows whose functions have passed zero with the guards of resets do so for motions nearby, too:
   * with the same ∇g/ġ, or all at a given time. Of a multiplier no gradient is known.
   */
  #isMet(): boolean {
    const { laws, flight } = this.parts;
    const limit = this.#limit;
    for (let row = 0; row < laws.count; row++) {
      if (this.#isFlagged[row] === 0) continue;
      if (!limit.isByState && this.#hasJumped[row] === 1) continue;
      if (!limit.isByState || this.#hasJumped[row] === 1) return false;
      if (this.#modes[row] === ACTIVE || laws.degree[row] === 0) return false;
      const speed = this.#approach(row, flight.clock);
      if (!limit.isMetBy(this.#gradient, speed)) return false;
    }
    return true;
  }

  /**
   * S of an event at a given time, ∂R/∂x: all motions meet it together. Bodies at rest on a surface that
   * starts to move are struck by it.
   */
  #passTime(): void {
    if (this.#firstStruck < 0) return;
    this.#strike(-1);
    this.#readAfter();
    if (this.status !== 'ok') return;
    this.matrix.set(this.#step);
    this.rounding.set(this.#step.map((entry) => DIFFERENCE * Math.abs(entry)));
    this.isIdentity = false;
  }

  /**
   * ∂R/∂x of an impact into `#step`, and dR/dt into `#along`.
   * @param trigger number of the trigger whose impact it is; −1: all contacts that push
   */
  #strike(trigger: number): void {
    const triggers = this.#triggers;
    this.#isIncluded.fill(1);
    if (trigger >= 0)
      for (let k = 0; k < this.#count; k++) this.#isIncluded[triggers[k]] = k === trigger ? 1 : 0;
    const { clock } = this.parts.flight;
    const obstacle =
      this.#impact.select(this.#isIncluded) ??
      this.#impact.differentiate(clock, this.#x, this.#rate, this.#step, this.#along);
    if (obstacle !== null) this.#refuse(obstacle, trigger >= 0 ? triggers[trigger] : this.#firstStruck);
    this.mayBeSingular ||= this.#impact.isPlastic;
  }

  /** Likewise where the state stays as it is. */
  #stay(): void {
    this.#identity(this.#step);
    this.#along.set(this.#rate);
  }

  /** First row with an impulse; −1 where there is none. */
  get #firstStruck(): number {
    return this.parts.event.impulse.findIndex((value) => value !== 0);
  }

  /**
   * ẋ behind the event; relations and multipliers become those of the present, as the simulation has them.
   */
  #readAfter(): void {
    const { flow, flight, rows } = this.parts;
    rows.update(flight.clock, flight.x);
    flow.rate(flight.clock, flight.x, this.#after);
  }

  /** Disturbances have been combined with each other. */
  forget(): void {
    this.#limit.forget();
  }

  /** The event has been processed: forms S. */
  end(): void {
    this.status = 'ok';
    this.row = -1;
    this.reset = '';
    this.isIdentity = true;
    this.mayBeSingular = false;
    this.rounding.fill(0);
    this.#form();
    const { modes } = this.parts.flow;
    if (!this.isIdentity)
      for (let row = 0; row < modes.length; row++)
        if (modes[row] === ACTIVE && this.#modes[row] !== ACTIVE) this.mayBeSingular = true;
  }

  #form(): void {
    this.#identity(this.matrix);
    const isEngaged = this.parts.flow.network?.isEngaged === true;
    if (this.network !== null && (isEngaged || !this.network.isIdentity)) {
      this.#passNetwork(this.network);
      return;
    }
    if (this.#resets?.hasFired === true) {
      this.#passResets(this.#resets);
      return;
    }
    this.#findTriggers();
    const isHit = this.#count > 0 && this.parts.event.impulse[this.#triggers[0]] !== 0;
    // What conditions change, modes of rows included, happens where their margins are zero, or at a given
    // time.
    if (!isHit && (this.#limit.isByState || this.#limit.isCorner)) {
      this.#passCondition();
      return;
    }
    if (!isHit && (this.#limit.isTimed || this.#count === 0)) {
      this.#passTime();
      return;
    }
    this.isIdentity = false;
    this.#readAfter();
    if (this.#count > 1 && !this.#isSeparable()) this.#refuse('simultaneous', this.#triggers[0]);
    for (let k = 0; k < this.#count && this.status === 'ok'; k++) this.#passRow(k);
    this.#readAfter();
  }

  /**
   * S of a network, and of resets in it. Where neither states nor rates jump, motions nearby pass the event
   * as this one does.
   */
  #passNetwork(network: NetworkMap): void {
    const { laws, event } = this.parts;
    const limit = this.#limit;
    const resets = this.#resets?.hasFired === true ? this.#resets : null;
    if (resets === null && network.isIdentity && this.#isSmooth) return;
    if (event.isTimed) limit.meetTime();
    network.meet(limit, this.#hasJumped, this.#rate);
    const isMet = resets === null || resets.meet(limit, this.#rate);
    this.#stay();
    network.compose(resets, this.#step, this.#along);
    this.mayBeSingular ||= resets !== null || !network.isIdentity;
    const isKnown = isMet && (limit.isByState || limit.isTimed);
    this.#pass(isKnown);
    if (this.status === 'ok') return;
    if (resets !== null) this.reset = resets.element;
    const changed = this.parts.flow.modes.findIndex((own, row) => own !== this.#modes[row]);
    const row = changed >= 0 ? changed : event.isFlagged.indexOf(1);
    this.#refuse(
      isKnown ? this.status : 'network',
      resets === null ? Math.max(0, Math.min(laws.count - 1, row)) : -1,
    );
  }

  /** Whether ẋ is the same behind the event as before it. */
  get #isSmooth(): boolean {
    const rate = this.#rate;
    this.#readAfter();
    let [jump, most] = [0, 0];
    for (let i = 0; i < rate.length; i++) {
      jump = Math.max(jump, Math.abs(this.#after[i] - rate[i]));
      most = Math.max(most, Math.abs(rate[i]), Math.abs(this.#after[i]));
    }
    return jump <= SMOOTH * most && this.#firstStruck < 0;
  }

  #refuse(status: SaltationStatus, row: number): void {
    this.status = status;
    this.row = row;
  }

  #identity(out: Float64Array): void {
    const n = this.#x.length;
    out.fill(0);
    for (let i = 0; i < n; i++) out[i + n * i] = 1;
  }

  /** Rows whose output has come to zero, each of which is an event of its own. */
  #findTriggers(): void {
    const { laws, flow, event } = this.parts;
    const { impulse } = event;
    this.#count = 0;
    if (event.isTimed && impulse.every((value) => value === 0)) return;
    let hasImpact = false;
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] !== 'contact' || impulse[row] === 0) continue;
      hasImpact = true;
      if (this.#modes[row] !== ACTIVE && event.speedBefore[row] < 0) this.#triggers[this.#count++] = row;
    }
    if (hasImpact) {
      if (event.impactCount > 1) this.#refuse('law', this.#triggers[0]);
      return;
    }
    for (let row = 0; row < laws.count; row++) {
      const before = this.#modes[row];
      if (before === ACTIVE || before === flow.modes[row] || laws.degree[row] === 0) continue;
      // Friction of a contact that opens or closes follows that contact.
      const isTangential = laws.kind[row] === 'friction';
      if (isTangential && (this.#modes[row - 1] !== ACTIVE || flow.modes[row - 1] !== ACTIVE)) continue;
      this.#triggers[this.#count++] = row;
    }
  }

  /**
   * Whether events at one time do not act on each other: impacts of contacts that share no body that they
   * push, in free flight.
   */
  #isSeparable(): boolean {
    const { laws, flow, flight, event } = this.parts;
    if (flow.activeCount > 0) return false;
    for (let k = 0; k < this.#count; k++) {
      const row = this.#triggers[k];
      if (laws.kind[row] !== 'contact' || event.impulse[row] === 0) return false;
      for (let j = 0; j < k; j++)
        if (this.#impact.isCoupled(row, this.#triggers[j], flight.clock, this.#x)) return false;
    }
    return true;
  }

  /** Whether a row is met at no speed, for what its speeds have been so far. */
  isGrazedBy(row: number, speed: number): boolean {
    this.#fastest[row] = Math.max(this.#fastest[row], Math.abs(speed));
    return !(Math.abs(speed) > GRAZING * this.#fastest[row]);
  }

  /** One event: its matrix times those before it. */
  #passRow(k: number): void {
    const { flow, flight, event } = this.parts;
    const { clock } = flight;
    const row = this.#triggers[k];
    const x = this.#x;
    const rate = this.#rate;
    const isImpact = event.impulse[row] !== 0;
    const isLast = k === this.#count - 1;
    const speed = this.#approach(row, clock);
    if (this.isGrazedBy(row, speed)) {
      this.#refuse('grazing', row);
      return;
    }
    if (isImpact) this.#strike(k);
    else this.#stay();
    if (this.status !== 'ok') return;
    if (isImpact && !isLast) this.#impact.apply(clock, x, this.#next);
    if (isLast) this.#next.set(this.#after);
    else {
      this.#moved.set(this.#next);
      flow.freeRate(clock, this.#moved, this.#next);
    }
    this.#addLate(this.#next, this.#gradient, speed, this.#fastest[row]);
    this.#multiply();
    if (isLast) return;
    x.set(this.#moved);
    rate.set(this.#next);
  }

  /**
   * Adds (f⁺ − dR/dt) ∇g/ġ to `#step`.
   * @param next f⁺
   * @param fastest largest |ġ| so far, of which rounding is left in this one
   */
  #addLate(next: Float64Array, gradient: Float64Array, speed: number, fastest: number): void {
    const { rounding } = this;
    const n = next.length;
    const uncertain = DIFFERENCE + (AT_REST * fastest) / Math.abs(speed);
    for (let j = 0; j < n; j++) {
      const late = gradient[j] / speed;
      for (let i = 0; i < n; i++) {
        const at = i + n * j;
        const both = Math.abs(next[i]) + Math.abs(this.#along[i]);
        const jump = next[i] - this.#along[i];
        const change = Math.abs(jump) > ROUNDING * both ? jump * late : 0;
        const terms = both * Math.abs(late);
        rounding[at] +=
          DIFFERENCE * Math.abs(this.#step[at]) + uncertain * Math.abs(change) + ROUNDING * terms;
        this.#step[at] += change;
      }
    }
  }

  #multiply(): void {
    const n = this.#x.length;
    const product = this.#product;
    product.fill(0);
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < n; k++) {
        const value = this.matrix[k + n * j];
        if (value === 0) continue;
        for (let i = 0; i < n; i++) product[i + n * j] += this.#step[i + n * k] * value;
      }
    }
    this.matrix.set(product);
  }

  /** ∇g of a row's output into `#gradient`. @returns ġ */
  #approach(row: number, clock: Float64Array): number {
    const { laws, rows, flow } = this.parts;
    const { velocity } = flow.places;
    const { rowStart, dofs, C } = rows;
    const gradient = this.#gradient;
    const x = this.#x;
    const rate = this.#rate;
    gradient.fill(0);
    const followsSpeed = laws.followsSpeed[row] === 1;
    if (followsSpeed && !rows.isConstant) this.#differenceOfSpeed(row, clock);
    rows.update(clock, x);
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
      gradient[followsSpeed ? velocity[dofs[k]] : dofs[k]] += C[k];
    let sum = 0;
    if (laws.kind[row] === 'output' || followsSpeed) {
      rows.drifts(clock, x, this.#drifts);
      // γ contains what the position changes.
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) sum += C[k] * rate[velocity[dofs[k]]];
      return sum + this.#drifts[row];
    }
    rows.speeds(clock, x, this.#speeds);
    return this.#speeds[row];
  }

  /** ∂ẏ/∂q of a row, where C depends on q. */
  #differenceOfSpeed(row: number, clock: Float64Array): void {
    const { rows } = this.parts;
    const { rowStart, dofs } = rows;
    const moved = this.#moved;
    moved.set(this.#x);
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      const dof = dofs[k];
      const delta = 2 ** Math.round(Math.log2(this.sizes.displacement(dof)));
      let sum = 0;
      for (let p = 0; p < PLACES.length; p++) {
        moved[dof] = this.#x[dof] + PLACES[p] * delta;
        rows.update(clock, moved);
        rows.speeds(clock, moved, this.#speeds);
        sum += WEIGHTS[p] * this.#speeds[row];
      }
      moved[dof] = this.#x[dof];
      this.#gradient[dof] = sum / (12 * delta);
    }
  }
}
