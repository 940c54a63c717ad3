/** The state vector of a row of the result, with the places of `simulation/layout.ts`. λ is the smooth force, not an impulse. */
import type { StatePlaces } from '../model/state-places';
import type { FreeMotion } from './free-motion';
import type { RowState } from './row-state';
import type { SmoothFlow } from './smooth-flow';

export class RowWriter {
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
