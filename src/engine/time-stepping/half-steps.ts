/**
 * What systems of `MoreauHalfStep` do around the one-step problem, and their joints. With V, W the velocities
 * before and after the middle of the step, and G = ∇φ of the joints φ(t, q) = 0,
 *
 *     V = v⁻ + M⁻¹ ᵗG(q⁻) μ,     q_½ = q⁻ + ½h V,     φ(t_½, q_½) = 0                 `begin`
 *     M (W − V) = h F + ᵗG(q_½) λ + ᵗH(q_½) R,
 *     q⁺ = q_½ + ½h W,     φ(t⁺, q⁺) = 0                              one-step problem, `correct`
 *     v⁺ = W + M⁻¹ ᵗG(q⁺) ν,     G(q⁺) v⁺ + ∂φ/∂t = 0                                 `finish`
 *
 * Both halves are half a step of RATTLE without forces (Andersen 1983), which moves along the joints; between
 * them stand forces, contacts, and what they do to the joints. Without contacts the step is symmetric, and
 * with forces that depend on q_½ alone symplectic: order 2, and an energy that does not drift. Laws on
 * velocities speak of H V and H W.
 *
 * The one-step problem has the joints' rows as G(q_½) W = b, and b is raised until φ(t⁺, q⁺) = 0: by −2φ/h,
 * which contracts by O(h) while W stays what it is. It starts at the b of the step run backwards, −G V − 2
 * ∂φ/∂t. Of joints that depend on one another b stays in the range of G M⁻¹ ᵗG. Recorded are μ + λ + ν, the
 * impulse of the whole step.
 *
 * Laws of equality on ẏ of relations that are no joints keep y at what it is at the start of the step. Rows
 * that yield under their multiplier, such as springs, hold at ½ (q⁻ + q⁺) and t_½ (`StepRelations.share`).
 */
import { Mass } from '../integrators/mass';
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import { SemidefiniteCholesky } from '../linalg/cholesky';
import type { LagrangianForm, RelationForm } from '../model/forms';
import { type NonSmoothDynamicalSystem, isHeld } from '../model/nsds';
import { isByHalfSteps } from './row-kinds';
import type { StepRelations } from './rows';

/*
 * Joints that hang together, φ(t, q) = 0, where half steps look at them: φ and φ̇, and what moves coordinates
 * along M⁻¹ ᵗG with G = ∇φ. The matrix G M⁻¹ ᵗG is kept with a diagonal of ones, so that rows in metres and
 * in radians count alike.
 */

export interface Joint {
  readonly id: string;
  readonly relation: RelationForm;
  /** first row in the model and in the group */
  readonly row: number;
  readonly first: number;
  readonly dofs: Int32Array;
  /** 1 for columns that are angles */
  readonly isAngle: Uint8Array;
  readonly systems: readonly number[];
  /** whether y keeps what it was at the start of the step */
  readonly isRelative: boolean;
  readonly target: Float64Array;
  readonly z: Float64Array;
  readonly y: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  /** M⁻¹ ᵗC, row by row of the relation */
  readonly response: Float64Array;
  readonly nothing: Float64Array;
}

/** Two joints that share systems, and the columns that are the same coordinate. */
export interface Pair {
  readonly a: Joint;
  readonly b: Joint;
  readonly columnsA: Int32Array;
  readonly columnsB: Int32Array;
}

export class JointGroup {
  /** rows */
  readonly size: number;
  /** φ, or multipliers */
  readonly x: Float64Array;
  /** G M⁻¹ ᵗG with a diagonal of ones, size × size, row-major */
  readonly matrix: Float64Array;
  readonly scale: Float64Array;
  readonly factor: SemidefiniteCholesky;
  readonly work: Float64Array;

  constructor(
    private readonly context: StepContext,
    private readonly masses: ReadonlyMap<number, Mass>,
    readonly joints: readonly Joint[],
    readonly pairs: readonly Pair[],
  ) {
    const size = joints.reduce((sum, { relation }) => sum + relation.size, 0);
    this.size = size;
    this.x = new Float64Array(size);
    this.matrix = new Float64Array(size * size);
    this.scale = new Float64Array(size);
    this.factor = new SemidefiniteCholesky(size);
    this.work = new Float64Array(size);
  }

  /** Whether its rows depend on one another where they were linearised. */
  get isRedundant(): boolean {
    return this.factor.rank < this.size;
  }

  /** Takes y of relations that are no joints for what they keep. */
  keep(clock: Float64Array, positions: Float64Array): void {
    const { joints } = this;
    const { q } = this.context;
    for (let n = 0; n < joints.length; n++) {
      const { relation, dofs, z, target, nothing, isRelative } = joints[n];
      if (!isRelative) continue;
      for (let j = 0; j < dofs.length; j++) z[j] = positions[q + dofs[j]];
      relation.output(clock, z, nothing, target);
    }
  }

  /** G, M⁻¹ ᵗG and the factors of G M⁻¹ ᵗG; masses have been placed. */
  linearise(clock: Float64Array, positions: Float64Array): void {
    for (let n = 0; n < this.joints.length; n++) this.#respond(this.joints[n], clock, positions);
    this.#factor();
  }

  /** x ← φ. Raises worst[0] to the largest relative to what cancels in it. */
  measure(clock: Float64Array, positions: Float64Array, worst: Float64Array): void {
    const { q, v, h, start } = this.context;
    const { joints, x } = this;
    for (let n = 0; n < joints.length; n++) {
      const { relation, dofs, isAngle, z, y, C, target, first, nothing } = joints[n];
      for (let j = 0; j < dofs.length; j++) z[j] = positions[q + dofs[j]];
      relation.output(clock, z, nothing, y);
      for (let r = 0; r < relation.size; r++) {
        const phi = y[r] - target[r];
        x[first + r] = phi;
        let terms = Math.abs(target[r]);
        for (let j = 0; j < dofs.length; j++) {
          const moved = h[0] * Math.abs(start[v + dofs[j]]);
          terms += Math.abs(C[r * dofs.length + j]) * (Math.abs(z[j]) + moved + isAngle[j]);
        }
        const relative = terms > 0 ? Math.abs(phi) / terms : Math.abs(phi);
        if (!(relative <= worst[0]) && !Number.isNaN(worst[0])) worst[0] = relative;
      }
    }
  }

  /** x ← φ̇, measured likewise. */
  measureRate(clock: Float64Array, state: Float64Array, worst: Float64Array): void {
    const { q, v } = this.context;
    const { joints, x } = this;
    for (let n = 0; n < joints.length; n++) {
      const { relation, dofs, z, y, C, first } = joints[n];
      for (let j = 0; j < dofs.length; j++) z[j] = state[q + dofs[j]];
      relation.timeDerivative(clock, z, y);
      for (let r = 0; r < relation.size; r++) {
        let sum = y[r];
        let terms = Math.abs(sum);
        for (let j = 0; j < dofs.length; j++) {
          const term = C[r * dofs.length + j] * state[v + dofs[j]];
          sum += term;
          terms += Math.abs(term);
        }
        x[first + r] = sum;
        const relative = terms > 0 ? Math.abs(sum) / terms : 0;
        if (!(relative <= worst[0]) && !Number.isNaN(worst[0])) worst[0] = relative;
      }
    }
  }

  /** x ← (G M⁻¹ ᵗG)⁻¹ x */
  solve(): void {
    const { size, scale, factor, x } = this;
    for (let i = 0; i < size; i++) x[i] *= scale[i];
    factor.solve(x);
    for (let i = 0; i < size; i++) x[i] *= scale[i];
  }

  /** x ← the part of it that G M⁻¹ ᵗG reaches. */
  project(): void {
    const { size, scale, x, work, matrix } = this;
    this.solve();
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += (matrix[i * size + j] / scale[j]) * x[j];
      work[i] = sum / scale[i];
    }
    x.set(work);
  }

  /** values ← values − M⁻¹ ᵗG x. @param from first slot of what is pushed */
  push(values: Float64Array, from: number): void {
    const { joints, x } = this;
    for (let n = 0; n < joints.length; n++) {
      const { relation, dofs, first, response } = joints[n];
      for (let r = 0; r < relation.size; r++) {
        const factor = x[first + r];
        for (let j = 0; j < dofs.length; j++)
          values[from + dofs[j]] -= factor * response[r * dofs.length + j];
      }
    }
  }

  /** Adds −x to impulses by row of the model. */
  enter(impulses: Float64Array): void {
    const { joints, x } = this;
    for (let n = 0; n < joints.length; n++) {
      const { relation, row, first } = joints[n];
      for (let r = 0; r < relation.size; r++) impulses[row + r] -= x[first + r];
    }
  }

  /** q_½ of the coordinates of the joints from V. */
  advance(): void {
    const { start, middle, q, v, h } = this.context;
    const { joints } = this;
    const half = 0.5 * h[0];
    for (let n = 0; n < joints.length; n++) {
      const { dofs } = joints[n];
      for (let j = 0; j < dofs.length; j++)
        middle[q + dofs[j]] = start[q + dofs[j]] + half * middle[v + dofs[j]];
    }
  }

  #respond(joint: Joint, clock: Float64Array, positions: Float64Array): void {
    const { relation, dofs, z, C, D, response, nothing, systems } = joint;
    const { q, offsets } = this.context;
    const { columns, size } = relation;
    for (let j = 0; j < columns; j++) z[j] = positions[q + dofs[j]];
    if (relation.C === null) relation.outputJacobians(clock, z, nothing, C, D);
    response.set(C);
    for (let r = 0; r < size; r++) {
      let column = r * columns;
      for (let s = 0; s < systems.length; s++) {
        const system = systems[s];
        this.masses.get(system)?.solve(response, column);
        column += offsets[system + 1] - offsets[system];
      }
    }
  }

  #factor(): void {
    const { pairs, size, matrix, scale, factor } = this;
    matrix.fill(0);
    for (let p = 0; p < pairs.length; p++) {
      const { a, b, columnsA, columnsB } = pairs[p];
      for (let i = 0; i < a.relation.size; i++)
        for (let j = 0; j < b.relation.size; j++) {
          let sum = 0;
          for (let k = 0; k < columnsA.length; k++)
            sum +=
              a.C[i * a.relation.columns + columnsA[k]] * b.response[j * b.relation.columns + columnsB[k]];
          matrix[(a.first + i) * size + b.first + j] = sum;
          matrix[(b.first + j) * size + a.first + i] = sum;
        }
    }
    for (let i = 0; i < size; i++) {
      const diagonal = matrix[i * size + i];
      scale[i] = diagonal > 0 ? 1 / Math.sqrt(diagonal) : 1;
    }
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) matrix[i * size + j] *= scale[i] * scale[j];
    factor.factor(matrix, size);
  }
}

/**
 * Joints by what hangs together through their systems.
 * @param held interactions that are joints
 * @param rowOffsets first row of each interaction
 */
function jointGroups(
  { systems, interactions }: NonSmoothDynamicalSystem,
  held: readonly number[],
  context: StepContext,
  masses: ReadonlyMap<number, Mass>,
  rowOffsets: Int32Array,
): JointGroup[] {
  const { offsets } = context;
  const parent = systems.map((_, s) => s);
  const root = (s: number): number => (parent[s] === s ? s : root(parent[s]));
  for (const i of held)
    for (const s of interactions[i].systems) parent[root(s)] = root(interactions[i].systems[0]);
  const members = new Map<number, number[]>();
  for (const i of held) {
    const key = root(interactions[i].systems[0]);
    members.set(key, [...(members.get(key) ?? []), i]);
  }
  return [...members.values()].map((group) => {
    let size = 0;
    const joints = group.map((i): Joint => {
      const { id, relation, systems: linked } = interactions[i];
      const { columns, size: count } = relation;
      const first = size;
      size += count;
      const units = linked.flatMap((s) => {
        const length = offsets[s + 1] - offsets[s];
        return Array.from({ length }, (_, k) => systems[s].units?.[k] ?? '');
      });
      return {
        id,
        relation,
        row: rowOffsets[i],
        first,
        dofs: Int32Array.from(
          linked.flatMap((s) =>
            Array.from({ length: offsets[s + 1] - offsets[s] }, (_, k) => offsets[s] + k),
          ),
        ),
        isAngle: Uint8Array.from(units, (unit) => (unit === 'rad' ? 1 : 0)),
        systems: linked,
        isRelative: relation.isJoint !== true,
        target: new Float64Array(count),
        z: new Float64Array(columns),
        y: new Float64Array(count),
        C: relation.C?.slice() ?? new Float64Array(count * columns),
        D: new Float64Array(count * count),
        response: new Float64Array(count * columns),
        nothing: new Float64Array(count),
      };
    });
    const pairs = joints.flatMap((a, n) =>
      joints.slice(n).flatMap((b): Pair[] => {
        const common = [...a.dofs].filter((dof) => b.dofs.includes(dof));
        if (common.length === 0) return [];
        const columnsOf = (joint: Joint): Int32Array =>
          Int32Array.from(common, (dof) => joint.dofs.indexOf(dof));
        return [{ a, b, columnsA: columnsOf(a), columnsB: columnsOf(b) }];
      }),
    );
    return new JointGroup(context, masses, joints, pairs);
  });
}

/** φ below this part of the magnitudes that cancel in it is rounding. */
const CLOSED = 16 * Number.EPSILON;
/**
 * Where φ is no longer halved, it is accepted below this part of them: arguments of sines may have lost more.
 */
const STAGNANT = 1e-10;
const MAX_ITERATIONS = 50;
/**
 * What the joints of an initial state may be off, in the same measure; above it they are closed before the
 * first step.
 */
const SETTLED = 1e-13;
const SETTLED_VELOCITY = 1e-12;

export class HalfSteps {
  /** whether the joints depend on one another where they were looked at last */
  isRedundant = false;
  readonly #systems: readonly { readonly dof: number; readonly size: number }[];
  readonly #masses: readonly Mass[];
  readonly #groups: readonly JointGroup[];
  readonly #joints: readonly Joint[];
  readonly #rows: Int32Array;
  /** μ by row of the model */
  readonly #impulse: Float64Array;
  /** [0] worst |φ|, or |φ̇|, relative to what cancels in it, and [1] that of the iteration before */
  readonly #worst = new Float64Array(2);

  constructor(
    model: NonSmoothDynamicalSystem,
    private readonly context: StepContext,
    private readonly rows: StepRelations,
    integratorOf: (system: number) => OneStepIntegrator,
  ) {
    const { offsets } = context;
    const hasMiddle = (s: number): boolean => integratorOf(s).hasMiddle === true;
    const systems = model.systems.map((_, s) => s).filter(hasMiddle);
    this.#systems = systems.map((s) => ({ dof: offsets[s], size: offsets[s + 1] - offsets[s] }));
    const held = model.interactions.flatMap((interaction, i) =>
      isByHalfSteps(interaction, hasMiddle) && isHeld(interaction) ? [i] : [],
    );
    const linked = new Set(held.flatMap((i) => model.interactions[i].systems));
    const masses = new Map(
      [...linked].map((s) => [s, new Mass(model.systems[s].form as LagrangianForm, offsets[s])] as const),
    );
    this.#masses = [...masses.values()];
    this.#groups = jointGroups(model, held, context, masses, rows.offsets);
    this.#joints = this.#groups.flatMap(({ joints }) => joints);
    this.#rows = Int32Array.from(
      this.#joints.flatMap(({ row, relation }) => Array.from({ length: relation.size }, (_, k) => row + k)),
    );
    this.#impulse = new Float64Array(rows.count);
  }

  get hasJoints(): boolean {
    return this.#joints.length > 0;
  }

  /**
   * Closes the joints of the present state, which a document or a change of parameters may have left open.
   * @returns false when it cannot
   */
  settle(): boolean {
    const { state, q, v, clock } = this.context;
    const worst = this.#worst;
    if (!this.hasJoints) return true;
    if (!this.#linearise(clock, state)) return false;
    for (let k = 0; k < this.#groups.length; k++) {
      const group = this.#groups[k];
      group.keep(clock, state);
      worst[0] = Number.POSITIVE_INFINITY;
      for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
        this.#next();
        group.measure(clock, state, worst);
        if (worst[0] <= SETTLED || this.#isClosed()) break;
        group.solve();
        group.push(state, q);
      }
      if (!(worst[0] <= STAGNANT)) return false;
    }
    if (!this.#linearise(clock, state)) return false;
    for (let k = 0; k < this.#groups.length; k++) {
      const group = this.#groups[k];
      worst[0] = 0;
      group.measureRate(clock, state, this.#worst);
      if (worst[0] <= SETTLED_VELOCITY) continue;
      group.solve();
      group.push(state, v);
    }
    return true;
  }

  /** q_½ and V from the start of the step, with the joints closed. @returns false when they cannot be */
  begin(): boolean {
    const { start, middle, q, v, h, clock0, halfClock } = this.context;
    halfClock[0] = clock0[0] + 0.5 * h[0];
    const half = 0.5 * h[0];
    for (let s = 0; s < this.#systems.length; s++) {
      const { dof, size } = this.#systems[s];
      for (let i = dof; i < dof + size; i++) {
        middle[v + i] = start[v + i];
        middle[q + i] = start[q + i] + half * start[v + i];
      }
    }
    if (!this.hasJoints) return true;
    this.#impulse.fill(0);
    if (!this.#linearise(clock0, start)) return false;
    const worst = this.#worst;
    for (let k = 0; k < this.#groups.length; k++) {
      const group = this.#groups[k];
      group.keep(clock0, start);
      worst[0] = Number.POSITIVE_INFINITY;
      for (let iteration = 0; ; iteration++) {
        this.#next();
        group.measure(halfClock, middle, worst);
        if (this.#isClosed()) break;
        if (iteration === MAX_ITERATIONS || !Number.isFinite(worst[0])) return false;
        group.solve();
        for (let r = 0; r < group.size; r++) group.x[r] *= 2 / h[0];
        group.push(middle, v);
        group.enter(this.#impulse);
        group.advance();
      }
    }
    return true;
  }

  /** Writes q_½ of its systems. @param positions indexed like the state */
  writeMiddle(positions: Float64Array): void {
    const { middle, q } = this.context;
    for (let s = 0; s < this.#systems.length; s++) {
      const { dof, size } = this.#systems[s];
      for (let i = q + dof; i < q + dof + size; i++) positions[i] = middle[i];
    }
  }

  /** b of the step run backwards, into the rows' constants. @param yDot ẏ of V in the middle, by row */
  expect(yDot: Float64Array): void {
    const { halfClock, middle, q } = this.context;
    const { base } = this.rows;
    for (let k = 0; k < this.#joints.length; k++) {
      const { relation, row, dofs, z, y } = this.#joints[k];
      for (let j = 0; j < dofs.length; j++) z[j] = middle[q + dofs[j]];
      relation.timeDerivative(halfClock, z, y);
      for (let r = 0; r < relation.size; r++) base[row + r] = y[r] + yDot[row + r];
    }
    this.#worst[0] = Number.POSITIVE_INFINITY;
  }

  /**
   * Raises b by what the joints are off at q⁺.
   * @returns whether they are closed; the problem has to be solved once more where not
   */
  correct(): boolean {
    const { clock, state, h } = this.context;
    const { base } = this.rows;
    this.#next();
    for (let k = 0; k < this.#groups.length; k++) this.#groups[k].measure(clock, state, this.#worst);
    if (this.#isClosed()) return true;
    for (let k = 0; k < this.#groups.length; k++) {
      const group = this.#groups[k];
      if (group.isRedundant) group.project();
      for (let n = 0; n < group.joints.length; n++) {
        const { relation, row, first } = group.joints[n];
        for (let r = 0; r < relation.size; r++) base[row + r] += (2 / h[0]) * group.x[first + r];
      }
    }
    return false;
  }

  /** Whether the joints are open after a step that has failed. */
  get isOpen(): boolean {
    return this.hasJoints && !(this.#worst[0] <= STAGNANT);
  }

  /** What they are off, relative to the magnitudes that cancel. */
  get offset(): number {
    return this.#worst[0];
  }

  /** ids of the joints */
  get ids(): readonly string[] {
    return this.#joints.map(({ id }) => id);
  }

  /**
   * v⁺ from W, and the impulses of the whole step.
   * @param lambda λ by row
   * @returns false when a mass is singular
   */
  finish(lambda: Float64Array): boolean {
    const { clock, state, v } = this.context;
    if (!this.hasJoints) return true;
    if (!this.#linearise(clock, state)) return false;
    for (let k = 0; k < this.#groups.length; k++) {
      const group = this.#groups[k];
      group.measureRate(clock, state, this.#worst);
      group.solve();
      group.push(state, v);
      group.enter(this.#impulse);
    }
    const rows = this.#rows;
    for (let k = 0; k < rows.length; k++) lambda[rows[k]] += this.#impulse[rows[k]];
    return true;
  }

  /** Begins another iteration. */
  #next(): void {
    this.#worst[1] = this.#worst[0];
    this.#worst[0] = 0;
  }

  /** Whether what was measured last is as good as rounding lets it be. */
  #isClosed(): boolean {
    const worst = this.#worst;
    return worst[0] <= CLOSED || (worst[0] > 0.5 * worst[1] && worst[0] <= STAGNANT);
  }

  /** G, M⁻¹ ᵗG and the factors of G M⁻¹ ᵗG. @returns false when a mass is singular */
  #linearise(clock: Float64Array, positions: Float64Array): boolean {
    const { q } = this.context;
    for (let m = 0; m < this.#masses.length; m++) if (!this.#masses[m].place(positions, q)) return false;
    this.isRedundant = false;
    for (let k = 0; k < this.#groups.length; k++) {
      const group = this.#groups[k];
      group.linearise(clock, positions);
      this.isRedundant ||= group.isRedundant;
    }
    return true;
  }
}
