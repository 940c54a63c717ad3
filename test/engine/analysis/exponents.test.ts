/** Exponents of a document's model: what is said of motions that have none. */
import { computeExponents } from '@engine/analysis/jobs/lyapunov';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** A particle between two walls, the left of which takes nearly all of its speed. */
function slot(): ModelDocument {
  const path = new URL('../../../resources/examples/bouncing-ball.moreau.json', import.meta.url);
  const model = JSON.parse(readFileSync(path, 'utf8')) as ModelDocument;
  const [particle] = model.systems;
  const wall = (id: string, h: number, b: number, e: number): unknown => ({
    id,
    systems: [particle.id],
    relation: { type: 'LagrangianLinear', H: [[h]], b: [b] },
    law: { type: 'NewtonImpact', e },
  });
  const { document } = readDocument(
    JSON.stringify({
      ...model,
      systems: [{ id: particle.id, type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], q0: [0.5], v0: [-1e3] }],
      interactions: [wall('left', 1, 0, 2e-10), wall('right', -1, 1, 1)],
      simulation: {
        ...model.simulation,
        h: 1e6,
        tEnd: 1e7,
        scheme: 'event-driven',
        eventDriven: { ...model.simulation.eventDriven, smallestBounce: 1e-13 },
      },
    }),
  );
  if (document === null) throw new Error('the model cannot be opened');
  return document;
}

describe('Lyapunov exponents', () => {
  it('of a motion that grazes a contact are refused, with what it grazes and when', () => {
    const request = { kind: 'lyapunov', transient: 0, duration: 2e7, interval: 2e6, count: null } as const;
    const attempt = (): unknown =>
      computeExponents(slot(), request, { sandbox: createSandbox, progress: () => undefined });
    expect(attempt).toThrow(
      /^The motion has an event .* at t = \d+(\.\d+)? s, of “left”: a border is only touched .*\.$/,
    );
    expect(attempt).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ code: 'not-differentiable', where: 'left' }) as unknown,
      }),
    );
  });
});
