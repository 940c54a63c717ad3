/**
 * Which routine finds the contacts of which pair of shapes. Round shapes and planes have closed forms;
 * polytopes and cylinders are separated by axes; a height field is a row of triangles. Every routine takes
 * its kinds in one order, and the contacts are turned round when the pair comes in the other.
 */
import { EngineError } from '../../errors';
import { pointPolytope } from '../shapes/polytope';
import type { ConvexShape, RoundedShape, Shape } from '../shapes/shape';
import { CylinderPair } from './cylinder-pair';
import { CylinderPolytopePair } from './cylinder-polytope-pair';
import { HeightFieldPair } from './height-field-pair';
import type { PairContacts } from './pair-contacts';
import { planeCylinder, planeEllipsoid, planePolytope } from './plane-pairs';
import { pointBox, pointCylinder, pointPoint, pointSegment, segmentSegment } from './round-pairs';
import { PolytopePair } from './polytope-pair';

/** Of two shapes the one with the lower rank comes first. */
const RANK: Record<Shape['kind'], number> = {
  plane: 0,
  heightField: 1,
  disc: 2,
  sphere: 2,
  capsule: 3,
  box: 4,
  polygon: 5,
  polyhedron: 5,
  cylinder: 6,
  ellipsoid: 7,
};

export class NarrowPhase {
  readonly #polytopes = new PolytopePair(pointPolytope(3));
  readonly #cylinders = new CylinderPair();
  readonly #cylinderAndPolytope = new CylinderPolytopePair(pointPolytope(3));
  readonly #heightFields = new HeightFieldPair();

  /**
   * Leaves the contacts of two shapes in `out`, within its margin; `out.axis` is what the pair remembers.
   * @param firstFrame, secondFrame where they stand, twelve numbers each at `firstAt`, `secondAt`
   * @throws {EngineError} `shapes-without-contact` of two shapes that both belong to the ground
   */
  collide(
    first: Shape,
    firstFrame: Float64Array,
    firstAt: number,
    second: Shape,
    secondFrame: Float64Array,
    secondAt: number,
    out: PairContacts,
  ): void {
    out.clear();
    const isSwapped = RANK[first.kind] > RANK[second.kind];
    const sign = isSwapped ? -1 : 1;
    for (let k = 0; k < 3; k++)
      out.relative[k] = sign * (secondFrame[secondAt + k] - firstFrame[firstAt + k]);
    if (!isSwapped) {
      this.#ordered(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
      return;
    }
    for (let k = 0; k < 3; k++) out.axis[k] = -out.axis[k];
    this.#ordered(second, secondFrame, secondAt, first, firstFrame, firstAt, out);
    for (let k = 0; k < 3; k++) {
      out.axis[k] = -out.axis[k];
      out.relative[k] = -out.relative[k];
    }
    out.swap();
  }

  #ordered(
    first: Shape,
    firstFrame: Float64Array,
    firstAt: number,
    second: Shape,
    secondFrame: Float64Array,
    secondAt: number,
    out: PairContacts,
  ): void {
    if (second.kind === 'plane' || second.kind === 'heightField') refuseGround(first, second);
    if (first.kind === 'ellipsoid') refuseEllipsoid(first, second);
    if (second.kind === 'ellipsoid') {
      if (first.kind !== 'plane') refuseEllipsoid(first, second);
      planeEllipsoid(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
    } else if (first.kind === 'plane') {
      if (second.kind === 'cylinder')
        planeCylinder(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
      else planePolytope(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
    } else if (first.kind === 'heightField')
      this.#heightFields.collide(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
    else if (first.kind === 'sphere' || first.kind === 'disc')
      this.#point(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
    else if (first.kind === 'capsule' && second.kind === 'capsule')
      segmentSegment(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
    else if (first.kind === 'cylinder') {
      if (second.kind === 'cylinder')
        this.#cylinders.collide(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
    } else if (second.kind === 'cylinder')
      this.#cylinderAndPolytope.collide(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
    else this.#polytopes.collide(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
  }

  #point(
    first: RoundedShape,
    firstFrame: Float64Array,
    firstAt: number,
    second: ConvexShape,
    secondFrame: Float64Array,
    secondAt: number,
    out: PairContacts,
  ): void {
    if (second.kind === 'cylinder') pointCylinder(first, second, secondFrame, secondAt, out);
    else if (second.kind === 'sphere' || second.kind === 'disc') pointPoint(first, second, out);
    else if (second.kind === 'capsule') pointSegment(first, second, secondFrame, secondAt, out);
    else if (second.halfExtents !== undefined)
      pointBox(first, second, second.halfExtents, secondFrame, secondAt, out);
    else this.#polytopes.collide(first, firstFrame, firstAt, second, secondFrame, secondAt, out);
  }
}

/** Preparation refuses such pairs (`preparation/spatial/compile.ts`). */
function refuseEllipsoid(first: Shape, second: Shape): never {
  throw new EngineError({
    code: 'shapes-without-contact',
    message: `Contacts of a ${first.kind} and a ${second.kind} are not known.`,
    remedy: 'Give one of them another shape: ellipsoids touch planes.',
  });
}

function refuseGround(first: Shape, second: Shape): never {
  throw new EngineError({
    code: 'shapes-without-contact',
    message: `A ${first.kind} and a ${second.kind} cannot touch: both belong to the ground.`,
    remedy: 'Give one of them a body of another shape.',
  });
}
