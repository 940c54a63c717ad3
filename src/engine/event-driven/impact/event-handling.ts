/**
 * What happens at a non-smooth event (the Siconos manual, "the algorithm", with velocity signs, hysteresis
 * and accumulation of impacts added):
 *
 *     1. while a contact of I1 = {y ≤ ε, ẏ ≤ ε} approaches, ẏ < −ε: an impact over I1
 *     2. candidates of I2: |y| ≤ ε and |ẏ| ≤ ε; their modes by accelerations, ties by the next derivative
 *     3. an impact whose bounce would be negligible is made once more, without restitution
 *     4. drift is taken out, and the integration goes on in the new modes
 *
 * With e > 0 a contact that has pushed has y = 0 and ẏ > 0. The sign of ẏ keeps it out of both sets
 * (docs/theory/errata.md).
 */
import type { DriftControl } from '../flow/drift';
import type { EventLog } from '../event-log';
import type { EventKind, EventRecord } from '../event-record';
import type { EventState } from '../event-state';
import type { EventsManager } from '../events-manager';
import { frictionNoSolution, infiniteEvents, redundantFriction, stateJump } from '../failures';
import { type FrictionCoupling, SINGULAR_PUSH } from '../decision/friction-coupling';
import type { Impact } from './impact';
import type { ModeDecision } from '../decision/mode-decision';
import { ABSENT, ACTIVE, LOWER, type RowLaws, UPPER } from '../rows/row-laws';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { ContactSharing } from '../decision/contact-sharing';
import type { DiscFriction } from '../decision/disc-friction';
import type { NetworkEvents } from '../network/network-events';
import { RESTING } from '../rows/row-state';
import { PLAINLY_CLOSED, WrittenBounce } from './written-bounce';
import type { ZenoDetector } from './zeno';

/** Impacts in a row at one time before the sequence is ended. */
const MOST_IMPACTS = 200;
/** Events in a row that only choose again how redundant contacts share what they hold. */
const MOST_CHOICES = 50;
/** Flights whose end rounding of the time cannot tell from their beginning have none. */
const SHORTEST_FLIGHT = 64 * Number.EPSILON;

/** What an event goes through, and what is kept of it. */
interface EventSteps {
  readonly impact: Impact;
  readonly decision: ModeDecision;
  readonly drift: DriftControl;
  readonly zeno: ZenoDetector;
  /** takes what has happened */
  readonly events: EventLog;
}

export class EventHandling {
  /** events in a row that changed nothing but forces */
  #idle = 0;
  /** problems of impacts that have been solved before the event was decided again */
  #phasesBefore = 0;
  readonly #rate: Float64Array;
  /** [0] (W_nn + f W_nt)/W_nn */
  readonly #push = new Float64Array(1);
  readonly #drifts: Float64Array;
  /** 1 for slips that have come to zero along a direction that was held */
  readonly #stops: Uint8Array;
  readonly #zeno: Uint8Array;
  /** 1 for contacts that leave so slowly that they stay */
  readonly #stays: Uint8Array;
  /** `bounce`, written out */
  readonly written: WrittenBounce;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    readonly event: EventState,
    private readonly steps: EventSteps,
    /**
     * height of a bounce, relative to the largest lengths in the gap so far, below which the contact stays
     * closed
     */
    private readonly smallestBounce: number,
    /** null where each row has its degree */
    private readonly network: NetworkEvents | null = null,
  ) {
    const { count } = laws;
    this.#rate = new Float64Array(flow.size);
    this.#drifts = new Float64Array(count);
    this.#stops = new Uint8Array(count);
    this.#zeno = new Uint8Array(count);
    this.#stays = new Uint8Array(count);
    this.written = new WrittenBounce(laws, flow, event, steps, smallestBounce);
  }

  /** See `Impact.isNewtons`. */
  get isNewtons(): boolean {
    return this.steps.impact.isNewtons;
  }

  /** Whether the last event has changed velocities or modes. */
  get hasChanged(): boolean {
    const { impactCount, modesBefore } = this.event;
    if (impactCount > 0) return true;
    const { modes } = this.flow;
    for (let row = 0; row < modes.length; row++) if (modes[row] !== modesBefore[row]) return true;
    return false;
  }

  /**
   * Processes the event at the state x, whose outputs have been read; x is changed to that after the event,
   * and they are read again.
   */
  process(clock: Float64Array, x: Float64Array): void {
    const { flow, event } = this;
    if (this.network?.takes(clock, x) === true) {
      this.#processNetwork(this.network, clock, x);
      return;
    }
    const { impact, decision, drift } = this.steps;
    event.begin(x, flow.modes);
    if (flow.friction !== null) this.#checkSliding(flow.friction, clock);
    if (flow.discs !== null) this.#reviewSlips(flow.discs, clock, x);
    this.#zeno.fill(0);
    this.#stays.fill(0);
    for (let attempt = 0; ; attempt++) {
      event.phaseCount = this.#phasesBefore;
      this.#collide(impact, clock, x);
      this.#select();
      if (!this.#decideRows(decision, clock, x)) return;
      if (attempt > this.laws.count || !this.#findNegligible(clock, x)) break;
      x.set(event.xBefore);
      event.outputs.read(clock, x);
      event.impulse.fill(0);
    }
    if (event.isTimed || event.isReset) this.#checkKept(clock);
    drift.project(clock, x);
    if (flow.friction !== null) this.#checkChosen(flow.friction, clock, x);
    if (flow.contacts !== null) this.#checkShared(flow.contacts, clock, x);
    this.#record(clock);
    event.end();
  }

  /** @returns whether the modes are those of rows by themselves; else the event is over */
  #decideRows(decision: ModeDecision, clock: Float64Array, x: Float64Array): boolean {
    const { network } = this;
    try {
      decision.decide(clock, x);
      return true;
    } catch (error) {
      if (network?.takesOver(clock, x, this.event.modesBefore) !== true) throw error;
      this.#processNetwork(network, clock, x);
      return false;
    }
  }

  /**
   * Whether a contact that is hit alone, at the state that has been read, bounces off and is open behind.
   * @param curvature of its gap, or less
   */
  bouncesPlainly(row: number, curvature: number): boolean {
    const { laws } = this;
    const { outputs } = this.event;
    const after = -laws.restitution[row] * outputs.speed[row];
    if (!(after > RESTING * outputs.atRest(row))) return false;
    if (!(Math.abs(outputs.y[row]) <= PLAINLY_CLOSED * outputs.length(row))) return false;
    return curvature >= 0 || after * after > -4 * curvature * this.smallestBounce * outputs.length(row);
  }

  /** The event of a contact of which that is so: what `process` comes to. */
  bounce(row: number, clock: Float64Array, x: Float64Array): void {
    const { event, flow } = this;
    const { impact, zeno } = this.steps;
    event.isStart = false;
    event.isTimed = false;
    event.time[0] = clock[0];
    event.begin(x, flow.modes);
    event.isCandidate.fill(0);
    event.phaseCount = 0;
    event.impactCount = 1;
    impact.solveAlone(row, clock, x);
    event.impulse[row] = impact.impulse[row];
    event.energyChange = impact.energyChange;
    event.outputs.readAgain(clock, x);
    this.#add(clock, 'impact', row, event.impulse[row]);
    zeno.add(row, clock);
    event.end();
  }

  #processNetwork(network: NetworkEvents, clock: Float64Array, x: Float64Array): void {
    const { event } = this;
    event.begin(x, this.flow.modes);
    event.impactCount = 0;
    event.energyChange = 0;
    event.phaseCount = this.#phasesBefore;
    this.#zeno.fill(0);
    network.process(clock, x);
    this.#record(clock);
    network.writeImpulses(event.impulse);
    event.end();
  }

  /**
   * Decides the event once more, behind its impacts, because forces are others: what has been done stays part
   * of it.
   */
  decideAgain(clock: Float64Array, x: Float64Array): void {
    const { event } = this;
    const { impulse, speedBefore, impactCount, energyChange } = event;
    const impulses = impulse.slice();
    const speeds = speedBefore.slice();
    event.outputs.read(clock, x);
    this.#phasesBefore = event.phaseCount;
    this.process(clock, x);
    this.#phasesBefore = 0;
    for (let row = 0; row < impulses.length; row++) impulse[row] += impulses[row];
    speedBefore.set(speeds);
    event.impactCount += impactCount;
    event.energyChange += energyChange;
  }

  /**
   * @throws {EngineError} where a source has moved an output that its multiplier keeps at zero, but cannot
   *   move back at once
   */
  #checkKept(clock: Float64Array): void {
    const { laws, flow } = this;
    const { outputs } = this.event;
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] !== 'output' || laws.degree[row] === 0 || flow.modes[row] === ABSENT) continue;
      const tolerance = RESTING * outputs.closed(row);
      const isKept = flow.modes[row] === ACTIVE;
      const isBelow = laws.upper[row] === Infinity && outputs.y[row] < -tolerance;
      const isAbove = laws.lower[row] === -Infinity && outputs.y[row] > tolerance;
      if (isBelow || isAbove || (isKept && Math.abs(outputs.y[row]) > tolerance))
        throw stateJump([laws.names[row]], clock[0]);
    }
  }

  #collide(impact: Impact, clock: Float64Array, x: Float64Array): void {
    const { laws, event } = this;
    const { impulse, outputs } = event;
    event.impactCount = 0;
    event.energyChange = 0;
    while (impact.isDue) {
      const count = ++event.impactCount;
      if (count > MOST_IMPACTS + 2) {
        const row = laws.kind.findIndex((kind, r) => kind === 'contact' && impact.impulse[r] > 0);
        throw infiniteEvents(laws.names[Math.max(0, row)], count, clock[0]);
      }
      impact.solve(clock, x, count > MOST_IMPACTS);
      for (let row = 0; row < laws.count; row++) impulse[row] += impact.impulse[row];
      event.energyChange += impact.energyChange;
      outputs.read(clock, x);
    }
  }

  /** Candidates for ACTIVE, and the modes of the others. */
  #select(): void {
    const { laws, flow } = this;
    const { outputs, isAbsent, isCandidate } = this.event;
    const { decision } = this.steps;
    for (let row = 0; row < laws.count; row++) {
      if (isAbsent[row] === 1) {
        isCandidate[row] = 0;
        flow.modes[row] = ABSENT;
        continue;
      }
      isCandidate[row] = this.#isCandidate(row) ? 1 : 0;
      if (laws.degree[row] === 0) decision.noteOutput(row, outputs.closed(row));
      if (isCandidate[row] === 1) continue;
      // Friction of an open contact has a mode without meaning.
      const isLow = laws.kind[row] === 'friction' ? outputs.output(row) >= 0 : outputs.output(row) > 0;
      const isPlain = laws.kind[row] === 'contact' || laws.kind[row] === 'slip';
      flow.modes[row] = isPlain || isLow ? LOWER : UPPER;
    }
  }

  /** @throws {EngineError} where a sliding contact has come to the end of what its normal force can do */
  #checkSliding(friction: FrictionCoupling, clock: Float64Array): void {
    const { laws } = this;
    for (let k = 0; k < friction.slidingCount; k++) {
      const row = friction.sliding[k];
      if (this.event.isFlagged[row] === 0) continue;
      friction.effective(row - 1, this.#push);
      if (this.#push[0] > 2 * SINGULAR_PUSH) continue;
      throw frictionNoSolution([laws.names[row]], [laws.mu[row]], clock[0]);
    }
  }

  /**
   * Forces of redundant contacts that stick are chosen. What was chosen may lie outside a cone where what was
   * decided does not, so that the end of sticking could not be seen; or it may have to be chosen again
   * without end.
   */
  #checkChosen(friction: FrictionCoupling, clock: Float64Array, x: Float64Array): void {
    const { laws, flow } = this;
    const { impulse, modesBefore, isFlagged } = this.event;
    flow.rate(clock, x, this.#rate);
    const row = friction.outside(flow.lambda);
    if (row >= 0) throw redundantFriction(laws.names[row], 'leave its cone of friction', clock[0]);
    let flagged = -1;
    for (let r = 0; r < laws.count; r++) {
      if (impulse[r] !== 0 || flow.modes[r] !== modesBefore[r]) {
        this.#idle = 0;
        return;
      }
      if (isFlagged[r] === 1) flagged = r;
    }
    if (flagged < 0) return;
    this.#idle++;
    if (this.#idle > MOST_CHOICES)
      throw redundantFriction(laws.names[flagged], 'have to be chosen again without end', clock[0]);
  }

  /**
   * Directions of slips that have come near to zero, or far from it, and normal forces that have come to the
   * end of what they can do.
   */
  #reviewSlips(discs: DiscFriction, clock: Float64Array, x: Float64Array): void {
    const { laws, event } = this;
    const { contacts } = this.flow;
    this.#stops.fill(0);
    if (contacts !== null) this.#flagTogether(contacts);
    for (let k = 0; k < discs.slidingCount; k++) {
      const row = discs.sliding[k];
      if (event.isFlagged[row] === 0) continue;
      discs.follow(x);
      if (contacts?.isMany(row) === true) contacts.effective(row, this.#push);
      else discs.effective(row - 1, this.#push);
      if (!(this.#push[0] > 2 * SINGULAR_PUSH))
        throw frictionNoSolution([laws.names[row]], [laws.mu[row]], clock[0]);
      if (!discs.review(row, x)) this.#stops[row] = 1;
    }
    if (contacts !== null) this.#stopTogether(discs, contacts);
  }

  /** What holds a body holds it as a whole, and gives way as a whole. */
  #flagTogether(contacts: ContactSharing): void {
    const { isFlagged } = this.event;
    const { slipRows } = this.laws;
    for (let k = 0; k < slipRows.length; k++) {
      if (isFlagged[slipRows[k]] === 0 || contacts.isHeld[slipRows[k]] === 0) continue;
      for (let other = 0; other < slipRows.length; other++)
        if (contacts.isTogether(slipRows[k], slipRows[other])) isFlagged[slipRows[other]] = 1;
    }
  }

  /** Contacts of one body that slide so little that their directions are held stop when one of them does. */
  #stopTogether(discs: DiscFriction, contacts: ContactSharing): void {
    const stops = this.#stops;
    for (let k = 0; k < discs.slidingCount; k++) {
      if (stops[discs.sliding[k]] !== 1) continue;
      for (let j = 0; j < discs.slidingCount; j++) {
        const other = discs.sliding[j];
        if (stops[other] === 0 && discs.isHeld(other) && contacts.isTogether(discs.sliding[k], other))
          stops[other] = 1;
      }
    }
  }

  /** @throws {EngineError} where what the rule of springs gives contacts is not what their laws admit */
  #checkShared(contacts: ContactSharing, clock: Float64Array, x: Float64Array): void {
    this.flow.rate(clock, x, this.#rate);
    const row = contacts.outside(this.flow.lambda);
    if (row >= 0) throw redundantFriction(this.laws.names[row], 'leave what Coulomb’s law admits', clock[0]);
  }

  #isCandidate(row: number): boolean {
    const { laws, event } = this;
    const { outputs, isFlagged } = event;
    const { impact } = this.steps;
    const wasActive = event.modesBefore[row] === ACTIVE;
    switch (laws.kind[row]) {
      case 'joint':
        return true;
      case 'contact':
        if (this.#stays[row] === 1) return true;
        if (!wasActive) return impact.isClosed(row) && Math.abs(outputs.speed[row]) <= outputs.atRest(row);
        // Where its surface has stepped back, there is nothing to rest on.
        if (!impact.isClosed(row)) return false;
        return !this.#isPushedOff(row) && Math.abs(outputs.speed[row]) <= RESTING * outputs.atRest(row);
      case 'friction': {
        if (event.isCandidate[row - 1] === 0 || laws.mu[row] === 0) return false;
        // The root of a slip, and drift of one that was zero, are larger than what counts as rest; an impact
        // changes it.
        const isKnown = event.impactCount === 0 && (wasActive || isFlagged[row] === 1);
        return Math.abs(outputs.speed[row]) <= outputs.atRest(row) * (isKnown ? RESTING : 1);
      }
      case 'slip': {
        const { discs } = this.flow;
        if (discs === null || laws.mu[row] === 0) return false;
        if (!discs.isFirst(row)) return event.isCandidate[row - 1] === 1;
        if (event.isCandidate[row - 1] === 0) return false;
        const slip = Math.hypot(outputs.speed[row], outputs.speed[row + 1]);
        const rest = Math.max(outputs.atRest(row), outputs.atRest(row + 1));
        const isKnown = event.impactCount === 0 && (wasActive || this.#stops[row] === 1);
        return slip <= rest * (isKnown ? RESTING : 1);
      }
      case 'velocitySwitch':
      case 'output':
      default:
        if (laws.degree[row] === 0) return true;
        // What is there by its condition and is an equation has been brought to zero.
        if (
          outputs.jumpsToZero[row] === 1 &&
          laws.lower[row] === -laws.upper[row] &&
          laws.upper[row] === Infinity
        )
          return true;
        // A root leaves the output at zero; a jump across zero does not, nor a reset that moves the state
        // away. An impact moves a velocity that was kept there.
        if (isFlagged[row] === 1 && event.isJump[row] === 0 && !event.isReset && !this.#isMoving(row))
          return true;
        if (wasActive && laws.kind[row] === 'output' && !event.isTimed && !event.isReset) return true;
        if (laws.upper[row] === Infinity && outputs.output(row) <= 0) return true;
        return (
          Math.abs(outputs.output(row)) <=
          Math.max(outputs.zero(row) * (wasActive ? RESTING : 1), outputs.startOverlap[row])
        );
    }
  }

  /** Whether a row that follows a speed has another one than its root can leave. */
  #isMoving(row: number): boolean {
    const { outputs } = this.event;
    if (this.laws.followsSpeed[row] === 0) return false;
    return Math.abs(outputs.speed[row]) > RESTING * outputs.atRest(row);
  }

  /** Whether the impulses of others have opened a contact: its speed is no drift then. */
  #isPushedOff(row: number): boolean {
    const { outputs, impulse, speedBefore, impactCount } = this.event;
    if (impactCount === 0 || impulse[row] !== 0) return false;
    return outputs.speed[row] - speedBefore[row] > outputs.atRest(row);
  }

  /** Flags contacts whose flight is too low to be seen close when it is over. */
  scheduleReturns(manager: EventsManager, times: Float64Array = this.event.returns): void {
    const { isFlagged } = this.event;
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
    const { laws, flow } = this;
    const { outputs, impulse, isPlastic, returns } = this.event;
    const { impact } = this.steps;
    const { rows } = flow;
    returns.fill(NaN);
    let isFound = false;
    let isEvaluated = false;
    for (let row = 0; row < laws.count; row++) {
      const speed = outputs.speed[row];
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
      if (!(height <= this.smallestBounce * outputs.length(row)) && !this.#isFoundAgain(row, clock)) continue;
      const duration = (-2 * speed) / acceleration;
      if (impulse[row] === 0 && duration > SHORTEST_FLIGHT * Math.abs(clock[0])) {
        returns[row] = clock[0] + duration;
        continue;
      }
      this.#stays[row] = 1;
      if (impulse[row] > 0) {
        isPlastic[row] = 1;
        this.#zeno[row] = 1;
      }
      isFound = true;
    }
    return isFound;
  }

  /**
   * Whether a contact is at its root once more, at the very time of its own impact or so soon behind it that
   * it has not come further than rounding of its gap: a low bounce at a fast wall begins below zero then, and
   * would be at its root without end.
   */
  #isFoundAgain(row: number, clock: Float64Array): boolean {
    const { isFlagged, impactCount, outputs } = this.event;
    if (isFlagged[row] === 0 || impactCount > 0) return false;
    const since = this.steps.zeno.since(row, clock);
    const isAtOnce = since <= SHORTEST_FLIGHT * Math.abs(clock[0]);
    return isAtOnce || since * outputs.speed[row] <= outputs.closed(row);
  }

  #record(clock: Float64Array): void {
    const { laws, flow } = this;
    const { impulse } = this.event;
    const recorded = this.steps.events.length;
    const { zeno } = this.steps;
    for (let row = 0; row < laws.count; row++) {
      const kindOfRow = laws.kind[row];
      // The tangential impulse of a contact stands in `impulse`; the impact is that of the gap.
      const isTangential = kindOfRow === 'friction' || kindOfRow === 'slip';
      if (!isTangential && (impulse[row] > 0 || (impulse[row] < 0 && kindOfRow === 'joint'))) {
        this.#add(clock, 'impact', row, impulse[row]);
        if (kindOfRow === 'contact') zeno.add(row, clock);
      }
      if (this.#zeno[row] === 1) {
        const time = zeno.time[row];
        this.#add(clock, 'zeno', row, 0, Number.isNaN(time) ? null : { time, error: zeno.error[row] });
      }
      const kind = this.transition(row);
      if (kind !== null) this.#add(clock, kind, row, 0);
      if (kind === 'switch') zeno.add(row, clock);
      if (flow.modes[row] === ACTIVE) zeno.reset(row);
    }
    for (let row = 0; row < laws.count; row++) {
      if (laws.isSloped[row] === 0 || this.#isRecorded(row, recorded)) continue;
      const [before, after] = [this.event.modesBefore[row], flow.modes[row]];
      const isOther = !this.event.isStart && before !== after && (before === ACTIVE || after === ACTIVE);
      if (isOther) this.#add(clock, 'piece', row, 0);
    }
  }

  /**
   * Whether the event has a record of the graph that a row is an element of: one is enough at each corner.
   * @param first number of the first record of the event
   */
  #isRecorded(row: number, first: number): boolean {
    const { events } = this.steps;
    const owner = this.laws.owner[row];
    for (let k = first; k < events.length; k++) if (events.records[k].row === owner) return true;
    return false;
  }

  /** What the change of mode of a row is called; null where there is none to speak of. */
  transition(row: number): EventKind | null {
    const { laws, flow } = this;
    const { isStart, modesBefore } = this.event;
    const before = modesBefore[row];
    const after = flow.modes[row];
    const kind = laws.kind[row];
    if (kind === 'joint' || isStart || before === after) return null;
    if (laws.isSloped[row] === 1) return null;
    if (kind === 'slip') {
      if (flow.discs?.isFirst(row) !== true) return null;
      if (flow.modes[row - 1] !== ACTIVE || modesBefore[row - 1] !== ACTIVE) return null;
      return after === ACTIVE ? 'stick' : 'slip';
    }
    if (kind === 'friction') {
      // What a contact that closes or opens does tangentially is part of that.
      if (flow.modes[row - 1] !== ACTIVE || modesBefore[row - 1] !== ACTIVE) return null;
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
    const { isTimed, time, speedBefore, outputs } = this.event;
    const target = this.laws.speedTarget[row];
    this.steps.events.push({
      time: isTimed ? time[0] : clock[0],
      kind,
      element: this.laws.ids[row],
      row: this.laws.owner[row],
      before: target === 0 ? speedBefore[row] : speedBefore[row] + target,
      after: target === 0 ? outputs.speed[row] : outputs.speed[row] + target,
      impulse,
      accumulation,
    });
  }

  /** A gap touches zero without closing. */
  graze(clock: Float64Array, row: number): void {
    const { speedBefore, outputs } = this.event;
    speedBefore[row] = outputs.speed[row];
    this.#add(clock, 'graze', row, 0);
  }
}
