/** The method `document.project`, and what the report says before it. */
import { afterAll, describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { bouncingBall } from './models';
import { createHost, failure } from './support';

const host = createHost();
afterAll(() => host.dispose());

/** The ball hung on a rod that ends 0.25 m above it. */
function hung(): ModelDocument {
  const document = bouncingBall();
  document.simulation.problem = { type: 'auto' };
  document.interactions.push({
    id: 'rod',
    systems: ['ball'],
    relation: { type: 'LagrangianLinear', H: [[1]], b: [-1.25] },
    law: { type: 'Equality', level: 'position' },
  });
  return document;
}

describe('document.project', () => {
  it('moves the initial state onto the joints, of which the report has told', async () => {
    const document = hung();
    const { issues } = await host.dispatch('document.report', { document });
    expect(issues).toMatchObject([{ code: 'initial-position-inconsistent', element: 'rod' }]);
    const projection = await host.dispatch('document.project', { document });
    if (projection.status !== 'ok') throw new Error(projection.message);
    expect(projection.systems).toMatchObject([{ id: 'ball', q0: [1.25] }]);
    const moved = structuredClone(document);
    for (const { id, q0, v0 } of projection.systems) {
      const system = moved.systems.find((candidate) => candidate.id === id);
      Object.assign(system ?? {}, { q0, v0 });
    }
    expect((await host.dispatch('document.report', { document: moved })).issues).toEqual([]);
  });

  it('changes nothing where the state satisfies the joints', async () => {
    const document = hung();
    document.systems[0].q0 = [1.25];
    const projection = await host.dispatch('document.project', { document });
    expect(projection).toEqual({ status: 'ok', systems: [], largest: [0, 0] });
  });

  it('does not examine a model with errors, or without joints', async () => {
    const broken = hung();
    broken.systems[0].q0 = ['nope'];
    for (const document of [broken, bouncingBall()]) {
      const projection = await host.dispatch('document.project', { document });
      expect(projection).toMatchObject({ status: 'notExamined', remedy: expect.any(String) as string });
    }
  });

  it('does not project what is left of a model whose builder script fails', async () => {
    const document = hung();
    document.scripts.push({
      name: 'builder.ts',
      role: 'builder',
      source: ["throw new Error('no rods left');"],
    });
    const { message } = await failure(host.dispatch('document.project', { document }));
    expect(message).toContain('no rods left');
  });

  it('refuses what is no document', async () => {
    const { code } = await failure(
      host.dispatch('document.project', { document: [] as unknown as ModelDocument }),
    );
    expect(code).toBe('invalid-params');
  });
});
