/**
 * What the benchmark of the event-driven scheme simulates: examples of the gallery, and the same models for
 * Siconos.
 */
import type { StatePlaces } from '@engine/model/state-places';
import type { ProgramArguments } from './siconos/run';

export interface EventDrivenModel {
  readonly label: string;
  /** name in the gallery */
  readonly example: string;
  /** parameters of the example and arguments of the program alike */
  readonly parameters: Readonly<Record<string, number>>;
  /** distance of the points of the time discretisation, s, and their number */
  readonly h: number;
  readonly steps: number;
  /** which of the program's models it is */
  readonly program: ProgramArguments;
  /** the state that the program prints, from a row of the result here */
  readonly state: (row: Float64Array, places: StatePlaces) => number[];
  /** exact time of the k-th impact, k from 0, s; null where no formula has it */
  readonly impactTime: ((k: number) => number) | null;
}

/** Positions and velocities. */
const coordinates: EventDrivenModel['state'] = (row, { q, v, ndof }) => [
  ...row.subarray(q, q + ndof),
  ...row.subarray(v, v + ndof),
];

/** The follower here is in absolute coordinates, there in those relative to the cam: gap and gap velocity. */
const relative: EventDrivenModel['state'] = (row, { y, yDot }) => [row[y], row[yDot]];

const BALL = { m: 1, g: 9.81, height: 0.9, e: 0.9 };

/** A ball that falls from rest and bounces with e: t_k = t_0 (1 + 2 Σ_{i=1..k} e^i). */
function bounce(k: number): number {
  const { g, height, e } = BALL;
  return Math.sqrt((2 * height) / g) * (1 + (2 * e * (1 - e ** k)) / (1 - e));
}

/** Cheap to get right at 700 rpm, where one orbit attracts; chaotic at 660. */
const follower = (rpm: number): EventDrivenModel => ({
  label: `cam-follower at ${rpm} rpm`,
  example: 'cam-follower-660',
  parameters: { rpm, mu: 1.221, kappa: 1430.8, zeta: 0, r: 0.8, height0: 0.4, speed0: 0.4 },
  h: 1e-3,
  steps: 2000,
  program: { model: 'cam' },
  state: relative,
  impactTime: null,
});

/**
 * Beads with a gap below each, that fall onto each other and stay: the number of closed contacts grows from 0
 * to N.
 */
const column = (N: number): EventDrivenModel => ({
  label: `column of ${N} beads`,
  example: 'bead-column',
  parameters: { N, m: 1, radius: 0.125, g: 9.81, e: 0, spacing: 0.01 },
  h: 5e-3,
  steps: 200,
  program: { model: 'column' },
  state: coordinates,
  impactTime: null,
});

export const eventDrivenModels: readonly EventDrivenModel[] = [
  {
    label: 'ball',
    example: 'bouncing-ball',
    parameters: BALL,
    h: 5e-3,
    // 44 impacts in 8.06 s, shortly before they accumulate.
    steps: 1612,
    program: { model: 'ball' },
    state: coordinates,
    impactTime: bounce,
  },
  follower(700),
  follower(660),
  column(10),
  column(100),
];
