/**
 * Drift control: λ keeps the derivative of an output at zero, and integration errors add up in the output
 * itself. They are taken out by projection along the directions in which the multipliers act,
 *
 *     q ← q − M⁻¹ᵗC W⁻¹ y,     v ← v − M⁻¹ᵗC W⁻¹ ẏ,     x ← x − M⁻¹ B W⁻¹ y  (first order),
 *
 * for all ACTIVE rows at once. This is the smallest correction in the metric of the mass matrix. Joints take
 * part under the formulation that projects; under the others they stay as far off as they are, and only what
 * they have drifted is noted.
 *
 * Drift is what a flight leaves, with the functions of that flight: it is taken out before they change. A
 * speed that is more than drift can be is that of a surface that has got another one unseen, and left to the
 * event that it asks for: to an impact, a take-off, a slip.
 */
import type { Kinematics } from '../../model/forms';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';
import type { ConstraintSettings } from '../joints/formulation';
import { ACTIVE, type RowLaws } from '../rows/row-laws';
import type { RowState } from '../rows/row-state';
import type { SmoothFlow } from './smooth-flow';

/** Drift of an output, relative to its magnitude, from which on it is taken out between events too. */
const DRIFT_TOLERANCE = 1e-12;
/** The same of a speed. It is larger, because speeds are noisier than the positions that they change. */
const SPEED_TOLERANCE = 1e-11;
/**
 * Speed, relative to its magnitude, that is more than drift: a jump of a curvature inside a step leaves a
 * tenth of that at most.
 */
const MOST_DRIFT = 1e-5;
/** Speed of a contact that rests, relative to its magnitude, that is rounding. */
const SPEED_ROUNDING = 64 * Number.EPSILON;
/** Drift of an output that is none, as a part of what the tolerance of the integration comes to in it. */
const SMALLEST_DRIFT = 1e-3;
/** Part by which | |Q| − 1 | may be off before a quaternion is brought back to length one. */
const OFF_MANIFOLD = 1e-12;
/** Newton's method for a curved constraint converges quadratically from a drift that small. */
const MOST_ITERATIONS = 4;

/** A system whose positions live on a manifold. */
interface TurningSystem {
  /** its number in the model */
  readonly system: number;
  readonly kinematics: Kinematics;
}

export class DriftControl {
  /** [0] largest drift of outputs found so far, relative to their magnitudes, [1] of speeds */
  readonly worst = new Float64Array(2);
  readonly #correction: Float64Array;
  /** [0] tolerance of outputs, [1] of speeds */
  readonly #tolerances: Float64Array;
  /** points of the discretisation from one look to the next */
  readonly #every: number;
  readonly #projectsJoints: boolean;
  /** systems with velocities that are no derivatives of positions */
  readonly #turning: readonly TurningSystem[];
  /** displacements of theirs, by coordinate; zero in between */
  readonly #turn: Float64Array;

  constructor(
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    private readonly state: RowState,
    constraints: ConstraintSettings,
    { systems }: Pick<NonSmoothDynamicalSystem, 'systems'>,
    /** whether steps have a given length: what rows drift within one has no bound */
    private readonly isStepped: boolean,
  ) {
    this.#turning = systems.flatMap(({ form }, system) =>
      form.order === 2 && form.kinematics !== undefined ? [{ system, kinematics: form.kinematics }] : [],
    );
    this.#turn = new Float64Array(flow.places.coordinates);
    this.#correction = new Float64Array(laws.count);
    const isProjection = constraints.type === 'Projection';
    const tolerance = isProjection ? (constraints.tolerance ?? DRIFT_TOLERANCE) : DRIFT_TOLERANCE;
    this.#tolerances = Float64Array.of(tolerance, (SPEED_TOLERANCE / DRIFT_TOLERANCE) * tolerance);
    this.#every = isProjection ? (constraints.every ?? 1) : 1;
    this.#projectsJoints = isProjection;
  }

  #projects(row: number): boolean {
    return this.#projectsJoints || this.laws.kind[row] !== 'joint';
  }

  /** Whether the speed of an ACTIVE row is more than drift can be. */
  #isMoved(row: number): boolean {
    const { laws, state } = this;
    if (this.isStepped || laws.kind[row] === 'joint' || laws.kind[row] === 'output') return false;
    return Math.abs(state.speed[row]) > MOST_DRIFT * state.fastest(row);
  }

  /** Whether an ACTIVE row moves, at the state that has been read: something has happened unseen. */
  get hasMoved(): boolean {
    const { active, activeCount } = this.flow;
    for (let k = 0; k < activeCount; k++) if (this.#isMoved(active[k])) return true;
    return false;
  }

  /**
   * Takes out what rows have drifted on a flight that ends with an event, so that contacts that have been
   * closed are so for its impacts. With the functions of the flight: where sources, conditions or resets give
   * others, an output that was kept at zero is elsewhere, or a surface moves, and that is no drift.
   * @param isTimed whether only functions of time have ended it: rounding is left alone then
   */
  endFlight(clock: Float64Array, x: Float64Array, isTimed: boolean): void {
    if (this.flow.network?.isEngaged === true || (isTimed && !this.#isOff())) return;
    this.project(clock, x);
  }

  /**
   * Whether an ACTIVE contact is off by more than rounding, at the state that was read: an impact would take
   * that for a gap, or for a speed with which it is hit.
   */
  #isOff(): boolean {
    const { laws, state, flow } = this;
    for (let k = 0; k < flow.activeCount; k++) {
      const row = flow.active[k];
      if (laws.kind[row] !== 'contact') continue;
      const isMoving = Math.abs(state.speed[row]) > SPEED_ROUNDING * state.fastest(row);
      if (isMoving || Math.abs(state.y[row]) > state.closed(row)) return true;
    }
    return false;
  }

  /** As before the first step. */
  begin(): void {
    this.worst.fill(0);
  }

  /**
   * Whether ACTIVE rows have drifted beyond the tolerance at the state that has been read.
   * @param step number of the point of the discretisation
   */
  isDue(step: number, clock: Float64Array, x: Float64Array): boolean {
    const { laws, state, flow } = this;
    const { network } = flow;
    if (network?.isEngaged === true)
      return this.#note(0, network.drift(clock, x), 1) && step % this.#every === 0;
    // All that cancels in a joint may vanish, as across a slide that starts on its line: joints are measured
    // by the largest of them.
    let longest = 0;
    let fastest = 0;
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] !== 'joint') continue;
      longest = Math.max(longest, state.length(row));
      fastest = Math.max(fastest, state.fastest(row));
    }
    let isDue = false;
    for (let k = 0; k < flow.activeCount; k++) {
      const row = flow.active[k];
      if (laws.degree[row] === 0) continue;
      let isFar = false;
      const isJoint = laws.kind[row] === 'joint';
      const drift = Math.abs(state.y[row] - state.target[row]);
      // A body that rests where all coordinates are zero has no length but rounding.
      const isSeen = isJoint || drift > SMALLEST_DRIFT * state.resolution(row);
      if (laws.followsSpeed[row] === 0 && isSeen)
        isFar = this.#note(0, drift, isJoint ? longest : state.length(row));
      if (laws.kind[row] !== 'output')
        isFar = this.#note(1, Math.abs(state.speed[row]), isJoint ? fastest : state.fastest(row)) || isFar;
      if (isFar && this.#projects(row)) isDue = true;
    }
    return isDue && step % this.#every === 0;
  }

  #note(which: number, drift: number, magnitude: number): boolean {
    const relative = magnitude > 0 ? drift / magnitude : drift;
    if (relative > this.worst[which]) this.worst[which] = relative;
    return relative > this.#tolerances[which];
  }

  /** Projects x, and reads the state again. */
  project(clock: Float64Array, x: Float64Array): void {
    const { flow, state } = this;
    if (this.isOffManifold(x)) {
      this.#applyTurns(x);
      state.read(clock, x);
    }
    if (flow.activeCount === 0) return;
    const { network } = flow;
    if (network?.isEngaged === true) {
      if (network.drift(clock, x) === 0) return;
      network.correct(x);
      state.read(clock, x);
      return;
    }
    for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
      if (!this.#correctOutputs(clock, x)) break;
      state.read(clock, x);
    }
    if (this.#correctSpeeds(clock, x)) state.read(clock, x);
  }

  /** @returns whether there was something to correct */
  #correctOutputs(clock: Float64Array, x: Float64Array): boolean {
    const { laws, state, flow } = this;
    const d = this.#correction;
    let hasDrift = false;
    for (let row = 0; row < laws.count; row++) {
      const holds = laws.degree[row] > 0 && laws.followsSpeed[row] === 0 && this.#projects(row);
      d[row] = holds && flow.modes[row] === ACTIVE ? state.target[row] - state.y[row] : 0;
      if (Math.abs(d[row]) > Number.EPSILON * state.length(row)) hasDrift = true;
    }
    if (!hasDrift) return false;
    flow.solveActive(clock, x, d);
    const { rowStart, dofs, response } = flow.rows;
    const { position } = flow.places;
    for (let a = 0; a < flow.activeCount; a++) {
      const row = flow.active[a];
      for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
        const at = position[dofs[k]];
        if (at < 0) this.#turn[dofs[k]] += d[row] * response[k];
        else x[at] += d[row] * response[k];
      }
    }
    this.#applyTurns(x);
    return true;
  }

  /** Moves positions by what stands in the velocities that are no derivatives of any. */
  #applyTurns(x: Float64Array): void {
    const { offsets, positionOffsets } = this.flow.places;
    for (const { system, kinematics } of this.#turning) {
      kinematics.displace(x, positionOffsets[system], this.#turn, offsets[system]);
      this.#turn.fill(0, offsets[system], offsets[system + 1]);
    }
  }

  /** Whether a position has left its manifold by more than rounding. */
  isOffManifold(x: Float64Array): boolean {
    const { positionOffsets } = this.flow.places;
    for (let k = 0; k < this.#turning.length; k++) {
      const { system, kinematics } = this.#turning[k];
      if (kinematics.offManifold(x, positionOffsets[system]) > OFF_MANIFOLD) return true;
    }
    return false;
  }

  #correctSpeeds(clock: Float64Array, x: Float64Array): boolean {
    const { laws, state, flow } = this;
    const d = this.#correction;
    let hasDrift = false;
    for (let row = 0; row < laws.count; row++) {
      const holds = laws.kind[row] !== 'output' && flow.modes[row] === ACTIVE && this.#projects(row);
      d[row] = holds && !this.#isMoved(row) ? -state.speed[row] : 0;
      if (d[row] !== 0) hasDrift = true;
    }
    if (!hasDrift) return false;
    flow.solveActive(clock, x, d);
    for (let a = 0; a < flow.activeCount; a++) if (d[flow.active[a]] !== 0) flow.push(flow.active[a], d, x);
    return true;
  }
}
