/**
 * Accelerations and forces of the joints at a state that is consistent with them:
 *
 *     [ M  −ᵗH ] [v̇]   [f − Ω×I Ω]
 *     [ H   0  ] [λ] = [    γ    ]
 *
 * The DAE lecture notes, “Forward Dynamics”, for the velocities (V, Ω). λ are forces, with the sign of the
 * conventions: ᵗH λ acts on the bodies.
 */
import { SaddlePoint } from '@engine/multibody/consistency';
import type { SpatialStatus } from '@engine/spatial/status';
import type { SpatialSystem } from '@engine/spatial/system';

export class ConstrainedAcceleration {
  readonly #mass: Float64Array;
  readonly #jacobian: Float64Array;
  readonly #saddle: SaddlePoint;

  constructor(readonly system: SpatialSystem) {
    const { velocities, equations } = system;
    this.#mass = new Float64Array(velocities * velocities);
    this.#jacobian = new Float64Array(equations.count * velocities);
    this.#saddle = new SaddlePoint(velocities, equations.count);
    system.mass(this.#mass);
  }

  /** @param acceleration v̇ @param multipliers λ */
  solve(
    clock: Float64Array,
    q: Float64Array,
    v: Float64Array,
    acceleration: Float64Array,
    multipliers: Float64Array,
  ): SpatialStatus {
    const { system } = this;
    system.force(clock, q, v, acceleration);
    system.addGyroscopic(v, acceleration);
    system.equations.jacobian(q, this.#jacobian, system.velocities, 'velocity');
    system.equations.gamma(q, v, multipliers);
    if (!this.#saddle.factor(this.#mass, this.#jacobian)) return 'singularConstraints';
    this.#saddle.solve(acceleration, multipliers, acceleration, multipliers);
    for (let r = 0; r < multipliers.length; r++) multipliers[r] = -multipliers[r];
    for (let i = 0; i < acceleration.length; i++) if (!Number.isFinite(acceleration[i])) return 'notFinite';
    return 'ok';
  }
}
