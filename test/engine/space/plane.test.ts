/** Discs and polygons in a plane: runs against what is known of them, and against prisms in space. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import type {
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import { withFunctions } from '../support/models';
import { run, runFailure } from '../support/run';
import { disc, HEIGHT, plate, rectangle, slope } from '../support/plane';
import { G, joint, spaceModel, touch, turned } from '../support/space';

const last = (column: Float64Array): number => column[column.length - 1];

/** All numbers that would lead out of the plane, in all rows. */
function expectPlanar(document: ModelDocument, column: (name: string) => Float64Array): void {
  for (const { id, type, position } of document.systems) {
    if (type !== 'RigidBody') continue;
    const z = (position as number[])[2];
    for (const [name, value] of [
      ...['v[2]', 'v[3]', 'v[4]', 'q[4]', 'q[5]'].map((one) => [one, 0] as const),
      ['q[2]', z] as const,
    ])
      expect(
        column(`${id}.${name}`).every((one) => one === value),
        `${id}.${name}`,
      ).toBe(true);
  }
}

const planarRun = (
  systems: SystemDocument[],
  interactions: InteractionDocument[],
  times: { h?: number; tEnd?: number } = {},
): ReturnType<typeof run> => {
  const document = spaceModel(systems, interactions, times);
  const result = run(document);
  expectPlanar(document, result.column);
  return result;
};

describe('a disc on a slope', () => {
  const alpha = 0.3;
  const start = (): SystemDocument =>
    plate('disc', 0.1 * Math.sin(alpha), 0.1 * Math.cos(alpha), { shapes: [disc(0.1)] });

  it('rolls with 2/3 g sin α where friction holds it', () => {
    const { column, session } = planarRun([slope(alpha), start()], [touch('ground', ['slope', 'disc'], 0.5)]);
    const along = last(column('disc.v[0]')) / Math.cos(alpha);
    expect(along).toBeCloseTo((2 / 3) * G * Math.sin(alpha), 8);
    expect(last(column('disc.v[5]')) * 0.1).toBeCloseTo(-along, 9);
    expect(session.certificate.complementarity).toBeLessThan(1e-9);
  });

  it('slides below tan α/3 with g (sin α − μ cos α)', () => {
    const mu = 0.05;
    const { column } = planarRun([slope(alpha), start()], [touch('ground', ['slope', 'disc'], mu)]);
    expect(last(column('disc.v[0]')) / Math.cos(alpha)).toBeCloseTo(
      G * (Math.sin(alpha) - mu * Math.cos(alpha)),
      8,
    );
    // The moment of friction about its centre: m r²/2 ω̇ = −μ m g cos α r.
    expect(last(column('disc.v[5]'))).toBeCloseTo((-2 * mu * G * Math.cos(alpha)) / 0.1, 6);
  });
});

describe('a block on a slope', () => {
  const alpha = 0.4;
  const block = (): SystemDocument =>
    plate('block', 0.1 * Math.sin(alpha), 0.1 * Math.cos(alpha), { orientation: turned(2, -alpha) });

  it('rests below the angle of friction, exactly', () => {
    const { column } = planarRun(
      [slope(alpha), block()],
      [touch('ground', ['slope', 'block'], Math.tan(alpha) + 0.05)],
    );
    expect(last(column('ground.contacts'))).toBe(2);
    for (const name of ['q[0]', 'q[1]', 'q[3]', 'q[6]'])
      expect(last(column(`block.${name}`))).toBe(column(`block.${name}`)[100]);
    for (const name of ['v[0]', 'v[1]', 'v[5]']) expect(last(column(`block.${name}`))).toBe(0);
  });

  it('slides above it with g (sin α − μ cos α)', () => {
    const { column } = planarRun([slope(alpha), block()], [touch('ground', ['slope', 'block'], 0.2)]);
    expect(last(column('ground.slip'))).toBeCloseTo(G * (Math.sin(alpha) - 0.2 * Math.cos(alpha)), 8);
  });
});

describe('a stack of polygons', () => {
  it('stands still after it has come down', () => {
    const ids = ['one', 'two', 'three', 'four', 'five'];
    const { column } = planarRun(
      [slope(0), ...ids.map((id, k) => plate(id, 0.004 * k, 0.1 + 0.201 * k))],
      [touch('ground', ['slope', ...ids], 0.5)],
      { tEnd: 1 },
    );
    expect(last(column('ground.contacts'))).toBe(10);
    for (const id of ids)
      for (const name of ['q[0]', 'q[1]', 'q[6]'])
        expect(last(column(`${id}.${name}`))).toBe(column(`${id}.${name}`)[500]);
  });
});

describe('a disc in a circle of cushions', () => {
  it('returns after three impacts on an equilateral triangle, and keeps its energy', () => {
    // Without friction and with e = 1 the path of the centre is the triangle in the circle of radius R − r;
    // the cushions are the tangents at its corners.
    const [circle, radius, speed] = [1, 0.1, 2];
    const free = circle - radius;
    const cushions: SystemDocument = {
      id: 'cushions',
      type: 'FixedBody',
      position: [0, 0, HEIGHT],
      shapes: Array.from({ length: 36 }, (_, k) => {
        const angle = (2 * Math.PI * k) / 36;
        return { type: 'Plane', normal: [-Math.cos(angle), -Math.sin(angle), 0], offset: -circle };
      }),
    };
    const side = free * Math.sqrt(3);
    const ball = plate('ball', 0, 0, {
      shapes: [disc(radius)],
      gravity: [0, 0, 0],
      // On the side x = −free/2 of the triangle with a corner at (free, 0), from its middle upwards.
      position: [-free / 2, 0, HEIGHT],
      velocity: [0, speed, 0],
      spin: [0, 0, 3],
    });
    const { column, session } = planarRun([cushions, ball], [touch('cushion', ['cushions', 'ball'], 0, 1)], {
      h: 2e-4,
      tEnd: 3 * (side / speed),
    });
    expect(session.events).toBe(3);
    // An impact is dated to its step.
    expect(last(column('ball.q[0]'))).toBeCloseTo(-free / 2, 3);
    expect(Math.abs(last(column('ball.q[1]')))).toBeLessThan(4 * speed * 2e-4);
    expect(last(column('ball.v[0]'))).toBeCloseTo(0, 10);
    expect(last(column('ball.v[1]'))).toBeCloseTo(speed, 10);
    expect(last(column('ball.v[5]'))).toBeCloseTo(3, 9);
    const kinetic = column('energy.kinetic');
    expect(Math.max(...kinetic)).toBeCloseTo(Math.min(...kinetic), 11);
  });
});

describe('polygons', () => {
  /** A pile that tumbles and slides down a slope: squares in the plane, or the same as prisms in space. */
  const pile = (shapeOf: (a: number, b: number) => TypedElement, floor: SystemDocument): ModelDocument => {
    const sizes = [
      [0.3, 0.2],
      [0.2, 0.2],
      [0.15, 0.3],
    ];
    const bodies = sizes.map(([a, b], k) => {
      const mass = 100 * a * b;
      return plate(`b${k}`, -0.2 + 0.13 * k, 0.32 + 0.34 * k, {
        mass,
        inertia: [1, 1, (mass * (a * a + b * b)) / 12],
        orientation: turned(2, 0.2 + k),
        spin: [0, 0, 1 - k],
        shapes: [shapeOf(a, b)],
      });
    });
    return spaceModel(
      [floor, ...bodies],
      [touch('ground', [floor.id, ...bodies.map(({ id }) => id)], 0.4, 0.2)],
      { h: 1e-3, tEnd: 0.8 },
    );
  };

  it('move as prisms in space do, up to what their contacts differ by in rounding', () => {
    const planar = pile((a, b) => rectangle(a, b), slope(0.1));
    const spatial = pile((a, b) => ({ type: 'Box', size: [a, b, 0.4] }), slope(0.1));
    const [one, other] = [run(planar), run(spatial)];
    expectPlanar(planar, one.column);
    expect(Math.max(...one.column('ground.contacts'))).toBeGreaterThanOrEqual(4);
    expect(Math.max(...other.column('ground.contacts'))).toBeGreaterThanOrEqual(8);
    for (const id of ['b0', 'b1', 'b2'])
      for (const name of ['q[0]', 'q[1]', 'q[6]']) {
        const [a, b] = [one.column(`${id}.${name}`), other.column(`${id}.${name}`)];
        for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-6);
      }
  });

  it('of one body are one body: a T on two legs carries what lies on it', () => {
    const table = plate('table', 0, 0.3, {
      mass: 4,
      inertia: [0.1],
      shapes: [
        { ...rectangle(0.6, 0.1), position: [0, 0.15, 0] },
        { ...rectangle(0.1, 0.4), position: [-0.2, -0.1, 0] },
        { ...rectangle(0.1, 0.4), position: [0.2, -0.1, 0] },
      ],
    });
    const { column } = planarRun(
      [slope(0), table, plate('disc', 0, 0.6, { shapes: [disc(0.1)], mass: 1 })],
      [touch('ground', ['slope', 'table', 'disc'], 0.5)],
    );
    expect(last(column('ground.normalImpulse'))).toBeCloseTo((5 + 1) * G * 1e-3, 8);
    expect(last(column('table.q[1]'))).toBe(0.3);
  });
});

describe('joints in the plane', () => {
  it('a disc on a hinge swings as a pendulum, and strikes another one', () => {
    const pin = (id: string, x: number): InteractionDocument =>
      joint(`${id}Pin`, [id], { type: 'RevoluteJoint', axis: [0, 0, 1], point: [x, 0, HEIGHT] });
    const bob = (id: string, x: number, angle: number): SystemDocument =>
      plate(id, x + Math.sin(angle), -Math.cos(angle), { shapes: [disc(0.1)] });
    const { column, session } = planarRun(
      [bob('left', -0.1, -0.3), bob('right', 0.1, 0)],
      [pin('left', -0.1), pin('right', 0.1), touch('hit', ['left', 'right'], 0, 1)],
      { h: 5e-4, tEnd: 0.8 },
    );
    expect(session.events).toBe(1);
    // Equal discs exchange their velocities.
    expect(Math.abs(last(column('left.v[5]')))).toBeLessThan(1e-3);
    expect(Math.max(...column('right.v[5]'))).toBeCloseTo(
      Math.sqrt((2 * G * (1 - Math.cos(0.3))) / (1 + 0.005)),
      2,
    );
  });

  it('a bar that turns about its mass centre strikes another one, and the certificate has a measure for that', () => {
    const pin = (id: string, x: number, y: number): InteractionDocument =>
      joint(`${id}Pin`, [id], { type: 'RevoluteJoint', axis: [0, 0, 1], point: [x, y, HEIGHT] });
    const bar = (id: string, x: number, y: number, rate: number): SystemDocument =>
      plate(id, x, y, { shapes: [rectangle(1, 0.1)], spin: [0, 0, rate], gravity: [0, 0, 0] });
    const { column, session } = planarRun(
      [bar('one', 0, 0, 1), bar('two', 0.9, 0.12, 0)],
      [pin('one', 0, 0), pin('two', 0.9, 0.12), touch('hit', ['one', 'two'], 0, 1)],
      { tEnd: 0.1 },
    );
    expect(session.events).toBe(1);
    // The levers a and b of the corner of the first bar, nearly across: R = 2 a ω I/(a² + b²).
    const [a, b] = [0.498, 0.402];
    expect(last(column('one.v[5]'))).toBeCloseTo(1 - (2 * a * a) / (a * a + b * b), 2);
    expect(last(column('two.v[5]'))).toBeCloseTo((-2 * a * b) / (a * a + b * b), 2);
    expect(session.certificate.dynamics).toBeLessThan(1e-9);
  });

  it('a slider along a line that is neither x nor y stays in the plane, to the last bit', () => {
    const { column } = planarRun(
      [plate('slider', 0, 0)],
      [joint('rail', ['slider'], { type: 'PrismaticJoint', axis: [Math.cos(0.7), -Math.sin(0.7), 0] })],
      { tEnd: 0.5 },
    );
    expect(last(column('rail.displacement'))).toBeCloseTo(0.5 * G * Math.sin(0.7) * 0.25, 10);
  });
});

describe('loads in the plane', () => {
  const loaded = (body: string): ModelDocument =>
    withFunctions(
      spaceModel([plate('disc', 0, 0, { shapes: [disc(0.1)], load: { function: 'push' } })], []),
      `export function push(t: number, q: Float64Array, v: Float64Array, out: Float64Array) { ${body} }`,
    );

  it('of a script act there', () => {
    const document = loaded('out[0] = -4 * v[0]; out[2] = v[2]; out[5] = 2;');
    const { column } = run(document, { sandbox: createSandbox });
    expectPlanar(document, column);
    const inertia = (100 * Math.PI * 0.1 ** 4) / 2;
    expect(last(column('disc.v[5]'))).toBeCloseTo(2 / inertia, 8);
  });

  it.each([
    ['a force along z', 'out[0] = 1; out[2] = t > 0.5 ? 1e-3 : 0;', 0.5],
    ['a moment about x', 'out[3] = 1;', 0],
  ])('that lead out of it, %s, are refused when they do', (_, body, from) => {
    const { error } = runFailure(loaded(body), { sandbox: createSandbox });
    expect(error).toMatchObject({ code: 'load-out-of-plane', where: 'disc' });
    expect(error.time).toBeGreaterThan(from);
    expect(error.time).toBeLessThan(from + 2e-3);
    expect(error.remedy).toContain('z');
  });
});

describe('a prescribed motion in the plane', () => {
  const moved = (key: 'displacement' | 'turn', body: string): ModelDocument =>
    withFunctions(
      spaceModel(
        [{ ...slope(0), [key]: { function: 'motion' } }, plate('disc', 0, 0.1, { shapes: [disc(0.1)] })],
        [touch('ground', ['slope', 'disc'])],
      ),
      `export const motion: PrescribedMotion = (t, out) => { ${body} };`,
    );

  it('of a script carries what lies on it', () => {
    const document = moved('displacement', 'out[1] = 0.05 * Math.sin(4 * t);');
    const { column } = run(document, { sandbox: createSandbox });
    expectPlanar(document, column);
    expect(last(column('disc.q[1]'))).toBeCloseTo(0.1 + 0.05 * Math.sin(4), 3);
    expect(column('slope.q[2]').every((z) => z === HEIGHT)).toBe(true);
  });

  it.each([
    ['a displacement along z', 'displacement', 'out[2] = t > 0.5 ? t - 0.5 : 0;', 0.5],
    [
      'a turn about x',
      'turn',
      'const a = t > 0.2 ? t - 0.2 : 0; out[0] = Math.cos(a); out[1] = Math.sin(a);',
      0.2,
    ],
  ] as const)('that leads out of it, %s, is refused when it does', (_, key, body, from) => {
    const { error } = runFailure(moved(key, body), { sandbox: createSandbox });
    expect(error).toMatchObject({ code: 'motion-out-of-plane', where: 'slope' });
    expect(error.time).toBeGreaterThanOrEqual(from);
    expect(error.time).toBeLessThan(from + 2e-3);
    expect(error.remedy).toContain('z');
  });
});
