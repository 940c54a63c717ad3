/**
 * Contact detection of a model: shapes on bodies, and at each step the contacts between them. A step is frames and bounds of the shapes, the
 * broad phase (`broad-phase/`), the narrow phase of the pairs that are near (`narrow-phase/`), and the comparison with the last
 * step (`manifold.ts`). Contacts are those with a gap up to the margin: they are predicted before they close.
 *
 * Once its arrays have grown to what a run needs, a step allocates nothing. The contacts and their order depend on the poses alone, whatever
 * came before; only `previous` depends on the last step.
 */
import { EngineError } from '../errors';
import { BroadPhase } from './broad-phase/broad-phase';
import { firstOf, MEMORY, secondOf } from './broad-phase/pair-list';
import { composeFrames, FRAME, frameOfPlanarPose, frameOfSpatialPose, identityFrame, POSE } from './frame';
import { widened } from './growth';
import { Manifolds } from './manifold';
import { NarrowPhase } from './narrow-phase/narrow-phase';
import { PairContacts } from './narrow-phase/pair-contacts';
import { refuseShape } from './shapes/checks';
import type { Shape } from './shapes/shape';

/** Body number of what stands still in the world. */
export const GROUND = -1;

export interface DetectionSettings {
  readonly dimension: 2 | 3;
  /** largest gap of a contact, m */
  readonly margin: number;
}

export type DetectionStatus = 'ok' | 'notFinite';

export class ContactDetection {
  readonly manifolds = new Manifolds();
  readonly shapes: Shape[] = [];
  readonly broadPhase = new BroadPhase((first, second) => this.#mayTouch(first, second));
  readonly dimension: 2 | 3;
  /** after the status `notFinite`: the shape it was found at */
  culprit = -1;
  readonly #margin: number;
  readonly #bodies: number[] = [];
  readonly #ignored = new Set<string>();
  #placements = new Float64Array(FRAME * 16);
  #frames = new Float64Array(FRAME * 16);
  #bounds = new Float64Array(6 * 16);
  readonly #body = new Float64Array(FRAME);
  readonly #contacts = new PairContacts();
  readonly #narrow = new NarrowPhase();

  /** @throws {EngineError} `margin-negative` */
  constructor(settings: DetectionSettings) {
    this.dimension = settings.dimension;
    this.#margin = settings.margin;
    if (!(settings.margin >= 0 && settings.margin < Infinity))
      throw new EngineError({
        code: 'margin-negative',
        message: `The margin of contact detection is ${settings.margin}.`,
        remedy: 'Give the largest gap at which a contact is to be predicted, in metres, or zero.',
      });
    this.#contacts.margin[0] = settings.margin;
  }

  /**
   * Puts a shape on a body.
   * @param body its number, or `GROUND`
   * @param placement pose of the shape on the body, as poses are: seven numbers in space, three in the plane
   * @returns the number of the shape
   * @throws {EngineError} `shape-dimension`, `shape-on-body`, `shape-not-finite`
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
    if (isGround && body !== GROUND)
      refuseShape(
        'shape-on-body',
        `A ${shape.kind} cannot be on a body that moves.`,
        'Put it on the ground, or give the body a box.',
      );
    const number = this.shapes.length;
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
    this.shapes.push(shape);
    this.#bodies.push(body);
    return number;
  }

  /** Shapes of these two bodies do not touch: they are held together by a joint. To be said before the first step. */
  ignore(first: number, second: number): void {
    this.#ignored.add(`${Math.min(first, second)} ${Math.max(first, second)}`);
  }

  /** The body of a shape. */
  bodyOf(shape: number): number {
    return this.#bodies[shape];
  }

  /**
   * Finds the contacts of the bodies' poses, in `manifolds`.
   * @param poses of body k: `POSE[dimension]` numbers from k · POSE[dimension] on
   * @returns `notFinite` when a pose is not; the contacts are those of the last step then
   */
  step(poses: Float64Array): DetectionStatus {
    if (!this.#place(poses)) return 'notFinite';
    const { manifolds, shapes } = this;
    const { pairs } = this.broadPhase;
    this.broadPhase.update(this.#bounds, shapes.length);
    manifolds.begin();
    const contacts = this.#contacts;
    const frames = this.#frames;
    for (let k = 0; k < pairs.count; k++) {
      const first = firstOf(pairs.keys[k]);
      const second = secondOf(pairs.keys[k]);
      if (!this.#isNear(first, second)) continue;
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
      manifolds.add(contacts, first, second, frames, FRAME * first);
    }
    manifolds.finish();
    return 'ok';
  }

  #place(poses: Float64Array): boolean {
    const stride = POSE[this.dimension];
    for (let k = 0; k < this.shapes.length; k++) {
      const body = this.#bodies[k];
      if (body === GROUND) identityFrame(this.#body, 0);
      else this.#pose(poses, stride * body, this.#body, 0);
      composeFrames(this.#body, 0, this.#placements, FRAME * k, this.#frames, FRAME * k);
      for (let i = 0; i < FRAME; i++) {
        if (Number.isFinite(this.#frames[FRAME * k + i])) continue;
        this.culprit = k;
        return false;
      }
      this.shapes[k].bounds(this.#frames, FRAME * k, this.#bounds, 6 * k);
      // Half on either side: boxes of shapes that are the margin apart just meet.
      for (let i = 0; i < 3; i++) {
        this.#bounds[6 * k + i] -= 0.5 * this.#margin;
        this.#bounds[6 * k + 3 + i] += 0.5 * this.#margin;
      }
    }
    return true;
  }

  #pose(poses: Float64Array, at: number, out: Float64Array, outAt: number): void {
    if (this.dimension === 3) frameOfSpatialPose(poses, at, out, outAt);
    else frameOfPlanarPose(poses, at, out, outAt);
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
    return a !== b && (this.#ignored.size === 0 || !this.#ignored.has(`${Math.min(a, b)} ${Math.max(a, b)}`));
  }

  #reserve(count: number): void {
    if (FRAME * count <= this.#frames.length) return;
    const room = 2 * this.#frames.length;
    this.#placements = widened(this.#placements, room);
    this.#frames = widened(this.#frames, room);
    this.#bounds = widened(this.#bounds, (6 * room) / FRAME);
  }
}
