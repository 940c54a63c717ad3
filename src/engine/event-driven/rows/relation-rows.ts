/**
 * The relations at a state: outputs y, their derivatives, and the directions in which multipliers act. With C
 * = ∇_q h,
 *
 *     ẏ = C v + ∂h/∂t,     ÿ = C v̇ + γ     (Lagrangian),          ẏ = C ẋ + ∂h/∂t + D λ̇     (first order);
 *
 * γ and ∂h/∂t of first-order relations are `relation-drift.ts`. Baumgarte's stabilisation of joints asks for
 * ÿ + 2α ẏ + β² (y − y₀) = 0 in place of ÿ = 0, which adds the two terms to γ of their rows.
 */
import { type NonSmoothDynamicalSystem, type Relation, linkedPlaces, velocitiesOf } from '../../model/nsds';
import type { FreeMotion, IntegratedPlaces } from '../flow/free-motion';
import { RelationDrift, createWindow } from '../../model/relation-drift';
import type { StepWriter, Term } from '../../straight-line/writer';
import type { AnalyticForces } from '../flow/analytic-forces';
import type { GraphElement } from './graph-elements';
import type { RowLaws } from './row-laws';

/** One relation with its workspace. */
interface Evaluated {
  readonly relation: Relation;
  readonly row: number;
  readonly systems: readonly number[];
  /** coordinates of its systems, and places in x of their positions */
  readonly dofs: Int32Array;
  readonly positions: Int32Array;
  /** place in x that the rate of each coordinate has: its velocity or the first-order state itself */
  readonly rates: Int32Array;
  readonly z: Float64Array;
  readonly v: Float64Array;
  readonly y: Float64Array;
  readonly lambda: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  readonly drift: RelationDrift;
  /** e of a relation y = C z + e with constants, which needs no function; null of others */
  readonly offset: Float64Array | null;
  /** sloped elements of graphs on ẏ, with their numbers among the rows */
  readonly dashpots: readonly (readonly [number, GraphElement])[];
  /** ∂h/∂t of their relation */
  readonly moved: Float64Array;
}

/** y at z = 0 of a relation that is C z + e with constants, else null. */
function constantOffset(relation: Relation): Float64Array | null {
  const { isAffine, isTimeDependent, hasFeedthrough, size, columns, C } = relation;
  if (C === null || !isAffine || isTimeDependent || hasFeedthrough) return null;
  const offset = new Float64Array(size);
  relation.output(new Float64Array(1), new Float64Array(columns), new Float64Array(size), offset);
  return offset;
}

export class EventRelations {
  /** first entry of each row in the arrays below */
  readonly rowStart: Int32Array;
  /** coordinates that the entries belong to */
  readonly dofs: Int32Array;
  /** C by row */
  readonly C: Float64Array;
  /** the input direction of the multiplier, column of B or of ᵗC */
  readonly input: Float64Array;
  /** M⁻¹ times that */
  readonly response: Float64Array;
  /**
   * [0] last and [1] next time at which functions of time may jump, s: they are not differentiated across it
   */
  readonly window = createWindow();
  /** whether C and the response are the same at all states */
  readonly isConstant: boolean;
  /**
   * offsets and their derivatives by row, in place of those of which the relations say what they are, where
   * their effect is asked for; null otherwise
   */
  probe: { readonly offsets: Float64Array; readonly drifts: Float64Array } | null = null;
  /** what relations say of their offsets, while it is right; null where nothing is known */
  known: AnalyticForces | null = null;
  readonly #evaluated: readonly Evaluated[];
  /** number of the interaction, by row */
  readonly #owners: Int32Array;
  /** those of Lagrangian relations that move by themselves */
  readonly #moving: readonly Evaluated[];
  readonly #velocity: Int32Array;
  /** room for ∂h/∂t by row */
  readonly #walls: Float64Array;
  /** α and β² of Baumgarte's stabilisation; 0 for none */
  readonly #gains = new Float64Array(2);
  /** y₀ by row, for joints that are stabilised */
  #targets: Float64Array = new Float64Array(0);
  readonly #rates: Float64Array;
  readonly #outputs: Float64Array;
  readonly #none: Float64Array;
  #isReady = false;

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly laws: RowLaws,
    private readonly places: IntegratedPlaces,
    private readonly motion: FreeMotion,
    /** δ of the differences, s */
    readonly difference: number,
  ) {
    this.#velocity = places.velocity;
    this.#walls = new Float64Array(laws.count);
    this.#rates = new Float64Array(laws.count);
    this.#outputs = new Float64Array(laws.count);
    this.#none = new Float64Array(laws.count);
    const dofsOf = model.interactions.map(({ systems }) => linkedPlaces(places.offsets, systems));
    this.rowStart = new Int32Array(laws.count + 1);
    this.#owners = new Int32Array(laws.count);
    const all: number[] = [];
    model.interactions.forEach(({ relation }, i) => {
      for (let r = 0; r < relation.size; r++) {
        all.push(...dofsOf[i]);
        this.rowStart[laws.offsets[i] + r + 1] = all.length;
        this.#owners[laws.offsets[i] + r] = i;
      }
    });
    this.dofs = Int32Array.from(all);
    this.C = new Float64Array(all.length);
    this.input = new Float64Array(all.length);
    this.response = new Float64Array(all.length);
    this.#evaluated = model.interactions.map(({ relation, systems }, i) => ({
      relation,
      row: laws.offsets[i],
      systems,
      dofs: dofsOf[i],
      positions: linkedPlaces(places.positionOffsets, systems),
      rates: Int32Array.from(dofsOf[i], (dof) => places.velocity[dof]),
      z: new Float64Array(relation.columns),
      v: new Float64Array(velocitiesOf(relation)),
      y: new Float64Array(relation.size),
      lambda: new Float64Array(relation.size),
      C: new Float64Array(relation.size * velocitiesOf(relation)),
      D: new Float64Array(relation.size * relation.size),
      drift: new RelationDrift(relation, difference, this.window),
      offset: constantOffset(relation),
      moved: new Float64Array(relation.size),
      dashpots: Array.from({ length: relation.size }, (_, r) => r).flatMap((r): [number, GraphElement][] => {
        const element = laws.dashpots[laws.offsets[i] + r];
        return element === null ? [] : [[r, element]];
      }),
    }));
    this.#moving = this.#evaluated.filter(({ relation }) => relation.order === 2 && relation.isTimeDependent);
    this.isConstant = motion.isConstant && this.#evaluated.every(({ relation }) => relation.C !== null);
  }

  /**
   * Brings C, input directions and responses to the state, and masses before that unless they are there
   * already.
   */
  update(clock: Float64Array, x: Float64Array, hasMasses = false): void {
    if (this.#isReady && this.isConstant) return;
    if (!hasMasses && !this.motion.isConstant) this.motion.updateMasses(x);
    for (let e = 0; e < this.#evaluated.length; e++) {
      const evaluated = this.#evaluated[e];
      if (!this.#isReady || evaluated.relation.C === null) this.#readJacobian(evaluated, clock, x);
      if (!this.#isReady || evaluated.relation.C === null || !this.motion.isConstant)
        this.#respond(evaluated);
    }
    this.#isReady = true;
  }

  #readJacobian(evaluated: Evaluated, clock: Float64Array, x: Float64Array): void {
    const { relation, row, z, lambda, D, dofs, positions } = evaluated;
    const { size } = relation;
    const columns = dofs.length;
    const at = this.rowStart[row];
    let C = relation.C;
    if (C === null) {
      C = evaluated.C;
      for (let k = 0; k < z.length; k++) z[k] = x[positions[k]];
      lambda.fill(0);
      relation.outputJacobians(clock, z, lambda, C, D);
    }
    // Rows of C follow one another in the arrays as they do in C.
    for (let k = 0; k < size * columns; k++) this.C[at + k] = C[k];
    const { B } = relation;
    for (let r = 0; r < size; r++) {
      for (let k = 0; k < columns; k++)
        this.input[at + r * columns + k] =
          B === null ? this.laws.sign[row + r] * C[r * columns + k] : B[k * size + r];
    }
  }

  #respond({ relation, row, systems, dofs }: Evaluated): void {
    const { offsets } = this.places;
    for (let r = 0; r < relation.size; r++) {
      let at = this.rowStart[row + r];
      for (let k = 0; k < dofs.length; k++) this.response[at + k] = this.input[at + k];
      for (let s = 0; s < systems.length; s++) {
        this.motion.applyInverse(systems[s], this.response, at);
        at += offsets[systems[s] + 1] - offsets[systems[s]];
      }
    }
  }

  /** By row, the rows that have a system in common with it, itself among them, ascending. */
  neighbours(): number[][] {
    const rowsOf: number[][] = [];
    for (const { systems, row, relation } of this.#evaluated)
      for (const s of systems) for (let r = 0; r < relation.size; r++) (rowsOf[s] ??= []).push(row + r);
    return this.#evaluated.flatMap(({ systems, relation }) => {
      const near = [...new Set(systems.flatMap((s) => rowsOf[s]))].sort((a, b) => a - b);
      return Array.from({ length: relation.size }, () => near);
    });
  }

  /** D of degree-0 rows: entry [r, s] of rows of one interaction, 0 of others. */
  feedthrough(row: number, other: number): number {
    if (this.laws.degree[row] !== 0 || this.#owners[other] !== this.#owners[row]) return 0;
    const { relation, row: first } = this.#evaluated[this.#owners[row]];
    return relation.D === null ? 0 : relation.D[(row - first) * relation.size + other - first];
  }

  /** y of all rows. @param lambda by row, for rows that y depends on */
  outputs(clock: Float64Array, x: Float64Array, lambda: Float64Array, out: Float64Array): void {
    for (let e = 0; e < this.#evaluated.length; e++) {
      const evaluated = this.#evaluated[e];
      const { relation, row, positions, z, y, lambda: own, offset } = evaluated;
      if (offset !== null && this.#isReady) {
        this.#gather(row, offset, x, out);
        continue;
      }
      for (let k = 0; k < z.length; k++) z[k] = x[positions[k]];
      for (let r = 0; r < own.length; r++) own[r] = lambda[row + r];
      if (this.probe !== null && this.known !== null && relation.offsets !== undefined)
        this.#answer(evaluated, this.probe.offsets, y);
      else relation.output(clock, z, own, y);
      if (evaluated.dashpots.length > 0) this.#yieldBySpeed(evaluated, clock, x);
      for (let r = 0; r < y.length; r++) out[row + r] = y[r];
    }
  }

  /** C z + D λ and the offsets of a probe. */
  #answer({ relation, row, z, lambda }: Evaluated, offsets: Float64Array, y: Float64Array): void {
    const { C, D, columns } = relation;
    for (let r = 0; r < y.length; r++) {
      let sum = offsets[row + r];
      for (let k = 0; k < columns && C !== null; k++) sum += C[r * columns + k] * z[k];
      for (let s = 0; s < y.length && D !== null; s++) sum += D[r * y.length + s] * lambda[s];
      y[r] = sum;
    }
  }

  /** ẏ − y_k + c_k (μ − m_k) of sloped elements on ẏ, in place of their y. */
  #yieldBySpeed(evaluated: Evaluated, clock: Float64Array, x: Float64Array): void {
    const { relation, row, rates, z, y, lambda, moved, dashpots } = evaluated;
    this.update(clock, x);
    if (relation.isTimeDependent) relation.timeDerivative(clock, z, moved);
    for (const [r, { target, compliance, reference }] of dashpots) {
      let sum = moved[r];
      const at = this.rowStart[row + r];
      for (let k = 0; k < rates.length; k++) sum += this.C[at + k] * x[rates[k]];
      y[r] = sum - target + compliance * (lambda[r] - reference);
    }
  }

  /** C z + e of the rows of a relation, with the sums of its function. */
  #gather(row: number, offset: Float64Array, x: Float64Array, out: Float64Array): void {
    for (let r = 0; r < offset.length; r++) {
      let sum = offset[r];
      for (let k = this.rowStart[row + r]; k < this.rowStart[row + r + 1]; k++)
        sum += this.C[k] * x[this.places.position[this.dofs[k]]];
      out[row + r] = sum;
    }
  }

  /** y of one row. */
  output(row: number, clock: Float64Array, x: Float64Array, lambda: Float64Array, out: Float64Array): void {
    const evaluated = this.#evaluated[this.#owners[row]];
    const { relation, row: first, positions, z, y, lambda: own } = evaluated;
    for (let k = 0; k < z.length; k++) z[k] = x[positions[k]];
    for (let r = 0; r < own.length; r++) own[r] = lambda[first + r];
    relation.output(clock, z, own, y);
    if (evaluated.dashpots.length > 0) this.#yieldBySpeed(evaluated, clock, x);
    out[0] = y[row - first];
  }

  /** ∂h/∂t of Lagrangian rows, 0 of others. */
  timeDerivatives(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    for (let row = 0; row < out.length; row++) out[row] = 0;
    for (let e = 0; e < this.#moving.length; e++) {
      const { relation, row, positions, z, y } = this.#moving[e];
      for (let k = 0; k < z.length; k++) z[k] = x[positions[k]];
      relation.timeDerivative(clock, z, y);
      for (let r = 0; r < y.length; r++) out[row + r] = y[r];
    }
  }

  /** Whether the output of a row depends on time by itself. */
  isTimed(row: number): boolean {
    return this.#evaluated.some(
      ({ relation, row: first }) => relation.isTimeDependent && row >= first && row < first + relation.size,
    );
  }

  /** ẏ = C v + ∂h/∂t of Lagrangian rows, 0 of others, with C of the last `update`. */
  speeds(clock: Float64Array, x: Float64Array, out: Float64Array, walls = this.#walls): void {
    if (this.#moving.length > 0) this.timeDerivatives(clock, x, walls);
    this.speedsAgain(x, walls, out);
  }

  /**
   * Writes `outputs` without multipliers, where C is constant.
   * @param x names of the components of the state
   * @returns names of y
   */
  writeOutputs(w: StepWriter, clock: Float64Array, x: readonly string[]): string[] {
    return this.#evaluated.flatMap(({ relation, row, offset, positions, z, y, lambda }) => {
      const rows = Array.from({ length: relation.size }, (_, r) => r);
      if (offset !== null)
        return rows.map((r) => {
          const own = offset[r] === 0 ? '' : w.literal(offset[r]);
          return w.constant(w.add(own, this.#termsOf(row + r, x, this.places.position)));
        });
      positions.forEach((at, k) => {
        w.line(`${w.bind(z)}[${k}] = ${x[at]};`);
      });
      const none = w.bind(new Float64Array(lambda.length));
      w.line(`${w.bind(relation)}.output(${w.bind(clock)}, ${w.bind(z)}, ${none}, ${w.bind(y)});`);
      return rows.map((r) => w.constant(`${w.bind(y)}[${r}]`));
    });
  }

  /** Writes `timeDerivatives`. @returns names of ∂h/∂t, empty where it is zero */
  writeTimeDerivatives(w: StepWriter, clock: Float64Array, x: readonly string[]): string[] {
    const names = new Array<string>(this.laws.count).fill('');
    for (const { relation, row, positions, z, moved } of this.#moving) {
      positions.forEach((at, k) => {
        w.line(`${w.bind(z)}[${k}] = ${x[at]};`);
      });
      w.line(`${w.bind(relation)}.timeDerivative(${w.bind(clock)}, ${w.bind(z)}, ${w.bind(moved)});`);
      for (let r = 0; r < relation.size; r++) names[row + r] = w.constant(`${w.bind(moved)}[${r}]`);
    }
    return names;
  }

  /** Writes `speedsAgain` of contacts. @param walls their ∂h/∂t, as it is written @returns names of ẏ */
  writeSpeeds(w: StepWriter, walls: readonly string[], x: readonly string[]): string[] {
    return walls.map((wall, row) => w.constant(w.add(wall, this.#termsOf(row, x, this.#velocity))));
  }

  /** C_rk x_k. @param place of each coordinate in x */
  #termsOf(row: number, x: readonly string[], place: Int32Array): Term[] {
    return this.entriesOf(row).map(([value, dof]) => [value, x[place[dof]]]);
  }

  /** Entries of C of a row that are not zero, with their coordinates. */
  entriesOf(row: number): (readonly [value: number, dof: number])[] {
    const entries: (readonly [number, number])[] = [];
    for (let k = this.rowStart[row]; k < this.rowStart[row + 1]; k++)
      if (this.C[k] !== 0) entries.push([this.C[k], this.dofs[k]]);
    return entries;
  }

  /** The same where velocities alone are other ones than when walls were read. @param walls ∂h/∂t by row */
  speedsAgain(x: Float64Array, walls: Float64Array, out: Float64Array): void {
    const velocity = this.#velocity;
    for (let row = 0; row < this.laws.count; row++) {
      if (this.laws.kind[row] === 'output') {
        out[row] = 0;
        continue;
      }
      let sum = walls[row] - this.laws.speedTarget[row];
      for (let k = this.rowStart[row]; k < this.rowStart[row + 1]; k++)
        sum += this.C[k] * x[velocity[this.dofs[k]]];
      out[row] = sum;
    }
  }

  /**
   * Stabilises joints after Baumgarte.
   * @param targets y₀ by row, which is read where it stands
   */
  stabilise(alpha: number, beta: number, targets: Float64Array): void {
    this.#gains[0] = alpha;
    this.#gains[1] = beta * beta;
    this.#targets = targets;
  }

  /**
   * γ of Lagrangian rows, with what stabilises joints, and ∂h/∂t of first-order ones; C is that of the last
   * `update`.
   */
  drifts(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    out.fill(0);
    if (this.probe === null && this.known !== null) {
      this.known.read(clock);
      this.known.derive();
      this.known.addOutputs(out);
    }
    for (let e = 0; e < this.#evaluated.length; e++) {
      const { relation, row, positions, rates, z, v, y, drift } = this.#evaluated[e];
      if (!drift.isNeeded) continue;
      const isKnown = relation.offsets !== undefined && (this.probe ?? this.known) !== null;
      if (isKnown) {
        for (let r = 0; r < relation.size && this.probe !== null; r++)
          out[row + r] = this.probe.drifts[row + r];
        continue;
      }
      for (let k = 0; k < z.length; k++) z[k] = x[positions[k]];
      for (let k = 0; k < v.length; k++) v[k] = x[rates[k]];
      drift.read(clock, z, v, y);
      for (let r = 0; r < relation.size; r++) out[row + r] = y[r];
    }
    if (this.#targets.length > 0) this.#addStabilisation(clock, x, out);
  }

  #addStabilisation(clock: Float64Array, x: Float64Array, out: Float64Array): void {
    const { laws } = this;
    const outputs = this.#outputs;
    const rates = this.#rates;
    // Outputs of joints do not depend on multipliers.
    this.outputs(clock, x, this.#none, outputs);
    this.speeds(clock, x, rates);
    for (let row = 0; row < laws.count; row++) {
      if (laws.kind[row] !== 'joint') continue;
      out[row] += 2 * this.#gains[0] * rates[row] + this.#gains[1] * (outputs[row] - this.#targets[row]);
    }
  }
}
