/**
 * Where a body or a shape stands: twelve numbers in a flat array, the origin and then the rotation matrix by
 * rows, which takes vectors of the body to the world, x_world = o + R x_body. Matrices are formed once for
 * each pose; everything after that is products and sums.
 */

/** numbers of a frame */
export const FRAME = 12;

/** numbers of a pose: (x, y, z, q0, q1, q2, q3) in space, (x, y, φ) in the plane */
export const POSE_SIZE = { 2: 3, 3: 7 } as const;

/**
 * The frame of a 3D body. The quaternion has its scalar part first and takes the body to the world; it
 * is divided by its norm, so that a norm that has drifted turns a shape and does not scale it. A quaternion
 * of zero gives a frame that is not finite.
 */
export function frameOfSpatialPose(poses: Float64Array, at: number, out: Float64Array, outAt: number): void {
  const w = poses[at + 3];
  const x = poses[at + 4];
  const y = poses[at + 5];
  const z = poses[at + 6];
  const s = 2 / (w * w + x * x + y * y + z * z);
  out[outAt] = poses[at];
  out[outAt + 1] = poses[at + 1];
  out[outAt + 2] = poses[at + 2];
  out[outAt + 3] = 1 - s * (y * y + z * z);
  out[outAt + 4] = s * (x * y - w * z);
  out[outAt + 5] = s * (x * z + w * y);
  out[outAt + 6] = s * (x * y + w * z);
  out[outAt + 7] = 1 - s * (x * x + z * z);
  out[outAt + 8] = s * (y * z - w * x);
  out[outAt + 9] = s * (x * z - w * y);
  out[outAt + 10] = s * (y * z + w * x);
  out[outAt + 11] = 1 - s * (x * x + y * y);
}

/** The frame of a body in the plane z = 0, turned by φ about z. */
export function frameOfPlanarPose(poses: Float64Array, at: number, out: Float64Array, outAt: number): void {
  const c = Math.cos(poses[at + 2]);
  const s = Math.sin(poses[at + 2]);
  identityFrame(out, outAt);
  out[outAt] = poses[at];
  out[outAt + 1] = poses[at + 1];
  out[outAt + 3] = c;
  out[outAt + 4] = -s;
  out[outAt + 6] = s;
  out[outAt + 7] = c;
}

/** The world's own frame. */
export function identityFrame(out: Float64Array, outAt: number): void {
  for (let k = 0; k < FRAME; k++) out[outAt + k] = 0;
  out[outAt + 3] = 1;
  out[outAt + 7] = 1;
  out[outAt + 11] = 1;
}

/**
 * out = outer ∘ inner: a shape's frame from that of its body and its place on the body. `out` is neither of
 * the two.
 */
export function composeFrames(
  outer: Float64Array,
  outerAt: number,
  inner: Float64Array,
  innerAt: number,
  out: Float64Array,
  outAt: number,
): void {
  for (let r = 0; r < 3; r++) {
    const a = outer[outerAt + 3 + 3 * r];
    const b = outer[outerAt + 4 + 3 * r];
    const c = outer[outerAt + 5 + 3 * r];
    out[outAt + r] =
      outer[outerAt + r] + a * inner[innerAt] + b * inner[innerAt + 1] + c * inner[innerAt + 2];
    for (let k = 0; k < 3; k++) {
      out[outAt + 3 + 3 * r + k] =
        a * inner[innerAt + 3 + k] + b * inner[innerAt + 6 + k] + c * inner[innerAt + 9 + k];
    }
  }
}

/** out = R x, a vector of the body seen in the world; `out` may not be `x`. */
export function rotateByFrame(
  frame: Float64Array,
  at: number,
  x: Float64Array,
  xAt: number,
  out: Float64Array,
  outAt: number,
): void {
  for (let r = 0; r < 3; r++) {
    const row = at + 3 + 3 * r;
    out[outAt + r] = frame[row] * x[xAt] + frame[row + 1] * x[xAt + 1] + frame[row + 2] * x[xAt + 2];
  }
}

/** out = ᵗR x, a vector of the world seen in the body; `out` may not be `x`. */
export function rotateBackByFrame(
  frame: Float64Array,
  at: number,
  x: Float64Array,
  xAt: number,
  out: Float64Array,
  outAt: number,
): void {
  for (let c = 0; c < 3; c++) {
    const column = at + 3 + c;
    out[outAt + c] = frame[column] * x[xAt] + frame[column + 3] * x[xAt + 1] + frame[column + 6] * x[xAt + 2];
  }
}
