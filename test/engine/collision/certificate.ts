/**
 * What proves a contact, with nothing but the definitions of the shapes. Between separated shapes
 *
 *     s(n) = min_{second} n·x − max_{first} n·x ≤ distance ≤ |P₂ − P₁|,   P₁ in the first, P₂ in the second,
 *
 * so a gap that equals both sides is the distance. Where shapes overlap, s(n) = gap says that moving them
 * apart by −gap along n separates them, and that no s(n') is larger says that nothing less does; that is
 * sampled.
 */
import type { ConvexShape } from '@engine/collision/shapes/shape';
import { FRAME, frameOfPlanarPose, frameOfSpatialPose } from '@engine/collision/frame';
import { NarrowPhase } from '@engine/collision/narrow-phase/narrow-phase';
import { CONTACT_SIZE, PairContacts } from '@engine/collision/narrow-phase/pair-contacts';
import type { Shape } from '@engine/collision/shapes/shape';
import type { Random } from '../support/random';

export type Vector = [number, number, number];

export interface Contact {
  gap: number;
  n: Vector;
  first: Vector;
  second: Vector;
  keys: [number, number];
}

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a: ArrayLike<number>, b: ArrayLike<number>): Vector => [
  a[0] - b[0],
  a[1] - b[1],
  a[2] - b[2],
];
export const norm = (a: ArrayLike<number>): number => Math.hypot(a[0], a[1], a[2]);
export const scaled = (a: ArrayLike<number>, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];

export function spatial(pose: readonly number[]): Float64Array {
  const frame = new Float64Array(FRAME);
  frameOfSpatialPose(Float64Array.from(pose), 0, frame, 0);
  return frame;
}

export function planar(pose: readonly number[]): Float64Array {
  const frame = new Float64Array(FRAME);
  frameOfPlanarPose(Float64Array.from(pose), 0, frame, 0);
  return frame;
}

/** A unit quaternion in any direction. */
export function randomQuaternion(random: Random): [number, number, number, number] {
  for (;;) {
    const q = [0, 0, 0, 0].map(() => random.uniform(-1, 1));
    const length = Math.hypot(...q);
    if (length > 0.1 && length < 1)
      return q.map((value) => value / length) as [number, number, number, number];
  }
}

const column = (frame: Float64Array, k: number): Vector => [frame[3 + k], frame[6 + k], frame[9 + k]];
const local = (frame: Float64Array, x: ArrayLike<number>): Vector => {
  const d = minus(x, frame);
  return [dot(column(frame, 0), d), dot(column(frame, 1), d), dot(column(frame, 2), d)];
};
export const global = (frame: Float64Array, x: ArrayLike<number>): Vector =>
  [0, 1, 2].map((r) => frame[r] + dot(frame.subarray(3 + 3 * r, 6 + 3 * r), x)) as Vector;

/** max n·x over the shape */
export function supportValue(shape: ConvexShape, frame: Float64Array, n: ArrayLike<number>): number {
  const inBody: Vector = [dot(column(frame, 0), n), dot(column(frame, 1), n), dot(column(frame, 2), n)];
  const origin = dot(frame, n);
  if (shape.kind === 'cylinder')
    return origin + shape.halfHeight * Math.abs(inBody[2]) + shape.radius * Math.hypot(inBody[0], inBody[1]);
  let most = -Infinity;
  for (let k = 0; k < shape.core.vertexCount; k++)
    most = Math.max(most, dot(inBody, shape.core.vertices.subarray(3 * k, 3 * k + 3)));
  return origin + most + shape.radius * norm(n);
}

export function separation(
  first: ConvexShape,
  firstFrame: Float64Array,
  second: ConvexShape,
  secondFrame: Float64Array,
  n: ArrayLike<number>,
): number {
  return -supportValue(second, secondFrame, scaled(n, -1)) - supportValue(first, firstFrame, n);
}

/** How far a point is outside the shape by one of the inequalities that define it; not positive inside. */
export function outside(shape: ConvexShape, frame: Float64Array, point: ArrayLike<number>): number {
  const [x, y, z] = local(frame, point);
  if (shape.kind === 'cylinder')
    return Math.max(Math.hypot(x, y) - shape.radius, Math.abs(z) - shape.halfHeight);
  if (shape.kind === 'sphere' || shape.kind === 'disc') return Math.hypot(x, y, z) - shape.radius;
  if (shape.kind === 'capsule') {
    const h = shape.core.vertices[5];
    return Math.hypot(x, y, z - Math.max(-h, Math.min(h, z))) - shape.radius;
  }
  const { faceCount, faceStart, faceVertices, vertices, normals } = shape.core;
  let most = -Infinity;
  for (let f = 0; f < faceCount; f++) {
    const base = 3 * faceVertices[faceStart[f]];
    const n = normals.subarray(3 * f, 3 * f + 3);
    most = Math.max(most, dot(n, minus([x, y, z], vertices.subarray(base, base + 3))));
  }
  return most;
}

/** Runs the narrow phase on one pair; points are in the world. */
export function collide(
  first: Shape,
  firstFrame: Float64Array,
  second: Shape,
  secondFrame: Float64Array,
  margin: number,
  phase = new NarrowPhase(),
): Contact[] {
  const out = new PairContacts();
  out.margin[0] = margin;
  phase.collide(first, firstFrame, 0, second, secondFrame, 0, out);
  return Array.from({ length: out.count }, (_, c) => {
    const v = out.values.subarray(CONTACT_SIZE * c, CONTACT_SIZE * (c + 1));
    return {
      gap: v[0],
      n: [v[1], v[2], v[3]],
      first: [v[4] + firstFrame[0], v[5] + firstFrame[1], v[6] + firstFrame[2]],
      second: [v[7] + firstFrame[0], v[8] + firstFrame[1], v[9] + firstFrame[2]],
      keys: [out.keys[2 * c], out.keys[2 * c + 1]],
    };
  });
}

export function nearest(contacts: readonly Contact[]): Contact {
  return contacts.reduce((best, contact) => (contact.gap < best.gap ? contact : best));
}

/** Directions spread evenly over the sphere; in the plane over the circle. */
export function directions(count: number, dimension: 2 | 3): Vector[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: count }, (_, k) => {
    if (dimension === 2) return [Math.cos((2 * Math.PI * k) / count), Math.sin((2 * Math.PI * k) / count), 0];
    const z = 1 - (2 * k + 1) / count;
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(golden * k), r * Math.sin(golden * k), z];
  });
}
