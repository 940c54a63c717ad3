/**
 * Distances of shapes of bodies to one another and to what stands or moves as prescribed, found once more for
 * the certificate: without the frames, bounds and routines of the detection, from poses and the points that
 * shapes consist of. With the support of two shapes,
 *
 *     s(n) = min over points b of the second of n·b − max over points a of the first of n·a,
 *
 * is at most their distance, whatever the unit vector n. A contact with the normal n and the gap g says that
 * it is g, and that is so where s(n) = g and two points g n apart belong to the shapes, those above each
 * other at the point of the contact. Of overlapping shapes the same makes −g the way along n by which they
 * come apart, as the detection has chosen n; that no other way is shorter is not asked.
 *
 * Of two bodies the contact with the least gap is to be so of two of their shapes; those without a contact
 * are to be farther apart than the margin, by the algorithm of Gilbert, Johnson and Keerthi (IEEE J. Robotics
 * Autom. 4(2), 1988, 193–203) written out for this. Contacts with edges inside of ground or bodies that
 * several shapes make up are left out on purpose (`collision/internal-edges.ts`): there the least gap may be
 * wider than s(n), and ground that a body has other contacts with is not missed. Nothing is asked of bodies
 * that deform, and of a body with a height field: contacts that may be with its surface explain themselves.
 *
 * In a step `LOOKED_AT` bodies are looked at with all that is near them, in turn, so that each of n bodies is
 * every n/`LOOKED_AT` steps, and those of small models in each step. A pair that is missed, or gaps that are
 * wrong, for fewer steps than that may go unseen.
 */
import { larger } from '../../linalg/nan-safe';
import { POSITIONS, RigidBody } from '../../spatial/bodies/rigid-body';
import { dot, lengthOf } from '../../spatial/matrix3';
import { rotateBack } from '../../spatial/quaternion';
import type { SpatialSystem } from '../../spatial/system';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import { type KinematicBodies, kinematicBodyOf, numberOfKinematicBody } from '../contacts/kinematic-bodies';
import { ROUNDINGS } from '../rounding';
import type { DetectionCheck } from './scripted-check';
import { FieldSurface, NearestPoints, type PairedShape, type Solid, Support, solidOf } from './solids';

/** Bodies that are looked at in a step. */
const LOOKED_AT = 2;
/** Of sizes: where faces are nearly level, points are found to the root of what rounding leaves of tilts. */
const LOOSE = Math.sqrt(ROUNDINGS);
const NONE = -1;
const STANDING = -1;

interface Piece {
  /** see `PairedShape.body` */
  readonly body: number;
  readonly solids: readonly Solid[];
  readonly fields: readonly FieldSurface[];
  /** around the origin of the body, m */
  readonly radius: number;
}

export class PairDistances implements DetectionCheck {
  /** by pair of materials: what gaps are off, or shapes too near, in parts of the smaller shape */
  readonly missed: Float64Array;
  readonly materials: Int32Array;
  /** bodies that move, then those that move as prescribed, then each shape that stands */
  readonly #pieces: readonly Piece[];
  readonly #movingCount: number;
  readonly #shapeCount: number;
  /** pair of materials by pair of shapes; −1 of those that do not touch */
  readonly #known = new Map<number, number>();
  /** by piece: its last contact among those of the list; by side of a contact: the one before it */
  readonly #last: Int32Array;
  #before = new Int32Array(0);
  /** by piece that moves: whether it has a contact with what stands or moves as prescribed */
  readonly #isHeld: Uint8Array;
  readonly #ground = new Float64Array([0, 0, 0, 1, 0, 0, 0]);
  readonly #first = new Support();
  readonly #second = new Support();
  readonly #nearest = new NearestPoints();
  readonly #normal = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #other = new Float64Array(3);

  /**
   * @param touches, materialOf by numbers of shapes
   * @param areFound by pair of materials: whether detection finds its contacts, and no script gives them
   * @param margin largest gap of a contact, m
   */
  constructor(
    private readonly system: SpatialSystem,
    private readonly kinematicBodies: KinematicBodies | null,
    shapes: readonly PairedShape[],
    private readonly touches: (first: number, second: number) => boolean,
    private readonly materialOf: (first: number, second: number) => number,
    private readonly areFound: readonly boolean[],
    private readonly margin: number,
  ) {
    this.missed = new Float64Array(areFound.length);
    this.materials = Int32Array.from(areFound, (_, k) => k);
    this.#shapeCount = 1 + Math.max(-1, ...shapes.map(({ number }) => number));
    const moving = system.bodies.map((body, k) =>
      pieceOf(k, body instanceof RigidBody ? shapes.filter((shape) => shape.body === k) : []),
    );
    const motions = kinematicBodies?.motions ?? [];
    const prescribed = motions.map((_, k) => {
      const number = numberOfKinematicBody(k);
      return pieceOf(
        number,
        shapes.filter(({ body }) => body === number),
      );
    });
    const standing = shapes
      .filter(({ body }) => body === STANDING)
      .map((shape) => pieceOf(STANDING, [shape]));
    this.#movingCount = moving.length;
    this.#pieces = [...moving, ...prescribed, ...standing];
    this.#last = new Int32Array(moving.length);
    this.#isHeld = new Uint8Array(moving.length);
  }

  /** Whether there is something to look at. */
  get isNeeded(): boolean {
    const pieces = this.#pieces.filter(({ solids, fields }) => solids.length + fields.length > 0);
    return pieces.some(({ body }) => body >= 0) && pieces.length > 1;
  }

  judge(contacts: ContactList, gaps: Float64Array, q: Float64Array, step: number): void {
    this.missed.fill(0);
    const count = this.#movingCount;
    const turns = Math.ceil(count / LOOKED_AT);
    this.#link(contacts);
    for (let k = step % turns; k < count; k += turns) {
      if (this.#pieces[k].solids.length === 0) continue;
      for (let other = 0; other < count; other++) {
        // Of two that are both looked at now the first one does it.
        if (other === k || (other < k && (k - other) % turns === 0)) continue;
        this.#lookAt(k, other, other + 1, contacts, gaps, q);
      }
      let from = count;
      while (from < this.#pieces.length) {
        let end = from + 1;
        while (end < this.#pieces.length && this.#pieces[end].body === this.#pieces[from].body) end++;
        this.#lookAt(k, from, end, contacts, gaps, q);
        from = end;
      }
    }
  }

  /** Contacts by bodies. */
  #link({ count, bodies }: ContactList): void {
    if (this.#before.length < 2 * count) this.#before = new Int32Array(4 * count);
    this.#last.fill(NONE);
    this.#isHeld.fill(0);
    for (let k = 0; k < 2 * count; k++) {
      const body = bodies[k];
      if (body < 0) continue;
      this.#before[k] = this.#last[body];
      this.#last[body] = k;
      if (bodies[k ^ 1] < 0) this.#isHeld[body] = 1;
    }
  }

  /** A body and what it may touch: pieces of one body, or of the ground. */
  #lookAt(
    k: number,
    from: number,
    end: number,
    contacts: ContactList,
    gaps: Float64Array,
    q: Float64Array,
  ): void {
    const piece = this.#pieces[k];
    const at = this.system.positionsAt[k];
    // Of what deforms nothing is known.
    if (from < this.#movingCount && this.#pieces[from].solids.length === 0) return;
    let isNear = false;
    for (let p = from; p < end; p++)
      isNear ||= this.#pieces[p].fields.length > 0 || this.#isNear(piece, q, at, this.#pieces[p]);
    if (!isNear) return;
    const least = this.#leastOf(k, from, end, contacts, gaps, q);
    if (least === NONE) {
      if (this.#pieces[from].body < 0 && this.#isHeld[k] === 1) return;
      for (let p = from; p < end; p++)
        if (this.#isNear(piece, q, at, this.#pieces[p])) this.#lookAtGap(k, p, q);
    } else this.#explain(k, from, end, contacts, least, gaps[least], q);
  }

  #poseOf({ body }: Piece, q: Float64Array): Float64Array {
    if (body >= 0) return q;
    return kinematicBodyOf(body) >= 0 ? (this.kinematicBodies?.poses ?? this.#ground) : this.#ground;
  }

  #placeOf({ body }: Piece): number {
    if (body >= 0) return this.system.positionsAt[body];
    return kinematicBodyOf(body) >= 0 ? POSITIONS * kinematicBodyOf(body) : 0;
  }

  #isNear(piece: Piece, q: Float64Array, at: number, other: Piece, margin = this.margin): boolean {
    if (other.solids.length === 0) return false;
    const reach = piece.radius + other.radius + margin;
    if (reach === Infinity) return true;
    const pose = this.#poseOf(other, q);
    const from = this.#placeOf(other);
    // What stands has its centre where its shape is.
    const centre = other.body === STANDING ? other.solids[0].centre : null;
    const size = other.body === STANDING ? other.solids[0].size : other.radius;
    let square = 0;
    for (let i = 0; i < 3; i++) square += (q[at + i] - (centre === null ? pose[from + i] : centre[i])) ** 2;
    return square <= (piece.radius + size + margin) ** 2;
  }

  #materialOf(own: Solid, its: Solid): number {
    const [first, second] = [Math.min(own.number, its.number), Math.max(own.number, its.number)];
    const key = first * this.#shapeCount + second;
    let material = this.#known.get(key);
    if (material !== undefined) return material;
    material = this.touches(first, second) ? this.materialOf(first, second) : NONE;
    this.#known.set(key, material);
    return material;
  }

  /** Number of the contact of two bodies with the least gap, of those that no field may have; −1 for none. */
  #leastOf(
    k: number,
    from: number,
    end: number,
    { bodies, materials, geometry }: ContactList,
    gaps: Float64Array,
    q: Float64Array,
  ): number {
    const { body } = this.#pieces[from];
    // Points of several contacts of one face are in one plane, between the deepest and the highest of them.
    let far = 0;
    for (let side = this.#last[k]; side !== NONE; side = this.#before[side])
      if (bodies[side ^ 1] === body) far = larger(far, 2 * Math.abs(gaps[side >> 1]));
    far += LOOSE * (this.#pieces[k].radius + lengthOf(q, this.system.positionsAt[k]));
    let least = NONE;
    for (let side = this.#last[k]; side !== NONE; side = this.#before[side]) {
      const c = side >> 1;
      if (bodies[side ^ 1] !== body || !this.areFound[materials[c]]) continue;
      if (least !== NONE && !(gaps[c] < gaps[least])) continue;
      if (!this.#mayBeOfField(from, end, geometry, GEOMETRY * c, far, q)) least = c;
    }
    return least;
  }

  /** Whether a contact may be with a height field among some pieces. @param far of its point, m */
  #mayBeOfField(
    from: number,
    end: number,
    geometry: Float64Array,
    at: number,
    far: number,
    q: Float64Array,
  ): boolean {
    for (let p = from; p < end; p++)
      if (this.#isOverField(this.#pieces[p], q, geometry, at, far)) return true;
    return false;
  }

  /** Whether the surface of a field of a piece may be this near to a point in the world. */
  #isOverField(other: Piece, q: Float64Array, point: Float64Array, at: number, far: number): boolean {
    if (other.fields.length === 0) return false;
    const [pose, place] = [this.#poseOf(other, q), this.#placeOf(other)];
    for (let i = 0; i < 3; i++) this.#point[i] = point[at + i] - pose[place + i];
    rotateBack(pose, place + 3, this.#point, 0, this.#point, 0);
    for (const field of other.fields) if (field.isNear(this.#point, far)) return true;
    return false;
  }

  /** Two bodies without a contact. */
  #lookAtGap(k: number, p: number, q: Float64Array): void {
    const [piece, other] = [this.#pieces[k], this.#pieces[p]];
    const [pose, from] = [this.#poseOf(other, q), this.#placeOf(other)];
    for (const own of piece.solids)
      for (const its of other.solids) {
        const material = this.#materialOf(own, its);
        if (material < 0) continue;
        this.#first.place(own, q, this.system.positionsAt[k]);
        this.#second.place(its, pose, from);
        const distance = this.#distance(own, its);
        const size = Math.min(own.size, its.size);
        const nearer = this.margin - distance;
        if (nearer <= this.#loose(own, its, q, this.system.positionsAt[k])) continue;
        this.#enter(Math.min(nearer / size, 1), material);
      }
  }

  #distance(own: Solid, its: Solid): number {
    const normal = this.#normal;
    if (its.plane === null) return this.#nearest.distance(this.#first, this.#second, this.margin);
    for (let i = 0; i < 3; i++) normal[i] = this.#second.turned(its.plane, i);
    return this.#second.heightOf(this.#first, normal) - this.#first.reach(own, normal, -1);
  }

  #loose(own: Solid, its: Solid, q: Float64Array, at: number): number {
    const away = its.plane === null ? 0 : Math.abs(its.plane[3]);
    const size = its.plane === null ? its.size : 0;
    return LOOSE * (own.size + size) + ROUNDINGS * (lengthOf(q, at) + away);
  }

  /** Whether the contact with the least gap is one of two of the shapes. */
  #explain(
    k: number,
    from: number,
    end: number,
    { bodies, geometry, materials }: ContactList,
    c: number,
    gap: number,
    q: Float64Array,
  ): void {
    const piece = this.#pieces[k];
    const at = GEOMETRY * c;
    const sign = bodies[2 * c] === piece.body ? 1 : -1;
    const normal = this.#normal;
    for (let i = 0; i < 3; i++) normal[i] = sign * geometry[at + 3 + i];
    const isWhole = this.#isWhole(k, from, end, q);
    let off = Infinity;
    for (let p = from; p < end && off > 0; p++) {
      const other = this.#pieces[p];
      // Where bodies are fast contacts are found from farther away.
      if (!this.#isNear(piece, q, this.system.positionsAt[k], other, larger(gap, this.margin))) continue;
      const [pose, place] = [this.#poseOf(other, q), this.#placeOf(other)];
      for (const own of piece.solids)
        for (const its of other.solids) {
          if (this.#materialOf(own, its) < 0) continue;
          this.#first.place(own, q, this.system.positionsAt[k]);
          this.#second.place(its, pose, place);
          const defect = this.#defect(own, its, geometry, at, gap, isWhole);
          const rest = defect <= this.#loose(own, its, q, this.system.positionsAt[k]) ? 0 : defect;
          off = Math.min(off, its.plane === null ? rest / Math.min(own.size, its.size) : rest / own.size);
        }
    }
    if (off > 0) this.#enter(Math.min(off, 1), materials[c]);
  }

  /** Whether no contacts of a body may have been left out at edges inside of it or of what it is near. */
  #isWhole(k: number, from: number, end: number, q: Float64Array): boolean {
    const piece = this.#pieces[k];
    const at = this.system.positionsAt[k];
    let count = 0;
    for (let p = from; p < end; p++) {
      const other = this.#pieces[p];
      if (this.#isNear(piece, q, at, other)) count += other.solids.length;
      if (this.#isOverField(other, q, q, at, piece.radius + this.margin)) count++;
    }
    return piece.solids.length === 1 && count <= 1;
  }

  /**
   * How far s(n) is from the gap, or points at its ends are outside of the shapes, m.
   * @param isWhole whether the contact is the nearest of the two; s(n) may be less where it is not
   */
  #defect(own: Solid, its: Solid, geometry: Float64Array, at: number, gap: number, isWhole: boolean): number {
    const [first, second, normal] = [this.#first, this.#second, this.#normal];
    let separation: number;
    if (its.plane === null)
      separation = first.along(second, normal) - first.reach(own, normal, 1) - second.reach(its, normal, -1);
    else {
      // A plane is below the body, and the normal leads to it.
      for (let i = 0; i < 3; i++) this.#other[i] = -this.#second.turned(its.plane, i);
      let turned = 0;
      for (let i = 0; i < 3; i++) turned = larger(turned, Math.abs(this.#other[i] - normal[i]));
      if (turned > LOOSE) return Math.min(own.size, turned * own.size);
      for (let i = 0; i < 3; i++) this.#other[i] = -this.#other[i];
      separation = second.heightOf(first, this.#other) - first.reach(own, this.#other, -1);
    }
    // The point of the contact, brought to the end of the first shape.
    const point = this.#point;
    for (let i = 0; i < 3; i++) point[i] = geometry[at + i] - first.origin[i];
    const rise = first.reach(own, normal, 1) - dot(normal, 0, point, 0);
    for (let i = 0; i < 3; i++) point[i] += rise * normal[i];
    const room = isWhole ? 0 : larger(0, gap - separation);
    let off = larger(Math.abs(separation - gap) - room, first.outside(own, point) - room);
    if (its.plane !== null) return off;
    for (let i = 0; i < 3; i++) point[i] += first.origin[i] - second.origin[i] + gap * normal[i];
    off = larger(off, second.outside(its, point) - room);
    return off;
  }

  #enter(part: number, material: number): void {
    this.missed[material] = larger(part, this.missed[material]);
  }
}

function pieceOf(body: number, shapes: readonly PairedShape[]): Piece {
  const solids = shapes.flatMap((shape) => solidOf(shape) ?? []);
  const fields = shapes.flatMap(({ shape, placement }) =>
    shape.kind === 'heightField' ? [new FieldSurface(shape, placement)] : [],
  );
  const radius = solids.reduce((most, { centre, size }) => Math.max(most, lengthOf(centre, 0) + size), 0);
  return { body, solids, fields, radius };
}
