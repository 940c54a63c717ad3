/** A relation between bodies that is given by functions of their coordinates: equations h = 0, or stops h ≥ 0. */
import type { SpatialJoint } from './joint';
import type { SpatialMarker } from './marker';
import { type CoordinateFunction, GeneralRow } from './rows/general-row';

export interface GeneralRelationDescription {
  id: string;
  /** ids of the bodies, in the order in which z holds their coordinates */
  bodies: readonly string[];
  /** rows of h */
  size: number;
  h: CoordinateFunction;
  /** ∇h, size × 7 bodies, row by row */
  jacobian: CoordinateFunction;
  /** null: h = 0; else h ≥ 0 with Newton's law of impact and this restitution, 0 … 1 */
  restitution: number | null;
}

/**
 * @param linked markers of the bodies
 * @param first, second markers at the mass centres of the first and of the last body, or on the ground where there is one body only
 */
export function buildGeneralRelation(
  { id, size, h, jacobian, restitution }: GeneralRelationDescription,
  linked: readonly SpatialMarker[],
  first: SpatialMarker,
  second: SpatialMarker,
): SpatialJoint {
  const rows = Array.from(
    { length: size },
    (_, row) => new GeneralRow({ bodies: linked, size, h, jacobian }, row),
  );
  return {
    id,
    type: 'general',
    rows: restitution === null ? rows : [],
    coordinates: rows,
    limits: restitution === null ? [] : rows,
    restitution: restitution ?? 0,
    frictions: [],
    motors: [],
    first,
    second,
    others: linked.map(({ body }) => body),
  };
}
