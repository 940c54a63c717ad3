/** What models of 3D bodies link with what. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { type SpaceTopology, reportTopology } from '@engine/inspection/topology-report';
import { model, particle, withFunctions } from '../support/models';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';

function spaceOf(document: ModelDocument): SpaceTopology {
  const space = reportTopology(document).topology?.space;
  if (space === null || space === undefined) throw new Error('the model has no 3D bodies, or errors');
  return space;
}

const hinge = (id: string, systems: string[], point: number[]) =>
  joint(id, systems, { type: 'RevoluteJoint', point, axis: [0, 0, 1] });

describe('the topology of 3D bodies', () => {
  it('has bodies, how they move, and the interactions that link them', () => {
    const belt = floor('belt', { velocity: [1, 0, 0], shapes: [{ type: 'Box', size: [1, 1, 0.1] }] });
    const space = spaceOf(
      spaceModel(
        [floor(), belt, rigid('box', [0, 0, 3])],
        [touch('ground', ['floor', 'box']), touch('ride', ['belt', 'box'])],
      ),
    );
    expect(space.bodies).toEqual([
      { id: 'floor', motion: 'fixed' },
      { id: 'belt', motion: 'prescribed' },
      { id: 'box', motion: 'free' },
    ]);
    expect(space.interactions).toEqual([
      { id: 'ground', kind: 'contact', type: 'ShapeContact', bodies: [0, 2], rows: 0 },
      { id: 'ride', kind: 'contact', type: 'ShapeContact', bodies: [1, 2], rows: 0 },
    ]);
    // Contacts come and go: they hold nothing together.
    expect(space.groups).toEqual([]);
  });

  it('has the groups that joints make, and the freedoms that are left', () => {
    const { groups } = spaceOf(
      spaceModel(
        [
          rigid('a', [0.5, 0, 0]),
          rigid('b', [1.5, 0, 0]),
          rigid('loose', [0, 5, 0]),
          rigid('held', [0, 9, 0]),
        ],
        [
          hinge('pin', ['a'], [0, 0, 0]),
          hinge('elbow', ['a', 'b'], [1, 0, 0]),
          joint('hook', ['held'], { type: 'BallJoint', point: [0, 9, 1] }),
        ],
      ),
    );
    expect(groups).toEqual([
      { bodies: ['a', 'b'], equations: 10, independent: 10, velocities: 12 },
      { bodies: ['held'], equations: 3, independent: 3, velocities: 6 },
    ]);
  });

  it('tells equations that follow from others: a plane four-bar in space has three too many', () => {
    const { groups } = spaceOf(
      spaceModel(
        [rigid('left', [0, 0.5, 0]), rigid('top', [0.5, 1, 0]), rigid('right', [1, 0.5, 0])],
        [
          hinge('one', ['left'], [0, 0, 0]),
          hinge('two', ['left', 'top'], [0, 1, 0]),
          hinge('three', ['top', 'right'], [1, 1, 0]),
          hinge('four', ['right'], [1, 0, 0]),
        ],
      ),
    );
    expect(groups).toEqual([
      { bodies: ['left', 'top', 'right'], equations: 20, independent: 17, velocities: 18 },
    ]);
  });

  it('counts in the plane what leads nowhere else', () => {
    const disc = (id: string, x: number) =>
      rigid(id, [x, 0, 0], { gravity: [0, -9.81, 0], shapes: [{ type: 'Disc', radius: 0.1 }] });
    const { groups } = spaceOf(
      spaceModel(
        [disc('a', 0.5), disc('b', 1.5)],
        [hinge('pin', ['a'], [0, 0, 0]), hinge('elbow', ['a', 'b'], [1, 0, 0])],
      ),
    );
    expect(groups).toMatchObject([{ bodies: ['a', 'b'], independent: 4, velocities: 6 }]);
  });

  it('executes no script for it', () => {
    const document = withFunctions(
      spaceModel(
        [rigid('a', [0, 0, 1])],
        [
          {
            id: 'link',
            systems: ['a'],
            relation: { type: 'NewtonEulerRelation', h: { function: 'h' } },
            law: { type: 'Equality' },
          },
        ],
      ),
      'export const h = (q: Float64Array, out: Float64Array) => { out[0] = q[2] - 1; };',
    );
    const { interactions, groups } = spaceOf(document);
    expect(interactions).toMatchObject([{ kind: 'general', rows: 1 }]);
    expect(groups).toEqual([{ bodies: ['a'], equations: 1, independent: null, velocities: 6 }]);
  });

  it('of the slider-crank of the gallery leaves it one freedom', () => {
    const { document } = readDocument(readFileSync('resources/examples/slider-crank-3d.moreau.json', 'utf8'));
    expect.assert(document !== null);
    const { groups } = spaceOf(document);
    expect(groups).toHaveLength(1);
    expect(groups[0].velocities - (groups[0].independent ?? 0)).toBe(1);
  });

  it('is none of other models', () => {
    expect(reportTopology(model([particle('p', 0, 0)])).topology?.space).toBeNull();
  });
});
