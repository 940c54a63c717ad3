/**
 * What an animation draws: bodies with their shapes, and what joins them. Everything is evaluated; lengths
 * are in metres, quaternions (w, x, y, z) map the frame at hand to the one around it. Poses over time are
 * recorded signals, which the scene names.
 */

export type Vector3 = readonly [number, number, number];
export type Quaternion4 = readonly [number, number, number, number];

/** Geometry of a shape, as in `collision/shapes`. */
export type SceneGeometry =
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'box'; readonly halfLengths: Vector3 }
  /** about z, between two hemispheres whose centres are ± the half length from the middle */
  | { readonly kind: 'capsule'; readonly radius: number; readonly halfLength: number }
  /** about z */
  | { readonly kind: 'cylinder'; readonly radius: number; readonly halfHeight: number }
  | { readonly kind: 'ellipsoid'; readonly halfLengths: Vector3 }
  /** the half-space n·x ≤ offset */
  | { readonly kind: 'plane'; readonly normal: Vector3; readonly offset: number }
  /** convex; vertices x, y, z each, faces anticlockwise from outside */
  | {
      readonly kind: 'polyhedron';
      readonly vertices: readonly number[];
      readonly faces: readonly (readonly number[])[];
    }
  /** point (i, j) of the grid has the height number j · columns + i */
  | {
      readonly kind: 'heightField';
      readonly columns: number;
      readonly rows: number;
      readonly spacingX: number;
      readonly spacingY: number;
      readonly heights: readonly number[];
    }
  /** in the plane z = 0 */
  | { readonly kind: 'disc'; readonly radius: number }
  /** in the plane z = 0, corners x, y each, anticlockwise */
  | { readonly kind: 'polygon'; readonly corners: readonly number[] };

export interface SceneShape {
  readonly geometry: SceneGeometry;
  /** of the shape in the frame of its body */
  readonly position: Vector3;
  readonly orientation: Quaternion4;
}

export interface SceneBody {
  /** id of the system */
  readonly id: string;
  /** pose at the start: that of what does not move */
  readonly position: Vector3;
  readonly orientation: Quaternion4;
  /** F at the start row by row, of a body that deforms, in place of the orientation */
  readonly deformation?: readonly number[];
  /**
   * Names of the signals of its pose: x, y, z and the quaternion of a 3D body; x, y, z and F row by row
   * of one that deforms; x, y and the angle about z of one in the plane; null of what does not move.
   */
  readonly motion:
    | { readonly kind: 'spatial'; readonly signals: readonly string[] }
    | { readonly kind: 'affine'; readonly signals: readonly string[] }
    | { readonly kind: 'planar'; readonly signals: readonly string[] }
    | null;
  /** whether the motion is prescribed, and not a part of the state */
  readonly isPrescribed?: true;
  /** a body without shapes is drawn as its frame */
  readonly shapes: readonly SceneShape[];
}

export interface SceneJoint {
  /** id of the interaction */
  readonly id: string;
  /** type of its relation */
  readonly type: string;
  /** places of the linked bodies in `Scene.bodies`; −1 for the ground */
  readonly bodies: readonly [number, number];
  /** where it takes hold, in the frame of each body */
  readonly points: readonly [Vector3, Vector3];
  /** its axis in the frame of the first body; null where it has none */
  readonly axis: Vector3 | null;
  /** names of the signals of its coordinates, angles with whole turns */
  readonly coordinates: readonly string[];
}

export interface Scene {
  readonly bodies: readonly SceneBody[];
  readonly joints: readonly SceneJoint[];
}
