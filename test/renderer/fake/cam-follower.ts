/** A small model for tests of the window. */
import type { ModelDocument } from '@engine/document/types';

/** A fresh cam-follower document: one system, one rheonomous interaction, one script. */
export function camFollower(): ModelDocument {
  return {
    formatVersion: 3,
    title: 'Cam and follower',
    description: 'A follower of mass m is pressed by a spring on a driven cam and bounces on it.',
    references: ['Siconos developer’s notes §11'],
    parameters: [
      { name: 'rpm', value: 358, unit: 'rev/min', min: 100, max: 1000, description: 'Speed of the cam' },
      { name: 'e', value: 0.8, min: 0, max: 1, description: 'Coefficient of restitution' },
      { name: 'm', value: 1.221, unit: 'kg', min: 0.1, max: 5 },
      { name: 'k', value: 1430.8, unit: 'N/m' },
    ],
    systems: [
      {
        id: 'follower',
        type: 'LagrangianLinearTI',
        ndof: 1,
        mass: [['m']],
        stiffness: [['k']],
        q0: [0.4],
        v0: [0.4],
      },
    ],
    interactions: [
      {
        id: 'cam',
        systems: ['follower'],
        relation: {
          type: 'LagrangianRheonomous',
          h: { function: 'gap' },
          hDot: { function: 'gapRate' },
          jacobian: [[1]],
        },
        law: { type: 'NewtonImpact', e: 'e' },
      },
    ],
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: 2,
      h: 1e-4,
      integrators: [{ type: 'MoreauJean', theta: 0.5 }],
      problem: { type: 'LCP' },
      solver: { type: 'auto' },
    },
    observables: [{ name: 'lift', expression: 'follower.q - cam.gap', unit: 'm' }],
    scripts: [
      {
        name: 'cam.ts',
        role: 'functions',
        source: [
          '/** Gap between the follower and the profile of the cam. */',
          'export const gap: Constraint = (t, q, out, p) => {',
          '  const w = (2 * Math.PI * p.rpm) / 60;',
          '  out[0] = q[0] - 0.2 * Math.sin(w * t);',
          '};',
          '',
          'export const gapRate: ConstraintTimeDerivative = (t, q, out, p) => {',
          '  const w = (2 * Math.PI * p.rpm) / 60;',
          '  out[0] = -0.2 * w * Math.cos(w * t);',
          '};',
        ],
      },
    ],
    views: [],
    layout: { nodes: {} },
  };
}
