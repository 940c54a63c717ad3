/** What steps of 3D bodies with contact forces must satisfy and a slip must break: a check throws then. */
import { run } from '../support/run';
import { G, floor, joint as joint3D, rigid, spaceModel, touch } from '../support/space';
import {
  PLACE,
  SPIN,
  angleOnDome,
  ballOnDome,
  byGalerkin,
  distance,
  endOf,
  freeTop,
  last,
  sphere,
  spinAfter,
  swingingRod,
  thrownBall,
  worstOf,
} from './galerkin-models';

function demand(value: number, bound: number, what: string): void {
  if (!(value <= bound)) throw new Error(`${what}: ${value}`);
}

/** Half the step leaves a quarter of the error. */
function falls(errorOf: (h: number) => number): void {
  demand(errorOf(2e-3) / errorOf(4e-3), 0.27, 'what half the step leaves of the error');
}

/** A body that spins freely. */
function top(): void {
  const exact = spinAfter(0.5);
  falls((h) => {
    const found = run(freeTop(h, 0.5));
    demand(worstOf(found), 1e-12, 'certificate');
    return distance(endOf(found, SPIN('top')), exact);
  });
}

/** A body on a joint, against steps of a sixteenth of the shorter ones. */
function joint(): void {
  const exact = endOf(run(swingingRod(1.25e-4)), PLACE('rod'));
  falls((h) => {
    const found = run(swingingRod(h));
    demand(worstOf(found), 1e-12, 'certificate');
    return distance(endOf(found, PLACE('rod')), exact);
  });
}

/** A ball that rolls over a dome. */
function dome(): void {
  const angle = angleOnDome(0.2, true, 0.64);
  falls((h) => {
    const found = run(ballOnDome(h, 2, 0.2, 0.64));
    demand(worstOf(found), 1e-8, 'certificate');
    return distance(endOf(found, PLACE('ball')), [1.1 * Math.sin(angle), 0, 1.1 * Math.cos(angle)]);
  });
}

/** A ball that falls and springs back with half of its speed. */
function bounce(): void {
  const { column } = run(thrownBall({ h: 1e-3, tEnd: 0.6 }));
  const speeds = column('ball.v[2]');
  const first = speeds.findIndex((speed, k) => k > 0 && speed > 0);
  demand(Math.abs(speeds[first] + 0.5 * speeds[first - 1]), G * 1e-3, 'restitution');
}

/** A ball at rest is pushed by its weight. */
function recorded(): void {
  const found = run(thrownBall({ h: 1e-3, tEnd: 0.01 }, { e: 0, height: 0.1 }));
  demand(worstOf(found), 1e-12, 'certificate');
  demand(Math.abs(last(found.column('ground.normalImpulse')) - 2 * G * 1e-3), 1e-12, 'weight');
}

const BY = { level: 'acceleration' } as const;

/** A ball that rolls over a dome, by accelerations. */
function bent(): void {
  const angle = angleOnDome(0.2, true, 0.64);
  falls((h) => {
    const found = run(ballOnDome(h, 2, 0.2, 0.64, BY));
    demand(worstOf(found), 1e-8, 'certificate');
    return distance(endOf(found, PLACE('ball')), [1.1 * Math.sin(angle), 0, 1.1 * Math.cos(angle)]);
  });
}

/** A body on a joint, by accelerations. */
function hung(): void {
  const exact = endOf(run(swingingRod(1.25e-4)), PLACE('rod'));
  falls((h) => {
    const found = run(swingingRod(h, BY));
    demand(worstOf(found), 1e-12, 'certificate');
    return distance(endOf(found, PLACE('rod')), exact);
  });
}

/** A ball slides until it rolls, by accelerations. */
function sliding(): void {
  const start = { mu: 0.3, e: 0, velocity: [1, 0, 0], height: 0.1 };
  const found = run(thrownBall({ h: 1e-3, tEnd: 0.3 }, start, BY));
  demand(worstOf(found), 1e-8, 'certificate');
  demand(Math.abs(last(found.column('ball.v[0]')) - 5 / 7), 1e-4, 'speed of what rolls');
}

/** Dry friction of a hinge slows a rod down, by accelerations. */
function slipping(): void {
  const rod = rigid('rod', [0.5, 0, 0], { mass: 2, inertia: [0.1, 0.1, 0.1], gravity: [0, 0, 0] });
  rod.spin = [0, 1, 0];
  rod.velocity = [0, 0, -0.5];
  const fields = { point: [0, 0, 0], axis: [0, 1, 0], angleFriction: 0.6 };
  const hinge = joint3D('pin', ['rod'], { type: 'RevoluteJoint', ...fields });
  const found = run(byGalerkin(spaceModel([rod], [hinge], { h: 1e-3, tEnd: 0.5 }), BY));
  demand(worstOf(found), 1e-8, 'certificate');
  demand(Math.abs(last(found.column('pin.angleRate')) - 0.5), 1e-6, 'what is left of the speed');
}

/** A ball that springs back has no force in the step behind its impact, by accelerations. */
function thrown(): void {
  const found = run(thrownBall({ h: 1e-3, tEnd: 0.6 }, { e: 0.5 }, BY));
  demand(worstOf(found), 1e-12, 'certificate');
}

/** A ball on a table that rises. */
function carried(): void {
  for (const level of ['velocity', 'acceleration']) {
    const table = floor('floor', { velocity: [0, 0, 0.3] });
    const ball = sphere('ball', [0, 0, 0.1], { velocity: [0, 0, 0.3] });
    const document = spaceModel([table, ball], [touch('ground', ['floor', 'ball'])], { h: 1e-3, tEnd: 0.1 });
    const found = run(byGalerkin(document, { level, closedGap: 1e-6 }));
    demand(worstOf(found), 1e-8, 'certificate');
    demand(Math.abs(last(found.column('ball.q[2]')) - 0.13), 1e-9, 'height');
    demand(Math.abs(last(found.column('ground.normalImpulse')) - 2 * G * 1e-3), 1e-9, 'weight');
  }
}

export const checks = {
  ...{ top, joint, dome, bounce, recorded },
  ...{ bent, hung, sliding, slipping, thrown, carried },
};
