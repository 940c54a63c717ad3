/**
 * Rows of the result at any place of a stretch of the flight, in the present modes. Nothing is learnt from
 * them by the simulation: outputs are read without noting their magnitudes.
 */
import type { StatePlaces } from '../../model/state-places';
import type { ObservedParts } from '../flow/flight-observer';
import type { FreeMotion } from '../flow/free-motion';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { GraphRows } from './graph-rows';
import type { StepWriter } from '../../straight-line/writer';
import type { RowState, WrittenOutputs } from './row-state';

export class RowSampler {
  readonly #x: Float64Array;
  readonly #rate: Float64Array;
  readonly #lambda: Float64Array;
  readonly #values: Float64Array;
  readonly #speeds: Float64Array;
  readonly #laws: LawSignals;
  readonly #clock = new Float64Array(1);
  readonly #energy = new Float64Array(1);

  constructor(
    private readonly parts: ObservedParts,
    private readonly places: StatePlaces,
  ) {
    const { flow, laws } = parts;
    this.#x = new Float64Array(flow.size);
    this.#rate = new Float64Array(flow.size);
    this.#lambda = new Float64Array(laws.count);
    this.#values = new Float64Array(laws.count);
    this.#speeds = new Float64Array(laws.count);
    this.#laws = new LawSignals(places, parts.graphs);
  }

  /** @param place [0] s behind the start of the stretch @param row signals but observables; impulses are 0 */
  sample(place: Float64Array, row: Float64Array): void {
    const { flight, joints } = this.parts;
    flight.sample(place, this.#x);
    this.#clock[0] = flight.stretch[0] + place[0];
    joints.complete(this.#clock, this.#x);
    this.#write(row);
  }

  /** The present state. */
  present(row: Float64Array): void {
    const { flight } = this.parts;
    for (let i = 0; i < this.#x.length; i++) this.#x[i] = flight.x[i];
    this.#clock[0] = flight.clock[0];
    this.#write(row);
  }

  /** Any state near the present one, in the present modes. @param clock [0] s @param x not changed */
  at(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    for (let i = 0; i < this.#x.length; i++) this.#x[i] = x[i];
    this.#clock[0] = clock[0];
    this.#write(row);
  }

  #write(row: Float64Array): void {
    const { places } = this;
    const { flow, rows, motion } = this.parts;
    const { coordinates, positions, velocity } = flow.places;
    const x = this.#x;
    const clock = this.#clock;
    row[0] = clock[0];
    for (let k = 0; k < positions; k++) row[places.q + k] = x[k];
    for (let dof = 0; dof < coordinates; dof++)
      row[places.v + dof] = velocity[dof] < positions ? 0 : x[velocity[dof]];
    if (flow.activeCount > 0) flow.rate(clock, x, this.#rate);
    for (let r = 0; r < this.#lambda.length; r++) this.#lambda[r] = flow.lambda[r];
    rows.update(clock, x);
    rows.outputs(clock, x, this.#lambda, this.#values);
    rows.speeds(clock, x, this.#speeds);
    this.#laws.write(clock, x, this.#lambda, this.#values, this.#speeds, row);
    if (places.impulse >= 0) for (let r = 0; r < places.rows; r++) row[places.impulse + r] = 0;
    if (places.kinetic >= 0) {
      motion.kineticEnergy(clock, x, this.#energy);
      row[places.kinetic] = this.#energy[0];
    }
    if (places.potential >= 0) {
      motion.potentialEnergy(clock, x, this.#energy);
      row[places.potential] = this.#energy[0];
    }
  }
}

/*
 * The state vector of a row of the result, with the places of `simulation/layout.ts`. λ is the smooth force,
 * not an impulse.
 */

/** Relative difference of values before and after an event that is none. */
const SAME_ROW = 64 * Number.EPSILON;

/** Whether the rows before and after an event differ by more than rounding. */
export function hasJumped(before: Float64Array, state: Float64Array): boolean {
  for (let i = 0; i < state.length; i++)
    if (Math.abs(state[i] - before[i]) > SAME_ROW * (Math.abs(state[i]) + Math.abs(before[i]))) return true;
  return false;
}

/** y, ẏ and λ of the rows of the model, from those of the scheme, into a row of the result. */
class LawSignals {
  readonly #y: Float64Array;
  readonly #speed: Float64Array;
  readonly #lambda: Float64Array;

  constructor(
    private readonly places: StatePlaces,
    private readonly graphs: GraphRows | null,
  ) {
    const count = graphs === null ? 0 : graphs.count;
    this.#y = new Float64Array(count);
    this.#speed = new Float64Array(count);
    this.#lambda = new Float64Array(count);
  }

  write(
    clock: Float64Array,
    x: Float64Array,
    lambda: Float64Array,
    y: Float64Array,
    speed: Float64Array,
    row: Float64Array,
  ): void {
    const { places, graphs } = this;
    if (graphs !== null) graphs.outputs(clock, x, lambda, y, speed, this.#y, this.#speed);
    const [ys, speeds] = graphs === null ? [y, speed] : [this.#y, this.#speed];
    for (let r = 0; r < places.rows; r++) {
      row[places.y + r] = ys[r];
      row[places.yDot + r] = speeds[r];
    }
    this.writeMultipliers(lambda, row);
  }

  writeMultipliers(lambda: Float64Array, row: Float64Array): void {
    const { places, graphs } = this;
    graphs?.sum(lambda, this.#lambda);
    const values = graphs === null ? lambda : this.#lambda;
    for (let r = 0; r < places.rows; r++) row[places.lambda + r] = values[r];
  }
}

export class RowWriter {
  readonly #energy = new Float64Array(1);
  readonly #rate: Float64Array;
  readonly #laws: LawSignals;

  constructor(
    private readonly places: StatePlaces,
    private readonly motion: FreeMotion,
    private readonly flow: SmoothFlow,
    private readonly state: RowState,
    graphs: GraphRows | null,
  ) {
    this.#rate = new Float64Array(flow.size);
    this.#laws = new LawSignals(places, graphs);
  }

  /**
   * Writes the state x in the present modes; reads the outputs. Observables and parameters are left alone.
   */
  write(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    if (this.flow.activeCount > 0) this.flow.rate(clock, x, this.#rate);
    this.state.read(clock, x);
    this.writeRead(clock, x, row);
  }

  /** The same where outputs and multipliers have been read. */
  writeRead(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    const { flow, state } = this;
    this.writeMotion(clock, x, row);
    this.#laws.write(clock, x, flow.lambda, state.y, state.speed, row);
    this.writeEnergies(clock, x, row);
  }

  /**
   * Writes `writeRead` of open contacts.
   * @param x, y, speed names of the state, of outputs and of their rates
   * @returns whether energies are in it
   */
  writeText(
    w: StepWriter,
    row: Float64Array,
    time: string,
    x: readonly string[],
    { y, speed }: Pick<WrittenOutputs, 'y' | 'speed'>,
  ): boolean {
    const { places } = this;
    const { coordinates, positions, velocity } = this.flow.places;
    const name = w.bind(row);
    w.line(`${name}[0] = ${time};`);
    for (let k = 0; k < positions; k++) w.line(`${name}[${places.q + k}] = ${x[k]};`);
    for (let dof = 0; dof < coordinates; dof++)
      w.line(`${name}[${places.v + dof}] = ${velocity[dof] < positions ? '0' : x[velocity[dof]]};`);
    y.forEach((value, r) => {
      w.line(`${name}[${places.y + r}] = ${value}; ${name}[${places.yDot + r}] = ${speed[r]};`);
      w.line(`${name}[${places.lambda + r}] = 0;`);
    });
    const energies = this.motion.writeEnergies(w, x);
    if (energies === null) return false;
    if (places.kinetic >= 0) w.line(`${name}[${places.kinetic}] = ${energies.kinetic};`);
    if (places.potential >= 0) w.line(`${name}[${places.potential}] = ${energies.potential};`);
    return true;
  }

  /** Energies of the state x into a row. */
  writeEnergies(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    const { places, motion } = this;
    if (places.kinetic >= 0) {
      motion.kineticEnergy(clock, x, this.#energy);
      row[places.kinetic] = this.#energy[0];
    }
    if (places.potential >= 0) {
      motion.potentialEnergy(clock, x, this.#energy);
      row[places.potential] = this.#energy[0];
    }
  }

  /** Time, q, v and λ only; outputs are not read, so that nothing is learnt of their magnitudes. */
  writeFlight(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    const { flow } = this;
    this.writeMotion(clock, x, row);
    if (flow.activeCount > 0) flow.rate(clock, x, this.#rate);
    this.#laws.writeMultipliers(flow.lambda, row);
  }

  /** Time, q and v only. */
  writeMotion(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    const { places } = this;
    const { coordinates, positions, velocity } = this.flow.places;
    row[0] = clock[0];
    for (let k = 0; k < positions; k++) row[places.q + k] = x[k];
    for (let dof = 0; dof < coordinates; dof++)
      row[places.v + dof] = velocity[dof] < positions ? 0 : x[velocity[dof]];
  }
}
