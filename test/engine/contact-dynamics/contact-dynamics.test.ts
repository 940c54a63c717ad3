import { describe, expect, it } from 'vitest';
import { ContactDynamics, type ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import type { ContactMaterial } from '@engine/model/contact-laws/registry';
import { rankOf } from '@engine/linalg/cholesky';
import { NonsmoothGaussSeidel } from '@engine/solvers/friction/gauss-seidel/nsgs';
import { compileSpatial, type SpatialModel } from '@engine/spatial/compile';
import { GivenContacts, type PointAbovePlane } from './sources';

const G = 9.81;
const gravity = (x: number, y: number, z: number): SpatialModel['loads'][number] => ({
  type: 'gravity',
  id: 'gravity',
  acceleration: [x, y, z],
});

interface Case {
  model: SpatialModel;
  contacts: GivenContacts;
  material: ContactMaterial;
  settings?: Partial<ContactDynamicsSettings>;
}

function simulation({ model, contacts, material, settings = {} }: Case): ContactDynamics {
  const solver = new NonsmoothGaussSeidel({ maxIterations: 10_000, relaxation: 1, depth: 5 });
  return new ContactDynamics(compileSpatial(model), contacts, [material], solver, {
    t0: 0,
    h: 1e-3,
    motion: { gyroscopic: 'conserving' },
    tolerance: 1e-12,
    projects: true,
    ...settings,
  });
}

/** Steps that are all certified. */
function run(dynamics: ContactDynamics, steps: number, contact: ContactMaterial): void {
  const certificate = new ContactDynamicsCertificate(dynamics, [contact]);
  for (let k = 0; k < steps; k++) {
    expect(dynamics.advance()).toBe('ok');
    certificate.judge();
  }
  expect(CONTACT_RESIDUALS.filter((_, k) => !(certificate.worst[k] < 1e-10))).toEqual([]);
}

/** Side 1, mass 1, on the plane with this normal; its frame is that of the world. */
function brick(slope: number, velocity = 0): { model: SpatialModel; contacts: GivenContacts } {
  // The slope is in the direction of gravity, and the plane stays z = 0.
  const corners: PointAbovePlane[] = [-0.5, 0.5].flatMap((x) =>
    [-0.5, 0.5].map((y) => ({ body: 0, point: [x, y, -0.1], radius: 0, normal: [0, 0, 1], offset: 0 })),
  );
  const model: SpatialModel = {
    bodies: [
      {
        id: 'brick',
        mass: 1,
        inertia: [1.04 / 12, 1.04 / 12, 1 / 6],
        position: [0, 0, 0.1],
        velocity: [velocity, 0, 0],
      },
    ],
    joints: [],
    loads: [gravity(G * Math.sin(slope), 0, -G * Math.cos(slope))],
  };
  return { model, contacts: new GivenContacts(corners) };
}

const material = (friction: number, restitution = 0): ContactMaterial => ({
  kind: 'impact',
  friction,
  restitution,
  tangentialRestitution: 0,
});

describe('a brick on a slope', () => {
  it('below the angle of friction stays, and carries its weight on four contacts, of which W knows six rows', () => {
    const rough = material(0.35);
    const dynamics = simulation({ ...brick(0.3), material: rough });
    run(dynamics, 1000, rough);
    expect(Math.abs(dynamics.q[0])).toBeLessThan(1e-12);
    expect(Math.abs(dynamics.u[0])).toBeLessThan(1e-12);
    const { problem } = dynamics;
    expect(problem.count).toBe(4);
    expect(rankOf(problem.W)).toBe(6);
    const normal = [0, 3, 6, 9].reduce((sum, k) => sum + problem.r[k], 0);
    expect(normal).toBeCloseTo(1e-3 * G * Math.cos(0.3), 14);
  });

  it('above it slides with g (sin α − μ cos α)', () => {
    const rough = material(0.35);
    const dynamics = simulation({ ...brick(0.5), material: rough });
    run(dynamics, 1000, rough);
    const acceleration = G * (Math.sin(0.5) - 0.35 * Math.cos(0.5));
    expect(dynamics.u[0]).toBeCloseTo(acceleration, 9);
    // Positions by half steps are exact for constant acceleration.
    expect(dynamics.q[0]).toBeCloseTo(acceleration / 2, 9);
  });

  it('that slides on the flat comes to rest after v²/2μg', () => {
    const rough = material(0.4);
    const dynamics = simulation({ ...brick(0, 1), material: rough, settings: { h: 1e-4 } });
    run(dynamics, 4000, rough);
    expect(Math.abs(dynamics.u[0])).toBeLessThan(1e-12);
    expect(dynamics.q[0]).toBeCloseTo(1 / (2 * 0.4 * G), 7);
  });
});

describe('a ball', () => {
  const ball = (spin = 0): SpatialModel => ({
    bodies: [
      {
        id: 'ball',
        mass: 2,
        inertia: [0.2, 0.2, 0.2],
        position: [0, 0, 1],
        velocity: [0, 0, 0],
        spin: [0, spin, 0],
      },
    ],
    joints: [],
    loads: [gravity(0, 0, -G)],
  });
  const floor = (): GivenContacts =>
    new GivenContacts([{ body: 0, point: [0, 0, 0], radius: 0.5, normal: [0, 0, 1], offset: 0 }]);

  it('bounces with e, and never without a contact', () => {
    const dynamics = simulation({ model: ball(), contacts: floor(), material: material(0, 0.8) });
    let fastest = 0;
    while (dynamics.time < 0.4) {
      expect(dynamics.advance()).toBe('ok');
      if (dynamics.activeCount > 0) fastest = dynamics.u[2];
    }
    expect(fastest).toBeCloseTo(0.8 * Math.sqrt(2 * G * 0.5), 2);
  });

  it('with spin rolls after a plastic impact that friction is large enough for', () => {
    // The point of contact lies in the middle of the overlap, up to 2 mm above the floor.
    const dynamics = simulation({ model: ball(10), contacts: floor(), material: material(10, 0) });
    while (dynamics.time < 0.4) expect(dynamics.advance()).toBe('ok');
    const omega = dynamics.u[4];
    expect(Math.abs(dynamics.u[0] / omega - 0.5)).toBeLessThan(2e-3);
    // I ω = I ω⁺ + m r² ω⁺
    expect(Math.abs(omega / ((0.2 * 10) / (0.2 + 2 * 0.25)) - 1)).toBeLessThan(5e-3);
  });

  it('that hits another one keeps momentum', () => {
    const model: SpatialModel = {
      bodies: [
        {
          id: 'a',
          mass: 1,
          inertia: [0.4, 0.4, 0.4],
          position: [-1, 0.3, 0],
          velocity: [2, 0, 0],
          spin: [0, 1, 3],
        },
        { id: 'b', mass: 3, inertia: [1, 1, 1], position: [1, 0, 0] },
      ],
      joints: [],
      loads: [],
    };
    const contacts = new GivenContacts([], [{ first: 0, second: 1, radius: 0.5 }]);
    const rough = material(0.3, 0.5);
    const dynamics = simulation({ model, contacts, material: rough });
    run(dynamics, 2000, rough);
    const { u } = dynamics;
    expect(u[0]).toBeLessThan(1.5);
    for (let i = 0; i < 3; i++) expect(u[i] + 3 * u[6 + i]).toBeCloseTo([2, 0, 0][i], 13);
    expect(dynamics.system.kineticEnergy(u)).toBeLessThan(0.5 * 4 + 0.5 * 0.4 * 10);
  });
});

describe('a pendulum as a body on a ball joint', () => {
  it('that strikes a floor bounces about its joint, and stays on it', () => {
    const model: SpatialModel = {
      bodies: [{ id: 'rod', mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 0] }],
      joints: [
        {
          type: 'ball',
          id: 'pin',
          first: { body: 'ground', point: [0, 0, 0] },
          second: { body: 'rod', point: [-1, 0, 0] },
        },
      ],
      loads: [gravity(0, 0, -G)],
    };
    const contacts = new GivenContacts([
      { body: 0, point: [0, 0, 0], radius: 0.1, normal: [0, 0, 1], offset: -0.5 },
    ]);
    const dynamics = simulation({ model, contacts, material: material(0, 0.6) });
    let closed = 0;
    let isFast = false;
    while (dynamics.time < 1) {
      expect(dynamics.advance()).toBe('ok');
      if (dynamics.activeCount === 0) continue;
      // ½ (I + m) ω² = m g 0.4
      const omega = Math.sqrt((2 * G * 0.4) / 1.1);
      if (closed++ === 0) {
        isFast = true;
        expect(Math.abs(dynamics.before[4])).toBeCloseTo(omega, 1);
        expect(dynamics.u[4]).toBeCloseTo(-0.6 * dynamics.before[4], 1);
      }
    }
    expect(isFast).toBe(true);
    const distance = Math.hypot(dynamics.q[0], dynamics.q[1], dynamics.q[2]);
    expect(distance).toBeCloseTo(1, 12);
    expect(dynamics.mobility.redundant).toBe(0);
    const certificate = new ContactDynamicsCertificate(dynamics, [material(0, 0.6)]);
    certificate.judge();
    expect(Math.max(...certificate.worst)).toBeLessThan(1e-12);
  });
});

describe('the certificate of a step', () => {
  const rough = material(0.35);
  const judged = (deed: (dynamics: ContactDynamics) => void): Record<string, boolean> => {
    const dynamics = simulation({ ...brick(0.5), material: rough });
    for (let k = 0; k < 50; k++) expect(dynamics.advance()).toBe('ok');
    deed(dynamics);
    const certificate = new ContactDynamicsCertificate(dynamics, [rough]);
    certificate.judge();
    return Object.fromEntries(CONTACT_RESIDUALS.map((name, k) => [name, !(certificate.worst[k] < 1e-9)]));
  };
  const nothing = Object.fromEntries(CONTACT_RESIDUALS.map((name) => [name, false]));

  it('says nothing of one that is right', () => {
    expect(judged(() => undefined)).toEqual(nothing);
  });

  it('objects to an impulse that pulls', () => {
    const found = judged(({ problem }) => (problem.r[0] *= -1));
    expect(found).toMatchObject({ cone: true, law: true, momentum: true });
  });

  it('objects to friction that is not opposed to the slip', () => {
    const found = judged(({ problem }) => {
      for (let c = 0; c < 4; c++) problem.r[3 * c + 1] *= -1;
    });
    expect(found).toMatchObject({ cone: false, law: true, momentum: true });
  });

  it('objects to a velocity that the impulses do not give', () => {
    expect(judged(({ u }) => (u[1] += 1e-6))).toMatchObject({ law: true, momentum: true });
  });

  it('does not pass over what is no number', () => {
    expect(judged(({ problem }) => (problem.r[4] = NaN))).toMatchObject({ cone: true, law: true });
  });
});

describe('redundant contacts', () => {
  it('have impulses that depend on the guess, and velocities that do not', () => {
    const dynamics = simulation({ ...brick(0.5), material: material(0.35) });
    for (let k = 0; k < 10; k++) expect(dynamics.advance()).toBe('ok');
    const { problem } = dynamics;
    const solver = new NonsmoothGaussSeidel({ maxIterations: 10_000, relaxation: 1, depth: 0 });
    const answers = [0, 1, 2].map((guess) => {
      problem.r.fill(0);
      if (guess > 0) problem.r[3 * guess] = 0.01;
      solver.solve(problem, 1e-13, dynamics.result);
      expect(dynamics.result.status).toBe('converged');
      return { r: problem.r.slice(0, 12), u: problem.u.slice(0, 12) };
    });
    const difference = (a: Float64Array, b: Float64Array): number =>
      Math.max(...a.map((value, k) => Math.abs(value - b[k])));
    expect(difference(answers[1].r, answers[2].r)).toBeGreaterThan(1e-5);
    for (const { u } of answers) expect(difference(u, answers[0].u)).toBeLessThan(1e-10);
  });
});

describe('a column of balls at rest', () => {
  const count = 8;
  const radius = 0.5;
  const model: SpatialModel = {
    bodies: Array.from({ length: count }, (_, k) => ({
      id: `ball${k}`,
      mass: 1 + k,
      inertia: [0.1, 0.1, 0.1],
      position: [0, 0, (2 * k + 1) * radius],
    })),
    joints: [],
    loads: [gravity(0, 0, -G)],
  };
  const contacts = (): GivenContacts =>
    new GivenContacts(
      [{ body: 0, point: [0, 0, 0], radius, normal: [0, 0, 1], offset: 0 }],
      Array.from({ length: count - 1 }, (_, k) => ({ first: k, second: k + 1, radius })),
    );

  it('carries in each contact what lies above it', () => {
    const dynamics = simulation({ model, contacts: contacts(), material: material(0.3) });
    run(dynamics, 200, material(0.3));
    for (let c = 0; c < count; c++) {
      const row = [...dynamics.active.subarray(0, count)].indexOf(c);
      let above = 0;
      for (let k = c; k < count; k++) above += 1 + k;
      expect(dynamics.problem.r[3 * row]).toBeCloseTo(above * G * 1e-3, 10);
    }
  });

  it('has forces for impulses where W carries the factor h', () => {
    const dynamics = simulation({ model, contacts: contacts(), material: material(0.3) });
    for (let k = 0; k < 5; k++) expect(dynamics.advance()).toBe('ok');
    const { problem, result } = dynamics;
    const [impulses, velocities] = [problem.r.slice(), problem.u.slice()];
    const blocks = problem.W.rowStart[problem.W.rows];
    for (let k = 0; k < 9 * blocks; k++) problem.W.values[k] *= 1e-3;
    problem.revision++;
    problem.r.fill(0);
    const solver = new NonsmoothGaussSeidel({ maxIterations: 100_000, relaxation: 1, depth: 5 });
    // Its measure adds forces and velocities, and knows nothing of h.
    solver.solve(problem, 1e-14, result);
    for (let k = 0; k < 3 * count; k++) {
      expect(problem.r[k] * 1e-3).toBeCloseTo(impulses[k], 9);
      expect(problem.u[k]).toBeCloseTo(velocities[k], 9);
    }
  });
});
