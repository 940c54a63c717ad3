/**
 * What the bodies of contacts do at their points, and what impulses there do to them, as the certificate finds it: from velocities of points, and
 * vectors of the world (`judged-body.ts`). Obstacles that move have their velocity, and feel nothing.
 */
import type { ContactDynamics } from './contact-dynamics';
import { FRAME_NUMBERS } from './contact-frames';
import { type JudgedBody, judgedBodies } from './judged-body';
import { JudgedObstacle } from './judged-obstacle';
import { obstacleOf } from './obstacles';

/** Whether obstacles have the velocities of the start or of the end of the step, or none. */
export type ObstacleVelocities = 'start' | 'end' | 'none';

export class JudgedBodies {
  /** in the order of the system */
  readonly list: readonly JudgedBody[];
  /** Ṗ₂ − Ṗ₁ at the start and at the end of the step that has been read, 3 by row, m/s */
  starts = new Float64Array(0);
  ends = new Float64Array(0);
  /** null where none moves */
  readonly #obstacle: JudgedObstacle | null;

  constructor(private readonly dynamics: ContactDynamics) {
    const { system, obstacles } = dynamics;
    this.list = judgedBodies(system);
    this.#obstacle = obstacles === null ? null : new JudgedObstacle(obstacles);
  }

  /** Reads the velocities of a step. */
  read(): void {
    const { activeCount, before, u } = this.dynamics;
    if (this.starts.length < 3 * activeCount) {
      this.starts = new Float64Array(6 * activeCount);
      this.ends = new Float64Array(6 * activeCount);
    }
    for (let row = 0; row < activeCount; row++) {
      this.measure(row, before, 'start', this.starts, 3 * row);
      this.measure(row, u, 'end', this.ends, 3 * row);
    }
  }

  /** out ← Ṗ₂ − Ṗ₁ of the contact of a row, m/s. @param u velocities of all bodies */
  measure(row: number, u: Float64Array, obstacles: ObstacleVelocities, out: Float64Array, at = 0): void {
    const { frames, middle } = this.dynamics;
    const place = FRAME_NUMBERS * row;
    for (let i = at; i < at + 3; i++) out[i] = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      const sign = signOf(side);
      if (body >= 0) this.list[body].addVelocity(middle, u, frames.axes, place, sign, out, at);
      else if (obstacleOf(body) >= 0 && obstacles !== 'none')
        this.#obstacle?.addVelocity(obstacleOf(body), obstacles === 'end', frames.axes, place, sign, out, at);
    }
  }

  /** How fast the bodies of a contact move there at most, each by itself and whatever the direction of its spin, m/s. @param u velocities of all bodies */
  extent(row: number, u: Float64Array): number {
    const { frames, middle, system } = this.dynamics;
    const place = FRAME_NUMBERS * row;
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body < 0) continue;
      const [at, from] = [system.velocitiesAt[body], system.positionsAt[body]];
      let [speed, spin, arm] = [0, 0, 0];
      for (let i = 0; i < 3; i++) {
        speed += u[at + i] ** 2;
        spin += u[at + 3 + i] ** 2;
        arm += (frames.axes[place + i] - middle[from + i]) ** 2;
      }
      sum += Math.sqrt(speed) + Math.sqrt(spin * arm);
    }
    return sum;
  }

  /** out ← ω₂ − ω₁ at the end of the step, world's frame. */
  measureSpin(row: number, out: Float64Array): void {
    const { middle, u } = this.dynamics;
    out.fill(0);
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0) this.list[body].addSpin(middle, u, signOf(side), out);
      else if (obstacleOf(body) >= 0) this.#obstacle?.addSpin(obstacleOf(body), signOf(side), out);
    }
  }

  /** The mass that a contact feels along its normal where no joints are, kg. */
  mass(row: number): number {
    const { frames, middle } = this.dynamics;
    const place = FRAME_NUMBERS * row;
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0) sum += this.list[body].mobility(middle, frames.axes, place, place + 3);
    }
    return 1 / sum;
  }

  /** What turns relative angular velocities into moments, the mean over all axes, kg m². */
  inertia(row: number): number {
    let sum = 0;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0) sum += this.list[body].turnMobility;
    }
    return 1 / sum;
  }

  /** Adds ±R to the sums of the balances. @param impulse in the world's frame, N s */
  push(row: number, impulse: Float64Array, sums: Float64Array): void {
    const { frames, middle } = this.dynamics;
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0)
        this.list[body].push(middle, frames.axes, FRAME_NUMBERS * row, impulse, signOf(side), sums);
    }
  }

  /** Adds ±M to the sums of the balances. @param moment in the world's frame, N m s */
  turn(row: number, moment: Float64Array, sums: Float64Array): void {
    for (let side = 0; side < 2; side++) {
      const body = this.#bodyOf(row, side);
      if (body >= 0) this.list[body].turn(this.dynamics.middle, moment, signOf(side), sums);
    }
  }

  /** Number of a body of a contact, negative for what does not move or moves as prescribed. */
  #bodyOf(row: number, side: number): number {
    const { contacts, active } = this.dynamics;
    return contacts === null ? -1 : contacts.bodies[2 * active[row] + side];
  }
}

/** Of the first and of the second body. */
const signOf = (side: number): number => (side === 0 ? -1 : 1);
