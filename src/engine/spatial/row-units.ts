/**
 * Natural units of rows of joints. A tolerance in metres and radians would mean something else in
 * millimetres. So a row of lengths is measured in ℓ, the larger radius of gyration of the bodies of its
 * joint, or a row of angles as the arc ℓ φ. ℓ is a power of two: it changes no digit.
 */
import type { SpatialSystem } from './system';

/** ℓ by joint, m. */
export function lengthsOf({ joints, bodies }: Pick<SpatialSystem, 'joints' | 'bodies'>): Float64Array {
  return Float64Array.from(joints, ({ first, second, others = [] }) => {
    let radius = 0;
    for (const { body } of [first, second, ...others.map((other) => ({ body: other }))]) {
      if (body < 0) continue;
      const { mass, turnMobility } = bodies[body];
      const own = Math.sqrt(1 / (mass * turnMobility));
      if (Number.isFinite(own)) radius = Math.max(radius, own);
    }
    return radius > 0 ? 2 ** Math.round(Math.log2(radius)) : 1;
  });
}

/** What is one, by row of `system.equations`: ℓ of a length, 1 of an angle or a number. */
export function unitsOfEquations(system: Pick<SpatialSystem, 'joints' | 'bodies'>): Float64Array {
  const lengths = lengthsOf(system);
  return Float64Array.from(
    system.joints.flatMap(({ rows }, j) =>
      rows.flatMap(({ labels }) => labels.map(({ unit }) => (unit === 'm' ? lengths[j] : 1))),
    ),
  );
}

/** The same by row of `system.limits`. */
export function unitsOfLimits(system: Pick<SpatialSystem, 'joints' | 'bodies'>): Float64Array {
  const lengths = lengthsOf(system);
  return Float64Array.from(
    system.joints.flatMap(({ limits }, j) =>
      limits.flatMap(({ labels }) => labels.map(({ unit }) => (unit === 'm' ? lengths[j] : 1))),
    ),
  );
}
