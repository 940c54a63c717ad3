/** What the host tells of runs of 3D bodies: the scene, and the contacts at a moment. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { floor, G, rigid, spaceModel, touch } from '../engine/support/space';
import { bouncingBall } from './models';
import { createHost, isOver, runWhen } from './support';

let host: ReturnType<typeof createHost>;
beforeEach(() => {
  host = createHost();
});
afterEach(() => host.dispose());

const resting = (): ModelDocument =>
  spaceModel([floor(), rigid('box', [0, 0, 0.1])], [touch('ground', ['floor', 'box'])], { tEnd: 0.1 });

async function finished(document: ModelDocument, options: object = {}): Promise<string> {
  const { runId } = await host.dispatch('run.start', { document, ...options });
  await runWhen(host, runId, isOver);
  return runId;
}

describe('a run of 3D bodies', () => {
  it('has a scene, whose poses are recorded signals', async () => {
    const runId = await finished(resting());
    const { scene } = await host.dispatch('run.scene', { runId });
    expect(scene?.bodies.map(({ id }) => id)).toEqual(['floor', 'box']);
    const signals = [...(scene?.bodies[1].motion?.signals ?? [])];
    const { columns } = await host.dispatch('run.rows', { runId, signals, firstRow: 0, count: 1 });
    expect(columns.map(([value]) => value)).toEqual([0, 0, 0.1, 1, 0, 0, 0]);
  });

  it('tells its contacts at any time, at the nearest row before it', async () => {
    const runId = await finished(resting());
    const { contacts } = await host.dispatch('run.contacts', { runId, time: 0.0505 });
    expect(contacts?.count).toBe(4);
    expect(contacts?.time).toBeCloseTo(0.05, 12);
    const sum = [0, 1, 2, 3].reduce((total, c) => total + (contacts?.impulses[3 * c + 2] ?? 0), 0);
    expect(sum).toBeCloseTo(8 * G * 1e-3, 9);
    expect(contacts?.matrix).toMatchObject({ rows: 12, rank: 6 });
    expect(contacts?.matrix.pattern?.columns).toHaveLength(16);
    for (const [time, expected] of [
      [-1, 0],
      [99, 0.1],
    ])
      expect((await host.dispatch('run.contacts', { runId, time })).contacts?.time).toBeCloseTo(expected, 12);
  });

  it('computes them with the step and the parameters of the run', async () => {
    const document = resting();
    document.parameters = [{ name: 'weight', value: G }];
    document.systems[1].gravity = [0, 0, '-weight'];
    const runId = await finished(document, { set: { weight: 1 }, h: 2e-3 });
    const { contacts } = await host.dispatch('run.contacts', { runId, time: 0.05 });
    const sum = [0, 1, 2, 3].reduce((total, c) => total + (contacts?.impulses[3 * c + 2] ?? 0), 0);
    expect(sum).toBeCloseTo(8 * 1 * 2e-3, 9);
  });

  it('knows what touches an obstacle that moves as prescribed, which is no part of the state', async () => {
    const document = resting();
    document.systems[0].velocity = [0.1, 0, 0];
    const runId = await finished(document);
    const { contacts } = await host.dispatch('run.contacts', { runId, time: 0.05 });
    expect(contacts?.count).toBeGreaterThan(0);
    const { scene } = await host.dispatch('run.scene', { runId });
    const place = scene?.bodies.findIndex(({ isPrescribed }) => isPrescribed === true);
    expect(contacts?.bodies[0]).toBe(place);
  });

  it('knows none where a part of the state was not recorded', async () => {
    const runId = await finished(resting(), { signals: ['box.q[2]'] });
    expect((await host.dispatch('run.contacts', { runId, time: 0.05 })).contacts).toBeNull();
  });

  it('builds what a builder script adds, with the parameters of the run', async () => {
    const document = resting();
    document.parameters = [{ name: 'count', value: 1 }];
    document.systems = [floor()];
    document.interactions = [];
    document.scripts = [
      {
        name: 'build.ts',
        role: 'builder',
        source: [
          'export default (model: ModelBuilder, p: Parameters) => {',
          '  const ids = Array.from({ length: p.count }, (_, k) => `b${k}`);',
          "  ids.forEach((id, k) => model.system({ id, type: 'RigidBody', density: 1000, position: [k, 0, 0.1], gravity: [0, 0, -9.81], shapes: [{ type: 'Sphere', radius: 0.1 }] }));",
          "  model.interaction({ id: 'all', systems: ['floor', ...ids], relation: { type: 'ShapeContact' }, law: { type: 'NewtonImpactFriction3D', mu: 0.5, e: 0 } });",
          '};',
        ],
      },
    ];
    const runId = await finished(document, { set: { count: 3 } });
    expect((await host.dispatch('run.contacts', { runId, time: 0.05 })).contacts?.count).toBe(3);
  });
});

it('a run without 3D bodies has neither', async () => {
  const runId = await finished(bouncingBall());
  expect(await host.dispatch('run.scene', { runId })).toEqual({ scene: null });
  expect(await host.dispatch('run.contacts', { runId, time: 0 })).toEqual({ contacts: null });
});
