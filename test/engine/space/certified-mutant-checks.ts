/**
 * Runs of 3D bodies that are certified, and in which what a slip leaves out has its place: each check throws
 * where the certificate is above its limit.
 */
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { run } from '../support/run';
import { floor, joint, rigid, spaceModel, touch } from '../support/space';
import { ballOnDome, byGalerkin, sphere, thrownBall, worstOf } from './galerkin-models';

function certified(document: ModelDocument): void {
  const found = run(document);
  const worst = worstOf(found);
  const { limit, worstElement } = found.session.certificate;
  if (!(worst <= (limit ?? 0))) throw new Error(`certificate: ${worst} at ${worstElement ?? 'no element'}`);
}

const by = (document: ModelDocument, integrator: TypedElement): ModelDocument => ({
  ...document,
  simulation: { ...document.simulation, integrators: [integrator] },
});
const THETA = { type: 'MoreauJean', theta: 0.5 };

/** A ball that falls onto a floor and springs back. */
const fall = thrownBall({ h: 1e-3, tEnd: 0.6 }, { velocity: [0.5, 0, 0], mu: 0.3 });
const halfSteps = (): void => certified(by(fall, { type: 'MoreauHalfStep' }));
const theta = (): void => certified(by(fall, THETA));
const galerkin = (): void => certified(fall);
const dropped = (): void => certified(byGalerkin(pair(), { besideImpacts: 'dropped' }));

/** One ball rests on the floor when another falls onto it. */
function pair(): ModelDocument {
  return spaceModel(
    [floor(), sphere('low', [0, 0, 0.1]), sphere('high', [0.02, 0, 0.4])],
    [touch('balls', ['floor', 'low', 'high'], 0.3, 0.2)],
    { h: 1e-3, tEnd: 0.4 },
  );
}
const balls = (): void => certified(by(pair(), { type: 'MoreauHalfStep' }));

/** A ball that comes to the floor where a run begins springs back. */
const arriving = (): void =>
  certified(thrownBall({ h: 1e-3, tEnd: 0.1 }, { height: 0.1, velocity: [0.3, 0, -1], mu: 0.2 }));
/** A ball rolls over a dome. */
const dome = (): void => certified(ballOnDome(2e-3, 2, 0.2, 0.3));
/** A ball rests on the floor. */
const resting = (): void => certified(thrownBall({ h: 1e-3, tEnd: 0.02 }, { height: 0.1, e: 0 }));

/** A box on a floor, or a little above it, by another law of contact. */
function lawOf(law: TypedElement, push: number[], gap = 0): void {
  const box = rigid('box', [0, 0, 0.1 + gap], { gravity: push });
  const document = spaceModel([floor(), box], [{ ...touch('c', ['floor', 'box']), law }], { tEnd: 0.2 });
  certified(document);
}
const cohesive = (): void => lawOf({ type: 'CohesiveFriction3D', mu: 0.5, e: 0, pull: 50 }, [0, 0, 5], 5e-5);
const adhesive = (): void =>
  lawOf({ type: 'AdhesiveFriction3D', mu: 0.5, cn: 2e5, ct: 2e5, w: 2e-3 }, [0, 0, 5]);
const compliant = (): void => lawOf({ type: 'CompliantFriction3D', mu: 0.5, k: 1e5 }, [0, 0, -9.81], 5e-3);
const moments = (): void =>
  certified(
    spaceModel(
      [floor(), sphere('ball', [0, 0, 0.1], { velocity: [1, 0, 0], spin: [0, 10, 3] })],
      [
        {
          ...touch('c', ['floor', 'ball']),
          law: {
            type: 'NewtonImpactFriction3D',
            mu: 0.5,
            e: 0,
            rollingFriction: 0.01,
            spinningFriction: 0.02,
          },
        },
      ],
      { tEnd: 0.2 },
    ),
  );

/** A block on a rail with a stop, dry friction and a motor. */
function railOf(fields: Record<string, number>): ModelDocument {
  const block = rigid('block', [0, 0, 0], { mass: 2, velocity: [0, 0, -0.5] });
  const relation = { type: 'PrismaticJoint', axis: [0, 0, 1], ...fields };
  return spaceModel([block], [joint('rail', ['block'], relation)], { tEnd: 0.4 });
}
const rail = (fields: Record<string, number>): void => certified(railOf(fields));
const stop = (): void => rail({ displacementMin: -0.1, e: 0.5 });
const friction = (): void => rail({ displacementFriction: 3 });
const motor = (): void => rail({ displacementSpeed: 1, displacementLimit: 30 });

/** The same by steps with contact forces. */
const forceOf = (fields: Record<string, number>): void => certified(byGalerkin(railOf(fields)));
const stopForce = (): void => forceOf({ displacementMin: -0.1, e: 0.5 });
const frictionForce = (): void => forceOf({ displacementFriction: 3 });
const motorForce = (): void => forceOf({ displacementSpeed: 1, displacementLimit: 30 });

/** A box on a table that rises and turns. */
function table(): void {
  const shapes = [{ type: 'Box', size: [2, 2, 0.2], position: [0, 0, -0.1] }];
  const systems = [
    floor('table', { velocity: [0.1, 0, 0.5], spin: [0, 0, 0.3], shapes }),
    rigid('box', [0, 0, 0.1]),
  ];
  certified(spaceModel(systems, [touch('c', ['table', 'box'], 0.2)], { tEnd: 0.3 }));
}

/** A box and a capsule on a box that moves, over a floor. */
function pile(): ModelDocument {
  const shape = (type: string, fields: Record<string, unknown>): TypedElement[] => [{ type, ...fields }];
  const fallen = { gravity: [0, 0, -9.81] };
  return spaceModel(
    [
      floor(),
      rigid('low', [0, 0, 0.1], { ...fallen, shapes: shape('Box', { size: [0.6, 0.4, 0.2] }) }),
      rigid('high', [0.12, 0.01, 0.27], { ...fallen, shapes: shape('Box', { size: [0.2, 0.2, 0.1] }) }),
      rigid('round', [-0.15, 0, 0.3], {
        ...fallen,
        velocity: [0.2, 0, 0],
        shapes: shape('Capsule', { radius: 0.05, length: 0.2 }),
      }),
    ],
    [touch('c', ['floor', 'low', 'high', 'round'], 0.3)],
    { tEnd: 0.3 },
  );
}
const pileByHalf = (): void => certified(by(pile(), { type: 'MoreauHalfStep' }));
const pileByTheta = (): void => certified(by(pile(), THETA));
const pileByForces = (): void => certified(byGalerkin(pile()));

/** A box on a belt. */
const belt = (): void =>
  certified(
    spaceModel(
      [floor('belt', { surfaceVelocity: [0.7, 0, 0] }), rigid('box', [0, 0, 0.1])],
      [touch('c', ['belt', 'box'], 0.2)],
      { tEnd: 0.3 },
    ),
  );

export const checks = {
  halfSteps,
  theta,
  galerkin,
  dropped,
  balls,
  arriving,
  dome,
  resting,
  cohesive,
  adhesive,
  compliant,
  moments,
  stop,
  friction,
  motor,
  stopForce,
  frictionForce,
  motorForce,
  table,
  belt,
  pileByHalf,
  pileByTheta,
  pileByForces,
};
