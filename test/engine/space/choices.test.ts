/**
 * What a document can choose of solvers and of the scheme for 3D bodies: each choice runs, is
 * certified, and has its effect.
 */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import { frictionSolverDefinitions, WRITTEN_OUT } from '@engine/model/settings/friction-solvers';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { localSolvers } from '@engine/solvers/one-contact/registry';
import { slope, plate } from '../support/plane';
import { run } from '../support/run';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';

const last = (column: Float64Array): number => column[column.length - 1];
const largest = (column: Float64Array): number =>
  column.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Three balls that slide, spin and push one another over the floor: reactions are unique. */
function sliding(solver: TypedElement): ModelDocument {
  const ball = (id: string, x: number, y: number, fields: Parameters<typeof rigid>[2]): SystemDocument =>
    rigid(id, [x, y, 0.1], { shapes: [{ type: 'Sphere', radius: 0.1 }], ...fields });
  const document = spaceModel(
    [
      floor(),
      ball('first', 0, 0, { velocity: [2, 0.1, 0], spin: [0, 0, 8] }),
      ball('second', 0.21, 0.02, { spin: [1, 0, -5] }),
      ball('third', 0.42, 0, { density: 300 }),
    ],
    [touch('pile', ['floor', 'first', 'second', 'third'], 0.3, 0.2)],
    { h: 2e-3, tEnd: 0.1 },
  );
  document.simulation.solver = solver;
  return document;
}

describe('each friction solver of a document', () => {
  const reference = run(sliding({ type: 'auto' })).column('third.q[0]');

  it.each(frictionSolverDefinitions.map(({ type }) => type))('%s gives the motion, certified', (type) => {
    // Pyramids are cones to the square of the angle between their edges: enough of them, and a tolerance to
    // match.
    const solver = type === 'Faceted' ? { type, facets: 64, tolerance: 1e-2 } : { type };
    const { column, session } = run(sliding(solver));
    const accuracy = type === 'Faceted' ? 1e-2 : 1e-6;
    expect(session.certificate.complementarity).toBeLessThan(accuracy);
    expect(session.certificate.coneViolation).toBeLessThan(accuracy);
    expect(session.certificate.dynamics).toBeLessThan(1e-9);
    expect(Math.abs(last(column('third.q[0]')) - last(reference))).toBeLessThan(accuracy);
  });
});

describe('the solver of one contact in sweeps', () => {
  const field = frictionSolverDefinitions
    .find(({ type }) => type === 'NSGS')
    ?.fields.find(({ key }) => key === 'local');
  const values = field?.kind === 'choice' ? field.options.map(({ value }) => value) : [];

  it('is the one written out, or any for three rows', () => {
    const others = localSolvers.filter(({ size }) => size === 3).map(({ name }) => name);
    expect(values).toEqual([WRITTEN_OUT, ...others]);
  });

  it.each(values)('%s leads to the same motion, certified', (local) => {
    const reference = run(sliding({ type: 'auto' }));
    const { column, session } = run(sliding({ type: 'NSGS', local }));
    expect(session.certificate.complementarity).toBeLessThan(1e-6);
    expect(session.certificate.dynamics).toBeLessThan(1e-9);
    expect(last(column('third.q[0]'))).toBeCloseTo(last(reference.column('third.q[0]')), 6);
  });

  it.each(values)('%s goes with discs and polygons', (local) => {
    const document = spaceModel(
      [slope(0.3), plate('body', 0, 0.5)],
      [touch('ground', ['slope', 'body'], 0.2)],
      {
        tEnd: 0.2,
      },
    );
    document.simulation.solver = { type: 'NSGS', local };
    const { session } = run(document);
    expect(session.certificate.complementarity).toBeLessThan(1e-6);
  });

  it('is taken: projection needs more sweeps', () => {
    const sweeps = (local: string): number =>
      run(sliding({ type: 'NSGS', local, depth: 0 })).session.counters.solverIterations;
    expect(sweeps('projection')).toBeGreaterThan(sweeps('exact'));
  });

  it('of two rows is refused, and those that suit are listed', () => {
    const { issues } = reportDocument(sliding({ type: 'NSGS', local: 'exact-plane' }));
    expect(issues).toHaveLength(1);
    expect(issues[0].pointer).toBe('/simulation/solver/local');
    expect(`${issues[0].message} ${issues[0].remedy ?? ''}`).toMatch(/exact.*alart-curnier.*projection/);
  });
});

/** Two bodies on ball joints that swing in space. */
function swinging(integrator: TypedElement): ModelDocument {
  const document = spaceModel(
    [
      rigid('bob', [0.5, 0, 0], {
        mass: 1,
        inertia: [0.01, 0.02, 0.03],
        velocity: [0, 1, 0],
        spin: [0, 0, 2],
      }),
      rigid('tail', [1, 0, -0.5], { mass: 5, inertia: [0.2, 0.1, 0.1], velocity: [0, 2, 0] }),
    ],
    [
      joint('pivot', ['bob'], { type: 'BallJoint', point: [0, 0, 0] }),
      joint('link', ['bob', 'tail'], { type: 'BallJoint', point: [1, 0, 0] }),
    ],
    { h: 4e-3, tEnd: 1 },
  );
  document.simulation.integrators = [integrator];
  return document;
}

describe.each(['MoreauHalfStep', 'MoreauJean'])('projection by %s', (type) => {
  /** Largest distance of the bob's point on the pivot from it. */
  const drift = (integrator: TypedElement): number => {
    const { column, session } = run(swinging(integrator));
    expect(session.certificate.dynamics).toBeLessThan(1e-9);
    const [x, y, z, w, a, b, c] = [0, 1, 2, 3, 4, 5, 6].map((k) => column(`bob.q[${k}]`));
    // The point is at −0.5 of the body’s first axis.
    return largest(
      x.map((_, k) =>
        Math.hypot(
          x[k] - 0.5 * (w[k] ** 2 + a[k] ** 2 - b[k] ** 2 - c[k] ** 2),
          y[k] - (a[k] * b[k] + w[k] * c[k]),
          z[k] - (a[k] * c[k] - w[k] * b[k]),
        ),
      ),
    );
  };

  it.each(['mass', 'velocity', 'euclidean'])('in the metric %s keeps joints together', (metric) => {
    expect(drift({ type, metric })).toBeLessThan(1e-11);
    expect(drift({ type, metric, projection: 'combined' })).toBeLessThan(1e-11);
  });

  it('ends elsewhere in another metric, and in the same place where |Q| = 1 is among the equations', () => {
    const end = (metric: string): number => last(run(swinging({ type, metric })).column('bob.q[2]'));
    expect(Math.abs(end('mass') - end('velocity'))).toBeGreaterThan(1e-9);
    expect(end('euclidean')).toBeCloseTo(end('velocity'), 11);
  });

  it.each([undefined, 1e-4])(
    'takes a flail with stop and friction to rest on the floor (overlaps %s)',
    (overlap) => {
      const bar = (id: string, x: number, fields: Parameters<typeof rigid>[2]): SystemDocument =>
        rigid(id, [x, 0, 1], { mass: 1, inertia: [0.01, 0.1, 0.1], ...fields });
      const document = spaceModel(
        [
          floor(),
          bar('arm', 0.5, { shapes: [{ type: 'Box', size: [1, 0.1, 0.1] }] }),
          bar('hand', 1.5, { spin: [0, 0, 1], shapes: [{ type: 'Box', size: [0.9, 0.2, 0.2] }] }),
        ],
        [
          touch('ground', ['floor', 'arm', 'hand'], 0.4, 0.2),
          joint('shoulder', ['arm'], {
            type: 'RevoluteJoint',
            point: [0, 0, 1],
            axis: [0, 1, 0],
            angleMin: -2,
            angleMax: 0.9,
            angleFriction: 0.5,
            e: 0.3,
          }),
          joint('elbow', ['arm', 'hand'], { type: 'BallJoint', point: [1, 0, 1] }),
        ],
        { h: 2e-3, tEnd: 2 },
      );
      document.simulation.integrators = [
        { type, projection: 'combined', ...(overlap === undefined ? {} : { overlap }) },
      ];
      const { column, session } = run(document);
      expect(Math.max(...column('ground.contacts'))).toBeGreaterThan(1);
      const { dynamics, complementarity, coneViolation } = session.certificate;
      expect(dynamics).toBeLessThan(1e-9);
      expect(complementarity).toBeLessThan(1e-7);
      expect(coneViolation).toBeLessThan(1e-7);
    },
  );

  it('can be left out: joints drift then', () => {
    expect(drift({ type, projection: 'no' })).toBeGreaterThan(1e-6);
  });
});

describe('the gyroscopic term of a free body', () => {
  const spun = (gyroscopic: string): number => {
    const document = spaceModel(
      [rigid('body', [0, 0, 0], { mass: 1, inertia: [1, 2, 3], spin: [0.1, 2, 0.1], gravity: undefined })],
      [],
      { h: 1e-3, tEnd: 10 },
    );
    document.simulation.integrators = [{ type: 'MoreauHalfStep', gyroscopic }];
    const kinetic = run(document).column('energy.kinetic');
    return last(kinetic) / kinetic[0];
  };

  it('is taken as the document says: explicit gains 0.25 %, implicit and conserving none', () => {
    expect(spun('explicit')).toBeCloseTo(1.002514, 6);
    expect(spun('implicit')).toBeCloseTo(1, 12);
    expect(spun('conserving')).toBeCloseTo(1, 6);
  });
});

describe('loads that depend on velocities', () => {
  const INCH = 0.0254;
  const [mass, vx, vz, g, end] = [3, 2.54, 12.7, 9.81456, 1.976];
  /** A projectile with the drag −m v, thrown with 100 in/s forward and 500 in/s upward. */
  function thrown(steps: number, loads?: string): number {
    const document = spaceModel(
      [
        rigid('ball', [0, 0, 0], {
          mass,
          inertia: [1, 1, 1],
          velocity: [vx, 0, vz],
          gravity: [0, 0, -g],
          load: { function: 'air' },
          shapes: [{ type: 'Sphere', radius: 0.1 }],
        }),
      ],
      [],
      { h: end / steps, tEnd: end },
    );
    document.simulation.integrators = [{ type: 'MoreauHalfStep', ...(loads === undefined ? {} : { loads }) }];
    document.scripts = [
      {
        name: 'air.ts',
        role: 'functions',
        source: [
          'export const air: BodyForce = (t, q, v, out) => {',
          `  for (let i = 0; i < 3; i++) out[i] = -${mass} * v[i];`,
          '};',
        ],
      },
    ];
    return last(run(document, { sandbox: createSandbox }).column('ball.q[0]'));
  }
  const exact = vx * (1 - Math.exp(-end));

  it('take a projectile with drag to 86.138 in at 1.976 s, with order 2 where they are predicted', () => {
    expect(thrown(1024, 'predicted') / INCH).toBeCloseTo(86.138, 3);
    const errors = (loads?: string): number[] =>
      [128, 256].map((steps) => Math.abs(thrown(steps, loads) - exact));
    const [coarse, fine] = errors('predicted');
    expect(coarse / fine).toBeCloseTo(4, 1);
    const [first, second] = errors();
    expect(first / second).toBeCloseTo(2, 1);
  });
});

describe('restitution along the tangent', () => {
  it.each([0, 0.4, 1])('et = %f reverses the slip of a ball that sticks', (et) => {
    const [radius, v, spin] = [0.1, [1, -0.5, -2], [3, 2, 1]];
    const document = spaceModel(
      [
        floor(),
        rigid('ball', [0, 0, radius + 1e-3], {
          gravity: undefined,
          velocity: v,
          spin,
          shapes: [{ type: 'Sphere', radius }],
        }),
      ],
      [touch('ground', ['floor', 'ball'], 5)],
      { h: 1e-3, tEnd: 5e-3 },
    );
    Object.assign(document.interactions[0].law, { e: 0.6, et });
    const { column, session } = run(document);
    // The point that touches moves by V + ω × (−r e_z): (V_x − r ω_y, V_y + r ω_x). A push p there changes it
    // by 7/2 p/m.
    const slip = [v[0] - radius * spin[1], v[1] + radius * spin[0]];
    [0, 1].forEach((i) => {
      expect(last(column(`ball.v[${i}]`))).toBeCloseTo(v[i] - (1 + et) * (2 / 7) * slip[i], 8);
    });
    expect(last(column('ball.v[2]'))).toBeCloseTo(-0.6 * v[2], 8);
    expect(session.certificate.complementarity).toBeLessThan(1e-7);
    const lost = column('energy.kinetic')[0] - last(column('energy.kinetic'));
    expect(lost).toBeGreaterThan(0);
  });
});
