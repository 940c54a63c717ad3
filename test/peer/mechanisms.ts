/**
 * Pendulums and a rocking block: the one description of both programs, as a document and as numbers for
 * Siconos.
 */
import type { ModelDocument } from '@engine/document/types';

export interface Mechanism {
  name: string;
  document: ModelDocument;
  /** what `siconos/mechanisms.cpp` reads */
  input: (string | number)[];
  steps: number;
}

interface Discretisation {
  name: string;
  /** distance of the rows, s */
  h: number;
  steps: number;
}

const G = 9.81;

type Parts = Pick<ModelDocument, 'systems' | 'interactions'> & {
  parameters: Readonly<Record<string, number>>;
  source: string[];
};

function documentOf(
  { name, h, steps }: Discretisation,
  { parameters, systems, interactions, source }: Parts,
): ModelDocument {
  return {
    formatVersion: 3,
    title: name,
    parameters: Object.entries(parameters).map(([key, value]) => ({ name: key, value })),
    systems,
    interactions,
    simulation: {
      scheme: 'event-driven',
      t0: 0,
      tEnd: h * steps,
      h,
      integrators: [{ type: 'MoreauJean', theta: 0.5, forecast: 0.5 }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
    observables: [],
    scripts: [{ name: 'functions.ts', role: 'functions', source }],
    views: [],
    layout: { nodes: {} },
  };
}

export interface StopsModel extends Discretisation {
  /** angle from the vertical, rad, and rad/s */
  q0: number;
  v0: number;
  /** N m s */
  damping: number;
  /** stops at both ends, rad, and their coefficients of restitution */
  low: number;
  high: number;
  eLow: number;
  eHigh: number;
}

/** A pendulum of 1 kg on a rod of 1 m between two stops, in its angle: m l² q̈ + c q̇ + m g l sin q = p. */
export function pendulumBetweenStops(model: StopsModel): Mechanism {
  const { name, h, steps, q0, v0, damping, low, high, eLow, eHigh } = model;
  const stop = (id: string, H: number, b: number, e: number): ModelDocument['interactions'][number] => ({
    id,
    systems: ['pendulum'],
    relation: { type: 'LagrangianLinear', H: [[H]], b: [b] },
    law: { type: 'NewtonImpact', e },
  });
  return {
    name,
    steps,
    document: documentOf(model, {
      parameters: { damping, g: G },
      systems: [
        {
          id: 'pendulum',
          type: 'LagrangianNonLinear',
          ndof: 1,
          mass: [[1]],
          fInt: { function: 'restoring' },
          q0: [q0],
          v0: [v0],
          coordinateUnit: 'rad',
        },
      ],
      interactions: [stop('low', 1, -low, eLow), stop('high', -1, high, eHigh)],
      source: [
        'export const restoring: InternalForce = (t, q, v, out, p) => {',
        '  out[0] = p.g * Math.sin(q[0]) + p.damping * v[0];',
        '};',
      ],
    }),
    input: ['stops', h, steps, q0, v0, 1, 1, G, damping, low, high, eLow, eHigh],
  };
}

export interface StringModel extends Discretisation {
  /** m and m/s from the point that the string hangs from */
  q0: [number, number];
  v0: [number, number];
  /** when the string becomes taut */
  e: number;
}

/** A particle of 1 kg on a string of 1 m, in the plane: y = l − |q| ≥ 0. */
export function pendulumOnString(model: StringModel): Mechanism {
  const { name, h, steps, q0, v0, e } = model;
  return {
    name,
    steps,
    document: documentOf(model, {
      parameters: { length: 1 },
      systems: [
        {
          id: 'particle',
          type: 'LagrangianLinearTI',
          ndof: 2,
          mass: [
            [1, 0],
            [0, 1],
          ],
          fExt: [0, -G],
          q0,
          v0,
        },
      ],
      interactions: [
        {
          id: 'string',
          systems: ['particle'],
          relation: { type: 'LagrangianScleronomous', size: 1, h: { function: 'slack' } },
          law: { type: 'NewtonImpact', e },
        },
      ],
      source: [
        'export const slack: PositionConstraint = (q, out, p) => {',
        '  out[0] = p.length - Math.sqrt(q[0] * q[0] + q[1] * q[1]);',
        '};',
      ],
    }),
    input: ['string', h, steps, ...q0, ...v0, 1, 1, G, e],
  };
}

export interface BlockModel extends Discretisation {
  /** half of width and height, m */
  halfWidth: number;
  halfHeight: number;
  /** angle of the plane below, rad */
  slope: number;
  /** angle of the block, rad; positive with its left corner below the right one */
  angle: number;
  /** distance of the left corner from the plane, m */
  gap: number;
  /** m/s, m/s, rad/s */
  v0: [number, number, number];
  eLeft: number;
  eRight: number;
}

/**
 * A block of 1 kg above a plane without friction, with contacts at its lower corners; q = centre x, y and
 * angle.
 */
export function rockingBlock(model: BlockModel): Mechanism {
  const { name, h, steps, halfWidth, halfHeight, slope, angle, gap, v0, eLeft, eRight } = model;
  const inertia = (halfWidth ** 2 + halfHeight ** 2) / 3;
  const relative = angle - slope;
  // The centre is above the origin of the plane.
  const height = (gap + halfWidth * Math.sin(relative) + halfHeight * Math.cos(relative)) / Math.cos(slope);
  const q0 = [0, height, angle];
  const corner = (id: string, e: number): ModelDocument['interactions'][number] => ({
    id,
    systems: ['block'],
    relation: { type: 'LagrangianScleronomous', size: 1, h: { function: id } },
    law: { type: 'NewtonImpact', e },
  });
  const distance = (id: string, sign: '+' | '-'): string[] => [
    `export const ${id}: PositionConstraint = (q, out, p) => {`,
    '  const angle = q[2] - p.slope;',
    '  const centre = Math.cos(p.slope) * q[1] - Math.sin(p.slope) * q[0];',
    `  out[0] = centre ${sign} p.a * Math.sin(angle) - p.c * Math.cos(angle);`,
    '};',
  ];
  return {
    name,
    steps,
    document: documentOf(model, {
      parameters: { a: halfWidth, c: halfHeight, slope },
      systems: [
        {
          id: 'block',
          type: 'LagrangianLinearTI',
          ndof: 3,
          mass: [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, inertia],
          ],
          fExt: [0, -G, 0],
          q0,
          v0,
        },
      ],
      interactions: [corner('left', eLeft), corner('right', eRight)],
      source: [...distance('left', '-'), ...distance('right', '+')],
    }),
    input: ['block', h, steps, ...q0, ...v0, 1, halfWidth, halfHeight, slope, G, eLeft, eRight],
  };
}
