/**
 * Small disturbances of a simulation, carried along its motion and across its events:
 *
 *     δ̇ = A(t, x) δ   in flight,     δ⁺ = S δ   at events,
 *
 * with A of the flow in its modes (`flow-jacobian.ts`) and S the saltation matrix (`saltation.ts`). Where
 * flights are exact, so is δ: by the exponential of the constant matrix. Otherwise it is carried by
 * power series or collocation on the continuous extension of the steps (`series-carry.ts`).
 *
 * In modes that keep outputs at zero, disturbances that leave them there stay there: those of other motions
 * of the model. Others mean nothing, and at the start they are taken away (`kept-outputs.ts`).
 */
import { expm } from '../../linalg/expm';
import { Flow, Propagator } from '../../smooth-arcs/flow';
import type { LinearFlight } from '../../smooth-arcs/linear-flight';
import { type FlightObserver, type ObservedParts, UnseenPart } from '../flow/flight-observer';
import { ACTIVE } from '../rows/row-laws';
import type { SkimArcs } from '../skim/skim-arcs';
import { FlowJacobian, StateSizes } from './flow-jacobian';

import { GrazeWatch } from './graze-watch';
import { SkimTangent } from './skim-tangent';
import { SeriesCarry } from './series-carry';
import { Saltation, type SaltationStatus } from './saltation';

/*
 * Disturbances at a start at which outputs are kept at zero, as of a body that rests on another one: those of
 * other motions of the model leave them there,
 *
 *     C δq = 0,     C δv + ∂(C v)/∂q δq = 0,     C δx = 0  (first order).
 *
 * Any others are brought there by the smallest change in the metric of the mass matrix (`drift.ts` does the
 * same to states). What is across is taken away: there it has the multiplier 0.
 */

/**
 * @param frame n entries of each disturbance, one after the other; changed
 * @returns whether outputs are kept at all
 */
function keepOutputs(parts: ObservedParts, sizes: StateSizes, frame: Float64Array): boolean {
  const { flow, rows, flight, laws } = parts;
  if (flow.activeCount === 0) return false;
  const { clock } = flight;
  const n = flow.size;
  const x = flight.x.slice(0, n);
  const d = new Float64Array(laws.count);
  for (let at = 0; at < frame.length; at += n) {
    const column = frame.subarray(at, at + n);
    rows.update(clock, x);
    keepPositions(parts, column, d);
    flow.solveActive(clock, x, d);
    for (let a = 0; a < flow.activeCount; a++) {
      const row = flow.active[a];
      for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
        column[rows.dofs[k]] += d[row] * rows.response[k];
    }
    keepSpeeds(parts, sizes, x, column, d);
    flow.solveActive(clock, x, d);
    for (let a = 0; a < flow.activeCount; a++)
      if (d[flow.active[a]] !== 0) flow.push(flow.active[a], d, column);
  }
  rows.update(clock, x);
  return true;
}

/** −C δq, or −C δx, of rows whose outputs are kept. */
function keepPositions({ flow, rows, laws }: ObservedParts, column: Float64Array, d: Float64Array): void {
  d.fill(0);
  for (let row = 0; row < laws.count; row++) {
    if (flow.modes[row] !== ACTIVE || laws.degree[row] === 0 || laws.followsSpeed[row] === 1) continue;
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
      d[row] -= rows.C[k] * column[rows.dofs[k]];
  }
}

/** Likewise of speeds, with what the change of position makes of them where C depends on it. */
function keepSpeeds(
  { flow, rows, laws, flight: { clock } }: ObservedParts,
  sizes: StateSizes,
  x: Float64Array,
  column: Float64Array,
  d: Float64Array,
): void {
  const { coordinates, velocity } = flow.places;
  const bent = new Float64Array(laws.count);
  if (!rows.isConstant) {
    let step = Infinity;
    for (let dof = 0; dof < coordinates; dof++)
      if (column[dof] !== 0) step = Math.min(step, sizes.displacement(dof) / Math.abs(column[dof]));
    const [above, below] = [new Float64Array(laws.count), new Float64Array(laws.count)];
    for (const [sign, speeds] of [
      [1, above],
      [-1, below],
    ] as const) {
      const moved = x.slice();
      if (step < Infinity)
        for (let dof = 0; dof < coordinates; dof++)
          if (velocity[dof] !== dof) moved[dof] += sign * step * column[dof];
      rows.update(clock, moved);
      rows.speeds(clock, moved, speeds);
    }
    if (step < Infinity)
      for (let row = 0; row < laws.count; row++) bent[row] = (above[row] - below[row]) / (2 * step);
    rows.update(clock, x);
  }
  d.fill(0);
  for (let row = 0; row < laws.count; row++) {
    if (flow.modes[row] !== ACTIVE || laws.kind[row] === 'output') continue;
    d[row] = -bent[row];
    for (let k = rows.rowStart[row]; k < rows.rowStart[row + 1]; k++)
      d[row] -= rows.C[k] * column[velocity[rows.dofs[k]]];
  }
}

/** An event that could not be differentiated: what comes after it has no tangent. */
export interface TangentBreak {
  readonly status: Exclude<SaltationStatus, 'ok'>;
  /** s */
  readonly time: number;
  /** name of the row, or id of the reset */
  readonly element: string;
}

/** Who has to know of events. The frame may be written in both. */
export interface TangentWatch {
  /** an event is about to change the disturbances */
  eventBegins(): void;
  /**
   * It has, and may have left nothing of some of them but rounding.
   * @param rounding of each entry of the frame
   */
  eventEnded(rounding: Float64Array): void;
}

export class TangentMotion implements FlightObserver {
  /** n entries of each disturbance, one after the other; may be written between steps */
  readonly frame: Float64Array;
  /** first event that has no derivative; null where there was none */
  broken: TangentBreak | null = null;
  watch: TangentWatch | null = null;
  /**
   * whether outputs were kept at zero at the start, so that some disturbances are zero, or depend on the
   * others
   */
  readonly isKept: boolean;
  readonly saltation: Saltation;
  readonly #sizes: StateSizes;
  readonly #unseen = new UnseenPart();
  readonly #jacobian: FlowJacobian;
  readonly #series: SeriesCarry;
  /** where it turns round at a border, which `broken` does not contain */
  readonly grazes: GrazeWatch;
  /** Φ of the homogeneous motion, by system */
  readonly #propagators = new WeakMap<LinearFlight, Propagator>();
  #skim: SkimTangent | null = null;
  /** the arcs that it is for, and whether the motion is on them */
  #arcs: SkimArcs | null = null;
  #isSkimmed = false;
  readonly #x: Float64Array;
  readonly #column: Float64Array;
  readonly #clock = new Float64Array(1);
  readonly #time = new Float64Array(1);
  readonly #matrixAt: (place: Float64Array, out: Float64Array) => void;

  /**
   * @param count number of disturbances
   * @param isPlainLaw whether impacts follow Newton's law, or one that is the same for single contacts
   */
  constructor(
    private readonly parts: ObservedParts,
    readonly count: number,
    isPlainLaw: boolean,
  ) {
    const n = parts.flow.size;
    this.frame = new Float64Array(n * count);
    this.#sizes = new StateSizes(n);
    this.saltation = new Saltation(parts, this.#sizes, isPlainLaw, this.frame);
    this.#jacobian = new FlowJacobian(parts, this.#sizes);
    this.#series = new SeriesCarry(n, this.frame);
    this.grazes = new GrazeWatch(parts, this.#sizes);
    this.#x = new Float64Array(n);
    this.#column = new Float64Array(n);
    this.#matrixAt = (place, out) => {
      const { flight, joints } = parts;
      flight.sample(place, this.#x);
      this.#clock[0] = flight.stretch[0] + place[0];
      joints.complete(this.#clock, this.#x);
      this.#jacobian.evaluate(this.#clock, this.#x, out);
    };
    this.#sizes.note(parts.flight.x);
    this.#identity();
    const { network } = this.saltation;
    const isNetwork = network !== null && parts.flow.network?.isEngaged === true;
    this.isKept = isNetwork ? network.keep(this.frame) : keepOutputs(parts, this.#sizes, this.frame);
  }

  /** Length of a disturbance. */
  get size(): number {
    return this.parts.flow.size;
  }

  /** Largest magnitudes of the components of the state so far. */
  get sizes(): Float64Array {
    return this.#sizes.values;
  }

  /** ẋ at the present, after the event if there is one. */
  readRate(out: Float64Array): void {
    const { flow, flight } = this.parts;
    flow.rate(flight.clock, flight.x, out);
  }

  /** The first disturbances become the unit vectors. */
  #identity(): void {
    this.frame.fill(0);
    for (let j = 0; j < Math.min(this.count, this.size); j++) this.frame[j * this.size + j] = 1;
  }

  /** What carries them where the motion is skimmed; null elsewhere. */
  #whereSkimmed(): SkimTangent | null {
    const { skimmed, linear } = this.parts.flight;
    if (skimmed === null || linear === null) {
      this.#isSkimmed = false;
      return null;
    }
    if (skimmed !== this.#arcs) {
      this.#arcs = skimmed;
      this.#skim = SkimTangent.of(this.parts, skimmed, linear, {
        span: this.#unseen.span,
        frame: this.frame,
        sizes: this.#sizes,
        grazes: this.grazes,
        saltation: this.saltation,
      });
    }
    if (!this.#isSkimmed) this.#skim?.begin();
    this.#isSkimmed = this.#skim !== null;
    return this.#skim;
  }

  passed(): void {
    const { flight } = this.parts;
    const skim = this.#whereSkimmed();
    if (skim !== null) {
      if (this.#unseen.look(flight.stretch)) skim.passed();
      return;
    }
    this.#sizes.note(flight.x);
    if (!this.#unseen.look(flight.stretch)) return;
    const { span } = this.#unseen;
    this.grazes.passed(span);
    const linear = flight.linear;
    if (linear !== null) this.#propagate(linear, span);
    else if (this.parts.flow.network?.isEngaged === true) this.#carryNetwork(span);
    else this.#series.carry(this.#matrixAt, span);
  }

  /** Of a network the matrix is constant where sources are not known well enough for exact arcs, too. */
  #carryNetwork(span: Float64Array): void {
    const { network } = this.saltation;
    const n = this.size;
    if (network === null) return;
    const rowMajor = expm(
      network.system().system.matrix.map((entry) => entry * (span[1] - span[0])),
      n,
    );
    this.#apply(Float64Array.from(rowMajor, (_, k) => rowMajor[(k % n) * n + Math.floor(k / n)]));
  }

  #propagate(linear: LinearFlight, span: Float64Array): void {
    let propagator = this.#propagators.get(linear);
    if (propagator === undefined) {
      propagator = this.#homogeneous(linear);
      this.#propagators.set(linear, propagator);
    }
    const n = this.size;
    this.#time[0] = span[1] - span[0];
    const column = this.#column;
    for (let j = 0; j < this.count; j++) {
      for (let i = 0; i < n; i++) column[i] = this.frame[j * n + i];
      propagator.carry(column, this.#time, column);
      for (let i = 0; i < n; i++) this.frame[j * n + i] = column[i];
    }
  }

  /**
   * The state's own part of the system: forces of time, which stand behind it, are the same for all motions.
   */
  #homogeneous({ system }: LinearFlight): Propagator {
    const n = this.size;
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) matrix[i * n + j] = system.matrix[i * system.size + j];
    const own = { size: n, matrix, constant: new Float64Array(n) };
    return new Propagator(own, new Flow(own));
  }

  eventBegins(): void {
    this.#unseen.leave();
    const skim = this.#whereSkimmed();
    if (skim !== null) {
      skim.eventBegins();
      this.saltation.forget();
      this.watch?.eventBegins();
      return;
    }
    this.grazes.eventBegins();
    this.#sizes.note(this.parts.flight.x);
    this.saltation.begin();
    if (this.watch !== null) this.saltation.forget();
    this.watch?.eventBegins();
  }

  eventEnded(): void {
    const { saltation, parts } = this;
    const skim = this.#whereSkimmed();
    if (skim !== null) {
      if (!skim.eventEnded()) this.#break('grazing', parts.laws.names[parts.flight.skimmed?.row ?? 0]);
      return;
    }
    saltation.end();
    if (saltation.status !== 'ok') {
      const other = saltation.reset === '' ? (parts.conditions?.lastOne ?? '') : saltation.reset;
      const element = saltation.row < 0 ? other : parts.laws.names[saltation.row];
      this.#break(saltation.status, element);
    }
    if (saltation.isIdentity) return;
    const mayVanish = this.watch !== null && saltation.mayBeSingular;
    const rounding = mayVanish ? roundingOf(saltation.rounding, this.frame, this.size) : null;
    this.#apply(saltation.matrix);
    if (rounding !== null) this.watch?.eventEnded(rounding);
  }

  #break(status: TangentBreak['status'], element: string): void {
    this.broken ??= { status, time: this.parts.flight.clock[0], element };
  }

  #apply(matrix: Float64Array): void {
    const n = this.size;
    const column = this.#column;
    for (let at = 0; at < this.frame.length; at += n) {
      column.fill(0);
      for (let j = 0; j < n; j++) {
        const value = this.frame[at + j];
        if (value === 0) continue;
        for (let i = 0; i < n; i++) column[i] += matrix[i + n * j] * value;
      }
      for (let i = 0; i < n; i++) this.frame[at + i] = column[i];
    }
  }
}

/** What S may leave of rounding in the disturbances of a frame. @param rounding of S */
function roundingOf(rounding: Float64Array, frame: Float64Array, n: number): Float64Array {
  const out = new Float64Array(frame.length);
  for (let at = 0; at < frame.length; at += n)
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) out[at + i] += rounding[i + n * j] * Math.abs(frame[at + j]);
  return out;
}
