/**
 * Random small models whose steps are written out, many at a time, beside the general loop: the same states,
 * memories, counters and certificates after each stretch, and the same end where a step fails.
 */
import { describe, expect, it } from 'vitest';
import type { LawForm } from '@engine/model/forms';
import type { NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import { sample } from '../support/prove';
import * as forms from './support/forms';
import { type Random, seeded } from './support/random';

interface RandomModel {
  model: NonSmoothDynamicalSystem;
  options: forms.FormsRun;
}

const pick = <T>(random: Random, from: readonly T[]): T => from[random.integer(0, from.length - 1)];

const matrix = (random: Random, rows: number, columns: number, density: number): number[][] =>
  Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => (random.chance(density) ? random.uniform(-1, 1) : 0)),
  );

/** Bodies on a line between floor and ceiling, some on springs. */
function bodies(random: Random): RandomModel {
  const count = random.integer(1, 3);
  const systems = Array.from({ length: count }, (_, i) => {
    const spring = random.chance(0.3) ? [[random.uniform(1, 50)]] : undefined;
    const damper = random.chance(0.3) ? [[random.uniform(0.1, 2)]] : undefined;
    const mass = 10 ** random.uniform(-2, 2);
    return forms.system(
      `body${i}`,
      forms.linearLagrangian([i * random.uniform(0.9, 1)], [random.uniform(-2, 2)], [[mass]], {
        ...(spring === undefined ? {} : { stiffness: spring }),
        ...(damper === undefined ? {} : { damping: damper }),
        force: [random.chance(0.8) ? -9.81 * mass : random.uniform(-1, 1)],
      }),
    );
  });
  const restitution = (): number => (random.chance(0.5) ? 0 : random.uniform(0, 1));
  const interactions = [];
  if (random.chance(0.9))
    interactions.push(
      forms.interaction('floor', [0], forms.lagrangianRelation([[1]], [0]), forms.impact(restitution())),
    );
  for (let i = 1; i < count; i++)
    if (random.chance(0.8))
      interactions.push(
        forms.interaction(
          `pair${i}`,
          [i - 1, i],
          forms.lagrangianRelation([[-1, 1]], [-0.8]),
          forms.impact(restitution()),
        ),
      );
  if (random.chance(0.4))
    interactions.push(
      forms.interaction(
        'ceiling',
        [count - 1],
        forms.lagrangianRelation([[-1]], [count]),
        forms.impact(restitution()),
      ),
    );
  const all = systems.map((_, i) => i);
  const integrators = [forms.moreauJean(all, pick(random, [0.5, 0.7, 1]))];
  return { model: { systems, interactions }, options: { h: 10 ** random.uniform(-3, -2), integrators } };
}

/** A bar of points on springs between two walls, some of its springs broken. */
function bar(random: Random): RandomModel {
  const size = random.integer(9, 20);
  const springs = Array.from({ length: size - 1 }, () => (random.chance(0.9) ? random.uniform(1, 1e4) : 0));
  const square = (entry: (i: number, j: number) => number): number[][] =>
    Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => entry(i, j)));
  const stiffness = square((i, j) => {
    if (i === j) return (springs[i] ?? 0) + (springs[i - 1] ?? 0);
    return Math.abs(i - j) === 1 ? -springs[Math.min(i, j)] : 0;
  });
  const masses = Array.from({ length: size }, () => random.uniform(0.1, 2));
  const form = forms.linearLagrangian(
    Array.from({ length: size }, () => random.uniform(-1e-3, 1e-3)),
    Array.from({ length: size }, () => random.uniform(-1, 0)),
    square((i, j) => (i === j ? masses[i] : 0)),
    { stiffness, force: masses.map((mass) => (random.chance(0.5) ? -mass : 0)) },
  );
  const ends = [0, size - 1].map((end, k) => {
    const row = Array.from({ length: size }, (_, i) => (i === end ? 1 - 2 * k : 0));
    const relation = forms.lagrangianRelation([row], [2e-3]);
    return forms.interaction(`wall${k}`, [0], relation, forms.impact(random.uniform(0, 1)));
  });
  return {
    model: { systems: [forms.system('bar', form)], interactions: random.chance(0.8) ? ends : [ends[0]] },
    options: { h: 10 ** random.uniform(-4, -2), integrators: [forms.moreauJean([0])] },
  };
}

/** A passive network of first order with ideal diodes, relays and equations. */
function network(random: Random): RandomModel {
  const size = random.integer(1, 3);
  const rows = random.integer(1, 4);
  const A = matrix(random, size, size, 0.7).map((row, i) => row.map((a, j) => (i === j ? a - 1.5 : a)));
  const C = matrix(random, rows, size, 0.7);
  const B = Array.from({ length: size }, (_, j) => C.map((row) => row[j] * (random.chance(0.9) ? 1 : 2)));
  // D with a positive symmetric part, often singular, as of ideal switches.
  const skew = matrix(random, rows, rows, 0.6);
  const loss = Array.from({ length: rows }, () => (random.chance(0.6) ? random.uniform(0.1, 2) : 0));
  const unit = 10 ** random.uniform(-3, 3);
  const D = skew.map((row, i) =>
    row.map((value, j) => unit * (i === j ? loss[i] : value - skew[j][i]) * (random.chance(0.95) ? 1 : 0)),
  );
  const isLcp = random.chance(0.7);
  const law = (): LawForm =>
    isLcp
      ? forms.complementarity()
      : pick(random, [forms.complementarity(), forms.relay(-0.3, 0.8), forms.equality()]);
  const relation = forms.linearRelation(C, B, {
    D,
    e: Array.from({ length: rows }, () => (random.chance(0.5) ? 0 : random.uniform(-1, 1))),
  });
  const x0 = Array.from({ length: size }, () => random.uniform(-3, 3));
  return {
    model: {
      systems: [forms.system('network', forms.linearFirstOrder(A, x0))],
      interactions: [forms.interaction('laws', [0], relation, repeated(law, rows))],
    },
    options: {
      h: 10 ** random.uniform(-3, -1),
      integrators: [forms.eulerMoreau([0], pick(random, [0.5, 1]))],
    },
  };
}

/** One law of as many rows, each of its own kind. */
function repeated(law: () => LawForm, rows: number): LawForm {
  const all = Array.from({ length: rows }, law);
  return { ...all[0], size: rows, rows: all.flatMap((one) => one.rows) };
}

/** What a simulation has come to, in which zero has no sign. */
const standing = (simulation: TimeStepping): unknown => {
  const { step, time, events, certificate, context } = simulation;
  const recent = new Float64Array(3);
  certificate.takeRecent(recent);
  return JSON.parse(
    JSON.stringify({
      ...{ step, time, events, counters: context.counters, recent: [...recent] },
      ...{ report: certificate.report, drift: certificate.energyDrift, row: [...simulation.moment.row] },
    }),
  );
};

/** @returns the code of what it throws; null when it does not */
function attempt(action: () => void): string | null {
  try {
    action();
    return null;
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

function compare(
  { model, options }: RandomModel,
  random: Random,
  steps: number,
): 'written' | 'failed' | 'not' {
  const own = forms.simulate(model, { ...options, loop: 'straight-line' });
  const general = forms.simulate(model, { ...options, loop: 'general' });
  while (own.step < steps) {
    const most = random.chance(0.3) ? 1 : random.integer(1, 60);
    const until = random.chance(0.2) ? own.time + options.h * random.uniform(0, 20) : Infinity;
    const failure = attempt(() => own.stride(most, until));
    const aim = own.step + (failure === null ? 0 : 1);
    const other = attempt(() => {
      while (general.step < aim) general.advance();
    });
    expect(failure).toBe(other);
    expect(standing(own)).toEqual(standing(general));
    if (failure !== null) return 'failed';
    if (own.loop !== 'straight-line') return 'not';
  }
  expect(JSON.stringify(own.exportState())).toBe(JSON.stringify(general.exportState()));
  return 'written';
}

describe.each([
  ['bodies between floor and ceiling', bodies],
  ['bars between walls', bar],
  ['networks with diodes, relays and equations', network],
] as const)('%s', (_, make) => {
  it('step alike, written out and in the general loop', () => {
    const cases = sample(60, 2000);
    const outcomes = new Map<string, number>();
    for (let k = 0; k < cases; k++) {
      const random = seeded(k + 1);
      const outcome = compare(make(random), random, 300);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get('written') ?? 0).toBeGreaterThan(0.5 * cases);
    expect(outcomes.get('not') ?? 0).toBe(0);
  }, 120_000);
});
