/** What is recorded of joints and of relations that scripts give: coordinates, rates, forces. */
import type { ContactDynamics } from '../../contact-dynamics/contact-dynamics';
import type { CompiledSpace } from './compile';
import { GENERAL_NUMBERS, REACTION_NUMBERS, type SpacePlaces } from './layout';

/** Where the impulse of a row of a scripted relation stands: among those of equations, or of stops. */
interface RowImpulse {
  readonly isStop: boolean;
  readonly index: number;
}

export class JointSignals {
  /** coordinates of all joints, then rows of all scripted relations */
  readonly #values: Float64Array;
  readonly #rates: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #reaction = new Float64Array(REACTION_NUMBERS);
  readonly #impulses: readonly RowImpulse[];
  readonly #generalRows: number;

  constructor(
    private readonly space: CompiledSpace,
    private readonly dynamics: ContactDynamics,
    private readonly places: SpacePlaces,
    private readonly state: Float64Array,
  ) {
    const { coordinates, velocities } = space.system;
    const { count } = coordinates;
    this.#values = new Float64Array(count);
    this.#rates = new Float64Array(count);
    this.#jacobian = new Float64Array(count * velocities);
    this.#impulses = rowImpulses(space, dynamics);
    this.#generalRows = this.#impulses.length;
  }

  /** Writes them into the state vector. */
  write(): void {
    const count = this.#values.length;
    if (count > 0) this.#measure(count);
    this.#writeJoints();
    this.#writeGeneral(count - this.#generalRows);
  }

  #measure(count: number): void {
    const { coordinates, velocities } = this.space.system;
    const { q, u } = this.dynamics;
    this.#values.set(this.dynamics.coordinates);
    coordinates.jacobian(q, this.#jacobian, velocities, 'velocity');
    for (let k = 0; k < count; k++) {
      let sum = 0;
      for (let c = 0; c < velocities; c++) sum += this.#jacobian[k * velocities + c] * u[c];
      this.#rates[k] = sum;
    }
  }

  #writeJoints(): void {
    const { joints } = this.space;
    const { state, dynamics } = this;
    let slot = this.places.joints;
    let row = 0;
    for (let j = 0; j < joints.length; j++) {
      for (let k = 0; k < joints[j].relation.coordinates.length; k++, row++) {
        state[slot++] = this.#values[row];
        state[slot++] = this.#rates[row];
      }
      if (dynamics.steps > 0) dynamics.appliedOn(j, this.#reaction);
      for (let i = 0; i < REACTION_NUMBERS; i++) state[slot++] = this.#reaction[i];
    }
  }

  /** @param first place of their first row among all coordinates */
  #writeGeneral(first: number): void {
    const { state, dynamics } = this;
    const { h, reactions } = dynamics;
    for (let k = 0; k < this.#generalRows; k++) {
      const slot = this.places.general + GENERAL_NUMBERS * k;
      const { isStop, index } = this.#impulses[k];
      state[slot] = this.#values[first + k];
      state[slot + 1] = this.#rates[first + k];
      state[slot + 2] = (isStop ? reactions.ofRow(index) : reactions.ofEquation(index)) / h;
    }
  }
}

function rowImpulses({ joints, general }: CompiledSpace, { jointRows }: ContactDynamics): RowImpulse[] {
  let equation = joints.reduce((sum, { relation }) => sum + relation.rows, 0);
  return general.flatMap(({ relation, law }, g): RowImpulse[] => {
    if (law === null)
      return Array.from({ length: relation.size }, () => ({ isStop: false, index: equation++ }));
    const joint = joints.length + g;
    return [...jointRows.list.keys()]
      .filter((index) => jointRows.list[index].joint === joint)
      .map((index) => ({ isStop: true, index }));
  });
}
