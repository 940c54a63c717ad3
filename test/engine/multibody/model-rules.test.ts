/** One negative test for each rule of a multibody model, and what a valid one becomes. */
import { describe, expect, it } from 'vitest';
import { compileMultibody, constraintDefinitions } from '../oracles/planar/compile';
import type { MultibodyModel } from '../oracles/planar/system';
import { EngineError } from '@engine/errors';

const body = { id: 'bar', mass: 2, inertia: 3, position: [1, 2, 0.5] as const };
const pin = {
  type: 'revolute',
  id: 'pin',
  first: { body: 'ground' },
  second: { body: 'bar' },
} as const;
const valid: MultibodyModel = { bodies: [body], constraints: [pin], loads: [] };

function codeOf(model: Partial<MultibodyModel>): [string, string | undefined] {
  try {
    compileMultibody({ ...valid, ...model });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(error.details.remedy).not.toBe('');
    return [error.details.code, error.details.where];
  }
  throw new Error('the model was accepted');
}

it('a valid model becomes coordinates, rows and masses in order', () => {
  const system = compileMultibody({
    bodies: [body, { id: 'disc', mass: 5, inertia: 7, position: [0, 0, 0], velocity: [1, 2, 3] }],
    constraints: [
      pin,
      { type: 'gear', id: 'gear', first: 'bar', second: 'disc', ratio: 2 },
      { type: 'fixed', id: 'weld', first: { body: 'bar' }, second: { body: 'disc' } },
    ],
    loads: [],
  });
  expect([system.size, system.rows]).toEqual([6, 6]);
  expect([...system.rowOffsets]).toEqual([0, 2, 3, 6]);
  expect([...system.initialPositions()]).toEqual([1, 2, 0.5, 0, 0, 0]);
  expect([...system.initialVelocities()]).toEqual([0, 0, 0, 1, 2, 3]);
  const mass = new Float64Array(36).fill(9);
  system.mass(Float64Array.of(0), system.initialPositions(), mass);
  expect([...mass]).toEqual(
    [2, 2, 3, 5, 5, 7].flatMap((value, i) => [0, 1, 2, 3, 4, 5].map((j) => (i === j ? value : 0))),
  );
  expect(system.coordinateLabel(5)).toBe('disc.phi');
  expect(system.rowLabel(4)).toEqual({ constraint: 'weld', row: 'y', unit: 'm' });
  expect(system.kineticEnergy(system.initialVelocities())).toBe(0.5 * (5 * 5 + 7 * 9));
});

describe('a model is refused', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('with a mass of %s kg', (mass) => {
    expect(codeOf({ bodies: [{ ...body, mass }] })).toEqual(['mass-not-positive', 'bar']);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('with an inertia of %s kg m²', (inertia) => {
    expect(codeOf({ bodies: [{ ...body, inertia }] })).toEqual(['inertia-not-positive', 'bar']);
  });

  it('with a start that is not finite', () => {
    expect(codeOf({ bodies: [{ ...body, position: [0, Number.NaN, 0] }] })).toEqual([
      'state-not-finite',
      'bar',
    ]);
    expect(codeOf({ bodies: [{ ...body, velocity: [0, 0, Number.NaN] }] })).toEqual([
      'state-not-finite',
      'bar',
    ]);
  });

  it('with two elements of one name, or one called like the ground', () => {
    expect(codeOf({ constraints: [{ ...pin, id: 'bar' }] })).toEqual(['id-taken', 'bar']);
    expect(codeOf({ bodies: [{ ...body, id: 'ground' }] })).toEqual(['id-taken', 'ground']);
  });

  it('with a joint or load on a body that there is not', () => {
    expect(codeOf({ constraints: [{ ...pin, second: { body: 'rod' } }] })).toEqual(['body-unknown', 'pin']);
    expect(
      codeOf({ constraints: [{ type: 'gear', id: 'g', first: 'bar', second: 'rod', ratio: 1 }] }),
    ).toEqual(['body-unknown', 'g']);
    expect(
      codeOf({ loads: [{ type: 'torsionSpring', id: 's', first: 'bar', second: 'rod', stiffness: 1 }] }),
    ).toEqual(['body-unknown', 's']);
  });

  it('with a joint between a body and itself', () => {
    expect(codeOf({ constraints: [{ ...pin, first: { body: 'bar' } }] })).toEqual([
      'constraint-on-one-body',
      'pin',
    ]);
    expect(codeOf({ constraints: [{ ...pin, second: { body: 'ground' } }] })).toEqual([
      'constraint-on-one-body',
      'pin',
    ]);
  });

  it('with numbers of a joint that are not finite', () => {
    expect(codeOf({ constraints: [{ ...pin, second: { body: 'bar', point: [0, Number.NaN] } }] })).toEqual([
      'point-not-finite',
      'pin',
    ]);
    expect(codeOf({ constraints: [{ ...pin, type: 'prismatic', axis: Number.NaN }] })).toEqual([
      'constraint-not-finite',
      'pin',
    ]);
  });

  it.each([0, -1])('with a rod of %s m', (length) => {
    expect(codeOf({ constraints: [{ ...pin, type: 'distance', length }] })).toEqual([
      'length-not-positive',
      'pin',
    ]);
  });
});

it('each type of constraint is described', () => {
  expect(Object.keys(constraintDefinitions)).toEqual([
    'revolute',
    'prismatic',
    'pointOnLine',
    'distance',
    'fixed',
    'gear',
    'driver',
  ]);
  for (const { title, summary, equations } of Object.values(constraintDefinitions)) {
    expect(title).not.toBe('');
    expect(summary).not.toBe('');
    expect(equations.length).toBeGreaterThan(0);
  }
});
