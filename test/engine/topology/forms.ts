/** Canonical forms from dense matrices, for the tests of topology. */
import type { FirstOrderForm, LagrangianForm, LawForm, LawRow, RelationForm } from '@engine/model/forms';
import type { TopologyInteraction, TopologyModel, TopologySystem } from '@engine/topology/topology-model';
import { type SparseRows, sparseFromDense } from '@engine/linalg/sparse';
import { flat, type Matrix, zeros } from '../support/dense';

/** M ẋ = A x + r */
export function firstOrder(id: string, A: Matrix, mass: Matrix | null = null): TopologySystem {
  const n = A.length;
  const form: FirstOrderForm = {
    order: 1,
    size: n,
    mass: mass === null ? null : flat(mass),
    x0: new Float64Array(n),
    rateKind: 'constant',
    isAutonomous: true,
    rate: (_, x, out) => A.forEach((row, i) => (out[i] = row.reduce((sum, a, j) => sum + a * x[j], 0))),
    rateJacobian: (_clock, _x, out) => out.set(flat(A)),
  };
  return { id, form };
}

/** M v̇ + C v + K q = p */
export function lagrangian(
  id: string,
  mass: Matrix,
  { stiffness = null, damping = null }: { stiffness?: Matrix | null; damping?: Matrix | null } = {},
): TopologySystem {
  const n = mass.length;
  const sparse = (matrix: Matrix): SparseRows => sparseFromDense(flat(matrix), n, n);
  const negated = (matrix: Matrix | null): Float64Array => flat(matrix ?? zeros(n, n)).map((x) => -x);
  const form: LagrangianForm = {
    order: 2,
    size: n,
    q0: new Float64Array(n),
    v0: new Float64Array(n),
    constantMass: sparse(mass),
    mass: (_, out) => out.set(flat(mass)),
    linear: {
      damping: damping === null ? null : sparse(damping),
      stiffness: stiffness === null ? null : sparse(stiffness),
      constantForce: new Float64Array(n),
      force: null,
      base: null,
    },
    force: (_clock, q, v, out) => {
      const [byQ, byV] = [negated(stiffness), negated(damping)];
      for (let i = 0; i < n; i++) {
        out[i] = 0;
        for (let j = 0; j < n; j++) out[i] += byQ[i * n + j] * q[j] + byV[i * n + j] * v[j];
      }
    },
    forceJacobians: (_clock, _q, _v, outQ, outV) => {
      outQ.set(negated(stiffness));
      outV.set(negated(damping));
    },
  };
  return { id, form };
}

/** y = C x + D λ, r = K x + B λ */
export function firstOrderRelation(
  C: Matrix,
  B: Matrix,
  D: Matrix | null = null,
  K: Matrix | null = null,
): RelationForm {
  const size = C.length;
  return {
    order: 1,
    size,
    columns: B.length,
    C: flat(C),
    D: D === null ? null : flat(D),
    B: flat(B),
    hasFeedthrough: D !== null,
    hasStateInput: K !== null,
    isAffine: K === null,
    isTimeDependent: false,
    output: () => {
      throw new Error('topology needs the Jacobians only');
    },
    outputJacobians: (_clock, _z, _lambda, outC, outD) => {
      outC.set(flat(C));
      if (D !== null) outD.set(flat(D));
    },
    timeDerivative: () => undefined,
    input: () => undefined,
    inputJacobians: (_clock, _z, _lambda, outK, outB) => {
      if (K !== null) outK.set(flat(K));
      outB.set(flat(B));
    },
  };
}

/** y = H q + D λ, p = ᵗH λ */
export function lagrangianRelation(H: Matrix, D: Matrix | null = null): RelationForm {
  const transposed = H[0].map((_, j) => H.map((row) => row[j]));
  return { ...firstOrderRelation(H, transposed, D), order: 2, B: null };
}

const law = (row: LawRow, rest: Partial<LawForm> = {}): LawForm => ({
  size: 1,
  rows: [row],
  level: 'position',
  multiplier: 'force',
  restitution: null,
  ...rest,
});

export const complementarity = law({ kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY });
export const relay = law({ kind: 'box', lower: -1, upper: 1 });
export const frictionRelay = law({ kind: 'box', lower: -1, upper: 1 }, { level: 'velocity' });
export const impact = law(
  { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY },
  { level: 'velocity', multiplier: 'impulse', restitution: 0.5 },
);
export const joint = law(
  { kind: 'box', lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY },
  { level: 'velocity', multiplier: 'impulse' },
);

export function interaction(
  id: string,
  systems: readonly number[],
  relation: RelationForm,
  lawForm: LawForm = complementarity,
): TopologyInteraction {
  return { id, systems, relation, law: lawForm };
}

export const model = (
  systems: readonly TopologySystem[],
  interactions: readonly TopologyInteraction[],
): TopologyModel => ({ systems, interactions });
