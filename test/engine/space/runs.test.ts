/** Runs of documents with 3D bodies, against what is known of them. */
import { describe, expect, it } from 'vitest';
import { createSandbox } from '@engine/script/sandbox';
import { run, runFailure, start } from '../support/run';
import { withFunctions } from '../support/models';
import { floor, G, joint, rigid, spaceModel, touch, turned } from '../support/space';

const last = (column: Float64Array): number => column[column.length - 1];

describe('a ball', () => {
  const ball = (fields = {}): ReturnType<typeof rigid> =>
    rigid('ball', [0, 0, 1], { shapes: [{ type: 'Sphere', radius: 0.1 }], ...fields });

  it('falls as x₀ + v₀ t − ½ g t², to rounding', () => {
    const { column } = run(spaceModel([ball({ velocity: [1, 2, 3] })], [], { tEnd: 0.5 }));
    const t = column('t');
    const z = column('ball.q[2]');
    const x = column('ball.q[0]');
    for (let k = 0; k < t.length; k++) {
      expect(z[k]).toBeCloseTo(1 + 3 * t[k] - 0.5 * G * t[k] ** 2, 13);
      expect(x[k]).toBeCloseTo(t[k], 13);
    }
  });

  it('bounces with the coefficient of restitution', () => {
    const document = spaceModel([floor(), ball()], [touch('ground', ['floor', 'ball'], 0, 0.8)], {
      h: 1e-4,
      tEnd: 0.6,
    });
    const { column, session } = run(document);
    const v = column('ball.v[2]');
    const hit = v.findIndex((value) => value > 0);
    expect(v[hit]).toBeCloseTo(0.8 * Math.sqrt(2 * G * 0.9), 2);
    // Newton's law relates the velocities at the two ends of the step: exactly e times what it had at its
    // start.
    expect(v[hit]).toBeCloseTo(-0.8 * v[hit - 1], 13);
    expect(session.events).toBe(1);
    expect(session.certificate.complementarity).toBeLessThan(1e-9);
  });

  it('rolls down a slope with 5/7 g sin α where friction holds it', () => {
    const alpha = 0.3;
    const slope = floor('slope', {
      shapes: [{ type: 'Plane', normal: [Math.sin(alpha), 0, Math.cos(alpha)] }],
    });
    const document = spaceModel(
      [slope, ball({ position: [0.1 * Math.sin(alpha), 0, 0.1 * Math.cos(alpha)] })],
      [touch('ground', ['slope', 'ball'], 0.5)],
    );
    const { column } = run(document);
    const along = last(column('ball.v[0]')) / Math.cos(alpha);
    expect(along).toBeCloseTo((5 / 7) * G * Math.sin(alpha), 2);
    // It does not slip: v = r ω, to what the solver is asked for.
    expect(last(column('ground.slip'))).toBeLessThan(1e-9);
    expect(last(column('ball.v[4]')) * 0.1).toBeCloseTo(along, 4);
  });
});

describe('a brick on a slope', () => {
  const alpha = 0.4;
  const model = (mu: number): ReturnType<typeof spaceModel> => {
    const slope = floor('slope', { orientation: turned(1, alpha) });
    const brick = rigid('brick', [0.1 * Math.sin(alpha), 0, 0.1 * Math.cos(alpha)], {
      orientation: turned(1, alpha),
    });
    return spaceModel([slope, brick], [touch('ground', ['slope', 'brick'], mu)]);
  };

  it('rests below the angle of friction without any slip', () => {
    const { column } = run(model(Math.tan(alpha) + 0.05));
    expect(Math.max(...column('ground.slip').subarray(10))).toBe(0);
    const x = column('brick.q[0]');
    expect(last(x)).toBe(x[500]);
  });

  it('slides above it with g (sin α − μ cos α)', () => {
    const mu = 0.2;
    const { column } = run(model(mu));
    const speed = last(column('ground.slip'));
    expect(speed).toBeCloseTo(G * (Math.sin(alpha) - mu * Math.cos(alpha)), 6);
    expect(last(column('ground.contacts'))).toBe(4);
    expect(last(column('ground.frictionImpulse'))).toBeCloseTo(mu * last(column('ground.normalImpulse')), 9);
  });
});

describe('a pendulum', () => {
  /** A rod that hangs from the ground by one end, turned out by 60°. */
  const rod = (relation: object): ReturnType<typeof spaceModel> =>
    spaceModel(
      [
        rigid('rod', [Math.sin(1), 0, -Math.cos(1)], {
          mass: 2,
          inertia: [0.7, 0.7, 0.01],
          orientation: turned(1, -1),
        }),
      ],
      [joint('hinge', ['rod'], { type: 'RevoluteJoint', ...relation })],
      { tEnd: 4, h: 1e-3 },
    );

  it('keeps its energy, its length and its hinge', () => {
    const { column, session } = run(rod({ axis: [0, 1, 0] }));
    const kinetic = column('energy.kinetic');
    const potential = column('energy.potential');
    const total = kinetic.map((value, k) => value + potential[k]);
    expect(Math.max(...total) - Math.min(...total)).toBeLessThan(1e-2 * Math.max(...kinetic));
    const [x, z] = [column('rod.q[0]'), column('rod.q[2]')];
    for (let k = 0; k < x.length; k += 100) expect(Math.hypot(x[k], z[k])).toBeCloseTo(1, 9);
    expect(session.certificate.dynamics).toBeLessThan(1e-9);
  });

  it('swings with the period of the physical pendulum', () => {
    const { column } = run(rod({ axis: [0, 1, 0] }));
    const angle = column('hinge.angle');
    const t = column('t');
    const rate = column('hinge.angleRate');
    const turns = [...rate.keys()].filter((k) => k > 0 && rate[k - 1] !== 0 && rate[k - 1] * rate[k] < 0);
    // I about the hinge, and the complete elliptic integral by the mean of Gauss.
    const inertia = 0.7 + 2;
    let [a, b] = [1, Math.cos(0.5)];
    for (let k = 0; k < 8; k++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
    const period = (2 * Math.PI * Math.sqrt(inertia / (2 * G))) / a;
    expect(t[turns[1]] - 0).toBeCloseTo(period, 2);
    // The angle starts at zero, where the joint was put together.
    expect(angle[0]).toBe(0);
    expect(Math.max(...angle.map(Math.abs))).toBeCloseTo(2, 3);
  });

  it('is the same with points in the frames of the bodies', () => {
    const one = run(rod({ axis: [0, 1, 0] })).column('rod.q[0]');
    const other = run(rod({ given: 'bodies', point2: [0, 0, 1], axis: [0, 1, 0], axis2: [0, 1, 0] })).column(
      'rod.q[0]',
    );
    for (let k = 0; k < one.length; k += 50) expect(other[k]).toBeCloseTo(one[k], 9);
  });
});

it('counts the turns of a wheel', () => {
  const wheel = rigid('wheel', [0, 0, 0], { gravity: undefined, spin: [0, 0, 10] });
  const { column } = run(
    spaceModel([wheel], [joint('axle', ['wheel'], { type: 'RevoluteJoint' })], { tEnd: 3 }),
  );
  expect(last(column('axle.angle'))).toBeCloseTo(30, 8);
  expect(last(column('axle.angleRate'))).toBeCloseTo(10, 10);
});

it('takes loads from scripts: force of time, moment, and load by state', () => {
  const source = [
    'export const push = (t: number, out: Float64Array) => { out[0] = 3 * t; };',
    'export const drag = (t: number, q: Float64Array, v: Float64Array, out: Float64Array, p: any) => {',
    '  for (let i = 0; i < 3; i++) out[i] = -p.c * v[i];',
    '};',
  ].join('\n');
  const fields = { mass: 2, inertia: [1, 1, 1], gravity: undefined, velocity: [0, 1, 0] };
  const document = withFunctions(
    spaceModel(
      [
        rigid('pushed', [0, 0, 0], { ...fields, force: { function: 'push' }, moment: [0, 0, 0.5] }),
        rigid('dragged', [9, 0, 0], { ...fields, load: { function: 'drag' } }),
      ],
      [],
    ),
    source,
  );
  document.parameters = [{ name: 'c', value: 0.4 }];
  const { column } = run(document, { sandbox: createSandbox });
  expect(last(column('pushed.v[0]'))).toBeCloseTo(3 / 4, 9);
  expect(last(column('pushed.v[5]'))).toBeCloseTo(0.5, 9);
  expect(last(column('dragged.v[1]'))).toBeCloseTo(Math.exp(-0.2), 4);
});

it('has observables of a body: its position and velocity as a script gets them', () => {
  const document = withFunctions(
    spaceModel(
      [rigid('a', [0, 0, 0]), rigid('b', [1, 2, 3], { velocity: [4, 5, 6], gravity: undefined })],
      [],
      { tEnd: 0.01 },
    ),
    'export const seen = (t: number, q: Float64Array, v: Float64Array) => q.length * 1e4 + v.length * 1e3 + v[2] + q[1];',
  );
  document.observables = [
    { name: 'seen', function: 'seen', system: 'b' },
    { name: 'height', expression: 'b.q[2] - a.q[2]' },
  ];
  const { column } = run(document, { sandbox: createSandbox });
  expect(column('seen')[0]).toBe(76_008);
  expect(column('height')[0]).toBe(3);
});

it('gives the same bits each time', () => {
  const document = (): ReturnType<typeof spaceModel> =>
    spaceModel(
      [
        floor(),
        ...Array.from({ length: 5 }, (_, k) =>
          rigid(`b${k}`, [0.01 * k, 0.02 * k, 0.11 + 0.25 * k], { spin: [k, 1, 0] }),
        ),
      ],
      [touch('all', ['floor', 'b0', 'b1', 'b2', 'b3', 'b4'], 0.4, 0.2)],
    );
  const [one, other] = [run(document()), run(document())];
  for (const { name } of one.session.signals) expect(other.column(name)).toEqual(one.column(name));
});

describe('energies and reactions', () => {
  it('balance: what is there now is what was there, and all work', () => {
    const document = spaceModel(
      [
        floor(),
        rigid('box', [0, 0, 0.4], { orientation: [1, 0.3, 0.2, 0], spin: [1, 2, 3], moment: [0, 0, 0.3] }),
        rigid('arm', [3, 0, 1], { mass: 2, inertia: [0.1, 0.2, 0.3] }),
      ],
      [
        touch('ground', ['floor', 'box'], 0.4, 0.3),
        joint('hinge', ['arm'], {
          type: 'RevoluteJoint',
          point: [2.5, 0, 1],
          axis: [0, 1, 0],
          angleMax: 1,
          angleFriction: 0.5,
          e: 0.5,
        }),
      ],
      { tEnd: 2 },
    );
    const { column, session } = run(document);
    const names = [
      'loads',
      'contactNormal',
      'contactTangent',
      'stops',
      'jointFriction',
      'motors',
      'numerical',
    ];
    const works = names.map((name) => column(`energy.${name}`));
    const [kinetic, potential] = [column('energy.kinetic'), column('energy.potential')];
    for (let k = 0; k < kinetic.length; k++) {
      const work = works.reduce((sum, values) => sum + values[k], 0);
      expect(kinetic[k] + potential[k] - kinetic[0] - potential[0] - work).toBeCloseTo(0, 9);
    }
    // Contacts and friction take energy, and something really happened.
    for (const name of ['contactNormal', 'contactTangent', 'stops', 'jointFriction'])
      expect(last(column(`energy.${name}`))).toBeLessThan(-1e-3);
    expect(session.energyDrift).toBeLessThan(1e-3);
  });

  it('of a hanging body: the hook carries its weight', () => {
    const hung = rigid('hung', [0, 0, -1], { mass: 3, inertia: [1, 1, 1] });
    const { column } = run(
      spaceModel([hung], [joint('hook', ['hung'], { type: 'BallJoint' })], { tEnd: 0.1 }),
    );
    expect(last(column('hook.forceZ'))).toBeCloseTo(3 * G, 9);
    expect(last(column('hook.forceX'))).toBeCloseTo(0, 12);
    expect(last(column('hook.momentY'))).toBeCloseTo(0, 12);
  });

  it('of a motor: it reaches its speed with the moment it has', () => {
    const wheel = rigid('wheel', [0, 0, 0], { mass: 1, inertia: [1, 1, 0.5], gravity: undefined });
    const motor = { type: 'RevoluteJoint', angleSpeed: 4, angleLimit: 2 };
    const { column } = run(spaceModel([wheel], [joint('axle', ['wheel'], motor)], { tEnd: 2 }));
    const rate = column('axle.angleRate');
    expect(rate[500]).toBeCloseTo(2, 6);
    expect(last(rate)).toBeCloseTo(4, 9);
    expect(column('axle.momentZ')[500]).toBeCloseTo(2, 6);
    expect(last(column('energy.motors'))).toBeCloseTo(0.5 * 0.5 * 16, 6);
  });
});

it('takes overlaps out where it is asked to', () => {
  const document = (overlap?: number): ReturnType<typeof spaceModel> => {
    const made = spaceModel([floor(), rigid('box', [0, 0, 0.5])], [touch('ground', ['floor', 'box'])], {
      h: 5e-3,
    });
    made.simulation.integrators = [{ type: 'MoreauHalfStep', ...(overlap === undefined ? {} : { overlap }) }];
    return made;
  };
  const kept = last(run(document()).column('ground.overlap'));
  expect(kept).toBeGreaterThan(1e-3);
  expect(last(run(document(1e-5)).column('ground.overlap'))).toBeLessThanOrEqual(1e-5);
});

describe('contacts of several interactions', () => {
  /** Two boxes dropped on a floor with friction, moving sideways. */
  const model = (interactions: Parameters<typeof spaceModel>[1]): ReturnType<typeof spaceModel> =>
    spaceModel(
      [
        floor(),
        rigid('a', [0, 0, 0.1], { velocity: [1, 0, 0] }),
        rigid('b', [0, 1, 0.1], { velocity: [1, 0, 0] }),
      ],
      interactions,
      { tEnd: 0.1 },
    );

  it('obey the one that links the fewest bodies', () => {
    const { column } = run(model([touch('all', ['floor', 'a', 'b'], 0.5), touch('ice', ['floor', 'b'], 0)]));
    expect(last(column('a.v[0]'))).toBeCloseTo(1 - 0.5 * G * 0.1, 3);
    expect(last(column('b.v[0]'))).toBe(1);
    expect(last(column('ice.contacts'))).toBe(4);
  });

  it('are none between bodies that no interaction links', () => {
    const { column } = run(model([touch('one', ['floor', 'a'], 0.5)]));
    expect(last(column('b.v[2]'))).toBeCloseTo(-G * 0.1, 9);
  });

  it('are none between bodies that a joint holds, unless it says so', () => {
    const overlapping = (relation: object): ReturnType<typeof spaceModel> =>
      spaceModel(
        [rigid('a', [0, 0, 0], { gravity: undefined }), rigid('b', [0.1, 0, 0], { gravity: undefined })],
        [
          touch('ab', ['a', 'b']),
          joint('pin', ['a', 'b'], { type: 'RevoluteJoint', point: [0.05, 0, 0], ...relation }),
        ],
        { tEnd: 0.01 },
      );
    const apart = run(overlapping({}));
    expect(last(apart.column('ab.contacts'))).toBe(0);
    const { session, column } = run(overlapping({ collides: 'yes' }));
    expect(last(column('ab.contacts'))).toBeGreaterThan(0);
    expect(session.warnings.join()).toMatch(/“a” and “b” overlap by 0\.1/);
  });
});

describe('what the user reads at the start', () => {
  it('velocities that the joints do not allow', () => {
    const rod = rigid('rod', [1, 0, 0], { velocity: [1, 0, 0] });
    const { session } = start(spaceModel([rod], [joint('pin', ['rod'], { type: 'BallJoint' })]));
    expect(session.warnings.join()).toMatch(/initial velocities do not satisfy the joints/);
  });

  it('nothing, where a prescribed speed is had from the start', () => {
    const wheel = (spin: number[]): ReturnType<typeof rigid> =>
      rigid('wheel', [0, 0, 0], { gravity: undefined, spin });
    const axle = joint('axle', ['wheel'], { type: 'RevoluteJoint', angleSpeed: 3 });
    expect(start(spaceModel([wheel([0, 0, 3])], [axle])).session.warnings).toEqual([]);
    expect(start(spaceModel([wheel([0, 0, 0])], [axle])).session.warnings.join()).toMatch(
      /prescribed speeds.* by up to 3\.00/,
    );
  });

  it('joints that say the same', () => {
    const rod = rigid('rod', [1, 0, 0]);
    const pin = { type: 'RevoluteJoint', axis: [0, 1, 0] };
    const { session } = start(
      spaceModel([rod], [joint('one', ['rod'], pin), joint('two', ['rod'], { ...pin, point: [0, 1, 0] })]),
    );
    expect(session.warnings.join()).toMatch(/5 of the equations of the joints follow from the others/);
  });
});

it('names the body whose script gives a force that is not finite', () => {
  const document = withFunctions(
    spaceModel([rigid('rod', [0, 0, 0], { force: { function: 'push' } })], []),
    'export const push = (t: number, out: Float64Array) => { out[0] = 1 / (t - 0.5005); };',
  );
  const { error } = runFailure(document, { sandbox: createSandbox });
  expect(error.code).toBe('script-not-finite');
  expect(error.where).toBe('rod');
});
