/** Rigid 3D bodies that are computed here and in Siconos: described once, in numbers. */
import type { InteractionDocument, ModelDocument, SystemDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { run } from '../engine/support/run';
import { spaceModel } from '../engine/support/space';
import { runPeer } from './run-siconos';

interface PeerBody {
  mass: number;
  /** principal moments, kg m² */
  inertia: [number, number, number];
  q0: number[];
  v0: number[];
  force: [number, number, number];
  /** stiffness, N/m, of a spring without a length of its own, and the point of the world that it hangs on */
  spring?: [number, number, number, number];
}

export interface PeerModel {
  name: string;
  bodies: PeerBody[];
  joints: { type: 'knee' | 'prismatic' | 'pivot'; bodies: number[]; point?: number[]; axis?: number[] }[];
  /** corners of a box with these sides, or a ball, on the plane z = 0 */
  contacts: { body: number; mu: number | null; e: number; radius?: number; box?: [number, number, number] }[];
  tEnd: number;
  /** Overlaps of contacts at rest are taken out of the positions: altogether there, to this depth here, m. */
  overlap?: number;
}

/** Positions and velocities of all bodies at the end. */
export interface PeerState {
  q: number[][];
  v: number[][];
}

const corners = ([a, b, c]: readonly number[]): number[][] =>
  [-0.5, 0.5].flatMap((x) => [-0.5, 0.5].flatMap((y) => [-0.5, 0.5].map((z) => [a * x, b * y, c * z])));

/** The θ-method on both sides; without it, half steps here. */
export interface SameScheme {
  theta: number;
  /** of the activation; that of Siconos by default when left out */
  forecast?: number;
  /**
   * iterations of Newton's method there, whatever its residual; rows of joints at the end of the step here
   */
  iterations?: number;
}

export async function runInSiconos(model: PeerModel, h: number, same?: SameScheme): Promise<PeerState> {
  const { bodies, joints, overlap, tEnd } = model;
  const contacts = model.contacts.map(({ box, radius, ...rest }) => ({
    ...rest,
    radius: radius ?? 0,
    points: box === undefined ? [[0, 0, 0]] : corners(box),
  }));
  const steps = Math.round(tEnd / h);
  return (await runPeer('3d-bodies.py', {
    bodies,
    joints,
    contacts,
    h,
    steps,
    projection: overlap !== undefined,
    ...(same === undefined ? {} : { theta: same.theta, gamma: same.forecast ?? 0.5 }),
    ...(same?.iterations === undefined ? {} : { iterations: same.iterations }),
  })) as PeerState;
}

const TYPES = { knee: 'KneeJoint', prismatic: 'PrismaticJoint', pivot: 'RevoluteJoint' } as const;

function documentOf(model: PeerModel, h: number): ModelDocument {
  const systems = model.bodies.map(({ mass, inertia, q0, v0, force, spring }, k): SystemDocument => {
    const touching = model.contacts.find(({ body }) => body === k);
    const { box, radius } = touching ?? {};
    return {
      id: `b${k}`,
      type: 'RigidBody',
      mass,
      inertia,
      position: q0.slice(0, 3),
      orientation: q0.slice(3),
      velocity: v0.slice(0, 3),
      spin: v0.slice(3),
      force,
      ...(spring === undefined ? {} : { load: { function: `spring${k}` } }),
      ...(box === undefined ? {} : { shapes: [{ type: 'Box', size: [...box] }] }),
      ...(radius === undefined ? {} : { shapes: [{ type: 'Sphere', radius }] }),
    };
  });
  const joints = model.joints.map(({ type, bodies, point, axis }, k): InteractionDocument => ({
    id: `j${k}`,
    systems: [...bodies].map((body) => `b${body}`),
    relation: {
      type: TYPES[type],
      ...(point === undefined ? {} : { point }),
      ...(axis === undefined ? {} : { axis }),
    },
    law: { type: 'Equality' },
  }));
  const contacts = model.contacts.map(({ body, mu, e }, k): InteractionDocument => ({
    id: `c${k}`,
    systems: ['floor', `b${body}`],
    relation: { type: 'ShapeContact' },
    law: { type: 'NewtonImpactFriction3D', mu: mu ?? 0, e },
  }));
  const floor: SystemDocument = { id: 'floor', type: 'FixedBody', shapes: [{ type: 'Plane' }] };
  const document = spaceModel(contacts.length > 0 ? [floor, ...systems] : systems, [...joints, ...contacts], {
    h,
    tEnd: model.tEnd,
  });
  document.simulation.solver = { type: 'auto', tolerance: 1e-11 };
  const source = model.bodies.flatMap(({ spring }, k) => {
    if (spring === undefined) return [];
    const [stiffness, ...anchor] = spring;
    return [
      `export const spring${k}: BodyForce = (t, q, v, out) => {`,
      ...anchor.map((at, i) => `  out[${i}] = -${stiffness} * (q[${i}] - ${at});`),
      '};',
    ];
  });
  if (source.length > 0) document.scripts = [{ name: 'springs.ts', role: 'functions', source }];
  return document;
}

export function runHere(model: PeerModel, h: number, same?: SameScheme): PeerState {
  const document = documentOf(model, h);
  const { overlap } = model;
  if (overlap !== undefined) document.simulation.integrators = [{ type: 'MoreauHalfStep', overlap }];
  if (same !== undefined)
    document.simulation.integrators = [
      {
        type: 'MoreauJean',
        theta: same.theta,
        forecast: same.forecast ?? 0.5,
        projection: 'no',
        relationPoint: same.iterations === undefined ? 'predicted' : 'end',
      },
    ];
  const { column } = run(document, { sandbox: createSandbox });
  const last = (name: string): number => {
    const values = column(name);
    return values[values.length - 1];
  };
  const all = (letter: 'q' | 'v', count: number): number[][] =>
    model.bodies.map((_, k) => Array.from({ length: count }, (_, i) => last(`b${k}.${letter}[${i}]`)));
  return { q: all('q', 7), v: all('v', 6) };
}

/** Largest difference of two states; a quaternion and its opposite are one orientation. */
export function distance(one: PeerState, other: PeerState): number {
  let worst = 0;
  one.q.forEach((q, k) => {
    const sign = q.slice(3).reduce((sum, x, i) => sum + x * other.q[k][3 + i], 0) < 0 ? -1 : 1;
    q.forEach((x, i) => (worst = Math.max(worst, Math.abs(x - (i < 3 ? 1 : sign) * other.q[k][i]))));
    one.v[k].forEach((x, i) => (worst = Math.max(worst, Math.abs(x - other.v[k][i]))));
  });
  return worst;
}
