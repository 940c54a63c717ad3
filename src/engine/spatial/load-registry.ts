/** What loads there are on bodies in space, one line of each list for each type. */
import type { BodyPlaces, SpatialLoad } from './body';
import type { SpatialAttachment } from './joint';
import { type BodyForceDescription, buildBodyForce } from './loads/body-force';
import { buildDrag, type DragDescription } from './loads/drag';
import { buildGravity, type GravityDescription } from './loads/gravity';
import { buildWrench, type WrenchDescription } from './loads/wrench';
import type { SpatialMarker } from './marker';

export type LoadDescription = GravityDescription | WrenchDescription | DragDescription | BodyForceDescription;

export interface LoadContext {
  /** on a rigid body */
  readonly marker: (attachment: SpatialAttachment) => SpatialMarker;
  /** number of a body */
  readonly numberOf: (id: string) => number;
  readonly places: BodyPlaces;
}

/** @throws {EngineError} when it names a body that there is not */
export function buildLoad(description: LoadDescription, context: LoadContext): SpatialLoad {
  switch (description.type) {
    case 'gravity':
      return buildGravity(description, context.places);
    case 'wrench':
      return buildWrench(description, context.marker);
    case 'drag':
      return buildDrag(description, context.marker);
    case 'bodyForce':
      return buildBodyForce(description, context.numberOf(description.on), context.places);
  }
}
