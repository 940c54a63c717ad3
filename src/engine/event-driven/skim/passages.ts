/**
 * Motion that is not recorded goes through events that have been decided before (`passage.ts`), from one set
 * of modes to the next, without the general path. That decides each event the first time, wherever it is not
 * plain, and again and again on the way; what it needs to know of the motion it is told where it goes on.
 *
 * The certificate sees each stretch, and the rows before and behind each event, with outputs by the functions
 * of the model and multipliers by the forms of the arcs, in which the equations of motion are judged.
 */
import type { Assembly } from '../assembly';
import { hasOneSolution } from '../decision/one-solution';
import { EventLog } from '../event-log';
import { createStamp, type TimeStamp } from '../events-manager';
import type { StatePlaces } from '../../model/state-places';
import { FUNCTIONS } from '../rows/row-events';
import { ACTIVE } from '../rows/row-laws';
import type { HeldRows, ModeArcs, Passage } from './mode-arcs';
import { isPlainLaw, writePassage } from './passage';
import { ROOT } from './skim-arcs';

const SWITCH = EventLog.numberOf('switch');

/** Fractional parts of multiples of it are spread evenly. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/**
 * Events in a row, a number that no cycle of a few events divides: the next one is decided, and multipliers
 * are compared with those of the model’s functions.
 */
const MOST_IN_A_ROW = 61;
/** Events that are remembered: models that come to more hardly meet one of them again. */
const MOST_KNOWN = 1024;

/** What the simulation does on the way. */
export interface PassedSimulation {
  /** the motion up to the present is judged, and shown to those who look on */
  leave(): void;
  /** time up to which no one looks on, s */
  awaited(): number;
  /** rows before and behind an event */
  rows(): readonly [Float64Array, Float64Array];
  /** rows before and behind it are there */
  judgeImpact(): void;
}

export class Passages {
  /** largest of each component of the state at events that were decided */
  readonly #reach: Float64Array;
  readonly #stamp: TimeStamp = createStamp();
  /** [0] time of the last event that was passed, s */
  readonly #time = new Float64Array(1);
  readonly #clock = new Float64Array(1);
  /** [0] part of an arc at which its row is judged */
  readonly #part = new Float64Array(1);
  readonly #row: Float64Array;
  readonly #lambda: Float64Array;
  readonly #y: Float64Array;
  readonly #speed: Float64Array;
  readonly #speedBefore: Float64Array;
  /** state of the model at a place of an arc */
  readonly #x: Float64Array;
  readonly #all: Passage[] = [];
  /** arcs that carry the motion on the way */
  #present: ModeArcs | null = null;
  readonly #whenDone = (): void => {
    if (this.#present !== null) this.#judge(this.#present);
  };

  private constructor(
    private readonly parts: Assembly,
    private readonly places: StatePlaces,
  ) {
    const { laws, flow } = parts;
    this.#reach = new Float64Array(flow.size);
    this.#row = new Float64Array(places.size);
    this.#lambda = new Float64Array(laws.count);
    this.#y = new Float64Array(laws.count);
    this.#speed = new Float64Array(laws.count);
    this.#speedBefore = new Float64Array(laws.count);
    this.#x = new Float64Array(flow.size);
  }

  /** @returns null for models whose events are not remembered */
  static of(parts: Assembly, places: StatePlaces): Passages | null {
    const { laws, flow, graphs, joints, stepCheck } = parts;
    if (graphs !== null || stepCheck !== null || joints.system !== flow) return null;
    for (let row = 0; row < laws.count; row++) if (!isPlainLaw(laws, row)) return null;
    return new Passages(parts, places);
  }

  /** The motion begins once more. */
  rewind(): void {
    this.#reach.fill(0);
    this.#part.fill(0);
    for (const passage of this.#all) passage.isKnown = false;
  }

  /** What takes drift out of the rows that are held at present; null where that is not known. */
  heldRows(): HeldRows | null {
    const { flow, functions, integrator, rows, laws } = this.parts;
    const outputs = [];
    const corrections = [];
    const { position, velocity } = flow.places;
    for (let k = 0; k < flow.activeCount; k++) {
      const row = flow.active[k];
      const form = functions.linear(FUNCTIONS * row);
      if (form === null || form.offset[1] !== 0) return null;
      const d = new Float64Array(laws.count);
      d[row] = -1;
      flow.solveActive(integrator.clock, integrator.x, d);
      const correction = new Float64Array(flow.size);
      const places = laws.followsSpeed[row] === 1 ? velocity : position;
      for (let a = 0; a < flow.activeCount; a++) {
        const pushed = flow.active[a];
        for (let e = rows.rowStart[pushed]; e < rows.rowStart[pushed + 1]; e++) {
          const at = places[rows.dofs[e]];
          if (at < 0) return null;
          correction[at] += d[pushed] * rows.response[e];
        }
      }
      outputs.push(form);
      corrections.push(correction);
    }
    return { outputs, corrections };
  }

  /** Takes note of the state at an event that the general path has decided. */
  note(): void {
    const { x } = this.parts.integrator;
    const reach = this.#reach;
    for (let i = 0; i < reach.length; i++) reach[i] = Math.max(reach[i], Math.abs(x[i]));
  }

  /**
   * Remembers an event that the general path has just decided.
   * @param from arcs that have come to it, by a root
   * @param changes of conditions before it
   */
  remember(from: ModeArcs, gap: number, changes: number): void {
    const { integrator, event, flow, laws, conditions, functions } = this.parts;
    if (integrator.kind !== 'exact') return;
    const to = integrator.written;
    const before = from.passages[gap];
    if (before !== null) before.isKnown = false;
    const isKnown = to !== null && to !== from && [from, to].every((one) => this.#isJudged(one));
    if (!isKnown || (conditions?.changes ?? 0) !== changes || flow.network?.isEngaged === true) return;
    if (event.isTimed || event.impactCount > 0 || event.isTie.includes(1)) return;
    if (event.impulse.some((impulse) => impulse !== 0)) return;
    if (functions.shift.some((shift) => shift !== 0)) return;
    for (let row = 0; row < laws.count; row++)
      if (event.modesBefore[row] !== from.modes[row] || flow.modes[row] !== to.modes[row]) return;
    if (before !== null && before.to === to && isSame(before.departing, to.departing)) {
      before.zeroForce.set(event.zeroForce);
      before.isKnown = true;
      return;
    }
    const passage = this.#write(from, to);
    from.passages[gap] = passage;
    if (passage !== null) this.#all.push(passage);
  }

  #isJudged({ judge, multipliers, held }: ModeArcs): boolean {
    const isWritten = judge !== null || this.parts.check === null;
    return isWritten && multipliers !== null && held !== null;
  }

  #write(from: ModeArcs, to: ModeArcs): Passage | null {
    const { event, flow, laws, handling } = this.parts;
    if (this.#all.length >= MOST_KNOWN) return null;
    const rows = Array.from({ length: laws.count }, (_, row) => row);
    const taking = rows.filter((row) => event.isCandidate[row] === 1 || from.modes[row] === ACTIVE);
    const matrix = new Float64Array(taking.length ** 2);
    flow.fillOperator(Int32Array.from(taking), taking.length, matrix, false);
    if (!hasOneSolution(matrix, taking.length)) return null;
    const recorded = rows.flatMap((row): [number, number][] => {
      const kind = handling.transition(row);
      return kind === null ? [] : [[row, EventLog.numberOf(kind)]];
    });
    if (recorded.some(([, kind]) => kind < 0)) return null;
    const departing = to.departing.slice();
    const step = writePassage(from, to, departing, this.#reach);
    return (
      step && {
        to,
        step,
        isKnown: true,
        isCandidate: event.isCandidate.slice(),
        carries: event.carries.slice(),
        zeroForce: event.zeroForce.slice(),
        departing,
        recorded,
      }
    );
  }

  get #isReady(): boolean {
    const { manager, conditions, integrator } = this.parts;
    if (manager.unprocessed.length > 0 || integrator.isDeviating) return false;
    return conditions === null || conditions.isOfTime;
  }

  /**
   * Follows events that are remembered, as far as they are. The flight behind the last of them is under way:
   * the general path takes what it has come to.
   * @param pointAhead number of the point of the discretisation up to which a flight goes from a step on
   */
  follow(simulation: PassedSimulation, pointAhead: (step: number, isHeld: boolean) => number): void {
    const { manager, integrator } = this.parts;
    const first = integrator.written;
    if (first === null || !this.#isReady || !this.#isJudged(first)) return;
    let last: Passage | null = null;
    let target = this.#targetBefore(manager.nextTime);
    let [point] = manager.next;
    let present = first;
    for (let count = 0; ; count++) {
      const from: ModeArcs = present;
      if (!(target > from.clock[0]) || from.seek(target) !== ROOT || count >= MOST_IN_A_ROW) break;
      const passage: Passage | null = from.passages[from.arcs.row];
      if (passage?.isKnown !== true) break;
      manager.grid.stamp(from.clock, this.#stamp);
      if (!(this.#stamp[0] < point) || passage.step(0) !== 1) break;
      // Of the first flight modes are those of the general path, for those who look on.
      if (last === null) simulation.leave();
      else this.#judge(from);
      this.#pass(from, passage, simulation);
      last = passage;
      const { to } = passage;
      present = to;
      this.#present = to;
      // Modes are none of the general path’s.
      to.whenDone = this.#whenDone;
      point = pointAhead(this.#stamp[0], to.held !== null && to.held.outputs.length > 0);
      target = Math.min(this.#targetBefore(manager.grid.pointTime(point)), simulation.awaited());
    }
    if (last !== null) this.#giveBack(last, point);
  }

  /** How far a flight goes that is to go to a point of the discretisation, s. @param time of that, s */
  #targetBefore(time: number): number {
    const { manager, conditions } = this.parts;
    return Math.min(time, manager.horizon, conditions?.lookAhead(time) ?? Infinity);
  }

  /** One event, from the root that `from` has come to. */
  #pass(from: ModeArcs, { to, departing, recorded }: Passage, simulation: PassedSimulation): void {
    const { event, events, decision, certificate, count, zeno, flow, laws, manager } = this.parts;
    const { clock } = from;
    const [before, state] = simulation.rows();
    this.#read(from, clock, from.x, before);
    certificate.row(before);
    for (let row = 0; row < laws.count; row++) {
      flow.lambda[row] = this.#lambda[row];
      this.#speedBefore[row] = this.#speed[row];
    }
    decision.noteForces();
    if (this.#stamp[0] !== manager.current[0]) count.beginStep();
    count.add(clock, events.lastElement);
    this.#read(to, clock, to.x, state);
    certificate.row(state);
    event.isTimed = false;
    event.impactCount = 0;
    event.impulse.fill(0);
    simulation.judgeImpact();
    for (let k = 0; k < recorded.length; k++) {
      const [row, kind] = recorded[k];
      const target = laws.speedTarget[row];
      events.add(clock, kind, row, this.#speedBefore[row] + target, this.#speed[row] + target);
      if (kind === SWITCH) zeno.add(row, clock);
    }
    for (let row = 0; row < laws.count; row++) if (to.modes[row] === ACTIVE) zeno.reset(row);
    this.#time[0] = clock[0];
    manager.pass(this.#stamp, clock[0]);
    to.enter(clock[0], departing);
  }

  /** Judges the stretch that the present ends: its equations, and the row at one of the nodes they have. */
  #judge(arcs: ModeArcs): void {
    const { stretch, judge, looked } = arcs;
    if (judge === null || !(stretch[1] > 0)) return;
    const part = this.#part;
    part[0] = (part[0] + GOLDEN) % 1;
    looked.part[0] = part[0];
    judge(0);
    this.#clock[0] = stretch[0] + looked.place[0];
    this.#read(arcs, this.#clock, looked.x, this.#row);
    this.parts.certificate.row(this.#row);
  }

  /** Multipliers, outputs and speeds at a state of arcs, into a row of the result without energies. */
  #read({ multipliers }: ModeArcs, clock: Float64Array, whole: Float64Array, row: Float64Array): void {
    const { rows, writer, laws } = this.parts;
    const { places } = this;
    const lambda = this.#lambda;
    const x = this.#x;
    for (let i = 0; i < x.length; i++) x[i] = whole[i];
    for (let r = 0; multipliers !== null && r < laws.count; r++) {
      let sum = multipliers.constant[r];
      const first = r * whole.length;
      for (let j = 0; j < whole.length; j++) sum += multipliers.matrix[first + j] * whole[j];
      lambda[r] = sum;
    }
    writer.writeMotion(clock, x, row);
    rows.update(clock, x);
    rows.outputs(clock, x, lambda, this.#y);
    rows.speeds(clock, x, this.#speed);
    for (let r = 0; r < laws.count; r++) {
      row[places.y + r] = this.#y[r];
      row[places.yDot + r] = this.#speed[r];
      row[places.lambda + r] = lambda[r];
    }
  }

  /** The general path has the motion again, behind the last event. */
  #giveBack(last: Passage, point: number): void {
    const { flow, event, manager, integrator, watching, watchedFunctions, laws } = this.parts;
    const { to } = last;
    for (let row = 0; row < laws.count; row++) {
      flow.modes[row] = to.modes[row];
      event.isCandidate[row] = last.isCandidate[row];
      event.carries[row] = last.carries[row];
      event.zeroForce[row] = last.zeroForce[row];
    }
    event.isTie.fill(0);
    flow.setModes(event.carries);
    for (let row = 0; row < laws.count; row++) flow.lambda[row] = this.#lambda[row];
    flow.decided.set(flow.lambda);
    manager.lookTo(point);
    // Who flies on from the event itself has to know which functions are zero there.
    if (to.clock[0] === this.#time[0]) event.outputs.read(to.clock, integrator.stateOf(to));
    else event.outputs.pass(this.#time);
    const isZero = watching.begin();
    integrator.adopt(to, this.#time[0], watchedFunctions?.begin(isZero) ?? isZero);
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.every((value, k) => value === b[k]);
