/**
 * Random models whose interactions come and go at random: each step has the bits of a model that has only the
 * interactions which are there, and W has the pattern of one that is built of them from nothing.
 */
import { expect, it } from 'vitest';
import type { DynamicalSystem, Interaction, NonSmoothDynamicalSystem } from '@engine/model/nsds';
import type { PresenceRule } from '@engine/model/settings/presences';
import type { SimulationState } from '@engine/time-stepping/state';
import type { TimeStepping } from '@engine/time-stepping/time-stepping';
import { atLeast, sample } from '../../support/prove';
import * as forms from '../support/forms';
import { settingsFor, start } from '../support/live';
import { type Random, seeded } from '../support/random';

const MODELS = 280;
const QUICK = 25;
const STEPS = 60;
/** Insertions and removals in all of them. */
const CHANGES = 10_000;
/** Where operations come in another order. */
const ROUNDING = 1e-10;

const velocityEquality = (): Interaction['law'] => ({
  ...forms.impact(0),
  type: 'test',
  rows: [{ kind: 'box', lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY }],
  restitution: null,
});

interface Case {
  readonly model: NonSmoothDynamicalSystem;
  readonly integrators: Parameters<typeof settingsFor>[0];
}

/** Masses on springs with contacts and constraints, or first-order systems with relays and diodes. */
function draw(random: Random): Case {
  const isMechanical = random.chance(0.7);
  const count = random.integer(2, 5);
  const vector = (n: number, size: number): number[] =>
    Array.from({ length: n }, () => random.uniform(-size, size));
  const diagonal = (n: number, from: number, to: number): number[][] =>
    Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (_unused, j) => (i === j ? random.uniform(from, to) : 0)),
    );
  const sizes = Array.from({ length: count }, () => random.integer(1, 3));
  const systems = sizes.map((n, k): DynamicalSystem =>
    forms.system(
      `s${k}`,
      isMechanical
        ? forms.linearLagrangian(vector(n, 1), vector(n, 1), diagonal(n, 0.5, 2), {
            stiffness: diagonal(n, 0, 20),
            force: vector(n, 5),
          })
        : forms.linearFirstOrder(diagonal(n, -3, -0.5), vector(n, 1), { b: vector(n, 2) }),
    ),
  );
  // Each constraint has a coordinate of its own, so that none contradicts the others.
  const free = sizes.map((n) => n - 1);
  const hasConstraints = random.chance(0.7);
  // A constraint that comes may contradict what restitution asks for.
  const restitution = hasConstraints || random.chance(0.3) ? 0 : 0.6;
  const interactions = Array.from({ length: random.integer(2, 7) }, (_, k): Interaction => {
    const linked = random.sample(random.integer(1, 2), count);
    const columns = linked.reduce((sum, s) => sum + sizes[s], 0);
    const size = random.integer(1, 2);
    const H = Array.from({ length: size }, () => vector(columns, 1));
    if (isMechanical) {
      const isConstraint = hasConstraints && free[linked[0]] >= size && random.chance(0.5);
      if (isConstraint) free[linked[0]] -= size;
      const relation = { ...forms.lagrangianRelation(H, vector(size, 1)), type: 'test' };
      const law = isConstraint ? velocityEquality() : { ...forms.impact(restitution), type: 'test' };
      return { id: `i${k}`, systems: linked, relation, law };
    }
    const B = Array.from({ length: columns }, (_unused, c) => H.map((row) => row[c]));
    const D = H.map((_unused, i) => H.map((_other, j) => (i === j ? 0.5 : 0)));
    return forms.interaction(
      `i${k}`,
      linked,
      forms.linearRelation(H, B, { D, e: vector(size, 1) }),
      random.chance(0.5) ? forms.complementarity() : forms.relay(),
    );
  });
  const all = systems.map((_, k) => k);
  const integrators = isMechanical ? [forms.moreauJean(all)] : [forms.eulerMoreau(all)];
  return { model: { systems, interactions }, integrators };
}

/** State of the model with what is there now: what comes back has its multipliers of then as a guess. */
function handedOver(
  { interactions }: NonSmoothDynamicalSystem,
  state: SimulationState,
  isThere: readonly boolean[],
): SimulationState {
  const lambda = state.lambda.slice();
  const active = state.active.slice();
  interactions.forEach(({ law }, i) => {
    for (let row = state.interactions.offsets[i]; row < state.interactions.offsets[i + 1]; row++) {
      if (!isThere[i]) continue;
      if (state.presence?.isPresent[i] === 0) lambda[row] = state.presence.kept[row];
      if (law.restitution === null) active[row] = 1;
    }
  });
  return { ...state, lambda, active, presence: null };
}

/** Entries of W by the names of their rows. */
function patternOf(
  {
    problem,
    canonicalRows,
  }: { problem: TimeStepping['oneStep']['problem']; canonicalRows: readonly number[] },
  nameOf: (row: number) => string,
): Map<string, number> {
  const entries = new Map<string, number>();
  for (let i = 0; i < problem.size; i++)
    for (let k = problem.rowStart[i]; k < problem.rowStart[i + 1]; k++)
      entries.set(
        `${nameOf(canonicalRows[i])} ${nameOf(canonicalRows[problem.columns[k]])}`,
        problem.values[k],
      );
  return entries;
}

/** Names rows by interaction. */
function namer({ interactions }: NonSmoothDynamicalSystem): (row: number) => string {
  const names = interactions.flatMap(({ id, relation }) =>
    Array.from({ length: relation.size }, (_, k) => `${id}:${k}`),
  );
  return (row) => names[row];
}

const problemOf = ({ oneStep }: TimeStepping): Parameters<typeof patternOf>[0] => ({
  problem: oneStep.problem,
  canonicalRows: [...oneStep.canonicalRows()],
});

/** Entries of the W of a model that is there from the start, as far as their rows are among given ones. */
function builtFromNothing(
  part: NonSmoothDynamicalSystem,
  integrators: Case['integrators'],
  h: number,
  among: ReadonlySet<string>,
): Set<string> {
  const nameOf = namer(part);
  const { rowStart, columns, rows } = start(part, settingsFor(integrators, h)).delassus.operator;
  const isAmong = (row: number): boolean => among.has(`${nameOf(row)} ${nameOf(row)}`);
  const entries = new Set<string>();
  for (let row = 0; row < rows; row++)
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++)
      if (isAmong(row) && isAmong(columns[k])) entries.add(`${nameOf(row)} ${nameOf(columns[k])}`);
  return entries;
}

interface Tally {
  changes: number;
  returns: number;
  steps: number;
  sameOrder: number;
  sameBits: number;
}

function compare(seed: number, tally: Tally): void {
  const random = seeded(seed);
  const { model, integrators } = draw(random);
  const { interactions } = model;
  const wanted = interactions.map(() => random.chance(0.7));
  let rows = 0;
  const rules = interactions.map(({ id, relation }, interaction): PresenceRule => ({
    id,
    name: id,
    interaction,
    first: rows,
    end: (rows += relation.size),
    hysteresis: 0,
    lawSignal: null,
    affine: null,
    evaluate: (_row, out) => {
      out[0] = wanted[interaction] ? 1 : -1;
    },
  }));
  const h = 1e-2;
  const whole = start(model, settingsFor(integrators, h, { presence: rules }));
  const name = namer(model);
  for (let step = 0; step < STEPS; step++) {
    const before = [...wanted];
    if (step > 0) wanted.forEach((is, k) => (wanted[k] = random.chance(0.15) ? !is : is));
    tally.changes += wanted.filter((is, k) => step > 0 && is !== before[k]).length;
    const state = whole.exportState();
    tally.returns += wanted.filter((is, k) => is && state.presence?.isPresent[k] === 0).length;
    const kept = interactions.map((_, k) => k).filter((k) => wanted[k]);
    const part = { systems: model.systems, interactions: kept.map((k) => interactions[k]) };
    const own = namer(part);
    const alone = start(part, settingsFor(integrators, h), handedOver(model, state, wanted));
    whole.advance();
    alone.advance();
    tally.steps++;
    // Rows of what is absent do nothing.
    const { rows, oneStep, context } = whole;
    const lambda = whole.exportState().lambda;
    interactions.forEach((_, i) => {
      for (let row = rows.offsets[i]; row < rows.offsets[i + 1]; row++)
        if (!wanted[i]) expect([lambda[row], oneStep.active[row]]).toEqual([0, 0]);
    });
    // W has the entries of a model that is built from nothing.
    if (oneStep.activeCount > 0) {
      const W = patternOf(problemOf(whole), name);
      const other = patternOf(problemOf(alone), own);
      expect([...W.keys()].sort()).toEqual([...other.keys()].sort());
      for (const [key, value] of W) expect(other.get(key)).toBe(value);
      if (wanted.some((is, k) => is !== before[k]))
        expect(new Set(W.keys())).toEqual(builtFromNothing(part, integrators, h, new Set(W.keys())));
    }
    // The step is that of the other model.
    const order = (simulation: TimeStepping, nameOf: (row: number) => string): string =>
      [...simulation.delassus.order].map(nameOf).join(' ');
    const isThere = new Set(part.interactions.map(({ id }) => id));
    const ours = order(whole, name)
      .split(' ')
      .filter((one) => isThere.has(one.split(':')[0]))
      .join(' ');
    const [a, b] = [whole, alone].map(({ state: row }) => row.slice(context.q, context.q + 2 * context.size));
    if (ours === order(alone, own).trim()) tally.sameOrder++;
    if (a.every((value, i) => value === b[i])) tally.sameBits++;
    a.forEach((value, i) => {
      expect(Math.abs(value - b[i])).toBeLessThan(ROUNDING * Math.max(1, Math.abs(value)));
    });
  }
  const { dynamics, complementarity, coneViolation } = whole.certificate.report;
  expect(Math.max(dynamics, complementarity, coneViolation)).toBeLessThan(1e-8);
}

it('have the steps of a model with those that are there', () => {
  const models = sample(QUICK, MODELS);
  const tally: Tally = { changes: 0, returns: 0, steps: 0, sameOrder: 0, sameBits: 0 };
  for (let seed = 1; seed <= models; seed++) compare(seed, tally);
  expect(tally.changes).toBeGreaterThan(atLeast(CHANGES, models, MODELS));
  expect(tally.returns).toBeGreaterThan(0.3 * tally.changes);
  // A solver that has solved other problems before may round otherwise.
  expect(tally.sameBits).toBeGreaterThan(0.99 * tally.sameOrder);
  expect(tally.sameOrder).toBeGreaterThan(0.9 * tally.steps);
}, 120_000);
