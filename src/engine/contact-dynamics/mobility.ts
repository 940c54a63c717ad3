/**
 * What impulses do to bodies, joints included. Bodies that joints link with each other are one group, whose
 * velocities obey G u = b; an impulse p, generalised, changes them by
 *
 *     P p = M⁻¹ p − M⁻¹ ᵗG μ,     (G M⁻¹ ᵗG) μ = G M⁻¹ p,
 *
 * −μ being the impulses of the joints (`Mechanism`). The rows are those of the equations of all joints, then
 * those of the motors that prescribe a speed ω, and
 *
 *     b = ω + ½h γ(q_½, u⁻),     γ = −Ġ u,
 *
 * with q_½ for the place of the rows and ½h for the time from there to the end of the step
 * (`schemes/scheme.ts` says which they are), because it is at the end of the step that G u⁺ = ω should hold:
 * G(q⁺) u⁺ = G(q_½) u⁺ + ½h Ġ u⁺ + O(h²). With b = ω alone the velocity would leave the joints by ½h Ġ u⁺ in
 * each step, and all would be of order 1.
 */
import { SemidefiniteCholesky } from '../linalg/cholesky';
import { type SpatialSystem, isDrive, lengthsOf, unitsOfEquations } from '../spatial/system';
import type { Mobility } from './delassus-blocks';

/*
 * A group of bodies with joints: velocities that obey G u = b, and the impulses of the joints that bring
 * others there,
 *
 *     x ← x + M⁻¹ ᵗG λ,     (G M⁻¹ ᵗG) λ = b − G x.
 *
 * G M⁻¹ ᵗG is positive semidefinite: joints that say the same leave their share undetermined, and one that
 * satisfies them all is taken (`SemidefiniteCholesky`), in which the rows that depend on others have none.
 * Rows are taken in their natural units (`unitsOfEquations`), so that what depends on what is the same in
 * millimetres.
 */

/**
 * A unit impulse is in the range of G M⁻¹ ᵗG when this part of it at most is left; what depends on others
 * leaves parts of the order 1.
 */
const IN_RANGE = 1e-6;

export class Mechanism {
  readonly #size: number;
  /** G of the group, rows × size, and M⁻¹ ᵗG alike */
  readonly #rows: Float64Array;
  readonly #moved: Float64Array;
  /** of its rows, one over what is one */
  readonly #scales: Float64Array;
  readonly #product: Float64Array;
  readonly #cholesky: SemidefiniteCholesky;
  /** −λ */
  readonly #mu: Float64Array;
  readonly #velocities: Float64Array;

  /**
   * @param equations numbers of its rows among those of all joints
   * @param members its bodies
   * @param entries place of each of its velocities among those of all bodies @param units by row of all
   *   joints
   */
  constructor(
    private readonly equations: readonly number[],
    private readonly members: Int32Array,
    private readonly entries: Int32Array,
    private readonly system: SpatialSystem,
    units: Float64Array,
  ) {
    this.#scales = Float64Array.from(equations, (row) => 1 / units[row]);
    const count = equations.length;
    this.#size = entries.length;
    this.#rows = new Float64Array(count * this.#size);
    this.#moved = new Float64Array(count * this.#size);
    this.#product = new Float64Array(count * count);
    this.#cholesky = new SemidefiniteCholesky(count);
    this.#mu = new Float64Array(count);
    this.#velocities = new Float64Array(this.#size);
  }

  /** Number of rows that follow from others. */
  get redundant(): number {
    return this.equations.length - this.#cholesky.rank;
  }

  /** @param jacobian G of all joints, by all velocities */
  update(jacobian: Float64Array): void {
    const { equations, members, entries, system } = this;
    const rows = this.#rows;
    const moved = this.#moved;
    const n = this.#size;
    const count = equations.length;
    for (let r = 0; r < count; r++) {
      const from = equations[r] * system.velocities;
      for (let c = 0; c < n; c++)
        moved[r * n + c] = rows[r * n + c] = this.#scales[r] * jacobian[from + entries[c]];
      let to = r * n;
      for (let k = 0; k < members.length; k++) {
        const body = system.bodies[members[k]];
        body.applyInverseMass(moved, to);
        to += body.velocities;
      }
    }
    for (let r = 0; r < count; r++)
      for (let s = 0; s <= r; s++) {
        let sum = 0;
        for (let c = 0; c < n; c++) sum += rows[r * n + c] * moved[s * n + c];
        this.#product[r * count + s] = sum;
      }
    this.#cholesky.factor(this.#product, count);
  }

  /** Brings x to G x = 0. @param at where the group's velocities begin */
  restrict(x: Float64Array, at: number): void {
    this.#mu.fill(0);
    this.#bring(x, at);
  }

  /**
   * Brings velocities that stand among those of all bodies to G u = b.
   * @param targets b by row of all joints, null for zero @param multipliers takes up λ by row of all joints,
   *   if there is one
   */
  bringAll(u: Float64Array, targets: Float64Array | null, multipliers: Float64Array | null): void {
    const { entries, equations } = this;
    const own = this.#velocities;
    const mu = this.#mu;
    for (let c = 0; c < entries.length; c++) own[c] = u[entries[c]];
    for (let r = 0; r < mu.length; r++)
      mu[r] = targets === null ? 0 : -this.#scales[r] * targets[equations[r]];
    this.#bring(own, 0);
    for (let c = 0; c < entries.length; c++) u[entries[c]] = own[c];
    if (multipliers === null) return;
    for (let r = 0; r < mu.length; r++) multipliers[equations[r]] -= this.#scales[r] * mu[r];
  }

  /** With −b in μ on entry. */
  #bring(x: Float64Array, at: number): void {
    const n = this.#size;
    const mu = this.#mu;
    const rows = this.#rows;
    const moved = this.#moved;
    for (let r = 0; r < mu.length; r++) {
      let sum = mu[r];
      for (let c = 0; c < n; c++) sum += rows[r * n + c] * x[at + c];
      mu[r] = sum;
    }
    this.#cholesky.solve(mu);
    for (let r = 0; r < mu.length; r++) for (let c = 0; c < n; c++) x[at + c] -= mu[r] * moved[r * n + c];
  }

  /**
   * Whether the impulse of a row follows from the motion. Impulses that move nothing are the null space of
   * A = G M⁻¹ ᵗG; they leave a row alone exactly if its unit vector is in the range of A.
   * @param own number of the row within the group
   */
  isDetermined(own: number): boolean {
    const count = this.equations.length;
    if (this.redundant === 0) return true;
    const x = new Float64Array(count);
    x[own] = 1;
    this.#cholesky.solve(x);
    for (let r = 0; r < count; r++) {
      let sum = r === own ? -1 : 0;
      for (let s = 0; s < count; s++) sum += this.#product[Math.max(r, s) * count + Math.min(r, s)] * x[s];
      if (!(Math.abs(sum) <= IN_RANGE)) return false;
    }
    return true;
  }
}

/**
 * Part of the largest speed that prescribed speeds may miss what joints admit: far above rounding and drift,
 * far below a contradiction.
 */
const REACHED = 1e-6;

export class BodyMobility implements Mobility {
  readonly sizes: Int32Array;
  /** group of each body */
  readonly groupOf: Int32Array;
  /** first of a body's velocities among those of its group */
  readonly offsetOf: Int32Array;
  /** bodies of each group, ascending */
  readonly members: readonly Int32Array[];
  /** place of each velocity of a group among those of all bodies */
  readonly entries: readonly Int32Array[];
  /** number of rows of G */
  readonly rows: number;
  /** b of the last `aim`, as far as it has not been corrected */
  readonly targets: Float64Array;
  readonly #mechanisms: readonly (Mechanism | null)[];
  /** rows of each group */
  readonly #equations: readonly (readonly number[])[];
  /** G, by all velocities */
  readonly #jacobian: Float64Array;

  constructor(readonly system: SpatialSystem) {
    const { bodies, equations, drives, velocitiesAt } = system;
    this.groupOf = groupsOf(system);
    const count = this.groupOf.reduce((most, group) => Math.max(most, group + 1), 0);
    this.members = Array.from({ length: count }, (_, group) =>
      Int32Array.from(bodies.keys()).filter((body) => this.groupOf[body] === group),
    );
    this.entries = this.members.map((members) =>
      Int32Array.from(
        [...members].flatMap((body) =>
          Array.from({ length: bodies[body].velocities }, (_, i) => velocitiesAt[body] + i),
        ),
      ),
    );
    this.sizes = Int32Array.from(this.entries, ({ length }) => length);
    this.offsetOf = Int32Array.from(bodies.keys(), (body) =>
      this.entries[this.groupOf[body]].indexOf(velocitiesAt[body]),
    );
    this.rows = equations.count + drives.count;
    this.targets = new Float64Array(this.rows);
    this.#jacobian = new Float64Array(this.rows * system.velocities);
    this.#equations = rowsOfGroups(system, this.groupOf, count);
    const units = unitsOf(system);
    this.#mechanisms = this.#equations.map((list, group) =>
      list.length === 0 ? null : new Mechanism(list, this.members[group], this.entries[group], system, units),
    );
  }

  /** Forms G and what follows from it at positions q. */
  update(q: Float64Array): void {
    if (this.rows === 0) return;
    const { equations, drives, velocities } = this.system;
    equations.jacobian(q, this.#jacobian, velocities, 'velocity');
    drives.jacobian(q, this.#jacobian, velocities, 'velocity', equations.count);
    for (let group = 0; group < this.#mechanisms.length; group++)
      this.#mechanisms[group]?.update(this.#jacobian);
  }

  /**
   * b at q_*.
   * @param u velocities at the start of the step
   * @param time from q_* to where it should hold, s
   */
  aim(q: Float64Array, u: Float64Array, time: number): void {
    if (this.rows === 0) return;
    const { targets } = this;
    const { equations, driveSpeeds } = this.system;
    this.aimAccelerations(q, u, time);
    for (let k = 0; k < driveSpeeds.length; k++) targets[equations.count + k] += driveSpeeds[k];
  }

  /** b = time γ(q, u) of what accelerations add to velocities in a time, s: prescribed speeds stay. */
  aimAccelerations(q: Float64Array, u: Float64Array, time: number): void {
    if (this.rows === 0) return;
    const { targets } = this;
    const { equations, drives } = this.system;
    equations.gamma(q, u, targets);
    drives.gamma(q, u, targets, equations.count);
    for (let r = 0; r < targets.length; r++) targets[r] *= time;
  }

  /** Takes what G u⁺ has missed, by row, from b. */
  correct(defects: Float64Array): void {
    const { targets } = this;
    for (let r = 0; r < targets.length; r++) targets[r] -= defects[r];
  }

  apply(group: number, x: Float64Array, at: number): void {
    const members = this.members[group];
    for (let k = 0; k < members.length; k++)
      this.system.bodies[members[k]].applyInverseMass(x, at + this.offsetOf[members[k]]);
    this.#mechanisms[group]?.restrict(x, at);
  }

  /**
   * Velocities of all bodies ← the nearest ones, in the metric of M, with G u = b.
   * @param multipliers takes up the impulses of the joints @returns false when a prescribed speed cannot be
   *   reached
   */
  bring(u: Float64Array, multipliers: Float64Array): boolean {
    this.project(u, multipliers);
    return this.#isReached(u);
  }

  /** The same without a look at what could not be reached. */
  project(u: Float64Array, multipliers: Float64Array): void {
    for (let group = 0; group < this.#mechanisms.length; group++)
      this.#mechanisms[group]?.bringAll(u, this.targets, multipliers);
  }

  /** out ← out + ᵗG λ, λ by row, out by velocities of all bodies. */
  addImpulses(multipliers: Float64Array, out: Float64Array): void {
    const n = this.system.velocities;
    for (let r = 0; r < this.rows; r++) {
      if (multipliers[r] === 0) continue;
      for (let c = 0; c < n; c++) out[c] += multipliers[r] * this.#jacobian[r * n + c];
    }
  }

  /**
   * Changes of velocities, or displacements, of all bodies ← the nearest ones with G x = 0.
   * @param multipliers see `bring`
   */
  restrict(x: Float64Array, multipliers: Float64Array | null = null): void {
    for (let group = 0; group < this.#mechanisms.length; group++)
      this.#mechanisms[group]?.bringAll(x, null, multipliers);
  }

  /** Number of rows of joints and drives that follow from the others. */
  get redundant(): number {
    return this.#mechanisms.reduce((sum, mechanism) => sum + (mechanism?.redundant ?? 0), 0);
  }

  /** Number of rows of a group that are independent of one another. */
  rankOf(group: number): number {
    return this.#equations[group].length - (this.#mechanisms[group]?.redundant ?? 0);
  }

  /** Rows of a group, numbers among all. */
  rowsOf(group: number): readonly number[] {
    return this.#equations[group];
  }

  /** G, row of the numbers as in `rowsOf`, by all velocities. */
  get jacobian(): Float64Array {
    return this.#jacobian;
  }

  /** Whether the impulse of a row is the only one that the motion allows: not where joints say the same. */
  isDetermined(row: number): boolean {
    return this.#mechanisms.every((mechanism, group) => {
      const own = this.#equations[group].indexOf(row);
      return own < 0 || mechanism === null || mechanism.isDetermined(own);
    });
  }

  #isReached(u: Float64Array): boolean {
    const { equations, drives, velocities } = this.system;
    if (drives.count === 0) return true;
    let fastest = 0;
    for (let i = 0; i < u.length; i++) fastest = Math.max(fastest, Math.abs(u[i]));
    for (let r = equations.count; r < this.rows; r++) fastest = Math.max(fastest, Math.abs(this.targets[r]));
    for (let r = equations.count; r < this.rows; r++) {
      let sum = -this.targets[r];
      for (let c = 0; c < velocities; c++) sum += this.#jacobian[r * velocities + c] * u[c];
      if (!(Math.abs(sum) <= REACHED * fastest)) return false;
    }
    return true;
  }
}

/** What is one, by row of G. */
function unitsOf(system: SpatialSystem): Float64Array {
  const units = new Float64Array(system.equations.count + system.drives.count).fill(1);
  units.set(unitsOfEquations(system));
  const lengths = lengthsOf(system);
  let row = system.equations.count;
  system.joints.forEach(({ motors }, j) => {
    for (const { coordinate } of motors.filter(isDrive))
      units[row++] = coordinate.labels[0].unit === 'm' ? lengths[j] : 1;
  });
  return units;
}

/** Groups by body, numbered in the order of their first bodies. */
function groupsOf({ bodies, joints }: SpatialSystem): Int32Array {
  const parent = Int32Array.from(bodies.keys());
  const root = (body: number): number => {
    let at = body;
    while (parent[at] !== at) at = parent[at];
    return at;
  };
  for (const { first, second, others = [] } of joints) {
    const linked = [first.body, second.body, ...others].filter((body) => body >= 0);
    for (const body of linked.slice(1)) {
      const [a, b] = [root(linked[0]), root(body)];
      parent[Math.max(a, b)] = Math.min(a, b);
    }
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

/** Rows of equations and drives by group. */
function rowsOfGroups({ joints, equations }: SpatialSystem, groupOf: Int32Array, count: number): number[][] {
  const rows: number[][] = Array.from({ length: count }, () => []);
  let row = 0;
  let drive = equations.count;
  for (const { rows: kinds, motors, first, second } of joints) {
    const group = groupOf[Math.max(first.body, second.body)];
    for (const { labels } of kinds) for (let k = 0; k < labels.length; k++) rows[group].push(row++);
    for (const motor of motors) if (isDrive(motor)) rows[group].push(drive++);
  }
  return rows;
}
