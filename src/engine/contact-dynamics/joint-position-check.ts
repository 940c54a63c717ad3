/**
 * How far joints are off at the end of a step. Where positions are projected, h(q⁺) = 0 up to what the projection leaves. Where they are not,
 *
 *     |h(q⁺)| ≤ |h(q⁰)| + Σ ½h² (|Ḣ u⁻| + |Ḣ u⁺|),
 *
 * which is how steps would leave the joints whose velocities aimed at H u⁺ = 0 in the middle, and not at the end as they do (`BodyMobility.aim`); but no more than a thousandth of
 * the bodies: a step that is too long for them bounds nothing. A violation counts by what it is beyond that, in radii of gyration of the bodies of the joint, or in radians.
 */
import type { SpatialJoint } from '../spatial/joint';
import { STAGNANT_VIOLATION } from '../spatial/projection';
import type { ContactDynamics } from './contact-dynamics';
import { larger } from './laws/natural-map';

/** Part of a body that joints may be off by, whatever the length of a step. */
const MOST = 1e-3;

export class JointPositionCheck {
  /** [0] the largest violation of the step */
  readonly defect = new Float64Array(1);
  /** its row among all equations */
  readonly place = new Int32Array(1);
  /** by row: what is a violation of one, m or 1; how far it may be off, in m or 1 */
  readonly #units: Float64Array;
  readonly #bounds: Float64Array;
  readonly #values: Float64Array;
  /** Ḣ u⁺ and Ḣ u⁻ by row */
  readonly #curvatures: Float64Array;
  readonly #earlier: Float64Array;

  constructor(private readonly dynamics: ContactDynamics) {
    const { system, q } = dynamics;
    const { equations, joints } = system;
    this.#units = Float64Array.from(
      joints.flatMap((joint) =>
        joint.rows.flatMap(({ labels }) =>
          labels.map(({ unit }) => (unit === 'm' ? radiusOf(dynamics, joint) : 1)),
        ),
      ),
    );
    this.#values = new Float64Array(equations.count);
    this.#curvatures = new Float64Array(equations.count);
    this.#earlier = new Float64Array(equations.count);
    equations.position(q, this.#values);
    this.#bounds = this.#values.map((value) => Math.abs(value) + STAGNANT_VIOLATION);
  }

  judge(): void {
    const { system, q, u, before, middle, h, settings } = this.dynamics;
    const { equations } = system;
    const values = this.#values;
    const bounds = this.#bounds;
    this.defect[0] = 0;
    equations.position(q, values);
    if (!settings.projects) {
      equations.gamma(middle, u, this.#curvatures);
      equations.gamma(middle, before, this.#earlier);
    }
    for (let r = 0; r < values.length; r++) {
      const unit = this.#units[r];
      if (settings.projects) bounds[r] = STAGNANT_VIOLATION;
      else {
        const curvature = Math.abs(this.#curvatures[r]) + Math.abs(this.#earlier[r]);
        bounds[r] = Math.min(bounds[r] + 0.5 * h * h * curvature, MOST * unit);
      }
      const excess = (Math.abs(values[r]) - bounds[r]) / unit;
      if (excess <= this.defect[0]) continue;
      this.defect[0] = larger(excess, this.defect[0]);
      this.place[0] = r;
    }
  }
}

/** Of the bodies of a joint the larger radius of gyration, √(3 / (m tr I⁻¹)), m. */
function radiusOf({ system }: ContactDynamics, { first, second }: SpatialJoint): number {
  let radius = 0;
  for (const { body } of [first, second]) {
    if (body < 0) continue;
    const { mass, turnMobility } = system.bodies[body];
    radius = Math.max(radius, Math.sqrt(1 / (mass * turnMobility)));
  }
  return radius;
}
