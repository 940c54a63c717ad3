/**
 * Cubic piles of equal spheres on a plane, to measure solvers of friction-contact problems on: every sphere
 * touches its neighbours in the grid, so that contacts are many more than the bodies' freedoms and W is
 * singular from a few layers on.
 *
 * Spheres of mass 1 and radius ½ have the inertia 1/10. At a contact with unit normal n towards body a and
 * tangents t, the velocity of a relative to b along d ∈ {n, t₁, t₂} is
 *
 *     d · (v_a − v_b) − ½ (n × d) · (ω_a + ω_b),
 *
 * so that two contacts at a common body have, with the signs σ = ±1 of that body's v in each, the block of W
 *
 *     W_cc'(d, d') = σ σ' d · d' + (½)² · 10 (n × d) · (n' × d').
 *
 * All numbers are exact in binary. q is what gravity does in a step, and random velocities that let the pile
 * slide here and there.
 */
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import { generator } from './random';

interface Contact {
  /** bodies; b = −1 is the plane below */
  a: number;
  b: number;
  /** axis of the normal: 0, 1, 2 */
  axis: number;
}

/** gravity times step */
const FALL = 0.05;
const SPREAD = 0.02;

/** Contacts from the plane upwards, the first `count` of those of a cube. */
function gridContacts(count: number): { contacts: Contact[]; bodies: number } {
  let side = 1;
  while (side * side * (3 * side - 2) < count) side++;
  const contacts: Contact[] = [];
  const body = (x: number, y: number, z: number): number => (z * side + y) * side + x;
  for (let z = 0; z < side; z++) {
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const a = body(x, y, z);
        contacts.push({ a, b: z === 0 ? -1 : body(x, y, z - 1), axis: 2 });
        if (x > 0) contacts.push({ a, b: body(x - 1, y, z), axis: 0 });
        if (y > 0) contacts.push({ a, b: body(x, y - 1, z), axis: 1 });
      }
    }
  }
  return { contacts: contacts.slice(0, count), bodies: side ** 3 };
}

/** Axis of component k of a contact: normal, then the other two in cyclic order. */
const axisOf = (contact: Contact, k: number): number => (contact.axis + k) % 3;

/** Component `axis` of n × d for unit vectors along the contact's normal and its component k. */
function crossed(contact: Contact, k: number): { axis: number; sign: number } {
  if (k === 0) return { axis: 0, sign: 0 };
  return k === 1 ? { axis: axisOf(contact, 2), sign: 1 } : { axis: axisOf(contact, 1), sign: -1 };
}

function entry(one: Contact, i: number, other: Contact, j: number): number {
  let sum = 0;
  for (const body of [one.a, one.b]) {
    if (body < 0 || (body !== other.a && body !== other.b)) continue;
    const sign = (body === one.a ? 1 : -1) * (body === other.a ? 1 : -1);
    if (axisOf(one, i) === axisOf(other, j)) sum += sign;
    const turn = crossed(one, i);
    const otherTurn = crossed(other, j);
    if (turn.axis === otherTurn.axis) sum += 2.5 * turn.sign * otherTurn.sign;
  }
  return sum;
}

/** @param count contacts; @param seed not zero */
export function spherePile(count: number, mu = 0.5, seed = 1): FrictionContactProblem {
  const { contacts, bodies } = gridContacts(count);
  const touching: number[][] = Array.from({ length: bodies }, () => []);
  contacts.forEach(({ a, b }, c) => {
    touching[a].push(c);
    if (b >= 0) touching[b].push(c);
  });
  const rows = contacts.map(({ a, b }) =>
    [...new Set([...touching[a], ...(b >= 0 ? touching[b] : [])])].sort((x, y) => x - y),
  );
  const problem = new FrictionContactProblem(
    3,
    count,
    rows.reduce((sum, row) => sum + row.length, 0),
  );
  problem.count = count;
  problem.revision = 1;
  problem.W.rows = count;
  let block = 0;
  rows.forEach((row, c) => {
    for (const other of row) {
      if (other === c) problem.W.diagonal[c] = block;
      problem.W.columns[block] = other;
      for (let k = 0; k < 9; k++) {
        problem.W.values[9 * block + k] = entry(contacts[c], Math.floor(k / 3), contacts[other], k % 3);
      }
      block++;
    }
    problem.W.rowStart[c + 1] = block;
  });
  problem.mu.fill(mu);
  setVelocities(problem, contacts, bodies, seed);
  return problem;
}

function setVelocities(
  problem: FrictionContactProblem,
  contacts: Contact[],
  bodies: number,
  seed: number,
): void {
  const next = generator(seed);
  const v = Float64Array.from({ length: 3 * bodies }, (_, i) => SPREAD * next() - (i % 3 === 2 ? FALL : 0));
  contacts.forEach((contact, c) => {
    for (let k = 0; k < 3; k++) {
      const axis = axisOf(contact, k);
      problem.q[3 * c + k] = v[3 * contact.a + axis] - (contact.b >= 0 ? v[3 * contact.b + axis] : 0);
    }
  });
}
