/**
 * The models of the comparison, described once: `run-siconos.ts` and `run-engine.ts` each build their own
 * from it.
 */

export interface LinearSystem {
  mass: number[][];
  stiffness?: number[][];
  damping?: number[][];
  q0: number[];
  v0: number[];
  /** constant external force, N */
  force?: number[];
  /** further external force amplitude · cos(omega t), N and rad/s */
  harmonic?: { amplitude: number[]; omega: number };
}

interface LinearInteraction {
  /** indices of the linked systems */
  systems: number[];
  /** gap matrix, one row */
  H: number[][];
  b?: number[];
  /** Newton's restitution coefficient */
  e: number;
}

export interface LinearModel {
  name: string;
  systems: LinearSystem[];
  interactions: LinearInteraction[];
  /** s */
  h: number;
  steps: number;
  theta: number;
  /** forecast weight of the activation test */
  gamma: number;
}

const GRAVITY = 9.81;
/** Siconos' default. */
const GAMMA = 0.5;

/** A point mass dropped from 1 m. */
export function bouncingBall(h: number, theta: number, e: number, steps = 10_000): LinearModel {
  const mass = 2;
  return {
    name: `bouncing ball, h = ${h}, θ = ${theta}, e = ${e}`,
    systems: [{ mass: [[mass]], q0: [1], v0: [0], force: [-mass * GRAVITY] }],
    interactions: [{ systems: [0], H: [[1]], b: [0], e }],
    h,
    steps,
    theta,
    gamma: GAMMA,
  };
}

/**
 * Beads of unit mass above each other and the floor.
 * @param gap clearance between neighbours, m, a power of two; negative is an overlap. Never 0: contacts that
 *   touch exactly are active or not by the sign of a rounding error, and no two programs agree on that
 */
export function column(beads: number, e: number, gap: number, steps: number): LinearModel {
  // A power of two, so that gap offsets and initial positions are exact and gaps start as they are meant.
  const radius = 0.125;
  return {
    name: `column of ${beads}, e = ${e}, ${gap > 0 ? 'falling' : 'at rest'}`,
    systems: Array.from({ length: beads }, (_, i) => ({
      mass: [[1]],
      q0: [radius + gap + i * (2 * radius + gap)],
      v0: [0],
      force: [-GRAVITY],
    })),
    interactions: Array.from({ length: beads }, (_, i) =>
      i === 0
        ? { systems: [0], H: [[1]], b: [-radius], e }
        : { systems: [i - 1, i], H: [[-1, 1]], b: [-2 * radius], e },
    ),
    h: 1e-3,
    steps,
    theta: 0.5,
    gamma: GAMMA,
  };
}

/** Equal balls in a row, one of which comes in at 1 m/s: the impact travels through the row. */
export function cradle(balls: number, e: number): LinearModel {
  const radius = 0.125;
  const gap = 2 ** -8;
  return {
    name: `cradle of ${balls}, e = ${e}`,
    systems: Array.from({ length: balls }, (_, i) => ({
      mass: [[1]],
      q0: [i * (2 * radius + gap)],
      v0: [i === 0 ? 1 : 0],
    })),
    interactions: Array.from({ length: balls - 1 }, (_, i) => ({
      systems: [i, i + 1],
      H: [[-1, 1]],
      b: [-2 * radius],
      e,
    })),
    h: 2 ** -11,
    steps: 2000,
    theta: 0.5,
    gamma: GAMMA,
  };
}

/**
 * Two coupled masses with springs and dampers, the second of which hits a stop, and a third body on the
 * first.
 */
export function impactOscillator(theta: number, e: number): LinearModel {
  return {
    name: `impact oscillator, θ = ${theta}, e = ${e}`,
    systems: [
      {
        mass: [
          [1, 0.1],
          [0.1, 2],
        ],
        stiffness: [
          [300, -100],
          [-100, 100],
        ],
        damping: [
          [0.3, -0.1],
          [-0.1, 0.2],
        ],
        q0: [0.1, 0.2],
        v0: [1, 0],
        force: [1, -30],
      },
      { mass: [[0.5]], stiffness: [[40]], q0: [0.4], v0: [-1] },
    ],
    interactions: [
      { systems: [0], H: [[0, 1]], b: [0.1], e },
      { systems: [0, 1], H: [[-1, 0, 1]], b: [-0.25], e },
    ],
    h: 1e-3,
    steps: 10_000,
    theta,
    gamma: GAMMA,
  };
}

/** A mass between spring and stop, driven at constant frequency: the force enters at both ends of a step. */
export function forcedOscillator(theta: number): LinearModel {
  return {
    name: `forced oscillator, θ = ${theta}`,
    systems: [
      {
        mass: [[1.5]],
        stiffness: [[40]],
        damping: [[0.2]],
        q0: [0.1],
        v0: [0],
        force: [-1],
        harmonic: { amplitude: [20], omega: 7 },
      },
    ],
    interactions: [{ systems: [0], H: [[1]], b: [0.2], e: 0.6 }],
    h: 1e-3,
    steps: 5000,
    theta,
    gamma: GAMMA,
  };
}

/** A particle of anisotropic inertia above a travelling wave: time-varying, non-linear relation. */
export interface MovingSurfaceModel {
  name: string;
  mass: number[][];
  q0: number[];
  v0: number[];
  force: number[];
  /** m */
  amplitude: number;
  /** 1/m; 0 is a table that vibrates as a whole */
  wavenumber: number;
  /** rad/s */
  omega: number;
  e: number;
  h: number;
  steps: number;
  theta: number;
}

/** The vibrating table of item 39 of the mathematics (wavenumber 0), or a surface wave under the particle. */
export function movingSurface(wavenumber: number, theta: number): MovingSurfaceModel {
  return {
    name: `${wavenumber === 0 ? 'vibrating table' : 'travelling wave'}, θ = ${theta}`,
    mass: [
      [1, 0.1],
      [0.1, 2],
    ],
    q0: [0.1, 0.2],
    v0: [0.5, 0],
    force: [0.3, -2 * GRAVITY],
    amplitude: 0.05,
    wavenumber,
    omega: 12.5,
    e: 0.6,
    h: 1e-3,
    steps: 3000,
    theta,
  };
}
