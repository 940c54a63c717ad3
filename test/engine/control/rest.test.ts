/** Dry friction that holds what has no load is decided once more at each sample, and goes on holding it. */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { sample } from '../../support/prove';
import { model } from '../support/models';
import { type Random, seeded } from '../support/random';
import { run } from '../support/run';

const [MASS, INERTIA, FRICTION, G] = [20, 1.3, 2, 9.81];

/** Samples that change nothing. */
const HOLD: SystemDocument = { id: 'hold', type: 'SampleAndHold', x: ['0'], every: 0.01 };

const cross = ([a, b, c]: number[], [d, e, f]: number[]): [number, number, number] => [
  b * f - c * e,
  c * d - a * f,
  a * e - b * d,
];

const unit = (v: number[]): number[] => v.map((x) => x / Math.hypot(...v));

const times = (s: number, v: number[]): [number, number, number] => [s * v[0], s * v[1], s * v[2]];

const vector = (random: Random): number[] => [0, 0, 0].map(() => random.uniform(-1, 1));

const eventDriven = (
  body: SystemDocument,
  others: SystemDocument[],
  interaction: InteractionDocument,
): ModelDocument => {
  const document = model([{ ...body, moment: { signals: ['0', '0', 'hold.y'] } }, HOLD, ...others]);
  return {
    ...document,
    interactions: [interaction],
    simulation: {
      ...document.simulation,
      scheme: 'event-driven',
      tEnd: 0.3,
      h: 0.01,
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
  };
};

interface Held {
  document: ModelDocument;
  /** change of the coordinate until friction has stopped it */
  way: number;
  coordinate: string;
}

/** A body on a joint with a random axis and friction; gravity acts in directions that the joint holds. */
function held(random: Random, isMoving: boolean): Held {
  const isHinge = random.chance(0.6);
  // Along the axes of the world rounding leaves nothing of what cancels, and so nothing to say what is small.
  const axis = [0, 0, 0];
  axis[random.integer(0, 2)] = 1;
  const across = unit(cross(axis, vector(random)));
  const point = vector(random);
  const arm = times(random.uniform(0.1, 1), across);
  const position = point.map((x, i) => x + arm[i]);
  const inertia = isHinge ? INERTIA + MASS * Math.hypot(...arm) ** 2 : MASS;
  const bound = isHinge ? FRICTION : 10 * FRICTION;
  // It stops within 0.25 s.
  const speed = isMoving ? (random.uniform(0.05, 0.25) * bound) / inertia : 0;
  const turn = random.uniform(0, 3);
  const [a, b, c, d] = [...times(Math.sin(turn), axis), Math.cos(turn)];
  const friction = isHinge ? { angleFriction: bound } : { displacementFriction: bound };
  const body: SystemDocument = {
    id: 'body',
    type: 'RigidBody',
    mass: MASS,
    inertia: [INERTIA, INERTIA, INERTIA],
    position: [position[0], position[1], position[2]],
    orientation: [d, a, b, c],
    velocity: isHinge ? times(speed, cross(axis, arm)) : times(speed, axis),
    spin: isHinge ? turned([d, a, b, c], times(speed, axis)) : [0, 0, 0],
    gravity: times(-G, isHinge ? axis : across),
  };
  const markers = isHinge ? { given: 'bodies', point2: turned([d, a, b, c], times(-1, arm)) } : {};
  const type = isHinge ? 'RevoluteJoint' : 'PrismaticJoint';
  const relation = { type, axis: times(1, axis), point: times(1, point), ...markers, ...friction };
  const document = eventDriven(body, [], {
    id: 'joint',
    systems: ['body'],
    relation,
    law: { type: 'Equality' },
  });
  const way = (inertia * speed ** 2) / (2 * bound);
  return { document, way, coordinate: isHinge ? 'joint.angle' : 'joint.displacement' };
}

/** A vector of the world in the frame of a body with the orientation q. */
function turned([w, x, y, z]: number[], v: number[]): [number, number, number] {
  const u = [-x, -y, -z];
  const t = times(2, cross(u, v));
  const s = cross(u, t);
  return [v[0] + w * t[0] + s[0], v[1] + w * t[1] + s[1], v[2] + w * t[2] + s[2]];
}

describe.each([false, true])('joints with friction and without load, moving at first: %s', (isMoving) => {
  it('stay where friction has stopped them, at each sample', () => {
    const random = seeded(31);
    for (let k = 0; k < sample(12, 300); k++) {
      const { document, way, coordinate } = held(random, isMoving);
      const { column, session } = run(document);
      const values = column(coordinate);
      expect(Math.abs(Math.abs((values.at(-1) ?? NaN) - values[0]) - way)).toBeLessThan(1e-10);
      const { dynamics, complementarity } = session.certificate;
      expect(Math.max(dynamics, complementarity)).toBeLessThan(1e-9);
    }
  });
});

/** A door that nothing drives: where it stops, the terms of its friction are rounding only. */
const door = (speed: number): ModelDocument => {
  const angle = (80 * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const body: SystemDocument = {
    id: 'door',
    type: 'RigidBody',
    mass: MASS,
    position: [0.45 * c, 0.45 * s, 1],
    orientation: [0.766044443118978, 0, 0, 0.6427876096865393],
    velocity: [-0.45 * s * speed, 0.45 * c * speed, 0],
    spin: [0, 0, speed],
    gravity: [0, 0, -G],
    shapes: [{ type: 'Box', size: [0.9, 0.04, 2] }],
  };
  const relation = {
    type: 'RevoluteJoint',
    given: 'bodies',
    axis: [0, 0, 1],
    angleFriction: FRICTION,
    point: [0, 0, 1],
    point2: [-0.45, 0, 0],
  };
  return eventDriven(body, [], {
    id: 'hinge',
    systems: ['door'],
    relation,
    law: { type: 'Equality' },
  });
};

it.each([0, -0.1])('a door with the speed %d stands where friction has stopped it', (speed) => {
  const document = door(speed);
  document.simulation.tEnd = 0.5;
  document.simulation.h = 0.001;
  const { column, session } = run(document);
  const inertia = MASS * ((0.9 ** 2 + 0.04 ** 2) / 12 + 0.45 ** 2);
  const angle = column('hinge.angle');
  const way = (inertia * speed ** 2) / (2 * FRICTION);
  expect(Math.abs(angle[0] - (angle.at(-1) ?? NaN) - way)).toBeLessThan(1e-10);
  expect(session.eventRecords.length).toBeLessThan(3);
});

it('five balls that fall beside the middles of each other go on through the contacts that begin without slip', () => {
  const [r, gap] = [0.02, 0.01];
  const balls = [0, 1, 2, 3, 4].map((k): SystemDocument => ({
    id: `b${k}`,
    type: 'RigidBody',
    density: 7850,
    position: [k % 2 === 0 ? 0 : 0.0005, 0, r + gap * (k + 1) + 2 * r * k],
    gravity: [0, 0, -G],
    shapes: [{ type: 'Sphere', radius: r }],
  }));
  const document = model([...balls, { id: 'floor', type: 'FixedBody', shapes: [{ type: 'Plane' }] }]);
  document.interactions.push({
    id: 'contacts',
    systems: ['floor', ...balls.map(({ id }) => id)],
    relation: { type: 'ShapeContact' },
    law: { type: 'NewtonImpactFriction3D', mu: 0.3, e: 0.6 },
  });
  const { simulation } = document;
  const any = { problem: { type: 'auto' }, solver: { type: 'auto' } };
  document.simulation = { ...simulation, ...any, scheme: 'event-driven', tEnd: 0.105, h: 0.001 };
  const { session } = run(document);
  expect(session.certificate.complementarity).toBeLessThan(1e-8);
});
