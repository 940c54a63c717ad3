/** Models with control blocks. */
import type { ModelDocument, SimulationDocument, SystemDocument } from '@engine/document/types';
import { model } from '../support/models';

/** A linear plant ẋ = A x + T u with blocks beside it. */
export function controlled(
  plant: { A: number[][]; T: number[][]; u: string[]; x0: number[]; b?: number[] | { function: string } },
  blocks: SystemDocument[],
  simulation: Partial<SimulationDocument> = {},
): ModelDocument {
  const document = model([]);
  return {
    ...document,
    systems: [
      {
        id: 'plant',
        type: 'FirstOrderLinear',
        n: plant.x0.length,
        controlSize: plant.u.length,
        A: plant.A,
        T: plant.T,
        u: { signals: plant.u },
        x0: plant.x0,
        ...(plant.b === undefined ? {} : { b: plant.b }),
      },
      ...blocks,
    ],
    simulation: {
      ...document.simulation,
      tEnd: 1,
      h: 0.01,
      integrators: [{ type: 'ZeroOrderHold' }],
      ...simulation,
    },
  };
}

/** The same in both schemes. */
export const SCHEMES = ['time-stepping', 'event-driven'] as const;
