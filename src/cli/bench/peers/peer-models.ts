/** The models of the benchmark of peers, of the gallery, with the start that the other programs have. */
import type { ModelDocument } from '@engine/document/types';

export interface PeerModel {
  readonly label: string;
  /** name in the gallery */
  readonly example: string;
  readonly set: Readonly<Record<string, number>>;
  /** of the first system, where it is not that of the example, m/s */
  readonly speed?: number;
  /** longest time between points of the discretisation; that of the example when absent, s */
  readonly h?: number;
  /** after which there have been EVENTS events, and that for which the engine is timed, s */
  readonly enough: number;
  readonly timed: number;
  /** exact time of the k-th event, k from 0, s; null where no formula has it */
  readonly exact: ((k: number) => number) | null;
}

/** Events whose times are compared. */
export const EVENTS = 300;

/** A ball that falls from rest: t_k = t_0 (1 + 2 Σ_{i=1..k} e^i). */
function bounce(k: number): number {
  const e = 0.999;
  return Math.sqrt(1.8 / 9.81) * (1 + (2 * e * (1 - e ** k)) / (1 - e));
}

/** In the order of the numbers that the programs take. */
export const peerModels: readonly PeerModel[] = [
  {
    label: 'ball',
    example: 'bouncing-ball',
    set: { e: 0.999 },
    h: 0.1,
    enough: 240,
    timed: 600,
    exact: bounce,
  },
  {
    label: 'impact oscillator',
    example: 'impact-oscillator-basins',
    set: {},
    speed: 2,
    enough: 1400,
    timed: 14_000,
    exact: null,
  },
  { label: 'stick-slip', example: 'friction-belt', set: {}, enough: 1000, timed: 10_000, exact: null },
  // Settles on an orbit of one impact a revolution.
  {
    label: 'cam-follower at 700 rpm',
    example: 'cam-follower-event-driven-660',
    set: { rpm: 700 },
    enough: 30,
    timed: 300,
    exact: null,
  },
];

export function withStart(document: ModelDocument, { speed }: PeerModel): ModelDocument {
  if (speed === undefined) return document;
  const [first, ...others] = document.systems;
  return { ...document, systems: [{ ...first, v0: [speed] }, ...others] };
}
