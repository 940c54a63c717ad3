/** Motion that is skimmed, as its certificate sees it: throws. */
import { readDocument } from '@engine/document/read';
import { compileRun } from '@engine/run/compile-run';
import { schemes } from '@engine/run/schemes/registry';
import type { Simulation } from '@engine/run/schemes/scheme';
import { sandboxOnce } from '../../support/sandbox-once';

const LIMIT = 1e-9;
const END = 12;

/** Two masses on springs, damped, the first of them over a wall that moves. */
const MODEL = {
  formatVersion: 3,
  title: 'two masses over a wall',
  systems: [
    {
      id: 'masses',
      type: 'LagrangianLinearTI',
      ndof: 2,
      mass: [
        [1, 0],
        [0, 0.5],
      ],
      stiffness: [
        [40, -15],
        [-15, 15],
      ],
      damping: [
        [0.3, -0.1],
        [-0.1, 0.1],
      ],
      q0: [0.4, 0.2],
      v0: [0, 1],
    },
  ],
  interactions: [
    {
      id: 'wall',
      systems: ['masses'],
      relation: { type: 'LagrangianRheonomous', h: { function: 'gap' }, jacobian: [[1, 0]] },
      law: { type: 'NewtonImpact', e: 0.8 },
    },
    {
      id: 'stop',
      systems: ['masses'],
      relation: { type: 'LagrangianLinear', H: [[0, -1]], b: [0.5] },
      law: { type: 'NewtonImpact', e: 0.9 },
    },
  ],
  simulation: {
    scheme: 'event-driven',
    t0: 0,
    tEnd: END,
    h: 0.01,
    integrators: [{ type: 'MoreauJean' }],
    problem: { type: 'auto' },
    solver: { type: 'auto' },
  },
  scripts: [
    {
      name: 'wall.ts',
      role: 'functions',
      source: [
        'export const gap: Constraint = (t, q, out) => {',
        '  out[0] = q[0] + 0.1 - 0.2 * Math.cos(7 * t) - 0.05 * Math.sin(21 * t);',
        '};',
      ],
    },
  ],
};

/** Two masses on springs, the first of them on a belt and the second on the ground. */
const BELT = {
  ...MODEL,
  title: 'two masses, one on a belt',
  interactions: [
    {
      id: 'belt',
      systems: ['masses'],
      relation: {
        type: 'LagrangianRheonomous',
        h: { function: 'slip' },
        hDot: { function: 'rate' },
        jacobian: [[1, 0]],
      },
      law: { type: 'Relay', lower: [-9], upper: [9], level: 'velocity' },
    },
    {
      id: 'ground',
      systems: ['masses'],
      relation: { type: 'LagrangianLinear', H: [[0, 1]], b: [0] },
      law: { type: 'Relay', lower: [-0.5], upper: [0.5], level: 'velocity' },
    },
  ],
  scripts: [
    {
      name: 'belt.ts',
      role: 'functions',
      source: [
        'export const slip: Constraint = (t, q, out) => {',
        '  out[0] = q[0] - 0.7 * t;',
        '};',
        'export const rate: ConstraintTimeDerivative = (t, q, out) => {',
        '  out[0] = -0.7;',
        '};',
      ],
    },
  ],
};

function simulated(model: object): Simulation {
  const { document, issues } = readDocument(JSON.stringify(model));
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  const compiled = compileRun({ document }, undefined, sandboxOnce);
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { prepared } = compiled;
  const simulation = schemes[prepared.settings.scheme].create(prepared, { loop: undefined });
  while (!simulation.isAtEnd) {
    simulation.skim?.({ until: END - 0.01, period: (2 * Math.PI) / 7, isWanted: () => true, rows: null });
    simulation.advance();
  }
  return simulation;
}

const judge = (model: object): void => {
  const { dynamics, complementarity, coneViolation } = simulated(model).certificate;
  const worst = Math.max(dynamics, complementarity, coneViolation);
  if (!(worst <= LIMIT)) throw new Error(`the certificate sees ${worst}`);
};

export const checks = {
  /** what the certificate says of motion that is skimmed */
  certificate: (): void => {
    judge(MODEL);
  },
  /** the same past the points of the discretisation, from mode to mode */
  strides: (): void => {
    judge(BELT);
  },
};
