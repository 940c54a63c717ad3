/** Small models for the tests of host, doors and command line. */
import type { ModelDocument } from '@engine/document/types';

export interface BallOptions {
  h?: number;
  tEnd?: number;
  /** body of the force function, which sees t, out and p */
  force?: string[];
  /** source of a builder script */
  builder?: string[];
}

/** A ball of 1 kg dropped from 1 m onto a table. */
export function bouncingBall({ h = 1e-3, tEnd = 2, force, builder }: BallOptions = {}): ModelDocument {
  return {
    formatVersion: 3,
    title: 'Bouncing ball',
    parameters: [{ name: 'g', value: 9.81, unit: 'm/s^2' }],
    systems: [
      {
        id: 'ball',
        type: 'LagrangianLinearTI',
        ndof: 1,
        mass: [[1]],
        q0: [1],
        v0: [0],
        fExt: force === undefined ? ['-g'] : { function: 'weight' },
      },
    ],
    interactions: [
      {
        id: 'table',
        systems: ['ball'],
        relation: { type: 'LagrangianLinear', H: [[1]], b: [0] },
        law: { type: 'NewtonImpact', e: 0.9 },
      },
    ],
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd,
      h,
      integrators: [{ type: 'MoreauJean' }],
      problem: { type: 'LCP' },
      solver: { type: 'auto' },
    },
    observables: [],
    scripts: [
      ...(force === undefined
        ? []
        : [
            {
              name: 'forces.ts',
              role: 'functions' as const,
              source: ['export const weight: ExternalForce = (t, out, p) => {', ...force, '};'],
            },
          ]),
      ...(builder === undefined ? [] : [{ name: 'builder.ts', role: 'builder' as const, source: builder }]),
    ],
    views: [],
    layout: { nodes: {} },
  };
}

/** A ball whose force function does something else from one second on. */
export const misbehavingBall = (...deed: string[]): ModelDocument =>
  bouncingBall({ tEnd: 100, force: ['out[0] = -p.g;', 'if (t < 1) return;', ...deed] });

/**
 * A ball on a curve whose gap h(q) = q² is given with its Jacobian: `body` is that of the function `slope`.
 */
export function ballOnCurve(body: readonly string[], outside: readonly string[] = []): ModelDocument {
  const document = bouncingBall();
  const [table] = document.interactions;
  const relation = {
    type: 'LagrangianScleronomous',
    h: { function: 'gap' },
    jacobian: { function: 'slope' },
  };
  const source = [
    ...outside,
    'export const gap: PositionConstraint = (q, out, p) => { out[0] = q[0] ** 2; };',
    'export const slope: PositionConstraintJacobian = (q, out, p) => {',
    ...body,
    '};',
  ];
  return {
    ...document,
    interactions: [{ ...table, relation }],
    scripts: [{ name: 'curve.ts', role: 'functions', source }],
  };
}
