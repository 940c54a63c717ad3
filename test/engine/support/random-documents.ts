/**
 * Small random models of each kind of law: masses on a line with stops, contacts and dry friction; stores
 * with diodes and relays.
 */
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { contact, linearSystem, model } from './models';
import type { Random } from './random';

const MOST_ROWS = 6;

function masses(random: Random): ModelDocument {
  const n = random.integer(1, 3);
  const systems = Array.from({ length: n }, (_, k): SystemDocument =>
    linearSystem(
      `mass${k}`,
      {
        mass: [[random.uniform(0.5, 2)]],
        damping: [[random.uniform(0, 0.3)]],
        stiffness: [[random.uniform(0, 20)]],
        force: [random.uniform(-6, 6)],
      },
      [0],
      [random.uniform(-2, 2)],
    ),
  );
  const interactions: InteractionDocument[] = [];
  const restitution = (): number => (random.chance(0.3) ? 0 : random.uniform(0.2, 0.9));
  const gap = (): number[] => [random.uniform(0.01, 0.3)];
  for (let k = 0; k < n; k++) {
    const mass = [`mass${k}`];
    if (random.chance(0.6)) interactions.push(contact(`floor${k}`, mass, [[1]], restitution(), gap()));
    if (random.chance(0.4)) interactions.push(contact(`roof${k}`, mass, [[-1]], restitution(), gap()));
    if (random.chance(0.5))
      interactions.push({
        id: `dry${k}`,
        systems: mass,
        relation: { type: 'LagrangianLinear', H: [[1]] },
        law: { type: 'Relay', lower: [-random.uniform(0.2, 3)], upper: [random.uniform(0.2, 3)] },
      });
    if (k > 0 && random.chance(0.7))
      interactions.push(contact(`pair${k}`, [`mass${k - 1}`, `mass${k}`], [[-1, 1]], restitution(), gap()));
  }
  return model(systems, interactions.slice(0, MOST_ROWS), { h: 1e-3, tEnd: 0.6 });
}

function stores(random: Random): ModelDocument {
  const n = random.integer(1, 3);
  const systems = Array.from({ length: n }, (_, k): SystemDocument => ({
    id: `store${k}`,
    type: 'FirstOrderLinear',
    n: 1,
    x0: [random.uniform(0.5, 2)],
    A: [[-random.uniform(0, 1.5)]],
    b: [random.uniform(-2, 1)],
  }));
  const interactions = Array.from(
    { length: random.integer(1, MOST_ROWS / 2) },
    (_, k): InteractionDocument => {
      const count = random.integer(1, Math.min(2, n));
      const linked = random.sample(count, n);
      const C = [linked.map(() => random.uniform(0.3, 1) * (random.chance(0.5) ? 1 : -1))];
      const isRelay = random.chance(0.5);
      return {
        id: `part${k}`,
        systems: linked.map((s) => `store${s}`),
        // Passive: what the row gives it takes, and D > 0 keeps rows on the same store apart.
        relation: {
          type: 'FirstOrderLinearTI',
          C,
          B: C[0].map((c) => [c]),
          D: [[random.uniform(0.1, 1)]],
          e: [random.uniform(-1, 1)],
        },
        law: isRelay
          ? { type: 'Relay', lower: [-random.uniform(0.2, 1)], upper: [random.uniform(0.2, 1)] }
          : { type: 'Complementarity' },
      };
    },
  );
  return model(systems, interactions, { h: 1e-3, tEnd: 1 });
}

/** Up to six rows of one level. */
export function randomDocument(random: Random): ModelDocument {
  const document = random.chance(0.5) ? masses(random) : stores(random);
  return { ...document, simulation: { ...document.simulation, problem: { type: 'auto' } } };
}
