/**
 * The laws of rolling and spinning friction at a contact, from moments and relative angular velocities alone. With ρ = 1/Σ ⅓ tr I⁻¹ of both bodies, which
 * turns angular velocities into moments, and P_N what presses them together,
 *
 *     rolling    |M_T − Π(M_T − ρ ω_T)|, Π onto the disc of radius μ_r P_N
 *     spinning   |M_N − clamp(M_N − ρ ω_N, −μ_s P_N, μ_s P_N)|
 *
 * The larger of both is given as an impulse: divided by the length √(ρ/m), m being the mass that the contact feels.
 */
import { dot } from '../spatial/vector-product';
import type { ContactDynamics } from './contact-dynamics';
import { FRAME_NUMBERS } from './contact-frames';
import type { JudgedBodies } from './judged-bodies';
import { larger } from './laws/natural-map';
import { KINDS, ROLLING, SPINNING } from './companions/kinds';

export class MomentCheck {
  /** moment of the contact judged last on its second body, in the world's frame, N m s */
  readonly moment = new Float64Array(3);
  readonly #rate = new Float64Array(3);
  readonly #turn = new Float64Array(3);

  /** @param bodies of the system @param bounds by material (`companionNumbers`) */
  constructor(
    private readonly dynamics: ContactDynamics,
    private readonly bodies: JudgedBodies,
    private readonly bounds: Float64Array,
  ) {}

  /**
   * @param row of the contact @param material its number
   * @param pressed P_N, N s @param mass m, kg
   * @returns the defect, N s
   */
  judge(row: number, material: number, pressed: number, mass: number): number {
    const { frames, companions } = this.dynamics;
    const { axes } = frames;
    const at = FRAME_NUMBERS * row + 3;
    if (companions === null) this.moment.fill(0);
    else frames.toWorld(row, companions.moments, 3 * row, this.moment, 0);
    this.bodies.measureSpin(row, this.#rate);
    const inertia = this.bodies.inertia(row);
    const bound = Math.max(0, pressed);
    const limit = this.bounds[KINDS * material + SPINNING] * bound;
    const spin = dot(axes, at, this.moment, 0);
    const goal = spin - inertia * dot(axes, at, this.#rate, 0);
    let defect = Math.abs(spin - Math.max(-limit, Math.min(limit, goal)));
    const radius = this.bounds[KINDS * material + ROLLING] * bound;
    const turn = this.#turn;
    for (let a = 1; a < 3; a++)
      turn[a] = dot(axes, at + 3 * a, this.moment, 0) - inertia * dot(axes, at + 3 * a, this.#rate, 0);
    const size = Math.sqrt(turn[1] * turn[1] + turn[2] * turn[2]);
    const part = size > radius ? radius / size : 1;
    for (let a = 1; a < 3; a++)
      defect = larger(defect, Math.abs(dot(axes, at + 3 * a, this.moment, 0) - part * turn[a]));
    return defect / Math.sqrt(inertia / mass);
  }
}
