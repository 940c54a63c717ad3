/** Documents with resets. */
import type { ModelDocument, SystemDocument } from '@engine/document/types';

export const SCHEMES = ['time-stepping', 'event-driven'] as const;

/** First-order systems with resets, without scripts. */
export function resetting(
  systems: SystemDocument[],
  simulation: Partial<ModelDocument['simulation']> = {},
  parameters: Record<string, number> = {},
): ModelDocument {
  return {
    formatVersion: 3,
    title: 'Resets',
    parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
    systems,
    interactions: [],
    simulation: {
      scheme: 'event-driven',
      t0: 0,
      tEnd: 1,
      h: 1e-2,
      integrators: [{ type: 'EulerMoreau' }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
      ...simulation,
    },
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
}

export const linear = (
  id: string,
  A: (number | string)[][],
  b: (number | string)[],
  x0: (number | string)[],
): SystemDocument => ({ id, type: 'FirstOrderLinear', n: x0.length, A, b, x0 });

export const reset = (
  id: string,
  of: string,
  guard: string,
  map: (number | string)[],
  direction?: string,
): SystemDocument => ({
  id,
  type: 'Reset',
  of,
  guard: [guard],
  map,
  ...(direction === undefined ? {} : { direction }),
});

/** A leaky neuron: τ V̇ = −V + I, to 0 where V comes to 1. */
export const neuron = (simulation: Partial<ModelDocument['simulation']> = {}): ModelDocument =>
  resetting(
    [linear('neuron', [['-1/tm']], ['I/tm'], [0]), reset('fire', 'neuron', 'neuron.x - 1', [0])],
    simulation,
    { tm: 0.02, I: 1.5 },
  );
