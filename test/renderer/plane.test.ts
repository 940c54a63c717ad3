/** Vectors of bodies in the plane: names and units of their entries, in the fields of every definition. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '@engine/model/registry';
import { entryNames, entryUnits, prescribedUnit } from '@renderer/document/plane';
import { isIdle } from '@renderer/inspector/fields/array-field';

const { systems, relations, laws } = catalogue();
const named = [...systems, ...relations, ...laws].flatMap(({ type, fields }) =>
  fields.flatMap((field) => {
    const names = entryNames(field);
    return names === null
      ? []
      : [`${type}.${field.key}: ${names.join(' ')} [${entryUnits(field) ?? field.unit}]`];
  }),
);

const order = (type: string): unknown =>
  [...systems, ...relations, ...laws].find((definition) => definition.type === type)?.order;

describe('vectors of 3D bodies', () => {
  const spatial = named.filter((line) => order(line.split('.')[0] ?? '') === 'body');

  it('have three entries, and an orientation four', () => {
    expect(spatial.filter((line) => line.startsWith('RigidBody'))).toEqual([
      'RigidBody.position: x y z [m]',
      'RigidBody.orientation: w x y z []',
      'RigidBody.velocity: x y z [m/s]',
      'RigidBody.spin: x y z [rad/s]',
      'RigidBody.gravity: x y z [m/s²]',
      'RigidBody.force: x y z [N]',
      'RigidBody.moment: x y z [N m]',
      'RigidBody.at: x y z [m]',
    ]);
    expect(spatial).toContain('RevoluteJoint.axis: x y z []');
  });
});

describe('vectors in the plane', () => {
  it('of a body have its coordinates, each with its unit', () => {
    expect(named.filter((line) => line.startsWith('PlanarBody'))).toEqual([
      'PlanarBody.q0: x y φ [m, m, rad]',
      'PlanarBody.v0: x y φ [m/s, m/s, rad/s]',
      'PlanarBody.gravity: x y [m/s²]',
      'PlanarBody.fExt: x y φ [N, N, N m]',
    ]);
  });

  it('of relations are points; pairs of a law that are no places have no such names', () => {
    const others = named.filter(
      (line) => !line.startsWith('PlanarBody') && order(line.split('.')[0] ?? '') !== 'body',
    );
    expect(others).toContain('Revolute.point1: x y [m]');
    expect(others.every((line) => /\.point[12]: x y \[m\]$/.test(line))).toBe(true);
  });
});

describe('what a driver prescribes', () => {
  it('is an angle unless it is a coordinate of a point', () => {
    expect(prescribedUnit({ type: 'Driver' })).toBe('rad');
    expect(prescribedUnit({ type: 'Driver', coordinate: 'angle' })).toBe('rad');
    expect(prescribedUnit({ type: 'Driver', coordinate: 'x' })).toBe('m');
    expect(prescribedUnit({ type: 'Revolute' })).toBeNull();
  });

  it('has derivatives to give only once it is a function', () => {
    const fields = relations.find(({ type }) => type === 'Driver')?.fields ?? [];
    const idle = (element: object): string[] =>
      fields.filter((field) => isIdle(field, { type: 'Driver', ...element })).map(({ key }) => key);
    expect(idle({})).toEqual(['motionRate', 'motionAcceleration']);
    expect(idle({ motion: { function: 'f' } })).toEqual(['motionAcceleration']);
    expect(idle({ motion: { function: 'f' }, motionRate: { function: 'g' } })).toEqual([]);
    // What is given without its function is a defect, and a defect has to be seen.
    expect(idle({ motionRate: { function: 'g' } })).toEqual([]);
  });
});
