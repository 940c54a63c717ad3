/** Contacts for the tests: those of the sources, and random ones. */
import type { OneContactProblem } from '@engine/solvers/one-contact/one-contact';
import { multiply, randomMatrix, transpose } from '../../../support/dense';
import type { Random } from '../../../support/random';

/** Entries of all three axes coupled: one slide. */
export const coupled: OneContactProblem = {
  M: [
    [15, -1, -2],
    [-1, 14, 1],
    [-2, 1, 16],
  ],
  q: [-1, 2, 3],
  mu: 0.1,
};

/** A block of equal tangential mobilities, slipping along −e₁: F has its root at θ = π, and A = E. */
export const alongAxis: OneContactProblem = {
  M: [
    [1, 0, 0],
    [0, 3.5, 0],
    [0, 0, 3.5],
  ],
  q: [-1, 2, 0],
  mu: 0.3,
};

/** The first component of the friction is zero, and (12.19) is 0/0. */
export const acrossAxis: OneContactProblem = {
  M: [
    [2, 0, 0.3],
    [0, 3, 0],
    [0.3, 0, 4],
  ],
  q: [-1, 0, 2],
  mu: 0.4,
};

/** Positive definite with μ |c| > M₁₁: take-off, stick and slide are all solutions. */
export const ambiguous: OneContactProblem = {
  M: [
    [2.61, -1.11, 3.17],
    [-1.11, 1.22, -1.12],
    [3.17, -1.12, 4.15],
  ],
  q: [0.02, -1.25, 0.07],
  mu: 1.35,
};

const vector = (random: Random, size: number): number[] =>
  Array.from({ length: size }, () => random.uniform(-1, 1));

/** M = G ᵗG with a random square G: positive definite, of any condition. */
export function definite(random: Random, size = 3): OneContactProblem {
  const G = randomMatrix(random, size, size);
  return { M: multiply(G, transpose(G)), q: vector(random, size), mu: random.uniform(0, 1.5) };
}

/** M of any signs and without symmetry. */
export function arbitrary(random: Random, size = 3): OneContactProblem {
  return { M: randomMatrix(random, size, size), q: vector(random, size), mu: random.uniform(0, 1.5) };
}

/** M = G ᵗG of rank 1 or 2, and a q that some force stops. */
export function semidefinite(random: Random, size = 3): OneContactProblem {
  const rank = random.integer(1, size - 1);
  const G = randomMatrix(random, size, rank);
  const v = vector(random, rank);
  const q = G.map((row) => row.reduce((sum, entry, k) => sum + entry * v[k], 0));
  return { M: multiply(G, transpose(G)), q, mu: random.uniform(0, 1.5) };
}

/** A body of random inertia, touched at a random point: what contacts of mechanisms look like. */
export function bodily(random: Random): OneContactProblem {
  const mobility = random.uniform(0.5, 2);
  const inertia = Array.from({ length: 3 }, () => mobility * random.uniform(0.8, 3));
  const [x, y, z] = vector(random, 3);
  const X = [
    [0, z, -y],
    [-z, 0, x],
    [y, -x, 0],
  ];
  const turning = multiply(
    X.map((row) => row.map((entry, k) => entry * inertia[k])),
    transpose(X),
  );
  return {
    M: turning.map((row, i) => row.map((entry, j) => entry + (i === j ? mobility : 0))),
    q: [random.uniform(-1, 0.3), random.uniform(-1, 1), random.uniform(-1, 1)],
    mu: random.uniform(0.1, 0.8),
  };
}
