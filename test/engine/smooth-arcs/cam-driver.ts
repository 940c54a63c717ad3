/**
 * The cam-follower of the specification's item 18 event by event: exact flight in absolute coordinates,
 * Newton's impact law.
 */
import { FALLING, RISING } from '@engine/smooth/event-functions';
import { ExactArcs } from '@engine/smooth-arcs/exact-arcs';
import type { FlightIntegrator } from '@engine/smooth-arcs/linear-flight';
import type { ArcEvents } from '@engine/smooth-arcs/moving-target';
import type { LinearSystem } from '@engine/smooth-arcs/linear-system';
import { form } from '../smooth/support';

export const RESTITUTION = 0.8;
const MASS = 1.221;
const STIFFNESS = 1430.8;
export const OMEGA_SQUARED = STIFFNESS / MASS;

const K1 = 0.45;
const RHO1 = 0.85;
const K2 = 0.40393320723821;
const RHO3 = 0.15;
const OFFSET = 0.3;
const BETA_1 = Math.PI / 2 + 1.050328174371336;
const BETA_2 = Math.PI / 2 + 1.22173047639603;
/** Bound of |d²c/dβ²|, which is largest on the nose, 1.8692. */
export const STEEPEST = 1.87;
/** Angles in revolutions, from the start at β = π/2, at which the lift has another formula. */
const BORDERS = [BETA_1, BETA_2, 2 * Math.PI - BETA_2, 2 * Math.PI - BETA_1, 1.5 * Math.PI].map(
  (beta) => beta / (2 * Math.PI) - 0.25,
);

/** Lift c, m, and dc/dβ, m/rad. The cam is symmetric about β = π. */
export function cam(angle: number): { lift: number; slope: number } {
  const isMirrored = angle > Math.PI;
  const beta = isMirrored ? 2 * Math.PI - angle : angle;
  const side = isMirrored ? -1 : 1;
  if (beta < Math.PI / 2) return { lift: 0.4 - OFFSET, slope: 0 };
  if (beta < BETA_1) {
    const c = K1 * Math.cos(beta);
    const s = K1 * Math.sin(beta);
    const root = Math.sqrt(RHO1 ** 2 - c * c);
    return { lift: root - s - OFFSET, slope: side * ((c * s) / root - c) };
  }
  if (beta < BETA_2) {
    const c = K2 * Math.cos(beta + Math.PI / 9);
    const s = K2 * Math.sin(beta + Math.PI / 9);
    const root = Math.sqrt(RHO3 ** 2 - s * s);
    return { lift: root - c - OFFSET, slope: side * (s - (s * c) / root) };
  }
  return { lift: K2 + RHO3 - OFFSET, slope: 0 };
}

export const flight: LinearSystem = {
  size: 2,
  matrix: Float64Array.of(0, 1, -OMEGA_SQUARED, 0),
  constant: new Float64Array(2),
};

export interface Impact {
  readonly t: number;
  /** relative velocity just before, m/s */
  readonly speed: number;
}

export class CamFollower {
  readonly impacts: Impact[] = [];
  /** greatest heights of the flights */
  readonly peaks: { t: number; u: number }[] = [];
  readonly #integrator: FlightIntegrator;
  readonly #rpm: number;

  /**
   * @param sort how the gap is given: as distance to a moving target, or as a function of which only values
   *   are known
   */
  constructor(
    rpm: number,
    sort: 'moving' | 'general' = 'moving',
    make: (events: ArcEvents) => FlightIntegrator = (events) =>
      new ExactArcs(flight, { maxSteps: 10_000 }, events),
  ) {
    this.#rpm = rpm;
    const highest = form([0, 1]);
    const height = form([1, 0]);
    const omega = (2 * Math.PI * rpm) / 60;
    this.#integrator = make({
      count: 2,
      linear: (j) => (j === 0 ? null : highest),
      value: (_j, clock, x, out) => {
        out[0] = x[0] - this.#cam(clock[0]).lift;
      },
      watch: Int8Array.of(FALLING, FALLING),
      moving: () =>
        sort === 'general'
          ? null
          : {
              form: height,
              motion: (clock, out) => {
                const { lift, rate } = this.#cam(clock[0]);
                out[0] = -lift;
                out[1] = -rate;
              },
              curvature: Float64Array.of(STEEPEST * omega * omega),
            },
    });
  }

  /** Relative position and velocity. */
  get relative(): readonly [number, number] {
    const { lift, rate } = this.#cam(this.#integrator.clock[0]);
    return [this.#integrator.x[0] - lift, this.#integrator.x[1] - rate];
  }

  /** Lift and ċ at time t. */
  #cam(t: number): { lift: number; rate: number } {
    const turns = (this.#rpm / 60) * t + 0.25;
    const { lift, slope } = cam(2 * Math.PI * (turns - Math.floor(turns)));
    return { lift, rate: (slope * 2 * Math.PI * this.#rpm) / 60 };
  }

  start(revolution: number, gap: number, gapRate: number): void {
    const t = (revolution * 60) / this.#rpm;
    const { lift, rate } = this.#cam(t);
    this.#integrator.x.set([lift + gap, rate + gapRate]);
    this.#integrator.start(t);
  }

  /** From one whole revolution to another, with a stop at each border of the lift. */
  turn(from: number, to: number): void {
    for (let revolution = from; revolution < to; revolution++) {
      for (const border of BORDERS) this.#fly(((revolution + border) * 60) / this.#rpm);
      this.#fly(((revolution + 1) * 60) / this.#rpm);
    }
  }

  #fly(until: number): void {
    const made = this.#integrator;
    for (;;) {
      const status = made.advance(until, until);
      if (status === 'reached') return;
      if (status !== 'root') throw new Error(status);
      const { indices, kinds, count } = made.roots;
      const isImpact = indices[0] === 0;
      if (count === 2 || !isImpact) this.peaks.push({ t: made.clock[0], u: made.x[0] });
      if (!isImpact) continue;
      if (kinds[0] === RISING) throw new Error('the follower came from inside the cam');
      const { rate } = this.#cam(made.clock[0]);
      const speed = made.x[1] - rate;
      this.impacts.push({ t: made.clock[0], speed });
      made.x[1] = rate - RESTITUTION * speed;
      made.restart();
    }
  }
}
