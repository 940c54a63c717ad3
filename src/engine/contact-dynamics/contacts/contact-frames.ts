/**
 * Local frames of active contacts, and their rows in the velocities of the groups. With the point P and the
 * axes a of a frame (normal n from the first body to the second, then two tangents), the velocity of the
 * second body relative to the first is
 *
 *     U_a = a·Ṗ₂ − a·Ṗ₁,     row of a rigid body: ±(a, s×ᵗR a),   of a pseudo-rigid one: ±(a, a⊗ξ),
 *
 * with s = ᵗR (P − x) and ξ = F⁻¹ (P − x̄) (`SpatialBody.addFrameRows`), so that U_N > 0 separates and
 * R_N > 0 pushes apart.
 *
 * Tangents follow from the normal alone. An impulse is kept from step to step as a vector of the world,
 * because normals turn.
 */
import type { FrameRows } from '../delassus-blocks';
import type { BodyMobility } from '../mobility';

const DIMENSION = 3;
/** numbers of a frame: point and three axes */
export const FRAME_NUMBERS = 12;

export class ContactFrames implements FrameRows {
  count = 0;
  groups = new Int32Array(0);
  at = new Int32Array(0);
  values = new Float64Array(0);
  /** point, n, t₁, t₂ by row */
  axes = new Float64Array(0);
  #length = 0;

  constructor(private readonly mobility: BodyMobility) {}

  /** No frames, with room for that many. */
  clear(rows: number): void {
    this.count = 0;
    this.#length = 0;
    if (this.groups.length >= 2 * rows) return;
    this.groups = new Int32Array(4 * rows);
    this.at = new Int32Array(4 * rows);
    this.axes = new Float64Array(2 * FRAME_NUMBERS * rows);
  }

  /**
   * Adds the frame of the next row.
   * @param q positions of all bodies @param first, second numbers of the bodies, −1 for what does not move
   * @param geometry point and normal from `from` on
   */
  add(q: Float64Array, first: number, second: number, geometry: Float64Array, from: number): void {
    const { mobility, axes, groups } = this;
    const row = this.count++;
    const place = FRAME_NUMBERS * row;
    for (let k = 0; k < 6; k++) axes[place + k] = geometry[from + k];
    tangents(axes, place + 3);
    const groupOfFirst = first < 0 ? -1 : mobility.groupOf[first];
    const groupOfSecond = second < 0 ? -1 : mobility.groupOf[second];
    groups[2 * row] = groupOfFirst;
    groups[2 * row + 1] = groupOfSecond === groupOfFirst ? -1 : groupOfSecond;
    this.#reserve(2 * row, groupOfFirst);
    this.#reserve(2 * row + 1, groups[2 * row + 1]);
    if (first >= 0) this.#addSide(q, first, 2 * row, -1, place);
    if (second >= 0)
      this.#addSide(q, second, groupOfSecond === groupOfFirst ? 2 * row : 2 * row + 1, 1, place);
  }

  /**
   * Adds a block row of a contact's relative angular velocity ω₂ − ω₁ times a length, without anything in the
   * first component.
   * @param q as of the contact @param contact row of the contact
   * @param axes in turn for the second and third component: numbers of axes of the contact, 0 for the normal;
   *   −1 for nothing
   * @param lever the length, m @param isOwn whether impulses of the row are its own coordinates, as of a
   *   joint, in place of the contact's axes
   */
  addTurn(
    q: Float64Array,
    first: number,
    second: number,
    contact: number,
    axes: readonly [number, number],
    lever: number,
    isOwn: boolean,
  ): void {
    const { groups, mobility } = this;
    const row = this.count++;
    const from = FRAME_NUMBERS * contact;
    const place = FRAME_NUMBERS * row;
    for (let k = 0; k < FRAME_NUMBERS; k++) this.axes[place + k] = this.axes[from + k];
    if (isOwn) for (let k = 0; k < 9; k++) this.axes[place + 3 + k] = k % 4 === 0 ? 1 : 0;
    for (let side = 0; side < 2; side++) {
      groups[2 * row + side] = groups[2 * contact + side];
      this.#reserve(2 * row + side, groups[2 * row + side]);
    }
    const isWithin = second >= 0 && mobility.groupOf[second] === groups[2 * contact];
    for (let a = 1; a < DIMENSION; a++) {
      if (axes[a - 1] < 0) continue;
      const axis = from + 3 + 3 * axes[a - 1];
      if (first >= 0) this.#addTurnOf(q, first, 2 * row, -lever, a, axis);
      if (second >= 0) this.#addTurnOf(q, second, isWithin ? 2 * row : 2 * row + 1, lever, a, axis);
    }
  }

  #addTurnOf(q: Float64Array, body: number, side: number, factor: number, a: number, axis: number): void {
    const { axes, values, mobility } = this;
    const { bodies, positionsAt } = mobility.system;
    const entry = this.at[side] + mobility.offsetOf[body] + a * mobility.sizes[mobility.groupOf[body]];
    bodies[body].addTurnRow(q, positionsAt[body], axes, axis, factor, values, entry);
  }

  /**
   * Adds a block row within a group, of which one component has the given row and the others nothing.
   * @param jacobian a row by the velocities of all bodies from `from` on
   */
  addRow(group: number, component: number, jacobian: Float64Array, from: number): void {
    const { mobility, axes, groups } = this;
    const row = this.count++;
    const place = FRAME_NUMBERS * row;
    // Impulses of joints are their own coordinates: the frame is that of the world.
    axes.fill(0, place, place + FRAME_NUMBERS);
    for (let a = 0; a < DIMENSION; a++) axes[place + 3 + 4 * a] = 1;
    groups[2 * row] = group;
    groups[2 * row + 1] = -1;
    this.#reserve(2 * row, group);
    this.#reserve(2 * row + 1, -1);
    const entries = mobility.entries[group];
    const first = this.at[2 * row] + component * entries.length;
    for (let c = 0; c < entries.length; c++) this.values[first + c] = jacobian[from + entries[c]];
  }

  #reserve(side: number, group: number): void {
    this.at[side] = this.#length;
    if (group < 0) return;
    const size = DIMENSION * this.mobility.sizes[group];
    const length = this.#length + size;
    if (this.values.length < length) {
      const values = new Float64Array(2 * length);
      values.set(this.values);
      this.values = values;
    }
    this.values.fill(0, this.#length, length);
    this.#length = length;
  }

  #addSide(q: Float64Array, body: number, side: number, sign: number, place: number): void {
    const { axes, values, mobility } = this;
    const { bodies, positionsAt } = mobility.system;
    const width = mobility.sizes[mobility.groupOf[body]];
    const first = this.at[side] + mobility.offsetOf[body];
    bodies[body].addFrameRows(q, positionsAt[body], axes, place, sign, values, first, width);
  }

  /** out ← H u. @param u velocities of all bodies @param out 3 by row */
  measure(u: Float64Array, out: Float64Array): void {
    const { values, at, groups } = this;
    const { entries } = this.mobility;
    for (let side = 0; side < 2 * this.count; side++) {
      const to = DIMENSION * (side >> 1);
      if ((side & 1) === 0) out[to] = out[to + 1] = out[to + 2] = 0;
      if (groups[side] < 0) continue;
      const own = entries[groups[side]];
      const width = own.length;
      let first = at[side];
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      for (let c = 0; c < width; c++) {
        const x = u[own[c]];
        s0 += values[first] * x;
        s1 += values[first + width] * x;
        s2 += values[first + 2 * width] * x;
        first++;
      }
      out[to] += s0;
      out[to + 1] += s1;
      out[to + 2] += s2;
    }
  }

  /** p ← p + ᵗH R. @param p of all bodies @param r 3 by row */
  addImpulses(r: Float64Array, p: Float64Array): void {
    const { values, at, groups } = this;
    const { entries } = this.mobility;
    for (let side = 0; side < 2 * this.count; side++) {
      if (groups[side] < 0) continue;
      const own = entries[groups[side]];
      const width = own.length;
      const row = DIMENSION * (side >> 1);
      const r0 = r[row];
      const r1 = r[row + 1];
      const r2 = r[row + 2];
      let first = at[side];
      for (let c = 0; c < width; c++) {
        p[own[c]] =
          p[own[c]] + values[first] * r0 + values[first + width] * r1 + values[first + 2 * width] * r2;
        first++;
      }
    }
  }

  /** A vector of the world ← that of a frame, both from indices on. */
  toWorld(row: number, local: Float64Array, from: number, world: Float64Array, to: number): void {
    const place = FRAME_NUMBERS * row + 3;
    for (let i = 0; i < 3; i++)
      world[to + i] =
        this.axes[place + i] * local[from] +
        this.axes[place + 3 + i] * local[from + 1] +
        this.axes[place + 6 + i] * local[from + 2];
  }

  toLocal(row: number, world: Float64Array, from: number, local: Float64Array, to: number): void {
    const place = FRAME_NUMBERS * row + 3;
    for (let a = 0; a < DIMENSION; a++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += this.axes[place + 3 * a + i] * world[from + i];
      local[to + a] = sum;
    }
  }
}

/**
 * Two tangents after the unit normal at `at`, the same ones for the same normal. Duff et al. 2017. A normal
 * across z has z for its second tangent, exactly: of a motion in the plane z = const the first one is in that
 * plane then, and nothing couples the second with what happens in it.
 */
function tangents(axes: Float64Array, at: number): void {
  const x = axes[at];
  const y = axes[at + 1];
  const z = axes[at + 2];
  if (z === 0) {
    axes[at + 3] = -y;
    axes[at + 4] = x;
    axes[at + 5] = 0;
    axes[at + 6] = 0;
    axes[at + 7] = 0;
    axes[at + 8] = 1;
    return;
  }
  const sign = z >= 0 ? 1 : -1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  axes[at + 3] = 1 + sign * x * x * a;
  axes[at + 4] = sign * b;
  axes[at + 5] = -sign * x;
  axes[at + 6] = b;
  axes[at + 7] = sign + y * y * a;
  axes[at + 8] = -y;
}
