/** Mechanisms that the tests share, as a user would state them. */
import { type ConstraintDescription, compileMultibody } from '../../oracles/planar/compile';
import type { LoadDescription } from '../../oracles/planar/load';
import type { BodyDescription, MultibodyModel, MultibodySystem } from '../../oracles/planar/system';
import { type PrescribedCoordinate, uniformMotion } from '@engine/multibody/rows';

export const G = 9.81;
const weight: LoadDescription = { type: 'gravity', id: 'weight', acceleration: [0, -G] };

export const compile = (
  bodies: readonly BodyDescription[],
  constraints: readonly ConstraintDescription[],
  loads: readonly LoadDescription[] = [weight],
): MultibodySystem => compileMultibody({ bodies, constraints, loads });

/** Point mass on a rod of 1 m, horizontal and at rest at the start. */
export const pendulum = (mass = 1): MultibodySystem =>
  compile(
    [{ id: 'bob', mass, inertia: 1, position: [1, 0, 0] }],
    [{ type: 'distance', id: 'rod', first: { body: 'ground' }, second: { body: 'bob' }, length: 1 }],
  );

/** Two bars that hang on pins, with their mass centres in the middle. */
export function doublePendulum(angles: readonly [number, number]): MultibodySystem {
  const [a, b] = angles;
  const half = (angle: number): [number, number] => [0.5 * Math.sin(angle), -0.5 * Math.cos(angle)];
  const [one, two] = [half(a), half(b)];
  return compile(
    [
      { id: 'upper', mass: 1, inertia: 1 / 12, position: [one[0], one[1], a] },
      { id: 'lower', mass: 2, inertia: 2 / 12, position: [2 * one[0] + two[0], 2 * one[1] + two[1], b] },
    ],
    [
      {
        type: 'revolute',
        id: 'shoulder',
        first: { body: 'ground' },
        second: { body: 'upper', point: [0, 0.5] },
      },
      {
        type: 'revolute',
        id: 'elbow',
        first: { body: 'upper', point: [0, -0.5] },
        second: { body: 'lower', point: [0, 0.5] },
      },
    ],
  );
}

export const SLIDER_CRANK = { crank: 0.3, rod: 1, theta: 0.7, omega: 5 } as const;

const sliderCrankJoints: readonly ConstraintDescription[] = [
  {
    type: 'revolute',
    id: 'shaft',
    first: { body: 'ground' },
    second: { body: 'crank', point: [-SLIDER_CRANK.crank / 2, 0] },
  },
  {
    type: 'revolute',
    id: 'crankpin',
    first: { body: 'crank', point: [SLIDER_CRANK.crank / 2, 0] },
    second: { body: 'rod', point: [-SLIDER_CRANK.rod / 2, 0] },
  },
  {
    type: 'revolute',
    id: 'wristpin',
    first: { body: 'rod', point: [SLIDER_CRANK.rod / 2, 0] },
    second: { body: 'piston' },
  },
  { type: 'prismatic', id: 'cylinder', first: { body: 'ground' }, second: { body: 'piston' } },
];

/** Crank at θ with rate ω, both by closed form: a consistent state. */
export function sliderCrankBodies(theta: number, omega: number): BodyDescription[] {
  const { crank: r, rod: l } = SLIDER_CRANK;
  const psi = -Math.asin((r * Math.sin(theta)) / l);
  const psiRate = (-r * omega * Math.cos(theta)) / (l * Math.cos(psi));
  const half = (length: number, angle: number, rate: number): [number, number, number, number] => [
    length * Math.cos(angle),
    length * Math.sin(angle),
    -length * rate * Math.sin(angle),
    length * rate * Math.cos(angle),
  ];
  const c = half(r / 2, theta, omega);
  const b = half(l / 2, psi, psiRate);
  return [
    {
      id: 'crank',
      mass: 2,
      inertia: 0.02,
      position: [c[0], c[1], theta],
      velocity: [c[2], c[3], omega],
    },
    {
      id: 'rod',
      mass: 1,
      inertia: 0.09,
      position: [2 * c[0] + b[0], 2 * c[1] + b[1], psi],
      velocity: [2 * c[2] + b[2], 2 * c[3] + b[3], psiRate],
    },
    {
      id: 'piston',
      mass: 0.5,
      inertia: 0.001,
      position: [2 * c[0] + 2 * b[0], 0, 0],
      velocity: [2 * c[2] + 2 * b[2], 0, 0],
    },
  ];
}

/** @param motion angle of the crank; a free crank when left out */
export function sliderCrank(motion?: PrescribedCoordinate): MultibodySystem {
  const { theta, omega } = SLIDER_CRANK;
  const driver: ConstraintDescription[] =
    motion === undefined
      ? []
      : [{ type: 'driver', id: 'motor', driven: { body: 'crank' }, coordinate: 'angle', motion }];
  return compile(sliderCrankBodies(theta, omega), [...sliderCrankJoints, ...driver]);
}

/**
 * The web cutter of S2 as it was printed: mass centres, arms (m) and the rate of its crank. Masses are not
 * given.
 */
const WEB_CUTTER = {
  crank: [2 * Math.cos((85.5 * Math.PI) / 180), 2 * Math.sin((85.5 * Math.PI) / 180)],
  couplerA: [-6.4024, -8.6477],
  couplerB: [-0.6374, 4.3622],
  rockerB: [-7.0912, 7.808],
  rockerPivot: [0.04, -11.2196],
  omega: 2 * Math.PI,
} as const;

export function webCutterModel(isDriven: boolean): MultibodyModel {
  const { crank, couplerA, couplerB, rockerB, rockerPivot, omega } = WEB_CUTTER;
  const coupler: [number, number] = [2 * crank[0] - couplerA[0], 2 * crank[1] - couplerA[1]];
  const rocker: [number, number] = [
    coupler[0] + couplerB[0] - rockerB[0],
    coupler[1] + couplerB[1] - rockerB[1],
  ];
  // At the printed position the frames of coupler and rocker are those of the ground.
  const angle = (85.5 * Math.PI) / 180;
  return {
    bodies: [
      { id: 'crank', mass: 3, inertia: 5, position: [crank[0], crank[1], angle] },
      { id: 'coupler', mass: 7, inertia: 90, position: [coupler[0], coupler[1], 0] },
      { id: 'rocker', mass: 9, inertia: 300, position: [rocker[0], rocker[1], 0] },
    ],
    constraints: [
      { type: 'revolute', id: 'O', first: { body: 'ground' }, second: { body: 'crank', point: [-2, 0] } },
      {
        type: 'revolute',
        id: 'A',
        first: { body: 'crank', point: [2, 0] },
        second: { body: 'coupler', point: couplerA },
      },
      {
        type: 'revolute',
        id: 'B',
        first: { body: 'coupler', point: couplerB },
        second: { body: 'rocker', point: rockerB },
      },
      {
        type: 'revolute',
        id: 'C',
        first: {
          body: 'ground',
          point: [rocker[0] + rockerPivot[0], rocker[1] + rockerPivot[1]],
        },
        second: { body: 'rocker', point: rockerPivot },
      },
      ...(isDriven
        ? ([
            {
              type: 'driver',
              id: 'motor',
              driven: { body: 'crank' },
              coordinate: 'angle',
              motion: uniformMotion(angle, omega),
            },
          ] as const)
        : []),
    ],
    loads: [weight],
  };
}
