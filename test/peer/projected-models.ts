/** Models whose positions are projected: each as a document, and as what `siconos/projection.py` reads. */
import type { ModelDocument } from '@engine/document/types';

export interface ProjectedModel {
  name: string;
  document: ModelDocument;
  input: Record<string, unknown>;
}

export interface Projection {
  projection: 'yes' | 'combined' | 'no';
  metric: 'mass' | 'euclidean';
  forecast: number;
  h: number;
  steps: number;
  /** of rows; the end of the step when left out */
  relationPoint?: 'predicted' | 'end';
}

export const TOLERANCE = 1e-12;

const documentOf = (
  title: string,
  { projection, metric, forecast, h, steps, relationPoint = 'end' }: Projection,
  parts: Pick<ModelDocument, 'systems' | 'interactions'>,
  source: string[] = [],
): ModelDocument => ({
  formatVersion: 3,
  title,
  parameters: [],
  ...parts,
  simulation: {
    scheme: 'time-stepping',
    t0: 0,
    tEnd: h * steps,
    h,
    integrators: [
      {
        type: 'MoreauJean',
        theta: 0.5,
        forecast,
        relationPoint,
        projection,
        metric,
        projectionTolerance: TOLERANCE,
      },
    ],
    newton: { tolerance: 1e-13, maxIterations: 50 },
    problem: { type: 'auto' },
    solver: { type: 'auto' },
  },
  observables: [],
  scripts: source.length === 0 ? [] : [{ name: 'functions.ts', role: 'functions', source }],
  views: [],
  layout: { nodes: {} },
});

const peerOf = (settings: Projection, kind: string, more: object): Record<string, unknown> => ({
  ...settings,
  kind,
  ...(kind === 'column' || settings.relationPoint === 'predicted' ? { iterations: 1 } : {}),
  tolerance: TOLERANCE,
  ...more,
});

/** A ball of mass m above a floor, thrown down. */
export function ball(settings: Projection, e: number, m = 1): ProjectedModel {
  return {
    name: `ball, e = ${e}`,
    document: documentOf('ball', settings, {
      systems: [
        { id: 'b0', type: 'LagrangianLinearTI', ndof: 1, mass: [[m]], fExt: [-9.81 * m], q0: [1], v0: [-1] },
      ],
      interactions: [
        {
          id: 'floor',
          systems: ['b0'],
          relation: { type: 'LagrangianLinear', H: [[1]] },
          law: { type: 'NewtonImpact', e },
        },
      ],
    }),
    input: peerOf(settings, 'column', { q0: [1], v0: [-1], masses: [m], e }),
  };
}

/** Ten beads of radius ½ d above a floor, one above the other. */
export function column(settings: Projection, e: number): ProjectedModel {
  const count = 10;
  const d = 0.2;
  const q0 = Array.from({ length: count }, (_, i) => 0.02 * (i + 1) + d * i);
  const id = (i: number): string => `b${i}`;
  return {
    name: `column of ten, e = ${e}`,
    document: documentOf('column', settings, {
      systems: q0.map((q, i) => ({
        id: id(i),
        type: 'LagrangianLinearTI',
        ndof: 1,
        mass: [[1]],
        fExt: [-9.81],
        q0: [q],
        v0: [0],
      })),
      interactions: q0.map((_, i) => ({
        id: `c${i}`,
        systems: i === 0 ? [id(0)] : [id(i - 1), id(i)],
        relation: {
          type: 'LagrangianLinear',
          H: [i === 0 ? [1] : [-1, 1]],
          ...(i === 0 ? {} : { b: [-d] }),
        },
        law: { type: 'NewtonImpact', e },
      })),
    }),
    input: peerOf(settings, 'column', { q0, v0: q0.map(() => 0), masses: q0.map(() => 1), e, d }),
  };
}

/** A planar bar, its centre in its middle. */
interface Bar {
  length: number;
  mass: number;
  inertia: number;
  /** centre and angle */
  at: [number, number, number];
  speed: [number, number, number];
}

/** Point of a bar (−1 or its other end +1); null for a fixed point. */
type End = { bar: number; side: -1 | 1 } | { at: [number, number] };

interface Linkage {
  name: string;
  bars: Bar[];
  pins: [End, End][];
  loose: [End, End];
  clearance: number;
  /** bars that are guided along y = 0 without turning */
  guided: number[];
  e: number;
}

const pointOf = (end: End, bars: Bar[], axis: 0 | 1): string => {
  if ('at' in end) return `${end.at[axis]}`;
  const first = 3 * end.bar;
  const half = (end.side * bars[end.bar].length) / 2;
  return `q[${first + axis}] + (${half}) * Math.${axis === 0 ? 'cos' : 'sin'}(q[${first + 2}])`;
};

function linkage(
  settings: Projection,
  { name, bars, pins, loose, clearance, guided, e }: Linkage,
): ProjectedModel {
  const ndof = 3 * bars.length;
  const diagonal = bars.flatMap(({ mass, inertia }) => [mass, mass, inertia]);
  const source: string[] = [];
  const interactions: ModelDocument['interactions'] = pins.map(([a, b], k) => {
    source.push(
      `export const pin${k}: PositionConstraint = (q, out) => {`,
      ...([0, 1] as const).map(
        (axis) => `  out[${axis}] = ${pointOf(a, bars, axis)} - (${pointOf(b, bars, axis)});`,
      ),
      '};',
    );
    return {
      id: `pin${k}`,
      systems: ['linkage'],
      relation: { type: 'LagrangianScleronomous', size: 2, h: { function: `pin${k}` } },
      law: { type: 'Equality' },
    };
  });
  const [a, b] = loose;
  source.push(
    'export const loose: PositionConstraint = (q, out) => {',
    ...([0, 1] as const).map(
      (axis) => `  const d${axis} = ${pointOf(a, bars, axis)} - (${pointOf(b, bars, axis)});`,
    ),
    `  out[0] = ${clearance} - Math.sqrt(d0 * d0 + d1 * d1);`,
    '};',
  );
  interactions.push({
    id: 'loose',
    systems: ['linkage'],
    relation: { type: 'LagrangianScleronomous', size: 1, h: { function: 'loose' } },
    law: { type: 'NewtonImpact', e },
  });
  for (const bar of guided)
    interactions.push({
      id: `guide${bar}`,
      systems: ['linkage'],
      relation: {
        type: 'LagrangianLinear',
        H: [1, 2].map((axis) =>
          Array.from({ length: ndof }, (_, k): number => (k === 3 * bar + axis ? 1 : 0)),
        ),
      },
      law: { type: 'Equality' },
    });
  const q0 = bars.flatMap(({ at }) => at);
  const v0 = bars.flatMap(({ speed }) => speed);
  return {
    name,
    document: documentOf(
      name,
      settings,
      {
        systems: [
          {
            id: 'linkage',
            type: 'LagrangianLinearTI',
            ndof,
            mass: diagonal.map((m, i) => diagonal.map((_, k) => (i === k ? m : 0))),
            fExt: bars.flatMap(({ mass }) => [0, -9.81 * mass, 0]),
            q0,
            v0,
          },
        ],
        interactions,
      },
      source,
    ),
    input: peerOf(settings, 'linkage', { threshold: 0, bars, pins, loose, clearance, guided, e, q0, v0 }),
  };
}

/** Crank and rod of a slider whose pin has play. */
export const sliderCrank = (settings: Projection, e = 0.4): ProjectedModel => {
  const r = 0.5;
  const l = 1.2;
  const omega = 4;
  return linkage(settings, {
    name: `slider-crank, e = ${e}`,
    bars: [
      { length: r, mass: 1, inertia: 1, at: [r / 2, 0, 0], speed: [0, (omega * r) / 2, omega] },
      {
        length: l,
        mass: 1,
        inertia: 1,
        at: [r + l / 2, 0, 0],
        speed: [0, (omega * r) / 2, (-omega * r) / l],
      },
      { length: 0.2, mass: 1, inertia: 1, at: [r + l + 0.105, 0, 0], speed: [0, 0, 0] },
    ],
    pins: [
      [{ at: [0, 0] }, { bar: 0, side: -1 }],
      [
        { bar: 0, side: 1 },
        { bar: 1, side: -1 },
      ],
    ],
    loose: [
      { bar: 1, side: 1 },
      { bar: 2, side: -1 },
    ],
    clearance: 0.02,
    guided: [2],
    e,
  });
};

/** A four-bar linkage whose rocker hangs on the coupler with play. */
export const fourBar = (settings: Projection, e = 0.3): ProjectedModel => {
  const crank = 0.4;
  const coupler = 1.4;
  const rocker = 1;
  const ground = 1.6;
  // Crank upright; coupler and rocker meet where both circles do.
  const reach = Math.hypot(ground, crank);
  const along = (coupler ** 2 - rocker ** 2 + reach ** 2) / (2 * reach);
  const across = Math.sqrt(coupler ** 2 - along ** 2);
  const meet: [number, number] = [
    (along * ground) / reach + (across * crank) / reach,
    crank - (along * crank) / reach + (across * ground) / reach,
  ];
  const bar = (from: [number, number], to: [number, number]): Bar => ({
    length: Math.hypot(to[0] - from[0], to[1] - from[1]),
    mass: 1,
    inertia: 1,
    at: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, Math.atan2(to[1] - from[1], to[0] - from[0])],
    speed: [0, 0, 0],
  });
  return linkage(settings, {
    name: `four-bar, e = ${e}`,
    bars: [
      bar([0, 0], [0, crank]),
      bar([0, crank], [0.99 * meet[0], crank + 0.99 * (meet[1] - crank)]),
      bar([ground, 0], meet),
    ],
    pins: [
      [{ at: [0, 0] }, { bar: 0, side: -1 }],
      [
        { bar: 0, side: 1 },
        { bar: 1, side: -1 },
      ],
      [{ at: [ground, 0] }, { bar: 2, side: -1 }],
    ],
    loose: [
      { bar: 1, side: 1 },
      { bar: 2, side: 1 },
    ],
    clearance: 0.02,
    guided: [],
    e,
  });
};
