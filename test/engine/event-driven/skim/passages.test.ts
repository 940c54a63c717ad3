/**
 * Events that have been decided before, against events each of which is decided: random masses with dry
 * friction on belts, and first-order systems with relays and diodes. Modes, times and states are the same,
 * and most events are not decided once more.
 */
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { ModeDecision } from '@engine/event-driven/decision/mode-decision';
import { hasOneSolution } from '@engine/event-driven/decision/one-solution';
import { Passages } from '@engine/event-driven/skim/passages';
import { compileRun } from '@engine/run/compile-run';
import { schemes } from '@engine/run/schemes/registry';
import type { Simulation } from '@engine/run/schemes/scheme';
import { createSandbox } from '@engine/script/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Random, seeded } from '../../support/random';

const CASES = process.env.MOREAU_PROVE === '1' ? 600 : 40;
/** Events that are compared: later ones carry what small differences have grown to. */
const COMPARED = 60;

const numbers = (n: number, of: (k: number) => number): number[] =>
  Array.from({ length: n }, (_, k) => of(k));

/** R ᵗR + d, with R random. */
function definite(random: Random, n: number, d: number): number[][] {
  const R = numbers(n * n, () => random.uniform(-0.5, 0.5));
  return numbers(n, (i) => i).map((i) =>
    numbers(n, (j) => {
      let sum = i === j ? d : 0;
      for (let k = 0; k < n; k++) sum += R[i * n + k] * R[j * n + k];
      return sum;
    }),
  );
}

interface Drawn {
  readonly system: object;
  readonly interactions: readonly object[];
  readonly scripts: readonly object[];
  readonly h: number;
}

/** Coupled masses, of which some are dragged by belts or held by friction. */
function masses(random: Random): Drawn {
  const n = random.integer(1, 3);
  const w = random.uniform(0.5, 2);
  const rows = random.integer(1, n);
  const scripts: object[] = [];
  const interactions = numbers(rows, (i) => i).map((i) => {
    const F = random.uniform(0.3, 1.5);
    const H = [numbers(n, (j) => (i === j ? 1 : random.chance(0.3) ? random.uniform(-0.3, 0.3) : 0))];
    const law = { type: 'Relay', lower: [-F], upper: [F], level: 'velocity' };
    if (random.chance(0.4))
      return { id: `ground${i}`, systems: ['system'], relation: { type: 'LagrangianLinear', H }, law };
    const speed = random.uniform(0.1, 0.6);
    const terms = H[0].map((c, j) => `${c} * q[${j}]`).join(' + ');
    const source = [
      `export const slip${i}: Constraint = (t, q, out) => { out[0] = ${terms} - ${speed} * t; };`,
      `export const rate${i}: ConstraintTimeDerivative = (t, q, out) => { out[0] = -${speed}; };`,
    ];
    scripts.push({ name: `belt${i}.ts`, role: 'functions', source });
    const [h, hDot] = [{ function: `slip${i}` }, { function: `rate${i}` }];
    const relation = { type: 'LagrangianRheonomous', h, hDot, jacobian: H };
    return { id: `belt${i}`, systems: ['system'], relation, law };
  });
  const system = {
    type: 'LagrangianLinearTI',
    ndof: n,
    mass: definite(random, n, 1),
    stiffness: definite(random, n, 2),
    damping: definite(random, n, -0.05).map((row) => row.map((entry) => 0.2 * entry)),
    q0: numbers(n, () => random.uniform(-2, 2)),
    v0: numbers(n, () => random.uniform(-1, 1)),
    ...(random.chance(0.5) && {
      fExt: numbers(n, (i) => i).map((i) => (i === 0 ? `${random.uniform(1, 4)} * sin(${w} * t)` : '0')),
    }),
  };
  return { system, interactions, scripts, h: 0.02 };
}

/** Relays and diodes on states that force themselves to and fro. */
function firstOrder(random: Random): Drawn {
  const n = random.integer(2, 4);
  const rows = random.integer(1, 2);
  const A = definite(random, n, 0.05).map((row, i) =>
    row.map((entry, j) => -0.3 * entry + (i + 1 === j ? 2 : i === j + 1 ? -2 : 0)),
  );
  const w = random.uniform(0.5, 2);
  const interactions = numbers(rows, (i) => i).map((i) => {
    const C = [numbers(n, (j) => (i === j ? 1 : random.chance(0.3) ? random.uniform(-0.3, 0.3) : 0))];
    const B = numbers(n, (j) => j).map((j) => [
      i === j ? random.uniform(0.5, 2) : random.chance(0.2) ? random.uniform(-0.2, 0.2) : 0,
    ]);
    const relation = { type: 'FirstOrderLinearTI', C, B };
    const u = random.uniform(0.2, 1);
    const law = random.chance(0.6) ? { type: 'Relay', lower: [-u], upper: [u] } : { type: 'Complementarity' };
    return { id: `row${i}`, systems: ['system'], relation, law };
  });
  const system = {
    type: 'FirstOrderLinear',
    n,
    x0: numbers(n, () => random.uniform(0.2, 1)),
    A,
    b: numbers(n, (i) => i).map((i) => (i === n - 1 ? `${random.uniform(1, 4)} * sin(${w} * t)` : '0')),
  };
  return { system, interactions, scripts: [], h: 0.02 };
}

function documentOf({ system, interactions, scripts, h }: Drawn): ModelDocument {
  const { document, issues } = readDocument(
    JSON.stringify({
      formatVersion: 3,
      title: 'random',
      systems: [{ id: 'system', ...system }],
      interactions,
      scripts,
      simulation: {
        scheme: 'event-driven',
        t0: 0,
        tEnd: 120,
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

function simulated(document: ModelDocument): Simulation {
  const compiled = compileRun({ document }, undefined, () => createSandbox());
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { prepared } = compiled;
  const { scheme, tEnd, h } = prepared.settings;
  const simulation = schemes[scheme].create(prepared, { loop: undefined });
  while (!simulation.isAtEnd) {
    simulation.skim?.({ until: tEnd - h, period: null, isWanted: () => true, rows: null });
    if (!simulation.isAtEnd) simulation.advance();
  }
  return simulation;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('events that have been decided before', () => {
  let [seen, decided, all] = [0, 0, 0];

  it.each(Array.from({ length: CASES }, (_, k) => k))('are those that are decided: %i', (seed) => {
    const random = seeded(31_000 + seed);
    const document = documentOf(random.chance(0.6) ? masses(random) : firstOrder(random));
    const decide = vi.spyOn(ModeDecision.prototype, 'decide');
    const found = simulated(document);
    decided += decide.mock.calls.length;
    decide.mockClear();
    vi.spyOn(Passages, 'of').mockReturnValue(null);
    const known = simulated(document);
    all += decide.mock.calls.length;
    const residuals = ({ certificate }: Simulation): number =>
      Math.max(certificate.dynamics, certificate.complementarity, certificate.coneViolation);
    expect(residuals(found)).toBeLessThan(Math.max(1e-9, 2 * residuals(known)));
    expect(found.complete).toStrictEqual(known.complete);
    const expected = known.events.slice(0, COMPARED);
    const told = (simulation: Simulation): string[] =>
      simulation.events.slice(0, COMPARED).map(({ kind, element }) => `${kind} ${element}`);
    expect(told(found)).toStrictEqual(told(known));
    expected.forEach(({ time, before, after }, k) => {
      const one = found.events[k];
      expect(Math.abs(one.time - time)).toBeLessThan(1e-7 * (1 + time));
      expect(Math.abs(one.before - before)).toBeLessThan(1e-6 * (1 + Math.abs(before)));
      expect(Math.abs(one.after - after)).toBeLessThan(1e-6 * (1 + Math.abs(after)));
    });
    if (known.events.length <= COMPARED)
      found.rows[1].forEach((value, i) => {
        expect(Math.abs(value - known.rows[1][i])).toBeLessThan(1e-6 * (1 + Math.abs(value)));
      });
    seen += expected.length;
  });

  it('are most of them', () => {
    expect(seen).toBeGreaterThan(10 * CASES);
    expect(decided).toBeLessThan(0.5 * all);
  });
});

it('a problem whose principal minors are all positive has one solution', () => {
  expect(hasOneSolution([2, 1, 1, 2], 2)).toBe(true);
  expect(hasOneSolution([1, 2, 2, 1], 2)).toBe(false);
  // The first row is one that no multiplier moves, whatever the second does to it.
  expect(hasOneSolution([0, 3, 0, 2], 2)).toBe(true);
  expect(hasOneSolution([-1], 1)).toBe(false);
});
