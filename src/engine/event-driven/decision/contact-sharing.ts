/**
 * How redundant contacts of 3D bodies share what they hold, as the four corners of a box on a floor do: its
 * six degrees of freedom determine six of the twelve forces.
 *
 * **The rule.** Each contact is a spring, equally stiff in all directions and at all contacts, of which the
 * stiffness goes to infinity. Forces of springs are λ = −k y with y = C d, where the displacement d of the
 * bodies goes to zero as 1/k, so that all forces that the rule can give are in the range of C. W = C M⁻¹ ᵗH,
 * where H = C + f C_t contains the friction of contacts that slide, has the same range where a push parts the
 * bodies; hence, with L for the null vectors of ᵗW,
 *
 *     W λ = −b,     ᵗL λ = 0,     λ = λ₀ − N (ᵗL N)⁻¹ ᵗL λ₀,     W N = 0.
 *
 * Where nothing slides H = C, L = N, and λ are the forces of least Σ λ² among all that have this effect:
 * which of them it is, the motion does not notice. Where redundant contacts slide it may: the friction of
 * corners with different directions of slip depends on how they share the load. The rule then is a part of
 * the model, that of feet of one stiffness, and no consequence of the laws of rigid bodies. Rows of joints
 * are no springs: L and N count by their rows of contacts only (D below), and what is left open among joints
 * stays as it was.
 *
 * **Contacts that all stick** hold the bodies as long as there are any forces within the cones that do
 * (`cone-forces.ts`). The forces are those of the springs where these are within the cones, and else those of
 * least norm that are. That nothing else is at hand is the end of sticking: the largest reserve that all of
 * them can have at once comes to zero.
 *
 * **Groups.** Contacts share with those that act on the same bodies, or on bodies linked to these by rows
 * that are ACTIVE.
 *
 * **Painlevé.** A group whose contacts slide has forces by the rule as long as W is regular on the range of
 * C, which is that of S = C M⁻¹ ᵗC. With P for rows of S that are independent, det (W S)_PP / det (S S)_PP is
 * 1 without friction; where it comes to zero, forces become infinite.
 */
import type { EventRelations } from '../rows/relation-rows';
import type { RowLaws } from '../rows/row-laws';
import { ConeForces } from './cone-forces';
import type { DiscFriction } from './disc-friction';
import { OUTSIDE } from './friction-coupling';
import { BasicSolve, NullVectors } from './friction-sharing';

/** What forms W among rows: the flow. */
interface OperatorSource {
  fillOperator(list: Int32Array, count: number, matrix: Float64Array, isCoupled: boolean): void;
}

/** Contacts with friction of a group from which on they are more than its bodies need. */
const REDUNDANT = 3;

/** Arrays for groups of up to as many rows. */
class Room {
  readonly W: Float64Array;
  readonly other: Float64Array;
  readonly right: NullVectors;
  readonly left: NullVectors;
  readonly gram: BasicSolve;
  readonly cones: ConeForces;

  constructor(readonly rows: number) {
    this.W = new Float64Array(rows * rows);
    this.other = new Float64Array(rows * rows);
    this.right = new NullVectors(rows);
    this.left = new NullVectors(rows);
    this.gram = new BasicSolve(rows);
    this.cones = new ConeForces(rows);
  }
}

export class ContactSharing {
  /** by first row of slip: 1 where all contacts of a group stick and share, when forces were shared last */
  readonly isHeld: Uint8Array;
  /**
   * rows of groups one after the other: of each contact its gap and, where it sticks, its slips; then others
   */
  readonly #rows: Int32Array;
  /** first place of each group in them */
  readonly #starts: Int32Array;
  #count = 0;
  /** group of each row that is in one, else −1 */
  readonly #groups: Int32Array;
  /** by group: contacts with friction, and those of them that slide */
  readonly #contacts: Int32Array;
  readonly #sliding: Int32Array;
  /** numbers of bodies, joined where rows link them */
  readonly #parents: Int32Array;
  /** number of the body of each coordinate */
  readonly #bodies: Int32Array;
  readonly #list: Int32Array;
  #room = new Room(0);

  constructor(
    private readonly laws: RowLaws,
    private readonly discs: DiscFriction,
    private readonly relations: EventRelations,
    private readonly flow: OperatorSource,
    /** first coordinate of each body; one more entry at the end */
    offsets: Int32Array,
  ) {
    const { count } = laws;
    this.isHeld = new Uint8Array(count);
    this.#rows = new Int32Array(count);
    this.#starts = new Int32Array(count + 1);
    this.#groups = new Int32Array(count);
    this.#contacts = new Int32Array(count);
    this.#sliding = new Int32Array(count);
    this.#list = new Int32Array(count);
    this.#parents = new Int32Array(offsets.length - 1);
    this.#bodies = new Int32Array(offsets[offsets.length - 1]);
    for (let body = 0; body + 1 < offsets.length; body++)
      this.#bodies.fill(body, offsets[body], offsets[body + 1]);
  }

  /** After modes have changed. @param active rows that are ACTIVE */
  begin(active: Int32Array, activeCount: number): void {
    this.isHeld.fill(0);
    this.#join(active, activeCount);
    this.#gather(active, activeCount);
    let largest = 0;
    for (let g = 0; g < this.#count; g++) largest = Math.max(largest, this.#starts[g + 1] - this.#starts[g]);
    if (largest > this.#room.rows) this.#room = new Room(largest);
  }

  /** Where no forces are left open. */
  release(): void {
    for (let g = 0; g < this.#count; g++) this.#hold(g, 0);
  }

  #join(active: Int32Array, activeCount: number): void {
    const parents = this.#parents;
    const { rowStart, dofs } = this.relations;
    for (let body = 0; body < parents.length; body++) parents[body] = body;
    for (let k = 0; k < activeCount; k++) {
      const row = active[k];
      for (let e = rowStart[row] + 1; e < rowStart[row + 1]; e++) {
        const one = this.#root(this.#bodies[dofs[e - 1]]);
        const other = this.#root(this.#bodies[dofs[e]]);
        if (one !== other) parents[Math.max(one, other)] = Math.min(one, other);
      }
    }
  }

  #root(body: number): number {
    let root = body;
    while (this.#parents[root] !== root) root = this.#parents[root];
    return root;
  }

  #rootOf(row: number): number {
    return this.#root(this.#bodies[this.relations.dofs[this.relations.rowStart[row]]]);
  }

  /** Whether a row is the gap of a contact with friction in its tangent plane. */
  #isDisc(row: number): boolean {
    const { laws, discs } = this;
    return (
      laws.kind[row] === 'contact' && row + 1 < laws.count && discs.isFirst(row + 1) && laws.mu[row + 1] > 0
    );
  }

  /** Rows of groups that have more contacts than one. */
  #gather(active: Int32Array, activeCount: number): void {
    const { discs, laws } = this;
    this.#count = 0;
    this.#groups.fill(-1);
    let at = 0;
    for (let first = 0; first < activeCount; first++) {
      const root = this.#rootOf(active[first]);
      if (this.#groups[active[first]] >= 0) continue;
      const g = this.#count;
      const start = at;
      let contacts = 0;
      let sliding = 0;
      for (let k = first; k < activeCount; k++) {
        const row = active[k];
        if (!this.#isDisc(row) || this.#rootOf(row) !== root) continue;
        contacts++;
        this.#rows[at++] = row;
        if (!discs.isSticking(row + 1)) {
          sliding++;
          continue;
        }
        this.#rows[at++] = row + 1;
        this.#rows[at++] = row + 2;
      }
      if (contacts < 2) {
        at = start;
        continue;
      }
      for (let k = first; k < activeCount; k++) {
        const row = active[k];
        if (laws.kind[row] === 'slip' || this.#isDisc(row) || this.#rootOf(row) !== root) continue;
        this.#rows[at++] = row;
      }
      for (let k = start; k < at; k++) this.#groups[this.#rows[k]] = g;
      this.#contacts[g] = contacts;
      this.#sliding[g] = sliding;
      this.#starts[g] = start;
      this.#starts[++this.#count] = at;
    }
  }

  /** Group of the contact of a first row of slip; −1 where it is alone. */
  groupOf(row: number): number {
    return this.#groups[row - 1];
  }

  /** Whether two contacts that are closed act on the same bodies, by their first rows of slip. */
  isTogether(row: number, other: number): boolean {
    return this.groupOf(row) >= 0 && this.groupOf(row) === this.groupOf(other);
  }

  /**
   * Whether the friction of a contact that slides is judged with that of its group.
   * @param row its first row of slip
   */
  isMany(row: number): boolean {
    const g = this.groupOf(row);
    return g >= 0 && this.#contacts[g] >= REDUNDANT;
  }

  /**
   * Shares forces that solve W λ = −b.
   * @param lambda by row, with rows of the last update
   */
  share(lambda: Float64Array): void {
    for (let g = 0; g < this.#count; g++) this.#shareGroup(g, lambda);
  }

  #shareGroup(g: number, lambda: Float64Array): void {
    const { W, other, right, left, gram } = this.#room;
    const start = this.#starts[g];
    const n = this.#take(g);
    const slides = this.#sliding[g] > 0;
    this.#hold(g, 0);
    this.flow.fillOperator(this.#list, n, W, true);
    right.find(W, n);
    const m = right.dimension;
    if (m === 0) return;
    const N = right.vectors;
    let L = N;
    if (slides) {
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) other[i * n + j] = W[j * n + i];
      left.find(other, n);
      // Ranks are rounding’s verdict; where these differ the motion hardly depends on what is shared.
      if (left.dimension === m) L = left.vectors;
    }
    const { matrix, rhs } = gram;
    for (let a = 0; a < m; a++) {
      rhs[a] = 0;
      for (let b = 0; b < m; b++) matrix[b * m + a] = 0;
      for (let i = 0; i < n; i++) {
        if (!this.#isSpring(this.#rows[start + i])) continue;
        rhs[a] += L[a * n + i] * lambda[this.#rows[start + i]];
        for (let b = 0; b < m; b++) matrix[b * m + a] += L[a * n + i] * N[b * n + i];
      }
    }
    gram.factor(m);
    gram.solve();
    for (let i = 0; i < n; i++)
      for (let a = 0; a < m; a++) lambda[this.#rows[start + i]] -= rhs[a] * N[a * n + i];
    if (slides) return;
    this.#hold(g, 1);
    this.#setCones(g, lambda);
    if (!this.#room.cones.isInside) this.#solveCones(g, lambda, true);
  }

  /**
   * First row of slip of a contact whose share pulls, or lies outside its cone, by more than rounding; −1
   * where there is none. Coulomb's law has other forces there, with which the rule does not agree.
   * @param lambda forces that were shared last
   */
  outside(lambda: Float64Array): number {
    for (let g = 0; g < this.#count; g++) {
      if (this.#contacts[g] < REDUNDANT) continue;
      let force = 0;
      let worst = 0;
      let found = -1;
      for (let k = this.#starts[g]; k < this.#starts[g + 1]; k++) {
        const row = this.#rows[k];
        force = Math.max(force, Math.abs(lambda[row]));
        if (!this.#isDisc(row)) continue;
        const reserve = this.discs.isSticking(row + 1) ? this.discs.reserve(row + 1, lambda) : 0;
        const excess = Math.max(-lambda[row], -reserve);
        if (excess <= worst) continue;
        worst = excess;
        found = row + 1;
      }
      if (worst > OUTSIDE * force) return found;
    }
    return -1;
  }

  /** Takes the rows of a group. @returns how many */
  #take(g: number): number {
    const start = this.#starts[g];
    const n = this.#starts[g + 1] - start;
    for (let i = 0; i < n; i++) this.#list[i] = this.#rows[start + i];
    return n;
  }

  #hold(g: number, value: number): void {
    for (let k = this.#starts[g]; k < this.#starts[g + 1]; k++)
      if (this.#isDisc(this.#rows[k])) this.isHeld[this.#rows[k] + 1] = value;
  }

  /** Whether a row is one of a contact that shares. */
  #isSpring(row: number): boolean {
    return this.laws.kind[row] === 'slip' || this.#isDisc(row);
  }

  /** What the contacts of a group admit, and their forces. */
  #setCones(g: number, lambda: Float64Array): void {
    const { cones, right } = this.#room;
    const { laws } = this;
    const start = this.#starts[g];
    const n = this.#starts[g + 1] - start;
    cones.begin(n, right.dimension);
    for (let i = 0; i < n; i++) {
      const row = this.#rows[start + i];
      cones.forces[i] = lambda[row];
      cones.weights[i] = this.#isSpring(row) ? 1 : 0;
      if (this.#isDisc(row)) cones.addDisc(i, laws.mu[row + 1]);
      else if (laws.kind[row] !== 'slip') cones.addBounds(i, laws.lower[row], laws.upper[row]);
    }
  }

  #solveCones(g: number, lambda: Float64Array, isChosen: boolean): number {
    const { cones, right } = this.#room;
    const start = this.#starts[g];
    for (let k = 0; k < cones.rows * right.dimension; k++) cones.directions[k] = right.vectors[k];
    cones.solve(isChosen);
    if (isChosen) for (let i = 0; i < cones.rows; i++) lambda[this.#rows[start + i]] = cones.forces[i];
    return cones.reserve;
  }

  /**
   * Largest reserves of groups that are held, N.
   * @param lambda forces that were shared last, with rows of the last update
   * @param out by first row of slip; other rows stay as they are
   */
  reserves(lambda: Float64Array, out: Float64Array): void {
    for (let g = 0; g < this.#count; g++) {
      const first = this.#rows[this.#starts[g]];
      if (this.isHeld[first + 1] === 0) continue;
      const n = this.#take(g);
      this.flow.fillOperator(this.#list, n, this.#room.W, true);
      this.#room.right.find(this.#room.W, n);
      this.#setCones(g, lambda);
      const reserve = this.#solveCones(g, lambda, false);
      for (let k = this.#starts[g]; k < this.#starts[g + 1]; k++)
        if (this.#isDisc(this.#rows[k])) out[this.#rows[k] + 1] = reserve;
    }
  }

  /**
   * det (W S)_PP / det (S S)_PP of the group of a contact into `out[0]`, with rows of the last update and
   * directions of slip at the state.
   * @param row its first row of slip
   */
  effective(row: number, out: Float64Array): void {
    const { W, other: S, gram } = this.#room;
    const n = this.#take(this.groupOf(row));
    const list = this.#list;
    this.flow.fillOperator(list, n, W, true);
    this.flow.fillOperator(list, n, S, false);
    const { matrix } = gram;
    for (let k = 0; k < n * n; k++) matrix[k] = S[k];
    gram.factor(n);
    const r = gram.rank;
    for (let k = 0; k < r; k++) list[k] = gram.pivot(k);
    out[0] = this.#determinant(W, S, n, r) / this.#determinant(S, S, n, r);
  }

  /** Determinant of rows and columns P of A S, with P in the list. */
  #determinant(A: Float64Array, S: Float64Array, n: number, r: number): number {
    const { gram } = this.#room;
    const { matrix } = gram;
    for (let b = 0; b < r; b++)
      for (let a = 0; a < r; a++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += A[k * n + this.#list[a]] * S[this.#list[b] * n + k];
        matrix[b * r + a] = sum;
      }
    gram.factor(r);
    return gram.determinant;
  }
}
