/**
 * Distances of shapes of bodies to one another and to what stands or moves as prescribed, found once more for
 * the certificate: without the frames, bounds and routines of the detection, from poses and the points that
 * shapes consist of. With the support of two shapes,
 *
 *     s(n) = min over points b of the second of n·b − max over points a of the first of n·a,
 *
 * is at most their distance, whatever the unit vector n. A contact with the normal n and the gap g says that
 * it is g, and that is so where s(n) = g and two points g n apart belong to the shapes, those above each other
 * at the point of the contact. Of overlapping shapes the same makes −g the way along n by which they come
 * apart, as the detection has chosen n; that no other way is shorter is not asked.
 *
 * Of two bodies the contact with the least gap is to be so of two of their shapes; those without a contact are
 * to be farther apart than the margin, by Gilbert, Johnson and Keerthi's algorithm (IEEE J. Robotics Autom.
 * 4(2), 1988, 193–203) written out for this. Contacts with edges inside of ground that several shapes make up
 * are left out on purpose (`collision/internal-edges.ts`): of a body that has contacts with such ground only
 * those are looked at. Nothing is asked of bodies that deform, and of height fields and ellipsoids.
 *
 * In a step `LOOKED_AT` bodies are looked at with all that is near them, in turn: all of them in each step of
 * small models, each of them every n/`LOOKED_AT` steps of large ones.
 */
import type { Shape } from '../../collision/shapes/shape';
import { larger } from '../../linalg/nan-safe';
import { POSITIONS, RigidBody } from '../../spatial/bodies/rigid-body';
import { dot, lengthOf } from '../../spatial/matrix3';
import { rotate, rotateBack, squaredNorm } from '../../spatial/quaternion';
import type { SpatialSystem } from '../../spatial/system';
import { type ContactList, GEOMETRY } from '../contacts/contact-list';
import { type KinematicBodies, kinematicBodyOf, numberOfKinematicBody } from '../contacts/kinematic-bodies';
import { ROUNDINGS } from '../rounding';
import type { DetectionCheck } from './scripted-check';

/** Bodies that are looked at in a step. */
const LOOKED_AT = 12;
/** Of sizes: where faces are nearly level, points are found to the root of what rounding leaves of tilts. */
const LOOSE = Math.sqrt(ROUNDINGS);
const NONE = -1;
const STANDING = -1;

/** A shape on a body, or in the world. */
export interface PairedShape {
  /** of its body among those of contacts: −1 for what stands */
  readonly body: number;
  /** among all shapes of the model */
  readonly number: number;
  readonly shape: Shape;
  /** on the body, or in the world: x and Q */
  readonly placement: Float64Array;
}

/** A convex shape in the frame of its body. */
interface Solid {
  readonly number: number;
  /** 3 each, m: corners, the ends of a capsule, the centres of a cylinder's ends */
  readonly points: Float64Array;
  /** around each of them, m: of a ball, or of a disc across the axis */
  readonly radius: number;
  /** of a cylinder */
  readonly axis: Float64Array | null;
  /** outward normals and offsets, 4 each, of what its faces enclose */
  readonly faces: Float64Array;
  /** n and o of a plane: the half-space n·x ≤ o */
  readonly plane: Float64Array | null;
  readonly centre: Float64Array;
  /** around the centre, m */
  readonly size: number;
}

interface Piece {
  /** see `PairedShape.body` */
  readonly body: number;
  readonly solids: readonly Solid[];
  /** around the origin of the body, m */
  readonly radius: number;
}

export class PairDistances implements DetectionCheck {
  /** by pair of materials, in parts of the size of the smaller shape: what gaps are off, or shapes too near */
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
    const pieces = this.#pieces.filter(({ solids }) => solids.length > 0);
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
    let isNear = false;
    for (let p = from; p < end; p++) {
      const other = this.#pieces[p];
      if (other.solids.length === 0) {
        // What cannot be looked at may be what the contacts are with.
        if (end - from > 1 || p >= this.#movingCount) return;
        continue;
      }
      if (!isNear) isNear = this.#isNear(piece, q, at, other);
    }
    if (!isNear) return;
    const least = this.#leastOf(k, this.#pieces[from].body, contacts, gaps);
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

  /** Number of the contact of two bodies with the least gap; −1 for none. */
  #leastOf(k: number, body: number, { bodies, materials }: ContactList, gaps: Float64Array): number {
    let least = NONE;
    for (let side = this.#last[k]; side !== NONE; side = this.#before[side]) {
      const c = side >> 1;
      if (bodies[side ^ 1] !== body || !this.areFound[materials[c]]) continue;
      if (least === NONE || gaps[c] < gaps[least]) least = c;
    }
    return least;
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
    if (its.plane === null) return this.#nearest.distance(this.#first, this.#second);
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
    const isWhole = this.#isWhole(piece, this.#pieces[from]);
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

  /** Whether no contacts of two bodies may have been left out at edges inside of either. */
  #isWhole(piece: Piece, { body, solids }: Piece): boolean {
    if (piece.solids.length > 1) return false;
    return body < 0 ? this.#pieces.length - this.#movingCount === 1 : solids.length === 1;
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

/** A shape where its body is: with directions and points brought into the frame of the body. */
class Support {
  /** of the body, in the world */
  readonly origin = new Float64Array(3);
  solid: Solid | null = null;
  readonly #turn = new Float64Array(4);
  readonly #local = new Float64Array(3);
  readonly #arm = new Float64Array(3);

  place(solid: Solid, pose: Float64Array, at: number): void {
    this.solid = solid;
    const norm = Math.sqrt(squaredNorm(pose, at + 3));
    for (let i = 0; i < 3; i++) this.origin[i] = pose[at + i];
    for (let i = 0; i < 4; i++) this.#turn[i] = pose[at + 3 + i] / norm;
  }

  /** Entry of the normal of a plane in the world. */
  turned(plane: Float64Array, i: number): number {
    rotate(this.#turn, 0, plane, 0, this.#arm, 0);
    return this.#arm[i];
  }

  /** n·(x₂ − x₁) of the origins. */
  along({ origin }: Support, normal: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += normal[i] * (origin[i] - this.origin[i]);
    return sum;
  }

  /** Height of the origin of another body over this plane. @param normal of the plane in the world */
  heightOf(other: Support, normal: Float64Array): number {
    return this.along(other, normal) - (this.solid?.plane?.[3] ?? 0);
  }

  /** The largest sign n·p over the points p of the shape, counted from the origin of the body. */
  reach({ points, radius, axis }: Solid, normal: Float64Array, sign: number): number {
    const local = this.#local;
    rotateBack(this.#turn, 0, normal, 0, local, 0);
    let most = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const along = sign * (local[0] * points[i] + local[1] * points[i + 1] + local[2] * points[i + 2]);
      if (along > most) most = along;
    }
    if (axis === null) return most + radius;
    const along = dot(local, 0, axis, 0);
    return most + radius * Math.sqrt(Math.max(0, 1 - along * along));
  }

  /** Adds sign · the point of the shape without its radius that is farthest along sign · n, in the world. */
  addFarthest(normal: Float64Array, sign: number, out: Float64Array, outAt: number): void {
    const { solid } = this;
    if (solid === null) return;
    const { points, radius, axis } = solid;
    const local = this.#local;
    rotateBack(this.#turn, 0, normal, 0, local, 0);
    let most = -Infinity;
    let at = 0;
    for (let i = 0; i < points.length; i += 3) {
      const along = sign * (local[0] * points[i] + local[1] * points[i + 1] + local[2] * points[i + 2]);
      if (along <= most) continue;
      most = along;
      at = i;
    }
    const arm = this.#arm;
    for (let i = 0; i < 3; i++) arm[i] = points[at + i];
    if (axis !== null) {
      const along = dot(local, 0, axis, 0);
      for (let i = 0; i < 3; i++) local[i] -= along * axis[i];
      const across = lengthOf(local, 0);
      if (across > 0) for (let i = 0; i < 3; i++) arm[i] += (sign * radius * local[i]) / across;
    }
    rotate(this.#turn, 0, arm, 0, arm, 0);
    for (let i = 0; i < 3; i++) out[outAt + i] += sign * (arm[i] + this.origin[i]);
  }

  /** How far a point is outside of the shape, m. @param point from the origin of the body, in the world */
  outside({ points, radius, axis, faces }: Solid, point: Float64Array): number {
    const local = this.#local;
    rotateBack(this.#turn, 0, point, 0, local, 0);
    let off = 0;
    for (let f = 0; f < faces.length; f += 4) off = larger(off, dot(faces, f, local, 0) - faces[f + 3]);
    if (faces.length > 0) return off;
    // A ball, or what is around a line.
    const end = points.length - 3;
    let length = 0;
    let along = 0;
    for (let i = 0; i < 3; i++) {
      this.#arm[i] = points[end + i] - points[i];
      length += this.#arm[i] ** 2;
      along += this.#arm[i] * (local[i] - points[i]);
    }
    const part = length > 0 ? along / length : 0;
    const held = axis === null ? Math.max(0, Math.min(1, part)) : part;
    let square = 0;
    for (let i = 0; i < 3; i++) square += (local[i] - points[i] - held * this.#arm[i]) ** 2;
    off = Math.sqrt(square) - radius;
    if (axis !== null) off = larger(off, Math.sqrt(length) * larger(-part, part - 1));
    return larger(off, 0);
  }
}

const MOST_STEPS = 40;
/** Of distances: bounds of them that are this near are one. */
const CLOSE = 1e-9;

/** The distance of two convex sets, by the point of their difference that is nearest to the origin. */
class NearestPoints {
  /** up to four points of the difference, and the nearest point of what they span */
  readonly #corners = new Float64Array(12);
  readonly #point = new Float64Array(3);
  readonly #weights = new Float64Array(4);
  readonly #best = new Float64Array(4);
  readonly #matrix = new Float64Array(9);
  readonly #right = new Float64Array(3);
  readonly #trial = new Float64Array(3);
  #count = 0;

  /** @returns m; minus both radii, or what is left of them, where their cores overlap */
  distance(first: Support, second: Support): number {
    const radii = radiusOf(first) + radiusOf(second);
    const point = this.#point;
    for (let i = 0; i < 3; i++) point[i] = second.origin[i] - first.origin[i];
    if (lengthOf(point, 0) === 0) point[0] = 1;
    this.#count = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const length = lengthOf(point, 0);
      const corner = 3 * this.#count;
      this.#corners.fill(0, corner, corner + 3);
      second.addFarthest(point, -1, this.#corners, corner);
      first.addFarthest(point, 1, this.#corners, corner);
      for (let i = 0; i < 3; i++) this.#corners[corner + i] = -this.#corners[corner + i];
      const bound = dot(point, 0, this.#corners, corner) / length;
      if (this.#count > 0 && length - bound <= CLOSE * length) return length - radii;
      this.#count++;
      if (!this.#reduce()) return -radii;
      if (lengthOf(point, 0) === 0) return -radii;
    }
    return lengthOf(point, 0) - radii;
  }

  /** The point of the simplex nearest to the origin, with the corners it needs. @returns false inside */
  #reduce(): boolean {
    const count = this.#count;
    let least = Infinity;
    let chosen = 0;
    for (let mask = 1; mask < 1 << count; mask++) {
      if (!this.#project(mask)) continue;
      const square = dot(this.#trial, 0, this.#trial, 0);
      if (!(square < least)) continue;
      least = square;
      chosen = mask;
      this.#best.set(this.#weights);
      this.#point.set(this.#trial);
    }
    if (chosen === 15) return false;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      if ((chosen & (1 << k)) === 0) continue;
      for (let i = 0; i < 3; i++) this.#corners[3 * kept + i] = this.#corners[3 * k + i];
      kept++;
    }
    this.#count = kept;
    return true;
  }

  /** The foot of the origin on what some corners span. @returns whether it is between them */
  #project(mask: number): boolean {
    const [corners, weights, matrix, right] = [this.#corners, this.#weights, this.#matrix, this.#right];
    weights.fill(0);
    let base = NONE;
    let size = 0;
    for (let k = 0; k < 4; k++) {
      if ((mask & (1 << k)) === 0) continue;
      if (base === NONE) {
        base = k;
        continue;
      }
      right[size] = 0;
      for (let i = 0; i < 3; i++)
        right[size] -= corners[3 * base + i] * (corners[3 * k + i] - corners[3 * base + i]);
      let column = 0;
      for (let l = 0; l < 4; l++) {
        if ((mask & (1 << l)) === 0 || l === base) continue;
        let sum = 0;
        for (let i = 0; i < 3; i++)
          sum += (corners[3 * k + i] - corners[3 * base + i]) * (corners[3 * l + i] - corners[3 * base + i]);
        matrix[3 * size + column++] = sum;
      }
      size++;
    }
    if (!solve(matrix, right, size)) return false;
    let rest = 1;
    let next = 0;
    for (let k = 0; k < 4; k++) {
      if ((mask & (1 << k)) === 0 || k === base) continue;
      weights[k] = right[next++];
      if (!(weights[k] >= 0)) return false;
      rest -= weights[k];
    }
    if (!(rest >= 0)) return false;
    weights[base] = rest;
    for (let i = 0; i < 3; i++) {
      this.#trial[i] = 0;
      for (let k = 0; k < 4; k++) if (weights[k] > 0) this.#trial[i] += weights[k] * corners[3 * k + i];
    }
    return true;
  }
}

/** Of a cylinder the radius belongs to its points. */
const radiusOf = ({ solid }: Support): number => (solid === null || solid.axis !== null ? 0 : solid.radius);

/** x ← A⁻¹ x, A symmetric with 3 numbers a row. @returns false where A has no inverse */
function solve(a: Float64Array, x: Float64Array, size: number): boolean {
  for (let k = 0; k < size; k++) {
    const pivot = a[4 * k];
    if (!(pivot > 0)) return false;
    for (let r = k + 1; r < size; r++) {
      const factor = a[3 * r + k] / pivot;
      for (let c = k; c < size; c++) a[3 * r + c] -= factor * a[3 * k + c];
      x[r] -= factor * x[k];
    }
  }
  for (let k = size - 1; k >= 0; k--) {
    for (let c = k + 1; c < size; c++) x[k] -= a[3 * k + c] * x[c];
    x[k] /= a[4 * k];
  }
  return true;
}

/** Without solids where one of the shapes is not known here. */
function pieceOf(body: number, shapes: readonly PairedShape[]): Piece {
  const solids = shapes.map(solidOf);
  const known = solids.filter((solid) => solid !== null);
  if (known.length < solids.length) return { body, solids: [], radius: 0 };
  const radius = known.reduce((most, { centre, size }) => Math.max(most, lengthOf(centre, 0) + size), 0);
  return { body, solids: known, radius };
}

function solidOf({ number, shape, placement }: PairedShape): Solid | null {
  if (shape.kind === 'ellipsoid' || shape.kind === 'heightField') return null;
  const none = new Float64Array(0);
  if (shape.kind === 'plane') {
    const plane = new Float64Array(4);
    rotate(placement, 3, shape.normal, 0, plane, 0);
    plane[3] = shape.offset + dot(plane, 0, placement, 0);
    const solid = { number, points: none, radius: 0, axis: null, faces: none, plane };
    return { ...solid, centre: placement.slice(0, 3), size: Infinity };
  }
  const { radius } = shape;
  const isCylinder = shape.kind === 'cylinder';
  const points = isCylinder
    ? Float64Array.of(0, 0, -shape.halfHeight, 0, 0, shape.halfHeight)
    : shape.core.vertices.slice();
  const axis = isCylinder ? Float64Array.of(0, 0, 1) : null;
  if (axis !== null) rotate(placement, 3, axis, 0, axis, 0);
  const centre = placement.slice(0, 3);
  let size = 0;
  for (let i = 0; i < points.length; i += 3) {
    size = Math.max(size, Math.hypot(points[i], points[i + 1], points[i + 2]) + radius);
    rotate(placement, 3, points, i, points, i);
    for (let k = 0; k < 3; k++) points[i + k] += placement[k];
  }
  const faces = !isCylinder && radius === 0 ? facesOf(shape.core, placement, points) : none;
  return { number, points, radius, axis, faces, plane: null, centre, size };
}

type Core = Extract<Shape, { core: unknown }>['core'];

function facesOf(core: Core, placement: Float64Array, points: Float64Array): Float64Array {
  const faces = new Float64Array(4 * core.faceCount);
  for (let f = 0; f < core.faceCount; f++) {
    rotate(placement, 3, core.normals, 3 * f, faces, 4 * f);
    faces[4 * f + 3] = dot(faces, 4 * f, points, 3 * core.faceVertices[core.faceStart[f]]);
  }
  return faces;
}
