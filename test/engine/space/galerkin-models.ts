/** Documents of 3D bodies by steps with contact forces, and where their motions lead. */
import type { FieldValue, ModelDocument } from '@engine/document/types';
import type { Run } from '../support/run';
import { G, floor, joint, rigid, spaceModel, touch } from '../support/space';

type Choices = Readonly<Record<string, string | number>>;

/** The same model by these steps. */
export const byGalerkin = (document: ModelDocument, choices: Choices = {}): ModelDocument => ({
  ...document,
  simulation: { ...document.simulation, integrators: [{ type: 'D1MinusLinear', ...choices }] },
});

export const last = (values: Float64Array): number => values[values.length - 1];

export const endOf = ({ column }: Run, names: readonly string[]): number[] =>
  names.map((name) => last(column(name)));

/** The largest figure of the certificate. */
export const worstOf = ({ session }: Run): number => {
  const { dynamics, complementarity, coneViolation } = session.certificate;
  return Math.max(dynamics, complementarity, coneViolation);
};

export const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((x, i) => x - b[i]));

export const QUATERNION = (id: string): string[] => [3, 4, 5, 6].map((i) => `${id}.q[${i}]`);
export const PLACE = (id: string): string[] => [0, 1, 2].map((i) => `${id}.q[${i}]`);
export const SPIN = (id: string): string[] => [3, 4, 5].map((i) => `${id}.v[${i}]`);

/** A body that nothing acts on, with three different moments of inertia. */
export function freeTop(h: number, tEnd = 1): ModelDocument {
  const body = rigid('top', [0, 0, 0], { mass: 1, inertia: MOMENTS, gravity: [0, 0, 0] });
  body.spin = [1, 6, 3];
  return byGalerkin(spaceModel([body], [], { h, tEnd }));
}

const MOMENTS = [0.02, 0.08, 0.09];

/** Ω of the free top after a time, by fourth-order steps. */
export function spinAfter(time: number): number[] {
  const rate = ([x, y, z]: readonly number[]): number[] => [
    ((MOMENTS[1] - MOMENTS[2]) * y * z) / MOMENTS[0],
    ((MOMENTS[2] - MOMENTS[0]) * z * x) / MOMENTS[1],
    ((MOMENTS[0] - MOMENTS[1]) * x * y) / MOMENTS[2],
  ];
  const steps = 20_000;
  const h = time / steps;
  let spin: number[] = [1, 6, 3];
  for (let k = 0; k < steps; k++) {
    const k1 = rate(spin);
    const k2 = rate(spin.map((x, i) => x + 0.5 * h * k1[i]));
    const k3 = rate(spin.map((x, i) => x + 0.5 * h * k2[i]));
    const k4 = rate(spin.map((x, i) => x + h * k3[i]));
    spin = spin.map((x, i) => x + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  return spin;
}

/** An asymmetric body on a ball joint at the origin, in a motion that fills space. */
export function swingingRod(h: number, choices: Choices = {}, tEnd = 0.48): ModelDocument {
  const rod = rigid('rod', [0.5, 0, 0], { mass: 1, inertia: [0.02, 0.08, 0.07] });
  rod.spin = [3, 1, 2];
  rod.velocity = [0, 1, -0.5];
  const knee = joint('knee', ['rod'], { type: 'KneeJoint', point: [0, 0, 0] });
  return byGalerkin(spaceModel([rod], [knee], { h, tEnd }), choices);
}

/** A sphere of radius 0.1 over a fixed one of radius 1, at an angle from the vertical. */
export function ballOnDome(
  h: number,
  mu: number,
  angle: number,
  tEnd: number,
  choices: Choices = {},
): ModelDocument {
  const dome = floor('dome', { shapes: [{ type: 'Sphere', radius: 1 }] });
  const ball = sphere('ball', [RADII * Math.sin(angle), 0, RADII * Math.cos(angle)]);
  return byGalerkin(spaceModel([dome, ball], [touch('surface', ['dome', 'ball'], mu)], { h, tEnd }), choices);
}

const RADII = 1.1;

/** x after a time from rest, with ẍ = rate(x), by fourth-order steps. */
export function fromRest(start: number, rate: (x: number) => number, time: number): number {
  const steps = 20_000;
  const h = time / steps;
  let [x, v] = [start, 0];
  for (let k = 0; k < steps; k++) {
    const [k1, l1] = [v, rate(x)];
    const [k2, l2] = [v + 0.5 * h * l1, rate(x + 0.5 * h * k1)];
    const [k3, l3] = [v + 0.5 * h * l2, rate(x + 0.5 * h * k2)];
    const [k4, l4] = [v + h * l3, rate(x + h * k3)];
    x += (h / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
    v += (h / 6) * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return x;
}

/** Angle of a ball that rolls, or slides without friction, on the dome. */
export const angleOnDome = (start: number, rolls: boolean, time: number): number =>
  fromRest(start, (x) => ((rolls ? 5 / 7 : 1) * G * Math.sin(x)) / RADII, time);

export function sphere(
  id: string,
  position: number[],
  fields: Record<string, FieldValue> = {},
): ModelDocument['systems'][number] {
  return rigid(id, position, { mass: 2, shapes: [{ type: 'Sphere', radius: 0.1 }], ...fields });
}

/** A ball thrown onto a floor. */
export function thrownBall(
  { h, tEnd }: { h: number; tEnd: number },
  { mu = 0, e = 0.5, velocity = [0, 0, 0], height = 1 }: Partial<Throw> = {},
  choices: Choices = {},
): ModelDocument {
  const ball = sphere('ball', [0, 0, height], { velocity });
  return byGalerkin(
    spaceModel([floor(), ball], [touch('ground', ['floor', 'ball'], mu, e)], { h, tEnd }),
    choices,
  );
}

interface Throw {
  mu: number;
  e: number;
  velocity: number[];
  height: number;
}

/** Lengths of steps, each half of the one before, and their distances from where the motion leads. */
export const STEPS = [8e-3, 4e-3, 2e-3, 1e-3];
export const errorsOf = (at: (h: number) => readonly number[], exact: readonly number[]): number[] =>
  STEPS.map((h) => distance(at(h), exact));
