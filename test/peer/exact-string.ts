/**
 * A particle of 1 kg on a string of 1 m under gravity g, that starts with the string taut and moves along the
 * circle to its right, up to where the string goes slack and on to where it becomes taut again.
 *
 * On the circle E = v²/2 + g y is constant, and the string carries v² − g y (towards the centre). That
 * vanishes at the height y* = 2E/3g, with v*² = g y*. With θ from the lowest point, y = −cos θ, and the time
 * is ∫ dθ/ω from start to θ*, ω² = 2 (E + g cos θ).
 *
 * From there the particle falls freely, r(s) = r* + v* s + a s²/2 with a = (0, −g), and
 *
 *     |r|² − 1 = 2 r*·v* s + (v*² + r*·a) s² + v*·a s³ + g² s⁴/4 = −g v*_y s³ + g² s⁴/4,
 *
 * because r* ⊥ v* and v*² = g y*. It is zero again at s = 4 v*_y/g, with no error but rounding.
 */

const G = 9.81;
/** Intervals of Simpson's rule; its error is below rounding for an integrand without poles near the path. */
const INTERVALS = 4000;

export interface ExactEvents {
  /** s */
  takeOff: number;
  impact: number;
  /** speed away from the centre at the impact, m/s: the impulse of 1 kg where e = 0 */
  radialSpeed: number;
}

/** @param q0 on the unit circle @param v0 along it, anticlockwise */
export function exactStringPendulum(
  q0: readonly [number, number],
  v0: readonly [number, number],
): ExactEvents {
  const energy = (v0[0] ** 2 + v0[1] ** 2) / 2 + G * q0[1];
  const height = (2 * energy) / (3 * G);
  const end = Math.PI - Math.acos(height);
  const start = Math.atan2(q0[0], -q0[1]);
  const step = (end - start) / INTERVALS;
  let sum = 0;
  for (let k = 0; k <= INTERVALS; k++) {
    const weight = k === 0 || k === INTERVALS ? 1 : k % 2 === 1 ? 4 : 2;
    sum += weight / Math.sqrt(2 * (energy + G * Math.cos(start + k * step)));
  }
  const takeOff = (sum * step) / 3;

  const speed = Math.sqrt(G * height);
  const [x, y] = [Math.sin(end), -Math.cos(end)];
  const [vx, vy] = [speed * Math.cos(end), speed * Math.sin(end)];
  const flight = (4 * vy) / G;
  const place = [x + vx * flight, y + vy * flight - (G * flight * flight) / 2];
  return {
    takeOff,
    impact: takeOff + flight,
    radialSpeed: place[0] * vx + place[1] * (vy - G * flight),
  };
}
