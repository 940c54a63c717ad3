/** The quantities that the event-driven certificate judges, in the order of its register. */
import {
  COMPLEMENTARITY,
  CONE,
  DYNAMICS,
  type EventResidual,
  type ResidualKind,
  ResidualMaxima,
} from '../../certificate/residual-maxima';
import type { NonSmoothDynamicalSystem } from '../../model/nsds';

/** What each figure is part of; the gain of energy that a law allows is no violation. */
const PARTS: readonly (readonly [EventResidual, ResidualKind | null])[] = [
  ['impact', DYNAMICS],
  ['law', COMPLEMENTARITY],
  ['energy', DYNAMICS],
  ['motion', DYNAMICS],
  ['gain', null],
  ['cone', CONE],
  ['slip', COMPLEMENTARITY],
  ['penetration', CONE],
  ['pull', CONE],
];
export const [IMPACT, LAW, ENERGY, MOTION, GAIN, FRICTION_CONE, SLIP, PENETRATION, PULL] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
];

export type EventMaxima = ResidualMaxima<EventResidual>;

/** A register whose places are the systems of a model, then its interactions. */
export function createEventMaxima({ systems, interactions }: NonSmoothDynamicalSystem): EventMaxima {
  const elements = [...systems, ...interactions].map(({ id }) => id);
  return new ResidualMaxima(PARTS.map(([name, kind]) => ({ name, kind, elements })));
}
