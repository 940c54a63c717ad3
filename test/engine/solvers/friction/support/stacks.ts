/**
 * Random contacts of random bodies, hard ones among them: without friction, without mobility, many at the
 * same place, bodies a million times heavier than others. W = H M⁻¹ ᵗH and q = H v, so that the velocities
 * without reactions are those of bodies, and a contact that cannot move does not approach.
 */
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import type { Random } from '../../../support/random';

interface StackOptions {
  dimension: 2 | 3;
  contacts: number;
  /** largest over smallest mass */
  massRatio: number;
  mu: number;
}

interface Contact {
  /** bodies, −1 is the ground; two of the ground leave zeros in W */
  bodies: readonly [number, number];
  /** rows of velocities for each body: dimension rows of freedoms */
  rows: readonly [number[][], number[][]];
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A random orthonormal frame: normal, then tangents. */
function frame(random: Random, dimension: 2 | 3): number[][] {
  const draw = (): number => random.uniform(-1, 1);
  const unit = (v: number[]): number[] => v.map((x) => x / Math.hypot(...v));
  if (dimension === 2) {
    const n = unit([0.3 * draw(), 1]);
    return [n, [-n[1], n[0]]];
  }
  const n = unit([0.5 * draw(), 0.5 * draw(), 1]);
  const t = unit(cross(n, [draw(), 1, draw()]));
  return [n, t, cross(n, t)];
}

/** Velocity of a point of a body along each direction, by the body's freedoms. */
function rowsOf(directions: readonly number[][], arm: readonly number[], sign: number): number[][] {
  return directions.map((e) => {
    const turn = e.length === 2 ? [arm[0] * e[1] - arm[1] * e[0]] : cross(arm, e);
    return [...e, ...turn].map((x) => sign * x);
  });
}

function randomStack(
  random: Random,
  { dimension: d, contacts: n, massRatio, mu }: StackOptions,
): FrictionContactProblem {
  const freedoms = d === 3 ? 6 : 3;
  const bodies = Math.max(1, Math.round(n / random.uniform(1, 5)));
  const mobility = Array.from({ length: bodies }, () => massRatio ** -random.uniform(0, 1));
  const v = Array.from({ length: bodies }, () =>
    Array.from({ length: freedoms }, (_, k) => 0.3 * random.uniform(-1, 1) - (k === d - 1 ? 1 : 0)),
  );
  const contacts: Contact[] = [];
  while (contacts.length < n) {
    const upper = random.integer(0, bodies - 1);
    const isFixed = random.uniform(0, 1) < 0.02;
    const lower = isFixed || upper === 0 ? -1 : random.integer(-1, upper - 1);
    const directions = frame(random, d);
    const arm = (): number[] => Array.from({ length: d }, () => random.uniform(-1, 1));
    const contact: Contact = {
      bodies: [isFixed ? -1 : upper, lower],
      rows: [rowsOf(directions, arm(), 1), rowsOf(directions, arm(), -1)],
    };
    contacts.push(contact);
    // The same contact again: redundant in all its rows.
    if (random.uniform(0, 1) < 0.1 && contacts.length < n) contacts.push(contact);
  }
  return assemble(contacts, d, mobility, v, () => (random.uniform(0, 1) < 0.1 ? 0 : mu));
}

function assemble(
  contacts: readonly Contact[],
  d: 2 | 3,
  mobility: readonly number[],
  v: readonly number[][],
  friction: () => number,
): FrictionContactProblem {
  const shares = (a: Contact, b: Contact): boolean =>
    a === b || a.bodies.some((body) => body >= 0 && b.bodies.includes(body));
  const columns = contacts.map((a) => contacts.flatMap((b, j) => (shares(a, b) ? [j] : [])));
  const problem = new FrictionContactProblem(
    d,
    contacts.length,
    columns.reduce((sum, row) => sum + row.length, 0),
  );
  const { W, q, mu } = problem;
  problem.count = contacts.length;
  problem.revision = 1;
  W.rows = contacts.length;
  let block = 0;
  contacts.forEach((contact, c) => {
    mu[c] = friction();
    for (let i = 0; i < d; i++)
      q[d * c + i] = contact.bodies.reduce(
        (sum, body, side) => sum + (body >= 0 ? dot(contact.rows[side][i], v[body]) : 0),
        0,
      );
    for (const j of columns[c]) {
      const other = contacts[j];
      if (j === c) W.diagonal[c] = block;
      W.columns[block] = j;
      contact.bodies.forEach((body, side) => {
        other.bodies.forEach((theirs, at) => {
          if (body < 0 || body !== theirs) return;
          for (let k = 0; k < d * d; k++)
            W.values[d * d * block + k] +=
              mobility[body] * dot(contact.rows[side][Math.floor(k / d)], other.rows[at][k % d]);
        });
      });
      block++;
    }
    W.rowStart[c + 1] = block;
  });
  return problem;
}

/** The k-th of a family in which size, dimension, friction and masses vary. */
export function stackOfFamily(random: Random, largest: number): FrictionContactProblem {
  const massRatio = random.uniform(0, 1) < 0.3 ? 1e6 : 10;
  return randomStack(random, {
    dimension: random.uniform(0, 1) < 0.3 ? 2 : 3,
    contacts: random.integer(2, largest),
    massRatio,
    mu: random.uniform(0.05, 1),
  });
}
