/** Slips that derivations of friction solvers invite, as changes of the engine's own code. */
import type { Mutation } from '../../../support/mutation';
import type { checks } from './mutant-checks';

export type FrictionMutation = Mutation<keyof typeof checks>;

const PROBLEM = '@engine/problems/friction-contact';
const SLIDE = '@engine/solvers/friction/local-slide';
const SPACE = '@engine/solvers/friction/gauss-seidel/nsgs';
const PLANE = '@engine/solvers/friction/gauss-seidel/nsgs';
const ADMM = '@engine/solvers/friction/admm';
const EQUATIONS = '@engine/solvers/friction/newton';
const SETS = '@engine/solvers/friction/fixed-point';
const PROXIMAL = '@engine/solvers/friction/proximal';
const SCALING = '@engine/solvers/friction/interior-point';
const INTERIOR = '@engine/solvers/friction/interior-point';
const SHIFTED = '@engine/solvers/friction/shifted-system';
const FACTORS = '@engine/contact-dynamics/step-operator';
const EXTRAPOLATION = '@engine/solvers/friction/gauss-seidel/extrapolation';
const FACETED = '@engine/solvers/friction/faceted';
const EQUILIBRATED = '@engine/solvers/friction/equilibrated';
const ANDERSON = '@engine/solvers/friction/anderson';

export const frictionMutations: readonly FrictionMutation[] = [
  {
    name: 'natural-map-without-de-saxce',
    slip: 'the residual without μ |u_T|, with which sliding contacts lift',
    module: PROBLEM,
    find: 'const x0 = r0 - u0 - shift * Math.sqrt(u1 * u1 + u2 * u2);',
    replace: 'const x0 = r0 - u0;',
    killedBy: 'residualOfSlide',
  },
  {
    name: 'natural-map-with-other-slip',
    slip: 'u_T with the wrong sign in the residual',
    module: PROBLEM,
    find: 'const x1 = r1 - u1;',
    replace: 'const x1 = r1 + u1;',
    killedBy: 'residualOfSlide',
  },
  {
    name: 'slide-along-the-slip',
    slip: 'friction that acts with the slip',
    module: SLIDE,
    find: 'work[ANSWER + 1] = mu * normal * d1;',
    replace: 'work[ANSWER + 1] = -mu * normal * d1;',
    killedBy: 'sweepsSlide',
  },
  {
    name: 'other-side-of-the-plane',
    slip: 'in the plane the side of sliding is not compared with the slip',
    module: PLANE,
    find: 'if (!(r0 >= 0 && d * slip <= 0)) {',
    replace: 'if (r0 >= 0) {',
    killedBy: 'planeSlides',
  },
  {
    name: 'diagonal-counted-twice',
    slip: 'the contact’s own reaction counted among those of the others',
    module: SPACE,
    find: 'if (k === middle) continue;\n      const j = 3 * columns[k];',
    replace: 'const j = 3 * columns[k];',
    killedBy: 'pileInSpace',
  },
  {
    name: 'admm-without-de-saxce',
    slip: 'ADMM without s = μ ρ |y_T|: associated friction, which lifts',
    module: ADMM,
    find: 'const s = mu[c] * rho * Math.sqrt(y1 * y1 + y2 * y2);',
    replace: 'const s = 0;',
    killedBy: 'admmSlides',
  },
  {
    name: 'newton-with-other-slip',
    slip: 'friction with the other sign in the equations of Alart and Curnier',
    module: EQUATIONS,
    find: 'r[at + k] - (bound * z) / length;',
    replace: 'r[at + k] + (bound * z) / length;',
    killedBy: 'newtonSlides',
  },
  {
    name: 'fixed-point-without-de-saxce',
    slip: 'the fixed point of De Saxcé holds nothing',
    module: SETS,
    find: 'shift: (held) => held,',
    replace: 'shift: () => 0,',
    killedBy: 'deSaxceSlides',
  },
  {
    name: 'tresca-of-the-slip',
    slip: 'Tresca’s bound of the slip in place of the reaction',
    module: SETS,
    find: 'hold: (mu, normal) => mu * Math.max(0, normal),',
    replace: 'hold: (mu, _, slip) => mu * slip,',
    killedBy: 'trescaSlides',
  },
  {
    name: 'proximal-without-its-centre',
    slip: 'q is not shifted by − α r_k: the problem of W + α I is solved',
    module: PROXIMAL,
    find: 'step.q[i] = problem.q[i] - numbers[0] * problem.r[i];',
    replace: 'step.q[i] = problem.q[i];',
    killedBy: 'proximalSlides',
  },
  {
    name: 'combination-with-other-sign',
    slip: 'the acceleration adds what it should subtract',
    module: ANDERSON,
    find: 'this.#gamma[j] = right;',
    replace: 'this.#gamma[j] = -right;',
    killedBy: 'memoryHelps',
  },
  {
    name: 'interior-point-without-de-saxce',
    slip: 'the interior-point method for associated friction, which lifts',
    module: INTERIOR,
    find: 'defect[at] += mu[c] * (slip - y[at]);',
    replace: 'defect[at] -= mu[c] * y[at];',
    killedBy: 'interiorPointSlides',
  },
  {
    name: 'scaling-of-the-sum',
    slip: 'the point between the two cones without the reflection of y',
    module: SCALING,
    find: '(x[at + k] / ofX - y[at + k] / ofY)',
    replace: '(x[at + k] / ofX + y[at + k] / ofY)',
    killedBy: 'interiorPointIsQuick',
  },
  {
    name: 'friction-that-never-gives-way',
    slip: 'the same part of the derivative of μ |y_T| after a step that a boundary has stopped',
    module: INTERIOR,
    find: 'if (numbers[LENGTH] < BLOCKED) {',
    replace: 'if (numbers[LENGTH] < 0) {',
    killedBy: 'interiorPointPassesBoundaries',
  },
  {
    name: 'woodbury-with-one-side',
    slip: 'L B on both sides of the system of the bodies',
    module: SHIFTED,
    find: 'const factor = scale * this.#rightRows[first + n];',
    replace: 'const factor = scale * this.#leftRows[first + n];',
    killedBy: 'interiorPointByBodies',
  },
  {
    name: 'root-by-rows',
    slip: 'ᵗL in place of L in B = H L',
    module: FACTORS,
    find: 'root[n * k + m]',
    replace: 'root[n * m + k]',
    killedBy: 'interiorPointByBodies',
  },
  {
    name: 'extrapolation-forwards',
    slip: 'the extrapolation adds what it should take back from the last point',
    module: EXTRAPOLATION,
    find: 'r[i] -= before * change[i];',
    replace: 'r[i] += before * change[i];',
    killedBy: 'extrapolationHelps',
  },
  {
    name: 'facets-without-bound',
    slip: 'eᵀβ with the wrong sign in the bound of the faceted cone',
    module: FACETED,
    find: 'values[size * last + m * c + i] = -1;',
    replace: 'values[size * last + m * c + i] = 1;',
    killedBy: 'facetsInThePlane',
  },
  {
    name: 'equilibrated-reactions-unscaled',
    slip: 'reactions of the scaled problem taken for those of the problem',
    module: EQUILIBRATED,
    find: 'this.#factors[Math.floor(i / d)] * this.#scaled.r[i]',
    replace: 'this.#scaled.r[i]',
    killedBy: 'unevenMasses',
  },
];
