/**
 * What impulses do to rigid bodies, joints included. Bodies that joints link with each other are one group, whose velocities obey
 * G u = 0; an impulse p, generalised, changes them by
 *
 *     P p = M⁻¹ p − M⁻¹ ᵗG μ,     (G M⁻¹ ᵗG) μ = G M⁻¹ p,
 *
 * −μ being the impulses of the joints. G M⁻¹ ᵗG is positive semidefinite: joints that say the same leave their share undetermined, and
 * one that satisfies them all is taken (`SemidefiniteCholesky`).
 */
import { SemidefiniteCholesky } from '../linalg/semidefinite-cholesky';
import { VELOCITIES } from '../spatial/rigid-body';
import type { SpatialSystem } from '../spatial/system';
import type { Mobility } from './delassus-blocks';

export class BodyMobility implements Mobility {
  readonly sizes: Int32Array;
  /** group of each body */
  readonly groupOf: Int32Array;
  /** first of a body's velocities among those of its group */
  readonly offsetOf: Int32Array;
  /** bodies of each group, ascending */
  readonly members: readonly Int32Array[];
  readonly #mechanisms: readonly (Mechanism | null)[];
  /** G of all joints, by all velocities */
  readonly #jacobian: Float64Array;

  constructor(private readonly system: SpatialSystem) {
    const { bodies, equations } = system;
    this.groupOf = groupsOf(system);
    const count = this.groupOf.reduce((most, group) => Math.max(most, group + 1), 0);
    this.members = Array.from({ length: count }, (_, group) =>
      Int32Array.from(bodies.keys()).filter((body) => this.groupOf[body] === group),
    );
    this.sizes = Int32Array.from(this.members, ({ length }) => VELOCITIES * length);
    this.offsetOf = new Int32Array(bodies.length);
    for (const members of this.members)
      members.forEach((body, k) => {
        this.offsetOf[body] = VELOCITIES * k;
      });
    this.#jacobian = new Float64Array(equations.count * system.velocities);
    const rows = rowsOfGroups(system, this.groupOf, count);
    this.#mechanisms = rows.map((list, group) =>
      list.length === 0 ? null : new Mechanism(list, this.members[group], system),
    );
  }

  /** Forms G and what follows from it at positions q. */
  update(q: Float64Array): void {
    if (this.system.equations.count === 0) return;
    this.system.equations.jacobian(q, this.#jacobian, this.system.velocities, 'velocity');
    for (let group = 0; group < this.#mechanisms.length; group++)
      this.#mechanisms[group]?.update(this.#jacobian);
  }

  apply(group: number, x: Float64Array, at: number): void {
    const members = this.members[group];
    for (let k = 0; k < members.length; k++)
      this.system.bodies[members[k]].applyInverseMass(x, at + VELOCITIES * k);
    this.#mechanisms[group]?.restrict(x, at);
  }

  /** Velocities of all bodies ← the nearest ones, in the metric of M, that the joints admit. */
  restrict(u: Float64Array): void {
    for (let group = 0; group < this.#mechanisms.length; group++) {
      const mechanism = this.#mechanisms[group];
      if (mechanism !== null) mechanism.restrictAll(u);
    }
  }

  /** Number of joint rows that follow from the others. */
  get redundant(): number {
    return this.#mechanisms.reduce((sum, mechanism) => sum + (mechanism?.redundant ?? 0), 0);
  }
}

/** Groups by body, numbered in the order of their first bodies. */
function groupsOf({ bodies, joints }: SpatialSystem): Int32Array {
  const parent = Int32Array.from(bodies.keys());
  const root = (body: number): number => {
    let at = body;
    while (parent[at] !== at) at = parent[at];
    return at;
  };
  for (const { first, second } of joints) {
    if (first.body < 0 || second.body < 0) continue;
    const [a, b] = [root(first.body), root(second.body)];
    parent[Math.max(a, b)] = Math.min(a, b);
  }
  let next = 0;
  const numbers = new Map<number, number>();
  return parent.map((_, body) => {
    const top = root(body);
    const known = numbers.get(top);
    if (known !== undefined) return known;
    numbers.set(top, next);
    return next++;
  });
}

/** Rows of `equations` by group. */
function rowsOfGroups({ joints }: SpatialSystem, groupOf: Int32Array, count: number): number[][] {
  const rows: number[][] = Array.from({ length: count }, () => []);
  let row = 0;
  for (const { rows: kinds, first, second } of joints) {
    const group = groupOf[Math.max(first.body, second.body)];
    for (const { labels } of kinds) for (let k = 0; k < labels.length; k++) rows[group].push(row++);
  }
  return rows;
}

/** A group with joints. */
class Mechanism {
  readonly #size: number;
  /** G of the group, rows × size, and M⁻¹ ᵗG alike */
  readonly #rows: Float64Array;
  readonly #moved: Float64Array;
  readonly #product: Float64Array;
  readonly #cholesky: SemidefiniteCholesky;
  readonly #mu: Float64Array;
  readonly #velocities: Float64Array;

  constructor(
    private readonly equations: readonly number[],
    private readonly members: Int32Array,
    private readonly system: SpatialSystem,
  ) {
    const count = equations.length;
    this.#size = VELOCITIES * members.length;
    this.#rows = new Float64Array(count * this.#size);
    this.#moved = new Float64Array(count * this.#size);
    this.#product = new Float64Array(count * count);
    this.#cholesky = new SemidefiniteCholesky(count);
    this.#mu = new Float64Array(count);
    this.#velocities = new Float64Array(this.#size);
  }

  get redundant(): number {
    return this.equations.length - this.#cholesky.rank;
  }

  /** @param jacobian G of all joints, by all velocities */
  update(jacobian: Float64Array): void {
    const { equations, members, system } = this;
    const rows = this.#rows;
    const moved = this.#moved;
    const n = this.#size;
    const count = equations.length;
    for (let r = 0; r < count; r++)
      for (let k = 0; k < members.length; k++) {
        const from = equations[r] * system.velocities + VELOCITIES * members[k];
        const to = r * n + VELOCITIES * k;
        for (let c = 0; c < VELOCITIES; c++) moved[to + c] = rows[to + c] = jacobian[from + c];
        system.bodies[members[k]].applyInverseMass(moved, to);
      }
    for (let r = 0; r < count; r++)
      for (let s = 0; s <= r; s++) {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += rows[r * n + c] * moved[s * n + c];
        this.#product[r * count + s] = sum;
      }
    this.#cholesky.factor(this.#product, count);
  }

  /** x ← x − M⁻¹ ᵗG μ, so that G x = 0. @param at where the group's velocities begin */
  restrict(x: Float64Array, at: number): void {
    const n = this.#size;
    const mu = this.#mu;
    const rows = this.#rows;
    const moved = this.#moved;
    for (let r = 0; r < mu.length; r++) {
      let sum = 0;
      for (let c = 0; c < n; c++) sum += rows[r * n + c] * x[at + c];
      mu[r] = sum;
    }
    this.#cholesky.solve(mu);
    for (let r = 0; r < mu.length; r++) for (let c = 0; c < n; c++) x[at + c] -= mu[r] * moved[r * n + c];
  }

  /** The same where the velocities stand among those of all bodies. */
  restrictAll(u: Float64Array): void {
    const { members } = this;
    const own = this.#velocities;
    for (let k = 0; k < members.length; k++)
      for (let c = 0; c < VELOCITIES; c++) own[VELOCITIES * k + c] = u[VELOCITIES * members[k] + c];
    this.restrict(own, 0);
    for (let k = 0; k < members.length; k++)
      for (let c = 0; c < VELOCITIES; c++) u[VELOCITIES * members[k] + c] = own[VELOCITIES * k + c];
  }
}
