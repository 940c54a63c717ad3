/**
 * Contact detection of a model: shapes on bodies, and at each step the contacts between them. A step is
 * frames and bounds of the shapes, the broad phase (`broad-phase/`), the narrow phase of the pairs that are
 * near (`narrow-phase/`), and the comparison with the last step (`manifold.ts`). Contacts are those with a
 * gap up to the margin: they are predicted before they close.
 *
 * Once its arrays have grown to what a run needs, a step allocates nothing. The contacts and their order
 * depend on the poses alone, whatever came before; only `previous` depends on the last step.
 */
import { EngineError } from '../errors';
import type { StateArchive } from '../state-archive';
import { BroadPhase, IgnoredBodies, MEMORY, firstOf, secondOf } from './broad-phase/broad-phase';
import {
  FRAME,
  POSE_SIZE,
  composeFrames,
  frameOfPlanarPose,
  frameOfSpatialPose,
  identityFrame,
} from './frame';
import { widened, widenedBytes } from './growth';
import { InternalEdges } from './internal-edges';
import { Manifolds } from './manifold';
import { NarrowPhase } from './narrow-phase/narrow-phase';
import { CONTACT_SIZE, PairContacts } from './narrow-phase/pair-contacts';
import { DeformedPolytope } from './shapes/deformed-polytope';
import type { Polytope } from './shapes/polytope';
import { type Shape, refuseShape } from './shapes/shape';

/*
 * How thick a shape is: the radius of a ball inside it. Of spheres, capsules and cylinders, and of boxes, it
 * is the largest there is; of polyhedra and polygons the largest about the mean of the vertices, which is
 * inside. Ground has no end: +∞.
 */

/** @returns m */
export function innerRadius(shape: Shape): number {
  if (shape.kind === 'plane' || shape.kind === 'heightField') return Infinity;
  if (shape.kind === 'cylinder') return Math.min(shape.radius, shape.halfHeight);
  if (shape.kind === 'ellipsoid') return Math.min(...shape.semiAxes);
  return shape.radius + (shape.core.faceCount > 0 ? depthOfMean(shape.core) : 0);
}

/** The least distance of the mean of the vertices from a face. */
function depthOfMean({
  vertices,
  vertexCount,
  faceCount,
  faceStart,
  faceVertices,
  normals,
}: Polytope): number {
  const mean = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let v = 0; v < vertexCount; v++) sum += vertices[3 * v + k];
    return sum / vertexCount;
  });
  let least = Infinity;
  for (let f = 0; f < faceCount; f++) {
    const v = 3 * faceVertices[faceStart[f]];
    let depth = 0;
    for (let k = 0; k < 3; k++) depth += normals[3 * f + k] * (vertices[v + k] - mean[k]);
    least = Math.min(least, depth);
  }
  return least;
}

/** Body number of what stands still in the world. */
export const GROUND = -1;

export interface DetectionSettings {
  readonly dimension: 2 | 3;
  /**
   * how poses are given; in the way of the dimension when left out. Spatial ones in the plane are those of
   * frames turned about z.
   */
  readonly poses?: 'planar' | 'spatial';
  /** largest gap of a contact, m */
  readonly margin: number;
  /**
   * whether contacts with edges inside of ground or bodies that several shapes make up are left out
   * (`internal-edges.ts`); none is when left out
   */
  readonly skipsInternalEdges?: boolean;
  /** whether two shapes of different bodies meet at all; every two do when left out */
  readonly touches?: (first: number, second: number) => boolean;
  /**
   * Where the positions of bodies stand, and which of them deform, in space: x̄ and F, twelve numbers, in
   * place of a pose. Rigid bodies one after the other when left out. Kinematic bodies that are moved have
   * their places behind those of the bodies.
   */
  readonly bodies?: BodyPositions;
  /**
   * Bodies from this number on are kinematic bodies that are moved: shapes without an end may be on them, and
   * they touch neither the ground nor each other. There are none when left out.
   */
  readonly kinematicBodies?: number;
}

export interface BodyPositions {
  readonly positionsAt: ArrayLike<number>;
  readonly deforms: (body: number) => boolean;
}

export type DetectionStatus = 'ok' | 'notFinite';

/** What a number of a shape stands for. */
const FREE = 0;
const DISABLED = 1;
const ENABLED = 2;
const FIRST_PAIRS = 16;

export class ContactDetection {
  readonly manifolds = new Manifolds();
  /** by number; a number that is free keeps the shape it had until it is given out again */
  readonly shapes: Shape[] = [];
  readonly broadPhase = new BroadPhase((first, second) => this.#mayTouch(first, second));
  readonly dimension: 2 | 3;
  /** after the status `notFinite`: the shape it was found at */
  culprit = -1;
  readonly #areSpatial: boolean;
  /** gap up to which contacts are predicted, m */
  readonly margin: number;
  /** body number of the first kinematic body that is moved; infinite where there are none */
  readonly firstKinematicBody: number;
  readonly #touches: NonNullable<DetectionSettings['touches']> | null;
  readonly #positions: BodyPositions | null;
  readonly #bodies: number[] = [];
  /** by shape; null of what is rigid */
  readonly #deformed: (DeformedPolytope | null)[] = [];
  readonly #ignored = new IgnoredBodies();
  /** numbers that are free; the one freed last is given out first */
  readonly #free: number[] = [];
  #states = new Uint8Array(FIRST_PAIRS);
  /** 1 of shapes that take part, for the broad phase */
  #isPresent = new Uint8Array(FIRST_PAIRS);
  /** 1 of shapes that did not take part in the last step */
  #hasArrived = new Uint8Array(FIRST_PAIRS);
  /** 1 of shapes that stand where they stood in the last step */
  #isStill = new Uint8Array(FIRST_PAIRS);
  /** [0] of the last step, m; not archived: what is not known is found again */
  readonly #lastMargin = Float64Array.of(Number.NaN);
  #innerRadii = new Float64Array(FIRST_PAIRS);
  #placements = new Float64Array(FRAME * FIRST_PAIRS);
  #frames = new Float64Array(FRAME * FIRST_PAIRS);
  /** of the last step */
  #oldFrames = new Float64Array(FRAME * FIRST_PAIRS);
  #bounds = new Float64Array(6 * FIRST_PAIRS);
  readonly #body = new Float64Array(FRAME);
  readonly #contacts = new PairContacts();
  /** null where every pair of shapes is looked at by itself */
  readonly #edges: InternalEdges | null;
  readonly #areOne = (first: number, second: number): boolean => this.#belong(first, second);
  readonly #narrow = new NarrowPhase();

  /** @throws {EngineError} `margin-negative` */
  constructor(settings: DetectionSettings) {
    this.dimension = settings.dimension;
    this.#areSpatial = (settings.poses ?? (settings.dimension === 3 ? 'spatial' : 'planar')) === 'spatial';
    this.margin = settings.margin;
    this.firstKinematicBody = settings.kinematicBodies ?? Infinity;
    this.#touches = settings.touches ?? null;
    this.#positions = settings.bodies ?? null;
    this.#edges = settings.skipsInternalEdges === true ? new InternalEdges() : null;
    if (!(settings.margin >= 0 && settings.margin < Infinity))
      throw new EngineError({
        code: 'margin-negative',
        message: `The margin of contact detection is ${settings.margin}.`,
        remedy: 'Give the largest gap at which a contact is to be predicted, in metres, or zero.',
      });
    this.#contacts.margin[0] = settings.margin;
  }

  /**
   * By body: how far shapes reach from its origin at most, m; infinite of what has no end, 0 without shapes.
   */
  radii(): Float64Array {
    const radii = new Float64Array(1 + Math.max(-1, ...this.#bodies));
    const box = new Float64Array(6);
    this.shapes.forEach((shape, k) => {
      const body = this.#bodies[k];
      if (body === GROUND) return;
      shape.bounds(this.#placements, FRAME * k, box, 0);
      let square = 0;
      for (let i = 0; i < 3; i++) square += Math.max(box[i] ** 2, box[3 + i] ** 2);
      radii[body] = Math.max(radii[body], Math.sqrt(square));
    });
    return radii;
  }

  /**
   * Puts a shape on a body.
   * @param body its number, or `GROUND`
   * @param placement pose of the shape on the body, as poses are: seven numbers, or three of planar poses
   * @returns the number of the shape: one that `remove` has set free, else the next
   * @throws {EngineError} `shape-dimension`, `shape-on-body`, `shape-not-finite`, `shape-not-deformable`
   */
  add(body: number, shape: Shape, placement?: ArrayLike<number>): number {
    if (!shape.dimensions.includes(this.dimension))
      refuseShape(
        'shape-dimension',
        `A ${shape.kind} has no place in a model ${this.dimension === 2 ? 'in the plane' : 'in space'}.`,
        this.dimension === 2
          ? 'Use discs, polygons, and planes whose normal is in the plane.'
          : 'Use a sphere, capsule, box, cylinder, polyhedron, plane or height field.',
      );
    const isGround = shape.kind === 'plane' || shape.kind === 'heightField';
    if (isGround && !this.#isKinematicBody(body))
      refuseShape(
        'shape-on-body',
        `A ${shape.kind} cannot be on a body that moves.`,
        'Put it on the ground, or give the body a box.',
      );
    const number = this.#free.length > 0 ? this.#free[this.#free.length - 1] : this.shapes.length;
    this.#reserve(number + 1);
    if (placement === undefined) identityFrame(this.#placements, FRAME * number);
    else this.#pose(Float64Array.from(placement), 0, this.#placements, FRAME * number);
    for (let k = 0; k < FRAME; k++)
      if (!Number.isFinite(this.#placements[FRAME * number + k]))
        refuseShape(
          'shape-not-finite',
          `The placement of a ${shape.kind} is not finite.`,
          'Give a finite position and a quaternion that is not zero.',
        );
    const deforms = body !== GROUND && this.#positions?.deforms(body) === true;
    const deformed = deforms ? new DeformedPolytope(shape, this.#placements, FRAME * number) : null;
    // Only now: a shape that was refused has taken no number.
    this.#free.pop();
    this.shapes[number] = deformed ?? shape;
    this.#deformed[number] = deformed;
    this.#bodies[number] = body;
    this.#innerRadii[number] = innerRadius(shape);
    this.#arrive(number);
    return number;
  }

  /**
   * Takes a shape out. Its contacts are gone with the next step, and its number is free for another shape.
   * @throws {EngineError} `shape-unknown`
   */
  remove(shape: number): void {
    this.#requireKnown(shape);
    this.#depart(shape, FREE);
    this.#free.push(shape);
  }

  /**
   * Lets a shape touch nothing, or take part again. It keeps its number and its place on the body.
   * @throws {EngineError} `shape-unknown`
   */
  enable(shape: number, isEnabled: boolean): void {
    this.#requireKnown(shape);
    if (isEnabled === (this.#states[shape] === ENABLED)) return;
    if (isEnabled) this.#arrive(shape);
    else this.#depart(shape, DISABLED);
  }

  /** Whether the number belongs to a shape, and that takes part. */
  isEnabled(shape: number): boolean {
    return this.#states[shape] === ENABLED;
  }

  /**
   * Shapes of these two bodies do not touch: they are held together by a joint. To be said before the first
   * step.
   */
  ignore(first: number, second: number): void {
    this.#ignored.add(first, second);
  }

  /** The last step, by which contacts are known again. Shapes are those that there are. */
  exchange(archive: StateArchive): void {
    this.manifolds.exchange(archive);
    this.#frames = archive.array(this.#frames);
    this.#hasArrived = archive.array(this.#hasArrived);
  }

  /** The body of a shape. */
  bodyOf(shape: number): number {
    return this.#bodies[shape];
  }

  /**
   * Finds the contacts of the bodies' poses, in `manifolds`.
   * @param poses of body k: `POSE_SIZE` numbers, seven or three, from k · POSE_SIZE on, or as the settings
   *   say
   * @param reach gap up to which they are wanted in this step, m, where that is more than the margin
   * @returns `notFinite` when a pose is not; the contacts are those of the last step then
   */
  step(poses: Float64Array, reach = 0): DetectionStatus {
    this.#contacts.margin[0] = Math.max(this.margin, reach);
    if (!this.#place(poses)) return 'notFinite';
    const { manifolds, shapes } = this;
    const { pairs } = this.broadPhase;
    this.broadPhase.update(this.#bounds, this.#isPresent, shapes.length);
    const contacts = this.#contacts;
    const frames = this.#frames;
    const hasArrived = this.#hasArrived;
    manifolds.begin(frames, this.#oldFrames, this.#innerRadii);
    const keeps = this.#edges === null && this.#findStill();
    for (let k = 0; k < pairs.count; k++) {
      const first = firstOf(pairs.keys[k]);
      const second = secondOf(pairs.keys[k]);
      if (!this.#isNear(first, second)) continue;
      if (keeps && this.#isStill[first] === 1 && this.#isStill[second] === 1) {
        manifolds.keep(first, second);
        continue;
      }
      for (let m = 0; m < MEMORY; m++) contacts.axis[m] = pairs.memory[MEMORY * k + m];
      this.#narrow.collide(
        shapes[first],
        frames,
        FRAME * first,
        shapes[second],
        frames,
        FRAME * second,
        contacts,
      );
      for (let m = 0; m < MEMORY; m++) pairs.memory[MEMORY * k + m] = contacts.axis[m];
      manifolds.add(contacts, first, second, hasArrived[first] === 0 && hasArrived[second] === 0);
    }
    this.#edges?.prune(manifolds, shapes, frames, this.#areOne);
    manifolds.finish();
    hasArrived.fill(0);
    return 'ok';
  }

  /**
   * Frames and bounds of this step; those of the last one stay in `#oldFrames`, or in `#frames` when a pose
   * is not finite.
   */
  #place(poses: Float64Array): boolean {
    const stride = POSE_SIZE[this.#areSpatial ? 3 : 2];
    const frames = this.#oldFrames;
    for (let k = 0; k < this.shapes.length; k++) {
      if (this.#isPresent[k] === 0) continue;
      const body = this.#bodies[k];
      const at =
        this.#positions === null || body === GROUND ? stride * body : this.#positions.positionsAt[body];
      if (this.#deformed[k] !== null) {
        if (!this.#deform(poses, at, k, frames)) return false;
        continue;
      }
      if (body === GROUND) identityFrame(this.#body, 0);
      else this.#pose(poses, at, this.#body, 0);
      composeFrames(this.#body, 0, this.#placements, FRAME * k, frames, FRAME * k);
      for (let i = 0; i < FRAME; i++) {
        if (Number.isFinite(frames[FRAME * k + i])) continue;
        this.culprit = k;
        return false;
      }
    }
    this.#oldFrames = this.#frames;
    this.#frames = frames;
    for (let k = 0; k < this.shapes.length; k++) {
      if (this.#isPresent[k] === 0) continue;
      this.shapes[k].bounds(frames, FRAME * k, this.#bounds, 6 * k);
      // Half on either side: boxes of shapes that are the margin apart just meet.
      for (let i = 0; i < 3; i++) {
        this.#bounds[6 * k + i] -= 0.5 * this.#contacts.margin[0];
        this.#bounds[6 * k + 3 + i] += 0.5 * this.#contacts.margin[0];
      }
    }
    return true;
  }

  /** A shape that carries F itself: its frame has the origin of the body and the axes of the world. */
  #deform(positions: Float64Array, at: number, k: number, frames: Float64Array): boolean {
    identityFrame(frames, FRAME * k);
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      frames[FRAME * k + i] = positions[at + i];
      sum += positions[at + i];
    }
    if (Number.isFinite(sum) && this.#deformed[k]?.deform(positions, at + 3) === true) return true;
    this.culprit = k;
    return false;
  }

  #pose(poses: Float64Array, at: number, out: Float64Array, outAt: number): void {
    if (this.#areSpatial) frameOfSpatialPose(poses, at, out, outAt);
    else frameOfPlanarPose(poses, at, out, outAt);
  }

  /**
   * Finds the shapes that stand where they stood in the last step to the last bit. Two of them have the
   * contacts that they had: these depend on the poses alone.
   * @returns false where nothing is known of the last step, or contacts were those of another margin
   */
  #findStill(): boolean {
    const [margin] = this.#contacts.margin;
    const isKnown = this.manifolds.hasLast && margin === this.#lastMargin[0];
    this.#lastMargin[0] = margin;
    if (!isKnown) return false;
    const [frames, old] = [this.#frames, this.#oldFrames];
    for (let k = 0; k < this.shapes.length; k++) {
      let isStill = this.#hasArrived[k] === 0 && this.#deformed[k] === null;
      for (let i = FRAME * k; isStill && i < FRAME * (k + 1); i++) isStill = Object.is(frames[i], old[i]);
      this.#isStill[k] = isStill ? 1 : 0;
    }
    return true;
  }

  /** Whether the bounds themselves overlap; the boxes in the tree are wider. */
  #isNear(first: number, second: number): boolean {
    const bounds = this.#bounds;
    const a = 6 * first;
    const b = 6 * second;
    for (let k = 0; k < 3; k++)
      if (bounds[a + k] > bounds[b + 3 + k] || bounds[b + k] > bounds[a + 3 + k]) return false;
    return true;
  }

  #mayTouch(first: number, second: number): boolean {
    const a = this.#bodies[first];
    const b = this.#bodies[second];
    if (a === b || (this.#isKinematicBody(a) && this.#isKinematicBody(b)) || this.#ignored.has(a, b))
      return false;
    return this.#touches === null || this.#touches(first, second);
  }

  /** Whether two shapes stay where they are to one another: on one body, or on what contacts do not move. */
  #belong(first: number, second: number): boolean {
    const [a, b] = [this.#bodies[first], this.#bodies[second]];
    return a === b || (this.#isKinematicBody(a) && this.#isKinematicBody(b));
  }

  /** Whether a body is not moved by contacts. */
  #isKinematicBody(body: number): boolean {
    return body === GROUND || body >= this.firstKinematicBody;
  }

  #arrive(shape: number): void {
    this.#states[shape] = ENABLED;
    this.#isPresent[shape] = 1;
    this.#hasArrived[shape] = 1;
  }

  #depart(shape: number, state: typeof FREE | typeof DISABLED): void {
    this.#states[shape] = state;
    this.#isPresent[shape] = 0;
    this.broadPhase.remove(shape);
  }

  #requireKnown(shape: number): void {
    const isNumber = Number.isInteger(shape) && shape >= 0 && shape < this.shapes.length;
    if (isNumber && this.#states[shape] !== FREE) return;
    throw new EngineError({
      code: 'shape-unknown',
      message: `Contact detection has no shape of number ${shape}.`,
      remedy: 'Give a number that `add` has returned and that has not been removed since.',
    });
  }

  #reserve(count: number): void {
    if (count <= this.#states.length) return;
    const room = 2 * this.#states.length;
    this.#states = widenedBytes(this.#states, room);
    this.#isPresent = widenedBytes(this.#isPresent, room);
    this.#hasArrived = widenedBytes(this.#hasArrived, room);
    this.#isStill = widenedBytes(this.#isStill, room);
    this.#innerRadii = widened(this.#innerRadii, room);
    this.#placements = widened(this.#placements, FRAME * room);
    this.#frames = widened(this.#frames, FRAME * room);
    this.#oldFrames = widened(this.#oldFrames, FRAME * room);
    this.#bounds = widened(this.#bounds, 6 * room);
  }
}

/* Shapes that overlap where a run starts: what a model should not have, in words. */

export interface Overlap {
  /** numbers of the shapes */
  readonly first: number;
  readonly second: number;
  /** m, positive */
  readonly depth: number;
}

/**
 * Pairs of shapes of the last step that overlap by more than a tolerance, each with its deepest contact; the
 * deepest pair first.
 * @param tolerance m: what is meant to touch overlaps by rounding
 */
export function overlaps(detection: ContactDetection, tolerance: number): Overlap[] {
  const { manifolds } = detection;
  const deepest = new Map<string, Overlap>();
  for (let k = 0; k < manifolds.count; k++) {
    const depth = -manifolds.values[CONTACT_SIZE * k];
    if (!(depth > tolerance)) continue;
    const first = manifolds.first[k];
    const second = manifolds.second[k];
    const known = deepest.get(`${first} ${second}`);
    if (known === undefined || known.depth < depth)
      deepest.set(`${first} ${second}`, { first, second, depth });
  }
  return [...deepest.values()].sort((a, b) => b.depth - a.depth);
}

/** @param name of the element that has a shape */
export function describeOverlap(overlap: Overlap, name: (shape: number) => string): string {
  return (
    `“${name(overlap.first)}” and “${name(overlap.second)}” overlap by ${overlap.depth.toPrecision(3)} m at the start. ` +
    'The first steps will push them apart, as if they had been pressed together; move one of them, or leave it if that is meant.'
  );
}
