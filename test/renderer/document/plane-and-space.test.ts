/** Bodies that go from the plane to space and back. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import type { SystemDocument } from '@engine/document/types';
import { newSystem } from '@renderer/document/factory';
import { retypeSystem } from '@renderer/document/retype';

const { systems } = catalogue();

function become(system: SystemDocument, type: string): SystemDocument {
  const of = (name: string): (typeof systems)[number] | undefined => systems.find((one) => one.type === name);
  const next = of(type);
  if (next === undefined) throw new Error(`no system ${type}`);
  return retypeSystem(system, newSystem(next, system.id), next, of(system.type));
}

const planar: SystemDocument = {
  id: 'a',
  type: 'PlanarBody',
  mass: '2*m',
  inertia: 0.3,
  q0: [1, 2, Math.PI / 2],
  v0: [3, 4, 5],
  gravity: [0, -9.81],
};

describe('a body of the plane in space', () => {
  const spatial = become(planar, 'RigidBody');

  it('keeps mass and weight, its height upwards, and turns about −y', () => {
    expect(spatial).toMatchObject({
      id: 'a',
      type: 'RigidBody',
      mass: '2*m',
      gravity: [0, 0, -9.81],
      position: [1, 0, 2],
      velocity: [3, 0, 4],
      spin: [0, -5, 0],
    });
    expect(spatial).not.toHaveProperty('density');
    expect(spatial).not.toHaveProperty('inertia');
    const [w, x, y, z] = spatial['orientation'] as number[];
    // The x axis of the body stands upright after a quarter turn: R e_x has the height −2 w y + 2 x z.
    expect(2 * (x * z - w * y)).toBeCloseTo(1, 14);
  });

  it('comes back as it was, but for the moment of inertia, which its shapes say', () => {
    const back = become(spatial, 'PlanarBody');
    expect(back).toMatchObject({ type: 'PlanarBody', mass: '2*m', gravity: [0, -9.81], v0: [3, 4, 5] });
    const [x, y, angle] = back['q0'] as number[];
    expect([x, y]).toEqual([1, 2]);
    expect(angle).toBeCloseTo(Math.PI / 2, 14);
  });

  it('keeps expressions, and leaves out what is zero', () => {
    const next = become({ ...planar, q0: ['x0', 0, 0], v0: [0, 0, 'w'], gravity: [0, '-g'] }, 'RigidBody');
    expect(next).toMatchObject({ position: ['x0', 0, 0], spin: [0, '-(w)', 0], gravity: [0, 0, '-g'] });
    expect(next).not.toHaveProperty('velocity');
    expect(next).not.toHaveProperty('orientation');
  });
});

describe('a 3D body in the plane', () => {
  it('takes the moment about the axis across the plane', () => {
    const spatial = { id: 'a', type: 'RigidBody', mass: 2, inertia: [1, 2, 3], position: [1, 7, 4] };
    expect(become(spatial, 'PlanarBody')).toMatchObject({ mass: 2, inertia: 2, q0: [1, 4, 0] });
  });
});

describe('a fixed body that is made to move', () => {
  it('loses shapes without an end, which cannot move', () => {
    const floor: SystemDocument = {
      id: 'f',
      type: 'FixedBody',
      position: [0, 0, 1],
      shapes: [{ type: 'Plane' }, { type: 'Sphere', radius: 2 }],
    };
    expect(become(floor, 'RigidBody')).toMatchObject({
      position: [0, 0, 1],
      density: 1000,
      shapes: [{ type: 'Sphere', radius: 2 }],
    });
    const plane = { ...floor, shapes: [{ type: 'Plane' }] };
    expect(become(plane, 'RigidBody')['shapes']).toEqual([{ type: 'Box', size: [0.2, 0.2, 0.2] }]);
    expect(become(floor, 'FixedBody')['shapes']).toEqual(floor['shapes']);
  });

  it('keeps what can deform with it', () => {
    const floor: SystemDocument = {
      id: 'f',
      type: 'FixedBody',
      shapes: [{ type: 'Sphere', radius: 2 }, { type: 'Box', size: [1, 1, 2] }, { type: 'Plane' }],
    };
    expect(become(floor, 'PseudoRigidBody')['shapes']).toEqual([{ type: 'Box', size: [1, 1, 2] }]);
  });

  it('takes its shapes along when it stands still', () => {
    const body: SystemDocument = {
      id: 'b',
      type: 'RigidBody',
      mass: 1,
      position: [0, 0, 1],
      shapes: [{ type: 'Sphere', radius: 'r' }],
    };
    expect(become(body, 'FixedBody')).toEqual({
      id: 'b',
      type: 'FixedBody',
      position: [0, 0, 1],
      shapes: [{ type: 'Sphere', radius: 'r' }],
    });
  });
});
