/**
 * Joints and contacts between bodies: each relation against differences of its own output, and the rules that
 * they have.
 */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, SystemDocument, TypedElement } from '@engine/document/types';
import type { Relation } from '@engine/model/nsds';
import { reportDocument } from '@engine/preparation/report';
import { body, joint } from '../support/bodies';
import { build, buildSound, type Plugins } from '../support/built';
import { model, withFunctions } from '../support/models';
import { type Random, seeded } from '../support/random';

const points = { point1: [0.3, -0.2], point2: [-0.5, 0.7] };
const wave = (t: number): number => 0.4 * Math.sin(1.7 * t + 0.3);
const plugins: Plugins = {
  wave: (t: number, out: Float64Array) => void (out[0] = wave(t)),
  waveRate: (t: number, out: Float64Array) => void (out[0] = 0.4 * 1.7 * Math.cos(1.7 * t + 0.3)),
  waveAcceleration: (t: number, out: Float64Array) => void (out[0] = -1.7 * 1.7 * wave(t)),
};
const moving = { motion: { function: 'wave' }, motionRate: { function: 'waveRate' } };
const exact = { ...moving, motionAcceleration: { function: 'waveAcceleration' } };

type Case = [string, 1 | 2, TypedElement];
const both = (name: string, relation: TypedElement): Case[] => [
  [`${name} to the ground`, 1, relation],
  [`${name} of two bodies`, 2, relation],
];
const cases: Case[] = [
  ...both('revolute joint', { type: 'Revolute', ...points }),
  ...both('prismatic joint', { type: 'Prismatic', ...points, axis: 0.4, angle: 0.2 }),
  ...both('pin in a slot', { type: 'PinInSlot', ...points, axis: -0.8 }),
  ...both('rod', { type: 'Distance', ...points, length: 0.8 }),
  ...both('actuator', { type: 'Distance', ...points, length: 1.3, ...exact }),
  ...both('rigid connection', { type: 'Rigid', ...points, angle: -0.3 }),
  ['gear', 2, { type: 'Gear', ratio: -2.5, angle: 0.1 }],
  ...both('driven angle', { type: 'Driver', start: 0.2, rate: 3, ...exact }),
  ...both('angle at rest', { type: 'Driver', start: 0.2 }),
  ['driven x', 1, { type: 'Driver', coordinate: 'x', point2: [0.3, 0.4], ...exact }],
  ['driven y', 1, { type: 'Driver', coordinate: 'y', point2: [0.3, 0.4], rate: 0.5 }],
  ...both('point on a plane', { type: 'PointOnPlane', ...points, axis: 0.3, rows: 'gapAndSlip' }),
  ...both('disc on a plane', {
    type: 'PointOnPlane',
    ...points,
    axis: 0.3,
    radius: 0.25,
    rows: 'gapAndSlip',
  }),
  ...both('spring', { type: 'Spring', ...points, stiffness: 3, length: 0.4 }),
  ...both('pin in a hole', { type: 'PinInHole', ...points, clearance: 0.3, radius: 0.2, rows: 'gapAndSlip' }),
];

/** The relation between one or two bodies. */
function relationOf(relation: TypedElement, count: 1 | 2): Relation {
  const ids = ['a', 'b'].slice(0, count);
  const law = { type: 'Complementarity' };
  const document = model(
    ids.map((id) => body(id, [0, 0, 0])),
    [joint('link', ids, relation, law)],
  );
  const [built] = buildSound(document, plugins).model.interactions;
  return built.relation;
}

const vector = (random: Random, n: number): Float64Array =>
  Float64Array.from({ length: n }, () => random.uniform(-1.5, 1.5));
const STEP = 1e-5;
/** Central differences at that step are right to 1e-10 of numbers of the order 1. */
const TOLERANCE = 2e-8;

describe.each(cases)('%s', (_, count, document) => {
  const relation = relationOf(document, count);
  const { size, columns } = relation;
  const none = new Float64Array(size);

  const output = (t: number, q: Float64Array): Float64Array => {
    const y = new Float64Array(size).fill(NaN);
    relation.output(Float64Array.of(t), q, none, y);
    return y;
  };
  const jacobian = (t: number, q: Float64Array): Float64Array => {
    const C = new Float64Array(size * columns).fill(NaN);
    relation.outputJacobians(Float64Array.of(t), q, none, C, new Float64Array(size * size));
    return C;
  };
  const rate = (t: number, q: Float64Array, v: Float64Array): Float64Array => {
    const y = new Float64Array(size).fill(NaN);
    relation.timeDerivative(Float64Array.of(t), q, y);
    const C = jacobian(t, q);
    return y.map((value, r) => v.reduce((sum, x, k) => sum + C[r * columns + k] * x, value));
  };
  const slope = (f: (s: number) => Float64Array): number[] => {
    const [after, before] = [f(STEP), f(-STEP)];
    return [...after].map((x, r) => (x - before[r]) / (2 * STEP));
  };

  it('has the derivatives of its output, and the whole curvature', () => {
    const random = seeded(11);
    for (let k = 0; k < 20; k++) {
      const [q, v] = [vector(random, columns), vector(random, columns)];
      const t = random.uniform(-2, 2);
      // The direction of a pin jumps by 2π, and near the centre there is none.
      if (document.type === 'PinInHole' && Math.hypot(...distance(q, count)) < 0.2) continue;
      const C = jacobian(t, q);
      for (let i = 0; i < columns; i++) {
        const column = slope((s) =>
          output(
            t,
            q.map((x, j) => (j === i ? x + s : x)),
          ),
        );
        if (document.type === 'PinInHole' && Math.abs(column[1]) > 1e3) continue;
        column.forEach((value, r) => expect(Math.abs(C[r * columns + i] - value)).toBeLessThan(TOLERANCE));
      }
      const byTime = new Float64Array(size);
      relation.timeDerivative(Float64Array.of(t), q, byTime);
      slope((s) => output(t + s, q)).forEach((value, r) =>
        expect(Math.abs(byTime[r] - value)).toBeLessThan(TOLERANCE),
      );
      const curvature = new Float64Array(size).fill(NaN);
      relation.curvature?.(Float64Array.of(t), q, v, curvature);
      slope((s) =>
        rate(
          t + s,
          q.map((x, i) => x + s * v[i]),
          v,
        ),
      ).forEach((value, r) =>
        expect(Math.abs(curvature[r] - value)).toBeLessThan(TOLERANCE * Math.max(1, Math.abs(value))),
      );
      if (relation.C !== null) expect([...relation.C]).toEqual([...C]);
    }
  });

  it('acts on its last body with the force it says, at its point', () => {
    const random = seeded(5);
    const [q, lambda] = [vector(random, columns), vector(random, size)];
    const force = new Float64Array(3);
    relation.jointForce?.(Float64Array.of(0.3), q, lambda, force);
    const C = jacobian(0.3, q);
    const at = columns - 3;
    const general = [0, 1, 2].map((k) => lambda.reduce((sum, x, r) => sum + x * C[r * columns + at + k], 0));
    const [x, y] = (document['point2'] ?? [0, 0]) as [number, number];
    const [cosine, sine] = [Math.cos(q[at + 2]), Math.sin(q[at + 2])];
    const arm = [cosine * x - sine * y, sine * x + cosine * y];
    expect(force[0]).toBeCloseTo(general[0], 14);
    expect(force[1]).toBeCloseTo(general[1], 14);
    expect(force[2]).toBeCloseTo(general[2] - (arm[0] * force[1] - arm[1] * force[0]), 14);
  });
});

/** P₂ − P₁ of the case “pin in a hole”. */
function distance(q: Float64Array, count: 1 | 2): [number, number] {
  const place = (at: number, [x, y]: number[]): [number, number] => {
    if (at < 0) return [x, y];
    const [cosine, sine] = [Math.cos(q[at + 2]), Math.sin(q[at + 2])];
    return [q[at] + cosine * x - sine * y, q[at + 1] + sine * x + cosine * y];
  };
  const one = place(count === 1 ? -1 : 0, points.point1);
  const two = place(count === 1 ? 0 : 3, points.point2);
  return [two[0] - one[0], two[1] - one[1]];
}

describe('what the outputs mean', () => {
  const at = (relation: TypedElement, q: number[]): number[] => {
    const built = relationOf(relation, q.length === 3 ? 1 : 2);
    const y = new Float64Array(built.size);
    built.output(Float64Array.of(0), Float64Array.from(q), y.slice(), y);
    // Without the sign of zero.
    return [...y].map((value) => Number(value.toFixed(12)) + 0);
  };

  it('a rolling disc does not slip', () => {
    // One turn to the right is clockwise: φ = −x/r.
    const disc = { type: 'PointOnPlane', radius: 0.5, rows: 'gapAndSlip' };
    expect(at(disc, [2, 0.5, -4])).toEqual([0, 0]);
    expect(at(disc, [2, 0.75, 0])).toEqual([0.25, 2]);
  });

  it('a body is free to the left of a plane, which may be that of a body', () => {
    const plane = { type: 'PointOnPlane', axis: Math.PI / 2 };
    expect(at(plane, [-3, 7, 0])).toEqual([3]);
    expect(at(plane, [0, 0, Math.PI / 2, 2, -3, 0])).toEqual([3]);
  });

  it('a pin is in contact where it has moved by the clearance', () => {
    const hole = { type: 'PinInHole', point1: [1, 1], clearance: 0.01 };
    expect(at(hole, [1, 1, 0])).toEqual([0.01]);
    expect(at(hole, [1.006, 1.008, 0])).toEqual([0]);
  });

  it('rows have units of their own, and so have the coordinates of a body', () => {
    const document = model(
      [body('a', [0, 0, 0])],
      [joint('slide', ['a'], { type: 'Prismatic' }), joint('pin', ['a'], { type: 'Revolute' })],
    );
    const units = new Map(reportDocument(document).signals.map(({ name, unit }) => [name, unit]));
    expect(['a.q[0]', 'a.q[2]', 'a.v[1]', 'a.v[2]'].map((name) => units.get(name))).toEqual([
      'm',
      'rad',
      'm/s',
      'rad/s',
    ]);
    expect(
      ['slide.y[0]', 'slide.y[1]', 'slide.yDot[1]', 'slide.impulse[1]', 'pin.impulse[0]'].map((name) =>
        units.get(name),
      ),
    ).toEqual(['m', 'rad', 'rad/s', 'N m s', 'N s']);
  });

  it('near the centre of its hole a pin has a bounded gradient, not one that is not finite', () => {
    const relation = relationOf({ type: 'PinInHole', clearance: 0.01, rows: 'gapAndSlip' }, 1);
    const C = new Float64Array(6).fill(NaN);
    const centre = new Float64Array(3);
    relation.outputJacobians(Float64Array.of(0), centre, new Float64Array(2), C, new Float64Array(4));
    expect(C.every(Number.isFinite)).toBe(true);
    const curvature = new Float64Array(2).fill(NaN);
    relation.curvature?.(Float64Array.of(0), centre, Float64Array.of(1, 2, 3), curvature);
    expect(curvature.every(Number.isFinite)).toBe(true);
  });

  it('a motion without a second derivative leaves the curvature to differences', () => {
    const driver = (fields: Partial<TypedElement>): Relation => relationOf({ type: 'Driver', ...fields }, 1);
    expect(driver({ motion: { function: 'wave' } }).curvature).toBeUndefined();
    // Derivatives of these tests are differences themselves.
    expect(driver(moving).curvature).toBeUndefined();
    const curvature = new Float64Array(1);
    driver(exact).curvature?.(Float64Array.of(0.4), new Float64Array(3), new Float64Array(3), curvature);
    expect(curvature[0]).toBeCloseTo(1.7 * 1.7 * wave(0.4), 14);
  });
});

describe('rules', () => {
  const issues = (systems: SystemDocument[], interaction: InteractionDocument): string[] =>
    build(model(systems, [interaction]), plugins).issues.map(({ code, pointer }) => `${code} ${pointer}`);
  const [a, b, c] = ['a', 'b', 'c'].map((id) => body(id, [0, 0, 0]));
  const link = '/interactions/0';

  it('joints link bodies, at most two', () => {
    const mass: SystemDocument = {
      id: 'a',
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[1]],
      q0: [0],
      v0: [0],
    };
    const pin = { type: 'Revolute' };
    expect(issues([mass], joint('pin', ['a'], pin))).toEqual([`relation-links ${link}/systems/0`]);
    expect(issues([a, b, c], joint('pin', ['a', 'b', 'c'], pin))).toEqual([`relation-links ${link}/systems`]);
    expect(issues([a, b], joint('gear', ['a'], { type: 'Gear', ratio: 2 }))).toEqual([
      `relation-links ${link}/systems`,
    ]);
  });

  it('x and y are driven of one body', () => {
    const driver = { type: 'Driver', coordinate: 'x' };
    expect(issues([a, b], joint('motor', ['a', 'b'], driver))).toEqual([
      `driver-of-two-bodies ${link}/relation/coordinate`,
    ]);
  });

  it('a derivative needs its motion', () => {
    const driver = { type: 'Driver', motionRate: { function: 'waveRate' } };
    expect(issues([a], joint('motor', ['a'], driver))).toEqual([
      `derivative-without-motion ${link}/relation/motionRate`,
    ]);
  });

  it('friction needs the row of slip', () => {
    const law = { type: 'NewtonImpactFriction', mu: 0.3, e: 0 };
    expect(issues([a], joint('floor', ['a'], { type: 'PointOnPlane' }, law))).toEqual([
      `law-size ${link}/law`,
    ]);
    const relation = { type: 'PointOnPlane', rows: 'gapAndSlip' };
    expect(issues([a], joint('floor', ['a'], relation, law))).toEqual([]);
  });

  it.each(['mass', 'inertia'])('a body has a positive %s', (key) => {
    const issue = build(model([body('a', [0, 0, 0], [0, 0, 0], { [key]: 0 })])).issues[0];
    expect(issue).toMatchObject({ code: 'out-of-range', pointer: `/systems/0/${key}` });
  });

  it('lengths are positive', () => {
    expect(issues([a], joint('rod', ['a'], { type: 'Distance', length: 0 }))).toEqual([
      `out-of-range ${link}/relation/length`,
    ]);
    expect(issues([a], joint('hole', ['a'], { type: 'PinInHole', clearance: 0 }))).toEqual([
      `out-of-range ${link}/relation/clearance`,
    ]);
  });

  it('a Jacobian needs its force', () => {
    const document = model([body('a', [0, 0, 0], [0, 0, 0], { fIntJacobianQ: { function: 'wave' } })]);
    expect(build(document, plugins).issues[0]).toMatchObject({
      code: 'jacobian-without-function',
      pointer: '/systems/0/fInt',
    });
  });
});

describe('a body', () => {
  const forces: Plugins = {
    push: (t: number, out: Float64Array) => {
      out.set([t, 2, 3]);
    },
    spring: (t: number, q: Float64Array, v: Float64Array, out: Float64Array) => {
      out.set([5 * q[0] ** 2 + v[1], q[1] * v[0], t * q[2]]);
    },
  };
  const build3 = (
    fields: Record<string, object>,
  ): ReturnType<typeof buildSound>['model']['systems'][0]['form'] =>
    buildSound(
      model([body('a', [1, 2, 3], [4, 5, 6], { mass: 2, inertia: 7, ...(fields as object) })]),
      forces,
    ).model.systems[0].form;

  it('moves by its weight, its forces and those on the left', () => {
    const form = build3({ fExt: { function: 'push' }, fInt: { function: 'spring' } });
    if (form.order !== 2) throw new Error('a body is a Lagrangian system');
    expect(form.linear).toBeNull();
    const mass = new Float64Array(9);
    form.mass(form.q0, mass);
    expect([...mass]).toEqual([2, 0, 0, 0, 2, 0, 0, 0, 7]);
    const force = new Float64Array(3);
    form.force(Float64Array.of(10), form.q0, form.v0, force);
    expect([...force]).toEqual([10 - 10, 2 - 2 * 9.81 - 8, 3 - 30]);
    const [byQ, byV] = [new Float64Array(9), new Float64Array(9)];
    form.forceJacobians(Float64Array.of(10), form.q0, form.v0, byQ, byV);
    const close = (values: number[]): unknown[] => values.map((value): unknown => expect.closeTo(value, 7));
    expect([...byQ]).toEqual(close([-10, 0, 0, 0, -4, 0, 0, 0, -10]));
    expect([...byV]).toEqual(close([0, -1, 0, -2, 0, 0, 0, 0, 0]));
  });

  it('without forces on the left is a linear system', () => {
    const form = build3({});
    expect(form.order === 2 && form.linear).toMatchObject({ damping: null, stiffness: null, force: null });
    expect(form.order === 2 && [...(form.linear?.constantForce ?? [])]).toEqual([0, -2 * 9.81, 0]);
  });

  it('is simulated with forces from a script', () => {
    const source = 'export const drag: InternalForce = (t, q, v, out) => { out[0] = 3 * v[0]; };';
    const document = withFunctions(
      model([body('a', [0, 0, 0], [1, 0, 0], { fInt: { function: 'drag' } })]),
      source,
    );
    expect(reportDocument(document).issues).toEqual([]);
  });
});
