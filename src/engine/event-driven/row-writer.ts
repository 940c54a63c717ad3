/** The state vector of a row of the result, with the places of `simulation/layout.ts`. λ is the smooth force, not an impulse. */
import type { StatePlaces } from '../simulation/layout';
import type { FreeMotion } from './free-motion';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';

/** A jump is looked for up to so far before the event, in roundings of the time: a phase made of the time has lost a few. */
const FURTHEST = 256;

export class RowWriter {
  readonly #earlier = new Float64Array(1);
  readonly #energy = new Float64Array(1);
  readonly #rate: Float64Array;

  constructor(
    private readonly places: StatePlaces,
    private readonly motion: FreeMotion,
    private readonly flow: SmoothFlow,
    private readonly state: RowState,
  ) {
    this.#rate = new Float64Array(flow.size);
  }

  /** Writes the state x in the present modes; reads the outputs. Observables and parameters are left alone. */
  write(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    const { places, flow, state, motion } = this;
    this.writeMotion(clock, x, row);
    if (flow.activeCount > 0) flow.rate(clock, x, this.#rate);
    state.read(clock, x);
    for (let r = 0; r < places.rows; r++) {
      row[places.y + r] = state.y[r];
      row[places.yDot + r] = state.speed[r];
      row[places.lambda + r] = flow.lambda[r];
    }
    if (places.kinetic >= 0) {
      motion.kineticEnergy(clock, x, this.#energy);
      row[places.kinetic] = this.#energy[0];
    }
    if (places.potential >= 0) {
      motion.potentialEnergy(clock, x, this.#energy);
      row[places.potential] = this.#energy[0];
    }
  }

  /**
   * Where the prescribed motion of a relation, or a force, jumps at an event, the event is behind the jump, and so are the multipliers there:
   * forces of closed contacts that pull. Those of the row before the event are the limit from the left.
   * @param row as it has been written for the present
   * @param isContact 1 for rows whose multipliers are not negative
   */
  writeForcesBefore(clock: Float64Array, x: Float64Array, row: Float64Array, isContact: Uint8Array): void {
    const { places, flow } = this;
    if (!this.#pulls(isContact)) return;
    const ulp = Math.max(Math.abs(clock[0]), Number.MIN_VALUE) * Number.EPSILON;
    for (let back = 1; back <= FURTHEST; back *= 2) {
      this.#earlier[0] = clock[0] - back * ulp;
      flow.rate(this.#earlier, x, this.#rate);
      if (this.#pulls(isContact)) continue;
      for (let r = 0; r < places.rows; r++) row[places.lambda + r] = flow.lambda[r];
      break;
    }
    flow.rate(clock, x, this.#rate);
  }

  #pulls(isContact: Uint8Array): boolean {
    const { lambda } = this.flow;
    for (let r = 0; r < lambda.length; r++) if (isContact[r] === 1 && lambda[r] < 0) return true;
    return false;
  }

  /** Time, q, v and λ only; outputs are not read, so that nothing is learnt of their magnitudes. */
  writeFlight(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    const { places, flow } = this;
    this.writeMotion(clock, x, row);
    if (flow.activeCount > 0) flow.rate(clock, x, this.#rate);
    for (let r = 0; r < places.rows; r++) row[places.lambda + r] = flow.lambda[r];
  }

  /** Time, q and v only. */
  writeMotion(clock: Float64Array, x: Float64Array, row: Float64Array): void {
    const { places } = this;
    const { coordinates, velocity } = this.flow.places;
    row[0] = clock[0];
    for (let dof = 0; dof < coordinates; dof++) {
      row[places.q + dof] = x[dof];
      row[places.v + dof] = velocity[dof] === dof ? 0 : x[velocity[dof]];
    }
  }
}
