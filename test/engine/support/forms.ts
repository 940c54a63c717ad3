/** Models given as forms: systems, relations and laws without a document around them. */
import { sparseFromDense } from '@engine/linalg/sparse';
import type { FirstOrderForm, LagrangianForm, LawForm, LawRow, RelationForm } from '@engine/model/forms';
import type { DynamicalSystem, Interaction, NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { AssignedIntegrator } from '@engine/integrators/registry';
import { layoutState } from '@engine/preparation/layout';
import type { LoopChoice } from '@engine/time-stepping/setup';
import { TimeStepping } from '@engine/time-stepping/time-stepping';
import { flat, type Matrix } from './dense';

const rowTimes = (a: Float64Array, i: number, x: Float64Array): number => {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += a[i * x.length + j] * x[j];
  return sum;
};

/** M ẋ = A x + b + r */
export function linearFirstOrder(
  A: Matrix,
  x0: readonly number[],
  options: { b?: readonly number[]; mass?: Matrix; source?: (t: number) => readonly number[] } = {},
): FirstOrderForm {
  const a = flat(A);
  const n = x0.length;
  const { b, mass, source } = options;
  return {
    order: 1,
    size: n,
    mass: mass === undefined ? null : flat(mass),
    x0: Float64Array.from(x0),
    rateKind: 'constant',
    isAutonomous: source === undefined,
    rate: (clock, x, out) => {
      const extra = source?.(clock[0]);
      for (let i = 0; i < n; i++) out[i] = rowTimes(a, i, x) + (b?.[i] ?? 0) + (extra?.[i] ?? 0);
    },
    rateJacobian: (_clock, _x, out) => {
      out.set(a);
    },
  };
}

/** M ẋ = f(t, x) + r with f and ∇f as functions */
export function nonlinearFirstOrder(
  x0: readonly number[],
  rate: (t: number, x: Float64Array, out: Float64Array) => void,
  jacobian: (t: number, x: Float64Array, out: Float64Array) => void,
  mass?: Matrix,
): FirstOrderForm {
  return {
    order: 1,
    size: x0.length,
    mass: mass === undefined ? null : flat(mass),
    x0: Float64Array.from(x0),
    rateKind: 'nonlinear',
    isAutonomous: false,
    rate: (clock, x, out) => {
      rate(clock[0], x, out);
    },
    rateJacobian: (clock, x, out) => {
      jacobian(clock[0], x, out);
    },
  };
}

/** M q̈ + C q̇ + K q = F + p */
export function linearLagrangian(
  q0: readonly number[],
  v0: readonly number[],
  mass: Matrix,
  { damping, stiffness, force }: { damping?: Matrix; stiffness?: Matrix; force?: readonly number[] } = {},
): LagrangianForm {
  const n = q0.length;
  const [M, C, K] = [flat(mass), damping && flat(damping), stiffness && flat(stiffness)];
  const F = Float64Array.from(force ?? new Array<number>(n).fill(0));
  return {
    order: 2,
    size: n,
    q0: Float64Array.from(q0),
    v0: Float64Array.from(v0),
    constantMass: sparseFromDense(M, n, n),
    mass: (_q, out) => {
      out.set(M);
    },
    linear: {
      damping: C === undefined ? null : sparseFromDense(C, n, n),
      stiffness: K === undefined ? null : sparseFromDense(K, n, n),
      constantForce: F,
      force: null,
      base: null,
    },
    force: (_clock, q, v, out) => {
      for (let i = 0; i < n; i++)
        out[i] = F[i] - (C === undefined ? 0 : rowTimes(C, i, v)) - (K === undefined ? 0 : rowTimes(K, i, q));
    },
    forceJacobians: (_clock, _q, _v, outQ, outV) => {
      for (let k = 0; k < n * n; k++) {
        outQ[k] = -(K?.[k] ?? 0);
        outV[k] = -(C?.[k] ?? 0);
      }
    },
  };
}

/** y = C x + D λ + e, r = B λ */
export function linearRelation(
  C: Matrix,
  B: Matrix,
  { D, e }: { D?: Matrix; e?: readonly number[] } = {},
): RelationForm {
  const size = C.length;
  const columns = C[0].length;
  const [c, b, d] = [flat(C), flat(B), D === undefined ? null : flat(D)];
  return {
    order: 1,
    size,
    columns,
    C: c,
    D: d,
    B: b,
    hasFeedthrough: d !== null,
    hasStateInput: false,
    isAffine: true,
    isTimeDependent: false,
    output: (_clock, x, lambda, out) => {
      for (let i = 0; i < size; i++)
        out[i] = rowTimes(c, i, x) + (d === null ? 0 : rowTimes(d, i, lambda)) + (e?.[i] ?? 0);
    },
    outputJacobians: (_clock, _x, _lambda, outC, outD) => {
      outC.set(c);
      if (d !== null) outD.set(d);
    },
    timeDerivative: () => undefined,
    input: (_clock, _x, lambda, out) => {
      for (let i = 0; i < columns; i++) out[i] = rowTimes(b, i, lambda);
    },
    inputJacobians: (_clock, _x, _lambda, _outK, outB) => {
      outB.set(b);
    },
  };
}

/** y = H q + b + D λ */
export function lagrangianRelation(H: Matrix, b: readonly number[] = [], D?: Matrix): RelationForm {
  const size = H.length;
  const [h, d] = [flat(H), D === undefined ? null : flat(D)];
  return {
    order: 2,
    size,
    columns: H[0].length,
    C: h,
    D: d,
    B: null,
    hasFeedthrough: d !== null,
    hasStateInput: false,
    isAffine: true,
    isTimeDependent: false,
    output: (_clock, q, lambda, out) => {
      for (let i = 0; i < size; i++)
        out[i] = rowTimes(h, i, q) + (b[i] ?? 0) + (d === null ? 0 : rowTimes(d, i, lambda));
    },
    outputJacobians: (_clock, _q, _lambda, outC, outD) => {
      outC.set(h);
      if (d !== null) outD.set(d);
    },
    timeDerivative: (_clock, _q, out) => {
      out.fill(0);
    },
    input: () => undefined,
    inputJacobians: () => undefined,
  };
}

const law = (
  rows: LawRow[],
  level: LawForm['level'],
  multiplier: LawForm['multiplier'],
  e: number | null,
): LawForm => ({
  size: rows.length,
  rows,
  level,
  multiplier,
  restitution: e,
});

export const complementarity = (): LawForm =>
  law([{ kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY }], 'position', 'force', null);
export const equality = (): LawForm =>
  law(
    [{ kind: 'box', lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY }],
    'position',
    'force',
    null,
  );
export const relay = (lower = -1, upper = 1): LawForm =>
  law([{ kind: 'box', lower, upper }], 'position', 'force', null);
export const impact = (e: number): LawForm =>
  law([{ kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY }], 'velocity', 'impulse', e);
/** Contact with Coulomb friction in the plane: rows of gap and slip. */
export const frictionImpact = (mu: number, e = 0, et = 0): LawForm => ({
  ...law(
    [
      { kind: 'box', lower: 0, upper: Number.POSITIVE_INFINITY },
      { kind: 'friction', coefficient: mu, restitution: et },
    ],
    'velocity',
    'impulse',
    e,
  ),
  hypothesis: 'newton',
});
export const graph = (
  points: readonly (readonly [number, number])[],
  startDirection: readonly [number, number],
  endDirection: readonly [number, number],
): LawForm =>
  law(
    [
      {
        kind: 'graph',
        graph: {
          y: Float64Array.from(points, ([y]) => y),
          lambda: Float64Array.from(points, ([, lambda]) => lambda),
          startDirection,
          endDirection,
        },
      },
    ],
    'position',
    'force',
    null,
  );

export const system = (id: string, form: FirstOrderForm | LagrangianForm): DynamicalSystem => ({
  type: 'test',
  id,
  form,
  unit: form.order === 2 ? 'm' : '1',
});

export const interaction = (
  id: string,
  systems: readonly number[],
  relation: RelationForm,
  lawForm: LawForm,
): Interaction => ({
  id,
  systems,
  relation: { ...relation, type: 'test' },
  law: { ...lawForm, type: 'test' },
});

export const eulerMoreau = (systems: readonly number[], theta = 1, thetaR = 1): AssignedIntegrator => ({
  type: 'EulerMoreau',
  numbers: { theta, thetaR },
  choices: {},
  systems,
});
export const moreauJean = (
  systems: readonly number[],
  theta = 0.5,
  choices: Record<string, string> = {},
): AssignedIntegrator => ({ type: 'MoreauJean', numbers: { theta, forecast: 0.5 }, choices, systems });

export interface FormsRun {
  loop?: LoopChoice;
  h: number;
  integrators: readonly AssignedIntegrator[];
  solver?: string;
  tolerance?: number;
  newton?: { tolerance: number; maxIterations: number };
  problem?: { type: string; choices: Record<string, string> };
  stepControl?: { tolerance: number; hMin: number; hMax: number };
  tEnd?: number;
}

/** A simulation of a model of forms, at t = 0. */
export function simulate(
  model: NonSmoothDynamicalSystem,
  { h, integrators, solver = 'auto', tolerance = 1e-10, newton, problem, stepControl, tEnd, loop }: FormsRun,
): TimeStepping {
  return new TimeStepping(model, layoutState(model, [], []), {
    t0: 0,
    tEnd: tEnd ?? 1e9,
    h,
    stepControl: stepControl ?? null,
    newton: newton ?? { tolerance: 1e-12, maxIterations: 20 },
    integrators,
    problem: problem ?? { type: 'auto', choices: {} },
    solver: { type: solver, numbers: { tolerance } },
    ...(loop === undefined ? {} : { loop }),
  });
}
