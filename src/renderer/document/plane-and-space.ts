/**
 * What a body in the plane and one in space have in common. The plane stands upright in space, x stays x and
 * y becomes the height z, because that is what weight acts along in both. A turn by φ from x to y is one from
 * x to z, about −y.
 */
import type { Expression, FieldValue, SystemDocument } from '@engine/document/types';
import { RIGID } from './bodies';

const PLANAR = 'PlanarBody';

type Fields = Record<string, FieldValue | undefined>;

const vector = (value: FieldValue | undefined): Expression[] | null =>
  Array.isArray(value) && value.every((entry) => typeof entry !== 'object') ? value : null;

const negative = (value: Expression): Expression =>
  typeof value === 'number' ? (value === 0 ? 0 : -value) : `-(${value})`;

/** A vector of the plane in space; nothing of what is no vector. */
function upright(value: FieldValue | undefined): Expression[] | undefined {
  const [x, y] = vector(value) ?? [];
  return x === undefined || y === undefined ? undefined : [x, 0, y];
}

const isZero = (entries: readonly Expression[] | undefined): boolean =>
  entries?.every((entry) => entry === 0) !== false;

/** Quaternion of a turn about −y; nothing for none, or for one that is an expression. */
function turned(angle: Expression | undefined): Expression[] | undefined {
  if (typeof angle !== 'number' || angle === 0) return undefined;
  return [Math.cos(0.5 * angle), 0, -Math.sin(0.5 * angle), 0];
}

function toSpace({ mass, gravity, q0, v0 }: SystemDocument): Fields {
  const rate = vector(v0)?.[2] ?? 0;
  const velocity = upright(v0);
  return {
    mass,
    gravity: upright(gravity),
    position: upright(q0),
    orientation: turned(vector(q0)?.[2]),
    velocity: isZero(velocity) ? undefined : velocity,
    spin: rate === 0 ? undefined : [0, negative(rate), 0],
  };
}

/** Angle of an orientation that turns about y alone. */
function angleOf(orientation: FieldValue | undefined): number {
  const [w, x, y, z] = vector(orientation) ?? [];
  if (typeof w !== 'number' || typeof y !== 'number' || x !== 0 || z !== 0) return 0;
  return 2 * Math.atan2(-y, w);
}

function toPlane({ mass, inertia, gravity, position, orientation, velocity, spin }: SystemDocument): Fields {
  const flat = (value: FieldValue | undefined): Expression[] | undefined => {
    const [x, , z] = vector(value) ?? [];
    return x === undefined || z === undefined ? undefined : [x, z];
  };
  const place = flat(position) ?? [0, 0];
  const rate = flat(velocity) ?? [0, 0];
  const moments = vector(inertia);
  return {
    mass,
    inertia: moments?.length === 3 ? moments[1] : undefined,
    gravity: flat(gravity),
    q0: [...place, angleOf(orientation)],
    v0: [...rate, negative(vector(spin)?.[1] ?? 0)],
  };
}

/**
 * The fields that a body keeps when it goes from the plane to space or back; all of them where it does
 * neither.
 */
export function carriedOver(system: SystemDocument, next: string): SystemDocument {
  const isRaised = system.type === PLANAR && next === RIGID;
  if (!isRaised && !(system.type === RIGID && next === PLANAR)) return system;
  const fields = Object.entries(isRaised ? toSpace(system) : toPlane(system));
  return {
    id: system.id,
    type: system.type,
    ...Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
  };
}
