/**
 * Projection of positions and velocities together where it takes in contacts: those that touch at the end of
 * the step take part in it, and no others.
 */
import { describe, expect, it } from 'vitest';
import { ContactDetection, GROUND, overlaps } from '@engine/collision/contact-detection';
import type { Shape } from '@engine/collision/shapes/shape';
import {
  ContactDynamicsCertificate,
  CONTACT_RESIDUALS,
} from '@engine/contact-dynamics/certificate/certificate';
import type { ContactDynamics, ContactDynamicsSettings } from '@engine/contact-dynamics/contact-dynamics';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import { TouchingContacts } from '@engine/contact-dynamics/positions/touching-contacts';
import { box } from '@engine/model/shapes/box';
import { capsule } from '@engine/model/shapes/capsule';
import { plane } from '@engine/model/shapes/plane';
import { sphere } from '@engine/model/shapes/sphere';
import { AutomaticFriction } from '@engine/solvers/friction/automatic';
import type { SpatialModel } from '@engine/spatial/compile';
import { ball, column, type ProjectedModel } from '../../peer/projected-models';
import { seeded } from '../support/random';
import { run } from '../support/run';
import { sample } from '../../support/prove';
import { dry, G, simulate, weight } from './worlds';

const TOLERANCE = 1e-10;

interface Scene {
  readonly shapes: readonly Shape[];
  readonly model: Partial<SpatialModel>;
  readonly restitution?: number;
  readonly friction?: number;
}

const detectionOf = ({ shapes }: Scene): ContactDetection => {
  const detection = new ContactDetection({ dimension: 3, margin: 0.01 });
  detection.add(GROUND, plane([0, 0, 1]));
  shapes.forEach((shape, k) => detection.add(k, shape));
  return detection;
};

const sourceOf = (scene: Scene): DetectedContacts =>
  new DetectedContacts(detectionOf(scene), { materialOf: () => 0 });

const lawOf = ({ friction = 0.4, restitution = 0 }: Scene): ReturnType<typeof dry> =>
  dry(friction, restitution);

const combining = (scene: Scene, settings: Partial<ContactDynamicsSettings> = {}): ContactDynamics =>
  simulate(
    scene.model,
    {
      h: 5e-3,
      motion: { theta: 0.5, forecast: 0.5, gyroscopic: 'implicit' },
      tolerance: 1e-10,
      projects: true,
      combined: true,
      projection: { tolerance: TOLERANCE },
      projectedContacts: { source: sourceOf(scene), check: sourceOf(scene) },
      ...settings,
    },
    sourceOf(scene),
    lawOf(scene),
    new AutomaticFriction(),
  );

/** Deepest overlap at the positions of all bodies, by a detection of the test's own. */
const watch = (scene: Scene): ((dynamics: ContactDynamics) => number) => {
  const detection = detectionOf(scene);
  return ({ q }) => {
    detection.step(q);
    return overlaps(detection, 0)[0]?.depth ?? 0;
  };
};

/** Bodies of 1 kg above each other. */
const pile = (count: number, shape: Shape, gap: number, restitution = 0): Scene => ({
  shapes: Array.from({ length: count }, () => shape),
  restitution,
  model: {
    bodies: Array.from({ length: count }, (_, k) => ({
      id: `body${k}`,
      mass: 1,
      inertia: [0.01, 0.01, 0.01],
      position: [0, 0, 0.1 + 0.2 * k + gap * (k + 1)],
    })),
    loads: [weight(0, 0, -G)],
  },
});

const excess = (certificate: ContactDynamicsCertificate, bound: number): string[] =>
  CONTACT_RESIDUALS.filter((_, k) => !(certificate.worst[k] < bound));

describe.each([
  ['spheres', sphere(0.1)],
  ['boxes', box(0.1, 0.1, 0.1)],
] as const)('a column of ten %s that fall together', (_, shape) => {
  it('never overlaps by more than the tolerance, over 10⁵ steps', () => {
    const scene = pile(10, shape, 0.02);
    const dynamics = combining(scene, { tolerance: 1e-11 });
    const certificate = new ContactDynamicsCertificate(dynamics, [lawOf(scene)]);
    const deepest = watch(scene);
    let most = 0;
    for (let k = 0; k < sample(300, 100_000); k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
      if (k % 20 === 0 || k < 200) most = Math.max(most, deepest(dynamics));
    }
    expect(most).toBeLessThan(1.001 * TOLERANCE);
    expect(excess(certificate, 1e-9)).toEqual([]);
    for (let k = 0; k < 10; k++) {
      expect(Math.abs(dynamics.q[7 * k + 2] - 0.1 - 0.2 * k)).toBeLessThan((k + 1) * TOLERANCE);
      expect(Math.abs(dynamics.u[6 * k + 2])).toBeLessThan(1e-9);
    }
  });
});

const asked = (steps: number) =>
  ({ projection: 'combined', metric: 'mass', forecast: 0.5, h: 5e-3, steps }) as const;

describe('moves as coordinates with combined projection do', () => {
  it.each<[ProjectedModel, Scene]>([
    ...[0, 0.6, 0.9].map((e): [ProjectedModel, Scene] => [
      ball(asked(400), e),
      {
        ...pile(1, sphere(0.1), 0, e),
        model: {
          bodies: [
            {
              id: 'ball',
              mass: 1,
              inertia: [0.01, 0.01, 0.01],
              position: [0, 0, 1.1],
              velocity: [0, 0, -1],
            },
          ],
          loads: [weight(0, 0, -G)],
        },
      },
    ]),
    [column(asked(300), 0), pile(10, sphere(0.1), 0.02)],
  ])('$name', ({ document }, scene) => {
    const dynamics = combining(scene);
    const { column: read } = run(document);
    const expected = document.systems.map(({ id }) => [read(`${id}.q`), read(`${id}.v`)]);
    for (let k = 1; k < expected[0][0].length; k++) {
      expect(dynamics.advance()).toBe('ok');
      expected.forEach(([q, v], body) => {
        expect(Math.abs(dynamics.q[7 * body + 2] - 0.1 - q[k])).toBeLessThan((body + 1.5) * TOLERANCE);
        expect(Math.abs(dynamics.u[6 * body + 2] - v[k])).toBeLessThan(1e-9);
      });
    }
  });
});

/** Spheres, boxes and capsules thrown down, some of them hinged to each other. */
function thrown(seed: number): Scene {
  const source = seeded(seed);
  const random = (): number => source.uniform(0, 1);
  const some = (): number => random() - 0.5;
  const count = 1 + Math.floor(4 * random());
  const shapes = Array.from(
    { length: count },
    () => [sphere(0.1), box(0.1, 0.08, 0.12), capsule(0.06, 0.1)][Math.floor(3 * random())],
  );
  const bodies = shapes.map((_, k) => {
    const turn = seed % 2 === 1 ? [1, 0, 0, 0] : Array.from({ length: 4 }, some);
    return {
      id: `body${k}`,
      mass: 1 + random(),
      inertia: [0.01, 0.012, 0.009],
      position: [0.1 * some(), 0.1 * some(), 0.3 + 0.45 * k],
      orientation: turn.map((x) => x / Math.hypot(...turn)),
      velocity: [some(), some(), -random()],
      spin: [4 * some(), 4 * some(), 4 * some()],
    };
  });
  const joints = bodies.slice(1).map(({ id, position }, k) => {
    const half = position.map((x, i) => 0.5 * (x - bodies[k].position[i]));
    return {
      type: 'ball' as const,
      id: `joint${k}`,
      first: { body: bodies[k].id, point: half },
      second: { body: id, point: half.map((x) => -x) },
    };
  });
  return {
    shapes,
    restitution: random() < 0.5 ? 0 : 0.6 * random(),
    friction: random(),
    model: {
      bodies,
      joints: seed % 2 === 1 ? joints.filter(() => random() < 0.5) : [],
      loads: [weight(0, 0, -G)],
    },
  };
}

it('random bodies end every step without overlaps, on their joints, and certified', () => {
  const metrics = ['mass', 'velocity', 'euclidean'] as const;
  for (let seed = 1; seed <= sample(9, 300); seed++) {
    const scene = thrown(seed);
    const dynamics = combining(scene, { h: [1e-3, 2e-3][seed % 2], metric: metrics[seed % 3] });
    const certificate = new ContactDynamicsCertificate(dynamics, [lawOf(scene)]);
    const deepest = watch(scene);
    const { equations } = dynamics.system;
    const [h, rows] = [equations.count, equations.count * dynamics.u.length].map(
      (size) => new Float64Array(size),
    );
    for (let k = 0; k < 400; k++) {
      const status = dynamics.advance();
      if (status !== 'ok') expect(`${seed}, ${k}: ${status}`).toBe('ok');
      certificate.judge();
      expect(deepest(dynamics)).toBeLessThan(1.001 * TOLERANCE);
      equations.position(dynamics.q, h);
      equations.jacobian(dynamics.q, rows, dynamics.u.length, 'velocity');
      for (let r = 0; r < h.length; r++) {
        const rate = dynamics.u.reduce((sum, u, c) => sum + rows[r * dynamics.u.length + c] * u, 0);
        expect(Math.abs(h[r])).toBeLessThan(2 * TOLERANCE);
        expect(Math.abs(rate)).toBeLessThan(1e-8);
      }
    }
    expect([seed, excess(certificate, 1e-8)]).toEqual([seed, []]);
  }
});

describe('a contact', () => {
  it('takes part where the step would lead into it, whatever the forecast', () => {
    const runs = [0, 0.5, 1.5].map((forecast) => {
      const dynamics = combining(pile(3, sphere(0.1), 0.02), {
        motion: { theta: 0.5, forecast, gyroscopic: 'implicit' },
      });
      for (let k = 0; k < 60; k++) expect(dynamics.advance()).toBe('ok');
      return Array.from(dynamics.q);
    });
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
  });

  it('is closed once, and goes on', () => {
    const dynamics = combining(pile(10, box(0.1, 0.1, 0.1), 0.02));
    for (let k = 0; k < 200; k++) expect(dynamics.advance()).toBe('ok');
    expect(dynamics.closings).toBe(40);
    expect(dynamics.activeCount).toBe(40);
  });

  it('that springs back is not drawn down', () => {
    const dynamics = combining(pile(1, sphere(0.1), 0.5, 1), { h: 2e-3 });
    let highest = 0;
    for (let k = 0; k < 4000; k++) {
      expect(dynamics.advance()).toBe('ok');
      if (k > 3300) highest = Math.max(highest, dynamics.q[2] - 0.1);
    }
    expect(Math.abs(highest - 0.5)).toBeLessThan(0.5 * 2e-3 * Math.sqrt(2 * G * 0.5));
  });

  it('that is none of the step ends it', () => {
    // The rod is off by 0.35 m at the start, and the ball on the floor where it holds.
    const scene: Scene = {
      shapes: [sphere(0.1)],
      model: {
        bodies: [{ id: 'ball', mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.45] }],
        joints: [
          {
            type: 'ball',
            id: 'rod',
            first: { body: 'ground', point: [0, 0, 0.5] },
            second: { body: 'ball', point: [0, 0, 0.4] },
          },
        ],
        loads: [weight(0, 0, -G)],
      },
    };
    expect(combining(scene).advance()).toBe('contactsLost');
  });
});

it('few iterations end a step with a word for it', () => {
  const scene = thrown(5);
  const dynamics = combining(scene, { projection: { tolerance: 1e-13, maxIterations: 1 } });
  let status = 'ok';
  for (let k = 0; k < 200 && status === 'ok'; k++) status = dynamics.advance();
  expect(['projectionNotConverged', 'velocitiesNotConverged']).toContain(status);
});

describe('the certificate objects', () => {
  const { find, judgeClosed } = TouchingContacts.prototype;
  const residuals = (): Record<string, number> => {
    const scene = pile(1, sphere(0.1), 0.02);
    const dynamics = combining(scene);
    const certificate = new ContactDynamicsCertificate(dynamics, [lawOf(scene)]);
    for (let k = 0; k < 30; k++) {
      expect(dynamics.advance()).toBe('ok');
      certificate.judge();
    }
    return Object.fromEntries(CONTACT_RESIDUALS.map((name, k) => [name, certificate.worst[k]]));
  };

  it('to nothing that is right', () => {
    expect(Math.max(...Object.values(residuals()))).toBeLessThan(1e-12);
  });

  it('where bodies touch and no contact takes part', () => {
    TouchingContacts.prototype.find = () => 'none';
    try {
      expect(residuals().law).toBeGreaterThan(0.1);
    } finally {
      TouchingContacts.prototype.find = find;
    }
  });

  it('where a body is stopped in the air', () => {
    TouchingContacts.prototype.judgeClosed = () => undefined;
    try {
      expect(residuals().gaps).toBeGreaterThan(1e-4);
    } finally {
      TouchingContacts.prototype.judgeClosed = judgeClosed;
    }
  });
});
