/**
 * Formulations that integrate the independent coordinates v of the systems with joints (the DAE lecture
 * notes, “Coordinate Partitioning”). The dependent ones, u, follow from the joints at each evaluation,
 *
 *     Φ(u, v, t) = 0,     Φ_u u̇ = −Φ_t − Φ_v v̇,
 *
 * so that joints hold to rounding and no rate depends on what was integrated for u. The state keeps all
 * coordinates all the same: the integrator carries u along, where it serves Newton's method as a start, on
 * the right branch, and nothing else. In that way the choice of v may change without the state changing its
 * meaning.
 *
 * Simple partitioning takes v̈ out of the index-reduced solution for all accelerations. Full partitioning
 * solves for v̈ alone,
 *
 *     ᵗN M N v̈ = ᵗN M (a − g),   N = [H; I], H = −Φ_u⁻¹ Φ_v, g = [Φ_u⁻¹ γ; 0],
 *
 * with a the accelerations without joints. Contacts and relays have their multipliers from the index-reduced
 * equations of all ACTIVE rows in either case, and stand in a as forces.
 */
import { EngineError } from '../../errors';
import type { LastRow } from '../../linalg/full-pivoting';
import { DEFAULT_PARTITION, Partition } from '../../multibody/partition';
import { ReducedAccelerations, DependentCoordinates } from '../../multibody/reduced';
import { describeRedundancy, refuseRedundant } from '../../multibody/redundancy';
import { MOTION_STATUS_HELP, type MotionStatus } from '../../multibody/constrained-system';
import type { OdeSystem } from '../../smooth/ode-system';
import type { EventLog } from '../event-log';
import type { RowLaws } from '../rows/row-laws';
import type { SmoothFlow } from '../flow/smooth-flow';
import type { JointFormulation, NamedSwitch } from './formulation';
import { redundancyOf } from './initial-state';
import type { JointSystem } from './joint-system';

/**
 * ‖Φ_q‖ ‖Φ_u⁻¹‖ beyond which a failed integration is put down to the choice of coordinates: derivatives of
 * the reduced equations grow with its powers, and a good choice has about one.
 */
const SINGULAR = 100;

/** What an event of all joints leaves empty. */
const NO_ROW = { element: '', row: -1, before: 0, after: 0, impulse: 0, accumulation: null };

export class Partitioned implements JointFormulation {
  readonly system: OdeSystem;
  readonly partition: Partition;
  readonly #coordinates: DependentCoordinates;
  /** null for simple partitioning */
  readonly #reduced: ReducedAccelerations | null;
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  readonly #acceleration: Float64Array;
  readonly #x: Float64Array;
  readonly #minus: Float64Array;
  readonly #hasOtherRows: boolean;
  readonly #events: Pick<EventLog, 'push'>;
  #hasBegun = false;

  constructor(
    private readonly joints: JointSystem,
    private readonly laws: RowLaws,
    private readonly flow: SmoothFlow,
    { lastRow, isFull, events }: { lastRow: LastRow; isFull: boolean; events: Pick<EventLog, 'push'> },
  ) {
    this.#events = events;
    this.partition = new Partition(joints, { ...DEFAULT_PARTITION, lastRow });
    this.#coordinates = new DependentCoordinates(joints, this.partition);
    this.#reduced = isFull ? new ReducedAccelerations(joints, this.partition) : null;
    this.#q = new Float64Array(joints.size);
    this.#v = new Float64Array(joints.size);
    this.#acceleration = new Float64Array(joints.size);
    this.#x = new Float64Array(flow.size);
    this.#minus = new Float64Array(laws.count);
    this.#hasOtherRows = laws.kind.some((kind) => kind !== 'joint');
    this.system = {
      size: flow.size,
      rate: (clock, x, out) => {
        this.#rate(clock, x, out);
      },
    };
  }

  begin(clock: Float64Array, x: Float64Array): void {
    const { joints } = this;
    this.#gather(x);
    if (!this.#hasBegun) {
      const report = redundancyOf(joints, clock, this.#q, this.#v);
      refuseRedundant(report, clock);
    }
    this.#hasBegun = true;
    const status = this.partition.begin(clock, this.#q);
    if (status === 'ok') return;
    const report = redundancyOf(joints, clock, this.#q, this.#v);
    const { message, remedy } =
      MOTION_STATUS_HELP[status === 'notFinite' ? 'notFinite' : 'singularConstraints'];
    throw new EngineError({
      code: 'partition-singular',
      time: clock[0],
      message: `At t = ${clock[0]} s ${message}. ${describeRedundancy(report)}`.trimEnd(),
      remedy,
    });
  }

  #gather(x: Float64Array): void {
    const { coordinates, size } = this.joints;
    const { velocity } = this.flow.places;
    for (let k = 0; k < size; k++) {
      this.#q[k] = x[coordinates[k]];
      this.#v[k] = x[velocity[coordinates[k]]];
    }
  }

  complete(clock: Float64Array, x: Float64Array): MotionStatus {
    this.#gather(x);
    let status = this.#coordinates.position(clock, this.#q);
    if (status === 'ok') status = this.#coordinates.velocity(clock, this.#q, this.#v);
    if (status !== 'ok') return status;
    const { coordinates } = this.joints;
    const { velocity } = this.flow.places;
    const { dependent } = this.partition;
    for (let k = 0; k < dependent.length; k++) {
      const coordinate = coordinates[dependent[k]];
      x[coordinate] = this.#q[dependent[k]];
      x[velocity[coordinate]] = this.#v[dependent[k]];
    }
    return 'ok';
  }

  #rate(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    this.#x.set(x);
    if (this.complete(clock, this.#x) !== 'ok') {
      out.fill(NaN);
      return;
    }
    if (this.#reduced === null) this.flow.rate(clock, this.#x, out);
    else this.#reducedRate(this.#reduced, clock, out);
  }

  /** The rate of all systems, with accelerations of those with joints from the reduced equations. */
  #reducedRate(reduced: ReducedAccelerations, clock: Float64Array, out: Float64Array): void {
    const { flow, joints } = this;
    if (this.#hasOtherRows) {
      flow.rate(clock, this.#x, out);
      this.#withoutJoints(out);
    } else if (!flow.freeRate(clock, this.#x, out)) {
      return;
    }
    const { velocity } = flow.places;
    const acceleration = this.#acceleration;
    for (let k = 0; k < joints.size; k++) acceleration[k] = out[velocity[joints.coordinates[k]]];
    if (reduced.constrain(clock, this.#q, this.#v, acceleration) !== 'ok') {
      out.fill(NaN);
      return;
    }
    for (let k = 0; k < joints.size; k++) out[velocity[joints.coordinates[k]]] = acceleration[k];
  }

  /** Takes what the multipliers of joints do out of a rate that contains them. */
  #withoutJoints(out: Float64Array): void {
    const { flow, laws } = this;
    const minus = this.#minus;
    for (let a = 0; a < flow.activeCount; a++) {
      const row = flow.active[a];
      if (laws.kind[row] !== 'joint') continue;
      minus[row] = -flow.lambda[row];
      flow.push(row, minus, out);
    }
  }

  review(clock: Float64Array, x: Float64Array): boolean {
    const { partition, joints } = this;
    this.#gather(x);
    if (!partition.review(clock, this.#q, false)) return false;
    const last = partition.switches.pop();
    if (last === undefined) return false;
    const named = (list: readonly number[]): string[] => list.map((k) => joints.coordinateLabel(k));
    const change: NamedSwitch = { ...last, before: named(last.before), after: named(last.after) };
    this.#events.push({ ...NO_ROW, time: clock[0], kind: 'partition', partition: change });
    return true;
  }

  isSingular(clock: Float64Array, x: Float64Array): boolean {
    this.#gather(x);
    this.partition.measure(clock, this.#q);
    return !(this.partition.condition[1] < SINGULAR);
  }
}
