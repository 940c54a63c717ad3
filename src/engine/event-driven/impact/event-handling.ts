/**
 * What happens at a non-smooth event (the Siconos manual, "the algorithm", with velocity signs, hysteresis and accumulation of impacts added):
 *
 *     1. while a contact of I1 = {y ≤ ε, ẏ ≤ ε} approaches, ẏ < −ε: an impact over I1
 *     2. candidates of I2: |y| ≤ ε and |ẏ| ≤ ε; their modes by accelerations, ties by the next derivative
 *     3. an impact whose bounce would be negligible is made once more, without restitution
 *     4. drift is taken out, and the integration goes on in the new modes
 *
 * The Siconos manual expects I1 − I2 to be empty after an impact. That holds for e = 0 only: with e > 0 a contact that has pushed has y = 0
 * and ẏ > 0, and the sign of ẏ keeps it out of both sets.
 */
import type { DriftControl } from '../flow/drift';
import type { EventKind, EventRecord } from '../event-record';
import type { EventsManager } from '../events-manager';
import {
  frictionNoSolution,
  inconsistentStart,
  infiniteEvents,
  redundantFriction,
  stateJump,
} from '../failures';
import { type FrictionCoupling, SINGULAR_PUSH } from '../decision/friction-coupling';
import type { Impact, ImpactPhase } from './impact';
import type { ModeDecision } from '../decision/mode-decision';
import { ACTIVE, LOWER, type RowLaws, UPPER } from '../rows/row-laws';
import type { RowState } from '../rows/row-state';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { ZenoDetector } from './zeno';

/** Impacts in a row at one time before the sequence is ended. */
const MOST_IMPACTS = 200;
/** What drift may have left of the speed of a contact that has been resting, in units of what counts as rest. */
const RESTING = 1e4;
/** Events in a row that only choose anew how redundant contacts share what they hold. */
const MOST_CHOICES = 50;
/** Flights whose end rounding of the time cannot tell from their beginning have none. */
const SHORTEST_FLIGHT = 64 * Number.EPSILON;
/** Overlap at the start, relative to the lengths at hand, that is rounding of the initial values. */
const START_OVERLAP = 1e-9;

export class EventHandling {
  /** rows at which roots were reported, to be filled by the caller */
  readonly isFlagged: Uint8Array;
  /** 1 for those whose function jumped across zero, likewise */
  readonly isJump: Uint8Array;
  /** whether the event is at a given time, the same for all motions nearby: only jumps of functions of time have made it */
  isTimed = false;
  /** [0] time of the event, s; the state is that just behind it where something jumps at a known time */
  readonly time = new Float64Array(1);
  /** P of all impacts of the event, by row */
  readonly impulse: Float64Array;
  /** ẏ before the event, by row */
  readonly before: Float64Array;
  /** impacts of the last event: more than one where impulses have turned contacts round */
  impactCount = 0;
  /** T⁺ − T⁻ that the law of impacts asks of the last event, J; NaN where it says nothing of energy */
  energyChange = Number.NaN;
  /**
   * Times at which contacts come back that have been pushed off without an impulse of their own, lower than roots of the gap can be
   * told from rounding; NaN of others. To take such a speed away at once would take momentum away.
   */
  readonly returns: Float64Array;
  /** events in a row that changed nothing but forces */
  #idle = 0;
  readonly #modesBefore: Int8Array;
  /** problems of impacts that have been solved before the event was decided again */
  #phasesBefore = 0;
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  /** [0] (W_nn + f W_nt)/W_nn */
  readonly #push = new Float64Array(1);
  readonly #drifts: Float64Array;
  readonly #zeno: Uint8Array;
  /** 1 for contacts that leave so slowly that they stay */
  readonly #stays: Uint8Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly state: RowState,
    private readonly impact: Impact,
    private readonly decision: ModeDecision,
    private readonly drift: DriftControl,
    private readonly zeno: ZenoDetector,
    private readonly smallestBounce: number,
    private readonly events: EventRecord[],
  ) {
    const { count } = laws;
    this.isFlagged = new Uint8Array(count);
    this.isJump = new Uint8Array(count);
    this.impulse = new Float64Array(count);
    this.before = new Float64Array(count);
    this.returns = new Float64Array(count).fill(NaN);
    this.#modesBefore = new Int8Array(count);
    this.#x = new Float64Array(flow.size);
    this.#rate = new Float64Array(flow.size);
    this.#drifts = new Float64Array(count);
    this.#zeno = new Uint8Array(count);
    this.#stays = new Uint8Array(count);
  }

  /** Whether the last event has changed velocities or modes. */
  get hasChanged(): boolean {
    if (this.impactCount > 0) return true;
    const { modes } = this.flow;
    for (let row = 0; row < modes.length; row++) if (modes[row] !== this.#modesBefore[row]) return true;
    return false;
  }

  /** 1 for contacts whose bounce the last event has left out because it is negligible, by row */
  get isPlastic(): Uint8Array {
    return this.impact.isPlastic;
  }

  /** See `Impact.phases`. */
  get phases(): readonly ImpactPhase[] {
    return this.impact.phases;
  }

  get phaseCount(): number {
    return this.impact.phaseCount;
  }

  /** @throws {EngineError} when the state violates a constraint by more than rounding */
  checkStart(clock: Float64Array): void {
    const { laws, state } = this;
    state.startOverlap.fill(0);
    for (let row = 0; row < laws.count; row++) {
      const kind = laws.kind[row];
      const y = state.y[row];
      if (laws.isVelocityJoint[row] === 1) state.target[row] = y;
      // What has come to rest at zero has no lengths at hand.
      const tolerance = Math.max(START_OVERLAP * state.length(row), state.resolution(row));
      if (kind === 'contact' && y < -tolerance)
        throw inconsistentStart(laws.names[row], 'the gap', -y, clock[0]);
      if (kind === 'contact') state.startOverlap[row] = Math.max(0, -y);
      if (kind === 'joint' && Math.abs(y - state.target[row]) > tolerance)
        throw inconsistentStart(laws.names[row], 'the constraint', Math.abs(y), clock[0]);
      if (kind !== 'output' || laws.degree[row] === 0) continue;
      if (laws.upper[row] === Infinity && y < -tolerance)
        throw inconsistentStart(laws.names[row], 'the output', -y, clock[0]);
      if (laws.lower[row] === -Infinity && y > tolerance)
        throw inconsistentStart(laws.names[row], 'the output', y, clock[0]);
      if (Math.abs(y) <= tolerance) state.startOverlap[row] = Math.abs(y);
    }
  }

  /**
   * Processes the event at the state x, which `state` has read; x is changed to that after the event, and read again.
   * @param isStart whether modes before the event are of no interest
   */
  process(clock: Float64Array, x: Float64Array, isStart: boolean): void {
    const { flow, state, impact, impulse } = this;
    // A contact that has been closed takes part in an impact, also where drift has left a gap or a speed that counts as one.
    // Where a source has jumped, an output that was kept at zero is elsewhere, and that is no drift.
    if (!isStart && !this.isTimed) this.drift.project(clock, x);
    this.#modesBefore.set(flow.modes);
    this.#x.set(x);
    this.before.set(state.speed);
    if (flow.friction !== null) this.#checkSliding(flow.friction, clock);
    impact.isPlastic.fill(0);
    impact.isFlagged.set(this.isFlagged);
    this.#zeno.fill(0);
    this.#stays.fill(0);
    impulse.fill(0);
    for (let attempt = 0; ; attempt++) {
      impact.phaseCount = this.#phasesBefore;
      this.#collide(clock, x);
      this.#select();
      this.decision.decide(clock, x, this.#modesBefore, this.isFlagged, isStart);
      if (attempt > this.laws.count || !this.#findNegligible(clock, x)) break;
      x.set(this.#x);
      state.read(clock, x);
      impulse.fill(0);
    }
    if (this.isTimed) this.#checkKept(clock);
    this.drift.project(clock, x);
    if (flow.friction !== null) this.#checkChosen(flow.friction, clock, x);
    this.#record(clock, isStart);
    this.isFlagged.fill(0);
    this.isJump.fill(0);
    impact.isFlagged.fill(0);
  }

  /** Reads the state once more, because the model's functions are others than when it was read. */
  read(clock: Float64Array, x: Float64Array): void {
    this.state.read(clock, x);
  }

  /** Decides the event once more, behind its impacts, because forces are others: what has been done stays part of it. */
  decideAgain(clock: Float64Array, x: Float64Array, isStart: boolean): void {
    const { impulse, before, impactCount, energyChange } = this;
    const impulses = impulse.slice();
    const speeds = before.slice();
    this.state.read(clock, x);
    this.#phasesBefore = this.impact.phaseCount;
    this.process(clock, x, isStart);
    this.#phasesBefore = 0;
    for (let row = 0; row < impulses.length; row++) impulse[row] += impulses[row];
    before.set(speeds);
    this.impactCount += impactCount;
    this.energyChange += energyChange;
  }

  /** @throws {EngineError} where a source has moved an output that its multiplier keeps at zero, but cannot move back at once */
  #checkKept(clock: Float64Array): void {
    const { laws, flow, state } = this;
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] !== 'output' || laws.degree[row] === 0) continue;
      const tolerance = RESTING * state.closed(row);
      const isKept = flow.modes[row] === ACTIVE;
      const isBelow = laws.upper[row] === Infinity && state.y[row] < -tolerance;
      const isAbove = laws.lower[row] === -Infinity && state.y[row] > tolerance;
      if (isBelow || isAbove || (isKept && Math.abs(state.y[row]) > tolerance))
        throw stateJump([laws.names[row]], clock[0]);
    }
  }

  #collide(clock: Float64Array, x: Float64Array): void {
    const { laws, state, impact, impulse } = this;
    this.impactCount = 0;
    this.energyChange = 0;
    while (impact.isDue) {
      const count = ++this.impactCount;
      if (count > MOST_IMPACTS + 2) {
        const row = laws.kind.findIndex((kind, r) => kind === 'contact' && impact.impulse[r] > 0);
        throw infiniteEvents(laws.names[Math.max(0, row)], count, clock[0]);
      }
      impact.solve(clock, x, count > MOST_IMPACTS);
      for (let row = 0; row < laws.count; row++) impulse[row] += impact.impulse[row];
      this.energyChange += impact.energyChange;
      state.read(clock, x);
    }
  }

  /** Candidates for ACTIVE, and the modes of the others. */
  #select(): void {
    const { laws, state, flow, decision } = this;
    for (let row = 0; row < laws.count; row++) {
      const isCandidate = this.#isCandidate(row);
      decision.isCandidate[row] = isCandidate ? 1 : 0;
      if (laws.degree[row] === 0) decision.noteOutput(row, state.closed(row));
      if (isCandidate) continue;
      // Friction of an open contact has a mode without meaning.
      const isLow = laws.kind[row] === 'friction' ? state.output(row) >= 0 : state.output(row) > 0;
      flow.modes[row] = laws.kind[row] === 'contact' || isLow ? LOWER : UPPER;
    }
  }

  /** @throws {EngineError} where a sliding contact has come to the end of what its normal force can do */
  #checkSliding(friction: FrictionCoupling, clock: Float64Array): void {
    const { laws } = this;
    for (let k = 0; k < friction.slidingCount; k++) {
      const row = friction.sliding[k];
      if (this.isFlagged[row] === 0) continue;
      friction.effective(row - 1, this.#push);
      if (this.#push[0] > 2 * SINGULAR_PUSH) continue;
      throw frictionNoSolution([laws.names[row]], [laws.mu[row]], clock[0]);
    }
  }

  /**
   * Forces of redundant contacts that stick are chosen. What was chosen may lie outside a cone where what was decided does not, so
   * that the end of sticking could not be seen; or it may have to be chosen again without end.
   */
  #checkChosen(friction: FrictionCoupling, clock: Float64Array, x: Float64Array): void {
    const { laws, flow } = this;
    flow.rate(clock, x, this.#rate);
    const row = friction.outside(flow.lambda);
    if (row >= 0) throw redundantFriction(laws.names[row], 'leave its cone of friction', clock[0]);
    let flagged = -1;
    for (let r = 0; r < laws.count; r++) {
      if (this.impulse[r] !== 0 || flow.modes[r] !== this.#modesBefore[r]) {
        this.#idle = 0;
        return;
      }
      if (this.isFlagged[r] === 1) flagged = r;
    }
    if (flagged < 0) return;
    this.#idle++;
    if (this.#idle > MOST_CHOICES)
      throw redundantFriction(laws.names[flagged], 'have to be chosen anew without end', clock[0]);
  }

  #isCandidate(row: number): boolean {
    const { laws, state, impact, decision } = this;
    const wasActive = this.#modesBefore[row] === ACTIVE;
    switch (laws.kind[row]) {
      case 'joint':
        return true;
      case 'contact':
        if (this.#stays[row] === 1) return true;
        if (!wasActive) return impact.isClosed(row) && Math.abs(state.speed[row]) <= state.atRest(row);
        return !this.#isPushedOff(row) && Math.abs(state.speed[row]) <= RESTING * state.atRest(row);
      case 'friction': {
        if (decision.isCandidate[row - 1] === 0 || laws.mu[row] === 0) return false;
        // The root of a slip, and drift of one that was zero, are larger than what counts as rest; an impact changes it.
        const isKnown = this.impactCount === 0 && (wasActive || this.isFlagged[row] === 1);
        return Math.abs(state.speed[row]) <= state.atRest(row) * (isKnown ? RESTING : 1);
      }
      case 'velocitySwitch':
      case 'output':
      default:
        if (laws.degree[row] === 0) return true;
        // A root leaves the output at zero, a jump across zero does not; and an impact moves a velocity that was kept there.
        if (this.isFlagged[row] === 1 && this.isJump[row] === 0) return true;
        if (wasActive && laws.kind[row] === 'output' && !this.isTimed) return true;
        if (laws.upper[row] === Infinity && state.output(row) <= 0) return true;
        return (
          Math.abs(state.output(row)) <=
          Math.max(state.zero(row) * (wasActive ? RESTING : 1), state.startOverlap[row])
        );
    }
  }

  /** Whether the impulses of others have opened a contact: its speed is no drift then. */
  #isPushedOff(row: number): boolean {
    const { state, impulse, before } = this;
    if (this.impactCount === 0 || impulse[row] !== 0) return false;
    return state.speed[row] - before[row] > state.atRest(row);
  }

  /** Flags contacts whose flight is too low to be seen close when it is over. */
  scheduleReturns(manager: EventsManager, times: Float64Array = this.returns): void {
    const { isFlagged } = this;
    const { modes } = this.flow;
    for (let row = 0; row < times.length; row++) {
      if (Number.isNaN(times[row])) continue;
      manager.schedule(times[row], () => {
        if (modes[row] !== ACTIVE) isFlagged[row] = 1;
      });
    }
  }

  /** Marks contacts that would bounce or rise by a negligible height, and says whether there are new ones. */
  #findNegligible(clock: Float64Array, x: Float64Array): boolean {
    const { laws, state, flow, impact, impulse } = this;
    const rows = flow.rows;
    this.returns.fill(NaN);
    let isFound = false;
    let isEvaluated = false;
    for (let row = 0; row < laws.count; row++) {
      const speed = state.speed[row];
      const isOpen = laws.kind[row] === 'contact' && flow.modes[row] === LOWER && speed > 0;
      if (!isOpen || this.#stays[row] === 1 || !impact.isClosed(row)) continue;
      if (!isEvaluated) {
        flow.rate(clock, x, this.#rate);
        rows.update(clock, x);
        rows.drifts(clock, x, this.#drifts);
        isEvaluated = true;
      }
      let acceleration = this.#drifts[row];
      for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
        acceleration += rows.C[k] * this.#rate[flow.places.velocity[rows.dofs[k]]];
      if (!(acceleration < 0)) continue;
      const height = (speed * speed) / (-2 * acceleration);
      if (!(height <= this.smallestBounce * state.length(row))) continue;
      const duration = (-2 * speed) / acceleration;
      if (impulse[row] === 0 && duration > SHORTEST_FLIGHT * Math.abs(clock[0])) {
        this.returns[row] = clock[0] + duration;
        continue;
      }
      this.#stays[row] = 1;
      if (impulse[row] > 0) {
        impact.isPlastic[row] = 1;
        this.#zeno[row] = 1;
      }
      isFound = true;
    }
    return isFound;
  }

  #record(clock: Float64Array, isStart: boolean): void {
    const { laws, flow, zeno, impulse } = this;
    for (let row = 0; row < laws.count; row++) {
      const kindOfRow = laws.kind[row];
      // The tangential impulse of a contact stands in `impulse`; the impact is that of the gap.
      if (kindOfRow !== 'friction' && (impulse[row] > 0 || (impulse[row] < 0 && kindOfRow === 'joint'))) {
        this.#add(clock, 'impact', row, impulse[row]);
        if (kindOfRow === 'contact') zeno.add(row, clock);
      }
      if (this.#zeno[row] === 1) {
        const time = zeno.time[row];
        this.#add(clock, 'zeno', row, 0, Number.isNaN(time) ? null : { time, error: zeno.error[row] });
      }
      const kind = this.#transition(row, isStart);
      if (kind !== null) this.#add(clock, kind, row, 0);
      if (kind === 'switch') zeno.add(row, clock);
      if (flow.modes[row] === ACTIVE) zeno.reset(row);
    }
  }

  /** What the change of mode of a row is called; null where there is none to speak of. */
  #transition(row: number, isStart: boolean): EventKind | null {
    const { laws, flow } = this;
    const before = this.#modesBefore[row];
    const after = flow.modes[row];
    const kind = laws.kind[row];
    if (kind === 'joint' || isStart || before === after) return null;
    if (kind === 'friction') {
      // What a contact that closes or opens does tangentially is part of that.
      if (flow.modes[row - 1] !== ACTIVE || this.#modesBefore[row - 1] !== ACTIVE) return null;
      return after === ACTIVE ? 'stick' : before === ACTIVE ? 'slip' : 'reversal';
    }
    if (kind === 'contact') return after === ACTIVE ? 'closing' : 'takeOff';
    const isRelay = laws.lower[row] !== -Infinity && laws.upper[row] !== Infinity;
    if (after === ACTIVE) return isRelay ? 'slidingOn' : 'closing';
    if (before === ACTIVE) return isRelay ? 'slidingOff' : 'release';
    return 'switch';
  }

  #add(
    clock: Float64Array,
    kind: EventKind,
    row: number,
    impulse: number,
    accumulation: EventRecord['accumulation'] = null,
  ): void {
    this.events.push({
      time: this.isTimed ? this.time[0] : clock[0],
      kind,
      element: this.laws.names[row],
      row,
      before: this.before[row],
      after: this.state.speed[row],
      impulse,
      accumulation,
    });
  }

  /** A gap touches zero without closing. */
  graze(clock: Float64Array, row: number): void {
    this.before[row] = this.state.speed[row];
    this.#add(clock, 'graze', row, 0);
  }
}
