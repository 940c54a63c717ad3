/**
 * Motion past the points of the discretisation, against the same motion from point to point: random chains of
 * masses with dry friction, on belts, between stops, and filters with diodes and switches that a sawtooth
 * turns on.
 */
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { compileRun } from '@engine/run/compile-run';
import { schemes } from '@engine/run/schemes/registry';
import type { Simulation } from '@engine/run/schemes/scheme';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { type Random, seeded } from '../../support/random';

const CASES = process.env.MOREAU_PROVE === '1' ? 600 : 40;
/** Events that are compared: later ones carry what small differences have grown to. */
const COMPARED = 16;

const unit = (n: number, i: number, value = 1): number[] =>
  Array.from({ length: n }, (_, k) => (k === i ? value : 0));

interface Drawn {
  readonly systems: unknown[];
  readonly interactions: unknown[];
  readonly scripts: unknown[];
  readonly tEnd: number;
  readonly h: number;
}

/** Masses on springs, each with dry friction on the ground or on a belt, or with a stop. */
function chain(random: Random): Drawn {
  const n = random.integer(1, 3);
  const stiffness = Array.from({ length: n }, (_, i) => unit(n, i, random.uniform(2, 20)));
  for (let i = 0; i + 1 < n; i++) stiffness[i][i + 1] = stiffness[i + 1][i] = -random.uniform(0, 2);
  const w = random.uniform(0.5, 3);
  const systems = [
    {
      id: 'masses',
      type: 'LagrangianLinearTI',
      ndof: n,
      mass: Array.from({ length: n }, (_, i) => unit(n, i, random.uniform(0.5, 2))),
      stiffness,
      damping: Array.from({ length: n }, (_, i) => unit(n, i, random.uniform(-0.05, 0.3))),
      q0: Array.from({ length: n }, () => random.uniform(-1, 1)),
      v0: Array.from({ length: n }, () => random.uniform(-1, 1)),
      ...(random.chance(0.5) && {
        fExt: Array.from({ length: n }, (_, i) =>
          i === 0 ? `${random.uniform(0, 3)} * sin(${w} * t)` : `${random.uniform(-1, 1)}`,
        ),
      }),
    },
  ];
  const scripts: unknown[] = [];
  const interactions = Array.from({ length: n }, (_, i) => {
    const F = random.uniform(0.2, 2);
    const law = { type: 'Relay', lower: [-F], upper: [F], level: 'velocity' };
    const kind = random.integer(0, 3);
    if (kind === 0) {
      const speed = random.uniform(-0.5, 0.5);
      scripts.push({
        name: `belt${i}.ts`,
        role: 'functions',
        source: [
          `export const slip${i}: Constraint = (t, q, out) => {`,
          `  out[0] = q[${i}] - ${speed} * t;`,
          '};',
          `export const rate${i}: ConstraintTimeDerivative = (t, q, out) => {`,
          `  out[0] = -(${speed});`,
          '};',
        ],
      });
      const relation = {
        type: 'LagrangianRheonomous',
        h: { function: `slip${i}` },
        hDot: { function: `rate${i}` },
        jacobian: [unit(n, i)],
      };
      return { id: `belt${i}`, systems: ['masses'], relation, law };
    }
    if (kind === 1) {
      const relation = { type: 'LagrangianLinear', H: [unit(n, i, -1)], b: [random.uniform(1, 1.4)] };
      return {
        id: `stop${i}`,
        systems: ['masses'],
        relation,
        law: { type: 'NewtonImpact', e: random.chance(0.3) ? 0 : random.uniform(0.3, 0.9) },
      };
    }
    const relation = { type: 'LagrangianLinear', H: [unit(n, i)], b: [0] };
    return { id: `ground${i}`, systems: ['masses'], relation, law };
  });
  return { systems, interactions, scripts, tEnd: 20, h: 0.02 };
}

/** A filter with a switch that a sawtooth turns on, and a diode. */
function converter(random: Random): Drawn {
  const [L, C, R] = [random.uniform(0.5, 2), random.uniform(0.5, 2), random.uniform(1, 5)];
  const [E, gain, period] = [random.uniform(2, 6), random.uniform(1, 6), random.uniform(0.3, 1)];
  return {
    systems: [
      {
        id: 'filter',
        type: 'FirstOrderLinear',
        n: 2,
        x0: [random.uniform(0, 1), random.uniform(0, 1)],
        A: [
          [0, -1 / L],
          [1 / C, -1 / (R * C)],
        ],
      },
    ],
    interactions: [
      {
        id: 'switch',
        systems: ['filter'],
        relation: {
          type: 'FirstOrderLinearTI',
          C: [[0, gain]],
          B: [[E / L], [0]],
          e: { function: 'sawtooth' },
        },
        law: { type: 'Relay', lower: [0], upper: [1] },
      },
      {
        id: 'diode',
        systems: ['filter'],
        relation: { type: 'FirstOrderLinearTI', C: [[1, 0]], B: [[1 / L], [0]] },
        law: { type: 'Complementarity' },
      },
    ],
    scripts: [
      {
        name: 'sawtooth.ts',
        role: 'functions',
        source: [
          'export const sawtooth: TimeVector = (t, out) => {',
          `  const turns = t / ${period};`,
          `  out[0] = -${gain * random.uniform(0.5, 0.9) * E * 0.6} - ${random.uniform(0.2, 1)} * (turns - Math.floor(turns));`,
          '};',
        ],
      },
    ],
    tEnd: 12,
    h: 0.01,
  };
}

function documentOf({ systems, interactions, scripts, tEnd, h }: Drawn): ModelDocument {
  const { document, issues } = readDocument(
    JSON.stringify({
      formatVersion: 3,
      title: 'random',
      systems,
      interactions,
      scripts,
      simulation: {
        scheme: 'event-driven',
        t0: 0,
        tEnd,
        h,
        integrators: [{ type: 'MoreauJean' }],
        problem: { type: 'auto' },
        solver: { type: 'auto' },
      },
    }),
  );
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return document;
}

/**
 * @param strides whether points of the discretisation are passed over
 * @param asked counts those that are not
 */
function simulated(document: ModelDocument, strides: boolean, asked: { steps: number }): Simulation {
  const compiled = compileRun({ document }, undefined, () => createSandbox());
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { prepared } = compiled;
  const { scheme, tEnd, h } = prepared.settings;
  const simulation = schemes[scheme].create(prepared, { loop: undefined });
  while (!simulation.isAtEnd) {
    if (strides) simulation.skim?.({ until: tEnd - h, period: null, isWanted: () => true, rows: null });
    if (simulation.isAtEnd) break;
    simulation.advance();
    asked.steps++;
  }
  return simulation;
}

describe('motion past the points of the discretisation', () => {
  const asked = { steps: 0 };
  const all = { steps: 0 };
  let seen = 0;

  it.each(Array.from({ length: CASES }, (_, k) => k))(
    'has the events of that from point to point: %i',
    (seed) => {
      const random = seeded(9100 + seed);
      const document = documentOf(random.chance(0.6) ? chain(random) : converter(random));
      const known = simulated(document, false, all);
      const found = simulated(document, true, asked);
      const residuals = ({ certificate }: Simulation): number =>
        Math.max(certificate.dynamics, certificate.complementarity, certificate.coneViolation);
      expect(residuals(found)).toBeLessThan(Math.max(1e-9, 2 * residuals(known)));
      expect(found.complete).toStrictEqual(known.complete);
      const expected = known.events.slice(0, COMPARED);
      const told = (simulation: Simulation): string[] =>
        simulation.events.slice(0, COMPARED).map(({ kind, element }) => `${kind} ${element}`);
      expect(told(found)).toStrictEqual(told(known));
      expected.forEach(({ time, before, impulse }, k) => {
        const one = found.events[k];
        expect(Math.abs(one.time - time)).toBeLessThan(1e-7 * (1 + time));
        expect(Math.abs(one.before - before)).toBeLessThan(1e-6 * (1 + Math.abs(before)));
        expect(Math.abs(one.impulse - impulse)).toBeLessThan(1e-6 * (1 + Math.abs(impulse)));
      });
      seen += expected.length;
    },
  );

  it('has been seen', () => {
    expect(seen).toBeGreaterThan(4 * CASES);
    expect(asked.steps).toBeLessThan(0.2 * all.steps);
  });
});

const mass = (more: object): unknown => ({
  id: 'mass',
  type: 'LagrangianLinearTI',
  ndof: 1,
  mass: [[1]],
  q0: [0.5],
  v0: [0],
  ...more,
});

it('a wall that jumps where its ∂h/∂t is constant is where its h says, recorded or not', () => {
  const document = documentOf({
    systems: [mass({ fExt: ['-1'] })],
    interactions: [
      {
        id: 'wall',
        systems: ['mass'],
        relation: {
          type: 'LagrangianRheonomous',
          h: { function: 'gap' },
          hDot: { function: 'rate' },
          jacobian: [[1]],
        },
        law: { type: 'NewtonImpact', e: 0.5 },
      },
    ],
    scripts: [
      {
        name: 'wall.ts',
        role: 'functions',
        source: [
          'export const gap: Constraint = (t, q, out) => {',
          '  out[0] = q[0] + (t > 3 ? 1 : 0.2);',
          '};',
          'export const rate: ConstraintTimeDerivative = (t, q, out) => {',
          '  out[0] = 0;',
          '};',
        ],
      },
    ],
    tEnd: 10,
    h: 0.02,
  });
  for (const strides of [false, true]) {
    const { events, certificate } = simulated(document, strides, { steps: 0 });
    const times = events.slice(0, 5).map(({ time }) => time);
    // It has the speed 0.591608 at 2.957967 s; the wall is 0.8 m lower then.
    [1.183216, 2.366432, 2.95804].forEach((time, k) => {
      expect(times[k]).toBeCloseTo(time, 4);
    });
    expect(times[3]).toBeGreaterThan(4.2);
    expect(certificate.coneViolation).toBeLessThan(1e-9);
  }
});

it('contacts that hold for long do not drift', () => {
  const document = documentOf({
    systems: [
      {
        id: 'masses',
        type: 'LagrangianLinearTI',
        ndof: 2,
        mass: [
          [1.3, 0.2],
          [0.2, 0.7],
        ],
        stiffness: [
          [10, -3.3],
          [-3.3, 7],
        ],
        q0: [0.1, -0.03],
        v0: [0, 0],
        fExt: ['sin(0.3 * t)', '-10'],
      },
    ],
    interactions: [
      {
        id: 'stop',
        systems: ['masses'],
        relation: { type: 'LagrangianLinear', H: [[0.3, 1]], b: [0] },
        law: { type: 'NewtonImpact', e: 0.3 },
      },
    ],
    scripts: [],
    tEnd: 1000,
    h: 0.02,
  });
  const asked = { steps: 0 };
  const { certificate } = simulated(document, true, asked);
  expect(asked.steps).toBeLessThan(10);
  // What counts as drift stays.
  expect(certificate.coneViolation).toBeLessThan(2e-12);
  expect(certificate.dynamics).toBeLessThan(2e-12);
});

it.each(['0', '0.3 * (t - Math.floor(t))'])(
  'a pulse shorter than a point is from the next is seen: %s',
  (saw) => {
    for (const [center, width] of [
      [6.93, 0.35],
      [7.31, 0.3],
      [8.37, 0.35],
    ]) {
      const document = documentOf({
        systems: [{ id: 'state', type: 'FirstOrderLinear', n: 1, x0: [0], A: [[-0.3]] }],
        interactions: [
          {
            id: 'switch',
            systems: ['state'],
            relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]], e: { function: 'pulse' } },
            law: { type: 'Relay', lower: [0], upper: [1] },
          },
        ],
        scripts: [
          {
            name: 'pulse.ts',
            role: 'functions',
            source: [
              'export const pulse: TimeVector = (t, out) => {',
              `  out[0] = 1 + ${saw} - 5 * Math.exp(-Math.pow((t - ${center}) / ${width * 0.02}, 2));`,
              '};',
            ],
          },
        ],
        tEnd: 10,
        h: 0.02,
      });
      expect(simulated(document, true, { steps: 0 }).events).toHaveLength(2);
    }
  },
);
