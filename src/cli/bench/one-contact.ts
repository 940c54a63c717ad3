/** What one solve of one contact costs, by each of the local solvers of Gauss–Seidel methods. */
import type { LocalSolverDefinition } from '@engine/solvers/one-contact/registry';
import { localSolvers } from '@engine/solvers/one-contact/registry';
import { contactResidual } from '@engine/solvers/one-contact/one-contact';
import { type Benchmark, type Measurement, median, seconds } from './benchmark';

const CONTACTS = 4096;
/** Rounds over all contacts of which the median counts, after as many that warm up. */
const ROUNDS = 31;
/** Guesses of a sweep that is nearly done: this part beside the answer. */
const BESIDE = 0.05;

/** Park–Miller generator: the same contacts at every run. */
class Draw {
  #state = 20_111;

  between(from: number, to: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return from + ((to - from) * this.#state) / 2_147_483_647;
  }
}

interface Contacts {
  W: Float64Array;
  q: Float64Array[];
  mu: Float64Array;
}

/** Bodies of random inertia, touched at random points, most of them approaching. */
function bodies(size: 2 | 3): Contacts {
  const draw = new Draw();
  const block = size * size;
  const W = new Float64Array(block * CONTACTS);
  const mu = new Float64Array(CONTACTS);
  const q = Array.from({ length: CONTACTS }, (_, c) => {
    const mobility = draw.between(0.5, 2);
    const turning = [0, 1, 2].map(() => mobility * draw.between(0.8, 3));
    const [x, y, z] = [0, 1, 2].map(() => draw.between(-1, 1));
    const arms = [
      [0, z, -y],
      [-z, 0, x],
      [y, -x, 0],
    ];
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++)
        W[block * c + size * i + j] = turning.reduce(
          (sum, inertia, k) => sum + inertia * arms[i][k] * arms[j][k],
          i === j ? mobility : 0,
        );
    mu[c] = draw.between(0.1, 0.8);
    return Float64Array.from({ length: size }, (__, i) => draw.between(-1, i === 0 ? 0.3 : 1));
  });
  return { W, q, mu };
}

/** Solves all contacts from their guesses. @returns median ns per contact, and the largest residual */
function timed(
  { size, create }: LocalSolverDefinition,
  { W, q, mu }: Contacts,
  guesses: readonly Float64Array[],
): { ns: number; residual: number; answers: Float64Array[] } {
  const solver = create();
  const r = new Float64Array(size);
  const round = (): void => {
    for (let c = 0; c < CONTACTS; c++) {
      const guess = guesses[c];
      for (let i = 0; i < size; i++) r[i] = guess[i];
      solver.solve(W, size * size * c, q[c], mu[c], r);
    }
  };
  for (let k = 0; k < ROUNDS; k++) round();
  const ns = median(Array.from({ length: ROUNDS }, () => (seconds(round) / CONTACTS) * 1e9));
  const answers = guesses.map((guess, c) => {
    const answer = Float64Array.from(guess);
    solver.solve(W, size * size * c, q[c], mu[c], answer);
    return answer;
  });
  const residuals = answers.map((answer, c) =>
    contactResidual(size, W, size * size * c, q[c], mu[c], answer),
  );
  return { ns, residual: residuals.reduce((worst, x) => Math.max(worst, x), 0), answers };
}

function measure(): Measurement[] {
  return localSolvers.flatMap((definition) => {
    const contacts = bodies(definition.size);
    const exact = localSolvers.find(({ size }) => size === definition.size) ?? definition;
    const nothing = contacts.q.map(({ length }) => new Float64Array(length));
    const draw = new Draw();
    const near = timed(exact, contacts, nothing).answers.map((answer) =>
      answer.map((entry) => entry * (1 + draw.between(-BESIDE, BESIDE))),
    );
    return [['from r = 0', nothing] as const, ['from near the answer', near] as const].map(
      ([start, guesses]) => {
        const { ns, residual } = timed(definition, contacts, guesses);
        const note = `largest residual ${residual.toExponential(1)}`;
        return { quantity: `${definition.title}, ${start}`, value: ns, unit: 'ns per contact', note };
      },
    );
  });
}

export const oneContact: Benchmark = {
  name: 'one-contact',
  summary: 'one contact with friction by each local solver',
  measure,
};
