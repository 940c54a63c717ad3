/**
 * What systems of `MoreauHalfStep` do around the one-step problem, and their joints. With V, W the velocities before and after the
 * middle of the step, and G = ∇φ of the joints φ(t, q) = 0,
 *
 *     V = v⁻ + M⁻¹ ᵗG(q⁻) μ,     q_½ = q⁻ + ½h V,     φ(t_½, q_½) = 0                 `begin`
 *     M (W − V) = h F + ᵗG(q_½) λ + ᵗH(q_½) R,     q⁺ = q_½ + ½h W,     φ(t⁺, q⁺) = 0     one-step problem, `correct`
 *     v⁺ = W + M⁻¹ ᵗG(q⁺) ν,     G(q⁺) v⁺ + ∂φ/∂t = 0                                 `finish`
 *
 * Both halves are half a step of RATTLE without forces (H. C. Andersen, 1983, doi:10.1016/0021-9991(83)90014-1), which moves along the joints; between
 * them stand forces, contacts, and what they do to the joints. Without contacts the step is symmetric, and with forces that
 * depend on q_½ alone symplectic: order 2, and an energy that does not drift. Laws on velocities speak of H V and H W.
 *
 * The one-step problem has the joints' rows as G(q_½) W = b, and b is raised until φ(t⁺, q⁺) = 0: by −2φ/h, which contracts by O(h) while W stays
 * what it is. It starts at the b of the step run backwards, −G V − 2 ∂φ/∂t. Of joints that depend on one another b stays in the range of
 * G M⁻¹ ᵗG. Recorded are μ + λ + ν, the impulse of the whole step.
 *
 * Laws of equality on ẏ of relations that are no joints keep y at what it is at the start of the step.
 * Rows that yield under their multiplier, such as springs, hold at ½ (q⁻ + q⁺) and t_½ (`RelationRows.isMean`).
 */
import type { OneStepIntegrator, StepContext } from '../integrators/step';
import type { LagrangianForm } from '../model/forms';
import { isHeld } from '../model/held';
import type { NonSmoothDynamicalSystem } from '../model/nsds';
import { type Joint, type JointGroup, jointGroups, Mass } from './joint-groups';
import { isByHalfSteps } from './row-classes';
import type { RelationRows } from './rows';

/** φ below this part of the magnitudes that cancel in it is rounding. */
const CLOSED = 16 * Number.EPSILON;
/** Where φ is no longer halved, it is accepted below this part of them: arguments of sines may have lost more. */
const STAGNANT = 1e-10;
const MAX_ITERATIONS = 50;
/** What the joints of an initial state may be off, in the same measure; above it they are closed before the first step. */
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
    private readonly rows: RelationRows,
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

  /** v⁺ from W, and the impulses of the whole step. @param lambda λ by row @returns false when a mass is singular */
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
