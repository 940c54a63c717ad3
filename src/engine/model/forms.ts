/**
 * Canonical forms: what the computation sees of a model. A type of dynamical system, relation or law is
 * whatever can be brought into one of these forms; integrators, assembly, topology and certificate know only
 * them.
 *
 * Conventions. Times are handed over as `clock[0]`, because a double passed to a function that is not inlined
 * would be boxed. Vectors are Float64Array, matrices flat and row-major. Functions fill `out` completely and
 * keep no reference to their arguments. Functions of a script receive the arrays they are called with, so
 * that the caller hands over copies; a value that is not finite is an `EngineError` that names the function.
 */
import type { SparseRows } from '../linalg/sparse';
import type { AnalyticForcing, AnalyticFunction } from './analytic-function';

/** M ẋ = f(t, x) + r, where f contains control terms and sources. */
export interface FirstOrderForm {
  readonly order: 1;
  /** length n of x */
  readonly size: number;
  /** n × n, constant and regular; null is the identity */
  readonly mass: Float64Array | null;
  readonly x0: Float64Array;
  /**
   * How f depends on x: `constant` f = A x + b(t) with constant A; `linear` f = A(t) x + b(t); `nonlinear`
   * otherwise.
   */
  readonly rateKind: 'constant' | 'linear' | 'nonlinear';
  /** whether f has no explicit time: A and b constant */
  readonly isAutonomous: boolean;
  /** f(t, x), control terms and sources included */
  rate(clock: Float64Array, x: Float64Array, out: Float64Array): void;
  /** ∇ₓf, n × n */
  rateJacobian(clock: Float64Array, x: Float64Array, out: Float64Array): void;
  /** what is known of b(t) where A is constant and b is not; absent where nothing is known but values */
  readonly analytic?: AnalyticForcing<FirstOrderForm>;
  /** A of large systems where it is constant; absent of others */
  readonly entries?: SparseRows;
}

/** The constant matrices of a large relation by their entries; columns ascend. */
export interface AffineEntries {
  readonly C: SparseRows;
  /** null is zero */
  readonly D: SparseRows | null;
  readonly B: SparseRows;
}

/** Numbers of a matrix up to which it is expanded: larger ones are kept by their entries. */
export const LARGEST_EXPANDED = 2 ** 15;

/**
 * M(q) v̇ = F(t, q, v) + p, q̇ = T(q) v, where F = F_ext − F_int − NNL + T u. T is the identity where
 * `kinematics` is absent.
 */
export interface LagrangianForm {
  readonly order: 2;
  /** degrees of freedom, the length of v */
  readonly size: number;
  readonly kinematics?: Kinematics;
  readonly q0: Float64Array;
  readonly v0: Float64Array;
  /** n × n when M is constant, else null; the columns of each row ascend */
  readonly constantMass: SparseRows | null;
  /** M(q), n × n, dense */
  mass(q: Float64Array, out: Float64Array): void;
  /** whether F = F(t) − C v − K q with constant matrices (see `linear`) */
  readonly linear: LinearForces | null;
  /** F(t, q, v) */
  force(clock: Float64Array, q: Float64Array, v: Float64Array, out: Float64Array): void;
  /** ∇_q F into `outQ` and ∇_v F into `outV`, each n × n */
  forceJacobians(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    outQ: Float64Array,
    outV: Float64Array,
  ): void;
  /** what is known of F_ext(t) of linear forces; absent where nothing is known but values */
  readonly analytic?: AnalyticForcing<LagrangianForm>;
}

/**
 * How positions follow from velocities that are not their derivatives, as an orientation from an angular
 * velocity.
 */
export interface Kinematics {
  /** length of q */
  readonly positions: number;
  /** the position of which each velocity is the derivative; −1 where there is none */
  readonly position: Int32Array;
  /** T(q) v, on the manifold where q lives and near it */
  rate(q: Float64Array, v: Float64Array, out: Float64Array): void;
  /**
   * q ← q moved by a displacement x of the velocities, back on its manifold.
   * @param qAt, xAt first entries
   */
  displace(q: Float64Array, qAt: number, x: Float64Array, xAt: number): void;
  /** how far q is off its manifold, relative to its size: | |Q| − 1 | of a quaternion */
  offManifold(q: Float64Array, qAt: number): number;
}

/** Length of q. */
export const positionsOf = (form: FirstOrderForm | LagrangianForm): number =>
  form.order === 2 && form.kinematics !== undefined ? form.kinematics.positions : form.size;

/** F = F_0 + F_ext(t) − C v − K q, in coordinates measured from a base motion where there is one. */
export interface LinearForces {
  /** n × n, the columns of each row ascending; null is zero */
  readonly damping: SparseRows | null;
  readonly stiffness: SparseRows | null;
  readonly constantForce: Float64Array;
  /** fills the time-dependent part of the force; null when there is none */
  readonly force: TimeFunction | null;
  readonly base: BaseMotion | null;
}

/** c(t) and its derivatives. */
export interface BaseMotion {
  readonly position: TimeFunction;
  readonly velocity: TimeFunction;
  /** c̈, exactly; absent where no form gives it */
  readonly acceleration?: TimeFunction;
}

export type TimeFunction = (clock: Float64Array, out: Float64Array) => void;

/** One row of a relation, for messages and units of signals. */
export interface RelationRow {
  readonly name: string;
  /** empty where there is none to speak of */
  readonly unit: 'm' | 'rad' | '';
  /** whether it has a rate but no y: a slip; false where absent */
  readonly isSlip?: boolean;
}

/**
 * A relation between the coordinates z of the linked systems, concatenated, and the multipliers:
 *
 *     order 1: z = x, y = h(t, x, λ), r = g(t, x, λ)
 *     order 2: z = q, y = h(t, q, λ), p = ᵗC λ, C = (∇_q h) T, so that ẏ = C v + ∂h/∂t
 *
 * where q̇ = T v. A row of slip has no y but ẏ = C v, in which C is no gradient.
 */
export interface RelationForm {
  /** order of the systems it may link */
  readonly order: 1 | 2;
  /** length of y and λ */
  readonly size: number;
  /** length of z */
  readonly columns: number;
  /** columns of C, one for each velocity of the linked systems; `columns` where absent */
  readonly velocities?: number;
  /** C = ∇_z h, or (∇_q h) T, size × velocities, when it is constant */
  readonly C: Float64Array | null;
  /** D = ∇_λ h, size × size, when it is constant */
  readonly D: Float64Array | null;
  /** B = ∇_λ g, columns × size, when it is constant; null for order 2, where it is ᵗC */
  readonly B: Float64Array | null;
  /** whether y depends on λ */
  readonly hasFeedthrough: boolean;
  /** whether r depends on x through g, so that K = ∇ₓg ≠ 0 */
  readonly hasStateInput: boolean;
  /** whether y = C z + D λ + e(t) and r = B λ with constant matrices */
  readonly isAffine: boolean;
  /** whether h or g depend on time explicitly */
  readonly isTimeDependent: boolean;
  /** whether ẏ = C v + ė with a constant matrix and constants, as on a belt; false where absent */
  readonly isUniform?: boolean;
  /** e(t) of an affine relation, all of it, where more is known of it than values; absent of others */
  readonly offsets?: AnalyticFunction;
  /** the matrices of a large affine relation; C, D and B are made of them where they are asked for */
  readonly entries?: AffineEntries;
  /** y = h(t, z, λ) */
  output(clock: Float64Array, z: Float64Array, lambda: Float64Array, out: Float64Array): void;
  /** C and D at (t, z, λ); D is not touched when `hasFeedthrough` is false */
  outputJacobians(
    clock: Float64Array,
    z: Float64Array,
    lambda: Float64Array,
    outC: Float64Array,
    outD: Float64Array,
  ): void;
  /** ∂h/∂t; order 2 only */
  timeDerivative(clock: Float64Array, z: Float64Array, out: Float64Array): void;
  /**
   * What ÿ consists of besides C v̇: Ċ v at constant v, (d/dt ∇_q h) v + 2 ∂²h/∂t∂q v + ∂²h/∂t², exactly.
   * Order 2 only; absent where no form gives it.
   * @param v velocities of the linked systems
   */
  readonly curvature?: (clock: Float64Array, z: Float64Array, v: Float64Array, out: Float64Array) => void;
  /** what each row is, where rows have units of their own; in the order of y */
  readonly rows?: readonly RelationRow[];
  /**
   * whether its rows are components of one vector, of which only a law of equality makes sense; false where
   * absent
   */
  readonly isVector?: boolean;
  /**
   * whether it is a spring between bodies, which half steps evaluate in the middle of a step; false where
   * absent
   */
  readonly isSpring?: boolean;
  /**
   * Whether the relation is a joint, which means y = 0: a law on ẏ then keeps y at zero, not at what it was
   * at the start.
   */
  readonly isJoint?: boolean;
  /**
   * Force (N, world frame) and moment about its point (N m) that the multipliers exert on the last of the
   * linked bodies.
   * @param out F_x, F_y, moment
   */
  readonly jointForce?: (
    clock: Float64Array,
    z: Float64Array,
    lambda: Float64Array,
    out: Float64Array,
  ) => void;
  /** r = g(t, x, λ); order 1 only */
  input(clock: Float64Array, z: Float64Array, lambda: Float64Array, out: Float64Array): void;
  /**
   * K (columns × columns) and B (columns × size) at (t, x, λ); order 1 only; K is not touched when
   * `hasStateInput` is false
   */
  inputJacobians(
    clock: Float64Array,
    z: Float64Array,
    lambda: Float64Array,
    outK: Float64Array,
    outB: Float64Array,
  ): void;
}

/**
 * The graph of a scalar law as a chain of straight pieces in the (y, λ) plane: a ray into the first point
 * against `startDirection`, the segments between the points, a ray out of the last along `endDirection`.
 * Vertical and horizontal pieces are allowed, so the chain may be multi-valued in either variable.
 */
export interface PiecewiseLinearGraph {
  readonly y: Float64Array;
  readonly lambda: Float64Array;
  /** (dy, dλ) by which the graph comes from infinity into the first point */
  readonly startDirection: readonly [number, number];
  /** (dy, dλ) by which it leaves the last point to infinity */
  readonly endDirection: readonly [number, number];
}

/** C = {z : A z ≤ b}, not empty, for vectors of several rows. */
export interface Polytope {
  /** components n of y and λ */
  readonly size: number;
  /** m × n, row-major, no row zero */
  readonly A: Float64Array;
  /** length m */
  readonly b: Float64Array;
  /** `output`: −λ ∈ N_C(y); `multiplier`: −y ∈ N_C(λ) */
  readonly confines: 'output' | 'multiplier';
}

/**
 * Plasticity of a vector of three: K_μ ∋ λ + a e ⊥ y + (μ − ν) |y_t| e ∈ K*_μ, with the axis e of the cone
 * K_μ = {|λ_t| ≤ μ λ_n}.
 */
export interface PlasticCone {
  /** μ > 0 */
  readonly friction: number;
  /** ν, 0 … μ */
  readonly dilatancy: number;
  /** a ≥ 0, in units of λ */
  readonly apex: number;
}

/** One row of a law. */
export type LawRow =
  /** −y ∈ N_[lower, upper](λ): complementarity [0, ∞), equality (−∞, ∞), relay [l, u] */
  | { readonly kind: 'box'; readonly lower: number; readonly upper: number }
  /** (y, λ) lies on the graph */
  | { readonly kind: 'graph'; readonly graph: PiecewiseLinearGraph }
  /**
   * Coulomb friction in the plane: −(ẏ⁺ + e_t ẏ⁻) ∈ N_[−μ λ_n, μ λ_n](λ), where λ_n is the multiplier of the
   * row before, which is that of a contact. Two such rows together are friction in the tangent plane, and λ
   * of both is in the disc of radius μ λ_n.
   */
  | {
      readonly kind: 'friction';
      /** Coulomb's coefficient μ ≥ 0 */
      readonly coefficient: number;
      /** tangential restitution e_t of an impact */
      readonly restitution: number;
      /** whether e_t holds only in a step in which the contact begins to push; false where absent */
      readonly isOfPercussion?: true;
    }
  /**
   * Frémond's impact: λ = S + k max(0, −(ẏ⁺ + ẏ⁻)), 0 ≤ ẏ⁺ ⊥ S ≥ 0. Friction may follow it as it follows a
   * contact.
   */
  | { readonly kind: 'percussion'; /** k > 0, kg */ readonly viscosity: number }
  /**
   * Component of a vector, that of the rows of a law together, which is related to a polytope. The law's rows
   * are its components in order.
   */
  | { readonly kind: 'polytope'; readonly polytope: Polytope; readonly component: number }
  /** Component of a vector of three rows whose λ is in a cone: the first along its axis */
  | { readonly kind: 'cone'; readonly cone: PlasticCone; readonly component: number };

/** A non-smooth law: the same rows for each group of `size` rows of the relation. */
export interface LawForm {
  /** nsLawSize: rows the law takes at once; the size of the relation is a multiple of it */
  readonly size: number;
  /** `size` entries */
  readonly rows: readonly LawRow[];
  /**
   * Where a law on a Lagrangian relation holds: on the velocity ẏ or on the position y. First-order relations
   * have only y.
   */
  readonly level: 'velocity' | 'position';
  /** whether λ of a Lagrangian relation is the impulse over a step (impact laws, joints) or a force */
  readonly multiplier: 'impulse' | 'force';
  /** Newton's coefficient of restitution of a unilateral contact; null for laws that are not impact laws */
  readonly restitution: number | null;
  /**
   * What the restitution of an impact with friction relates: normal velocities (Newton) or the normal
   * impulses of compression and expansion (Poisson). Newton's where absent; without friction and with one
   * contact both agree.
   */
  readonly hypothesis?: 'newton' | 'poisson';
  /** K of the energy-based law of impact, of which ratios between contacts count; 1 where absent */
  readonly stiffness?: number;
}
