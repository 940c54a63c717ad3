/** Mechanisms in time-stepping with contact forces: those of events, and a ball, a bar and a slider-crank. */
import type { ModelDocument } from '@engine/document/types';
import type { Mechanism } from './mechanisms';

export type Level = 'acceleration' | 'velocity';

interface Discretisation {
  h: number;
  steps: number;
}

const G = 9.81;

function documentOf(
  title: string,
  { h, steps }: Discretisation,
  system: ModelDocument['systems'][number],
  interactions: ModelDocument['interactions'],
  source: string[] = [],
): ModelDocument {
  return {
    formatVersion: 3,
    title,
    parameters: [],
    systems: [system],
    interactions,
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: h * steps,
      h,
      integrators: [{ type: 'D1MinusLinear' }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
    observables: [],
    scripts: source.length === 0 ? [] : [{ name: 'functions.ts', role: 'functions', source }],
    views: [],
    layout: { nodes: {} },
  };
}

/** The same model by steps with contact forces. */
export const byGalerkinSteps = (document: ModelDocument, level: Level): ModelDocument => ({
  ...document,
  simulation: {
    ...document.simulation,
    scheme: 'time-stepping',
    // As Siconos has them.
    integrators: [
      { type: 'D1MinusLinear', level, direction: 'predicted', kept: 0, besideImpacts: 'dropped' },
    ],
  },
});

/** A ball of 1 kg above a floor. */
export const fallingBall = (settings: Discretisation, e: number): Mechanism => ({
  name: `ball, e = ${e}`,
  steps: settings.steps,
  document: documentOf(
    'ball',
    settings,
    { id: 'ball', type: 'LagrangianLinearTI', ndof: 1, mass: [[1]], fExt: [-G], q0: [1], v0: [0] },
    [
      {
        id: 'floor',
        systems: ['ball'],
        relation: { type: 'LagrangianLinear', H: [[1]] },
        law: { type: 'NewtonImpact', e },
      },
    ],
  ),
  input: ['ball', settings.h, settings.steps, 1, 0, 1, G, e],
});

/** A bar of lumps and springs that falls on its end. */
export function fallingBar(settings: Discretisation, count: number, e: number): Mechanism {
  const mass = 0.2;
  const stiffness = 2e4;
  const q0 = Array.from({ length: count }, (_, i) => 0.05 + 0.001 * Math.sin(i));
  const v0 = q0.map(() => -1);
  const row = (entries: (j: number) => number): number[] =>
    Array.from({ length: count }, (_, j) => entries(j));
  const degree = (i: number): number => (i === 0 || i === count - 1 ? 1 : 2);
  return {
    name: `bar of ${count}, e = ${e}`,
    steps: settings.steps,
    document: documentOf(
      'bar',
      settings,
      {
        id: 'bar',
        type: 'LagrangianLinearTI',
        ndof: count,
        mass: q0.map((_, i) => row((j) => (i === j ? mass : 0))),
        stiffness: q0.map((_, i) =>
          row((j) => (i === j ? degree(i) * stiffness : Math.abs(i - j) === 1 ? -stiffness : 0)),
        ),
        fExt: q0.map(() => -mass * G),
        q0,
        v0,
      },
      [
        {
          id: 'floor',
          systems: ['bar'],
          relation: { type: 'LagrangianLinear', H: [row((j) => (j === 0 ? 1 : 0))] },
          law: { type: 'NewtonImpact', e },
        },
      ],
    ),
    input: ['bar', settings.h, settings.steps, count, ...q0, ...v0, mass, stiffness, G, e],
  };
}

/**
 * A slider-crank whose slider has room in its guide: angles of crank, rod and slider, and four contacts of
 * its corners.
 */
export function sliderInGuide(settings: Discretisation, e: number): Mechanism {
  const [l1, l2] = [0.153, 0.306];
  const masses = [0.038, 0.038, 0.076];
  const [m1, m2, m3] = masses;
  const inertias = [7.4e-5, 5.9e-4, 2.7e-6];
  const [halfLength, halfHeight, clearance] = [0.05, 0.025, 0.001];
  const q0 = [0, 0, 0];
  const v0 = [150, -75, 0];
  const tip = `${0.5 * m2 + m3} * ${l1} * ${l2}`;
  const corner = (side: 1 | -1, wall: 1 | -1): string[] => [
    `export const ${side === 1 ? 'right' : 'left'}${wall === 1 ? 'Above' : 'Below'}: PositionConstraint = (q, out) => {`,
    `  const tip = ${l1} * Math.sin(q[0]) + ${l2} * Math.sin(q[1]);`,
    `  const corner = tip + ${side * halfLength} * Math.sin(q[2]) + ${wall * halfHeight} * Math.cos(q[2]);`,
    `  out[0] = ${halfHeight + clearance} - (${wall}) * corner;`,
    '};',
  ];
  return {
    name: `slider-crank, e = ${e}`,
    steps: settings.steps,
    document: documentOf(
      'slider-crank',
      settings,
      {
        id: 'crank',
        type: 'LagrangianNonLinear',
        ndof: 3,
        mass: { function: 'mass' },
        fInt: { function: 'forces' },
        q0,
        v0,
        coordinateUnit: 'rad',
      },
      ['leftBelow', 'rightBelow', 'leftAbove', 'rightAbove'].map((id) => ({
        id,
        systems: ['crank'],
        relation: { type: 'LagrangianScleronomous', size: 1, h: { function: id } },
        law: { type: 'NewtonImpact', e },
      })),
      [
        'export const mass: MassMatrix = (q, out) => {',
        `  const coupled = ${tip} * Math.cos(q[0] - q[1]);`,
        `  out[0] = ${inertias[0] + (0.25 * m1 + m2 + m3) * l1 * l1};`,
        '  out[1] = coupled;',
        '  out[2] = 0;',
        '  out[3] = coupled;',
        `  out[4] = ${inertias[1] + (0.25 * m2 + m3) * l2 * l2};`,
        '  out[5] = 0;',
        '  out[6] = 0;',
        '  out[7] = 0;',
        `  out[8] = ${inertias[2]};`,
        '};',
        'export const forces: InternalForce = (t, q, v, out) => {',
        `  const coupled = ${tip} * Math.sin(q[0] - q[1]);`,
        `  out[0] = coupled * v[1] * v[1] + ${(0.5 * m1 + m2 + m3) * G * l1} * Math.cos(q[0]);`,
        `  out[1] = -coupled * v[0] * v[0] + ${(0.5 * m2 + m3) * G * l2} * Math.cos(q[1]);`,
        '  out[2] = 0;',
        '};',
        ...corner(-1, -1),
        ...corner(1, -1),
        ...corner(-1, 1),
        ...corner(1, 1),
      ],
    ),
    input: [
      ...['slider-crank', settings.h, settings.steps, ...q0, ...v0, l1, l2, ...masses, ...inertias],
      ...[halfLength, halfHeight, clearance, G, e],
    ],
  };
}
