/**
 * Random models whose interactions, or rows of them, come and go at random: each step has the bits of a model
 * that has only what is there, and W has the pattern of one that is built of it from nothing.
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
  /** of interactions whose rows come and go one by one: the interaction of some of its rows, by id */
  readonly divided: ReadonlyMap<string, (rows: readonly number[]) => Interaction>;
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
  const divided = new Map<string, (rows: readonly number[]) => Interaction>();
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
    const e = vector(size, 1);
    const law = random.chance(0.5) ? forms.complementarity() : forms.relay();
    const ofRows = (rows: readonly number[]): Interaction => {
      const only = <T>(list: readonly T[]): T[] => rows.map((row) => list[row]);
      const relation = forms.linearRelation(only(H), B.map(only), { D: only(D).map(only), e: only(e) });
      return forms.interaction(`i${k}`, linked, relation, law);
    };
    if (size > 1 && random.chance(0.5)) divided.set(`i${k}`, ofRows);
    return ofRows([...H.keys()]);
  });
  const all = systems.map((_, k) => k);
  const integrators = isMechanical ? [forms.moreauJean(all)] : [forms.eulerMoreau(all)];
  return { model: { systems, interactions }, integrators, divided };
}

/** State of the model with what is there now: what comes back has its multipliers of then as a guess. */
function handedOver(
  { interactions }: NonSmoothDynamicalSystem,
  state: SimulationState,
  rules: readonly PresenceRule[],
  wanted: readonly boolean[],
): SimulationState {
  const lambda = state.lambda.slice();
  const active = state.active.slice();
  rules.forEach(({ first, end, interaction }, k) => {
    if (!wanted[k]) return;
    for (let row = first; row < end; row++) {
      if (state.presence?.isPresent[k] === 0) lambda[row] = state.presence.kept[row];
      if (interactions[interaction].law.restitution === null) active[row] = 1;
    }
  });
  // Where one row of an interaction is there, the others are elements of their own, which are gone.
  const ids: string[] = [];
  const offsets = [0];
  interactions.forEach(({ id, relation: { size } }, i) => {
    const own = rules.flatMap((rule, k) => (rule.interaction === i ? [wanted[k]] : []));
    const isDivided = own.includes(true) && own.includes(false);
    for (const is of isDivided ? own : [true]) {
      ids.push(is ? id : `${id} gone ${ids.length}`);
      offsets.push(offsets[offsets.length - 1] + (isDivided ? 1 : size));
    }
  });
  const ranges = { ids, offsets: Int32Array.from(offsets) };
  return { ...state, lambda, active, presence: null, interactions: ranges };
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

/** Names rows by interaction. @param kept their numbers there, where it is not the whole interaction */
function namer(
  { interactions }: NonSmoothDynamicalSystem,
  kept: ReadonlyMap<string, readonly number[]> = new Map(),
): (row: number) => string {
  const names = interactions.flatMap(({ id, relation }) =>
    Array.from({ length: relation.size }, (_, k) => `${id}:${kept.get(id)?.[k] ?? k}`),
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
  nameOf: (row: number) => string,
): Set<string> {
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
  /** steps of interactions of which some rows are there */
  parts: number;
  returns: number;
  steps: number;
  sameOrder: number;
  sameBits: number;
}

function compare(seed: number, tally: Tally): void {
  const random = seeded(seed);
  const { model, integrators, divided } = draw(random);
  const { interactions } = model;
  let rows = 0;
  const ranges = interactions.flatMap(({ id, relation: { size } }, interaction) => {
    const first = rows;
    rows += size;
    return divided.has(id)
      ? Array.from({ length: size }, (_, k) => ({ id, interaction, first: first + k, end: first + k + 1 }))
      : [{ id, interaction, first, end: rows }];
  });
  const wanted = ranges.map(() => random.chance(0.7));
  const rules = ranges.map((range, k): PresenceRule => ({
    ...range,
    name: range.id,
    hysteresis: 0,
    isAtStart: true,
    latch: null,
    unless: -1,
    lawSignal: null,
    timed: null,
    affine: null,
    evaluate: (_row, out) => {
      out[0] = wanted[k] ? 1 : -1;
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
    const kept = new Map<string, number[]>();
    const part = {
      systems: model.systems,
      interactions: interactions.flatMap((one, i): Interaction[] => {
        const [first] = ranges.filter(({ interaction }) => interaction === i);
        const there = ranges.filter(({ interaction }, k) => interaction === i && wanted[k]);
        const ofRows = divided.get(one.id);
        if (there.length === 0 || ofRows === undefined) return there.length === 0 ? [] : [one];
        const own = there.map((range) => range.first - first.first);
        kept.set(one.id, own);
        if (own.length < one.relation.size) tally.parts++;
        return [ofRows(own)];
      }),
    };
    const own = namer(part, kept);
    const alone = start(part, settingsFor(integrators, h), handedOver(model, state, rules, wanted));
    whole.advance();
    alone.advance();
    tally.steps++;
    // Rows of what is absent do nothing.
    const { oneStep, context } = whole;
    const lambda = whole.exportState().lambda;
    ranges.forEach(({ first, end }, k) => {
      for (let row = first; row < end; row++)
        if (!wanted[k]) expect([lambda[row], oneStep.active[row]]).toEqual([0, 0]);
    });
    // W has the entries of a model that is built from nothing.
    if (oneStep.activeCount > 0) {
      const W = patternOf(problemOf(whole), name);
      const other = patternOf(problemOf(alone), own);
      expect([...W.keys()].sort()).toEqual([...other.keys()].sort());
      for (const [key, value] of W) expect(other.get(key)).toBe(value);
      if (wanted.some((is, k) => is !== before[k]))
        expect(new Set(W.keys())).toEqual(builtFromNothing(part, integrators, h, new Set(W.keys()), own));
    }
    // The step is that of the other model.
    const order = (simulation: TimeStepping, nameOf: (row: number) => string): string =>
      [...simulation.delassus.order].map(nameOf).join(' ');
    const isThere = new Set(
      ranges.flatMap(({ first, end }, k) =>
        wanted[k] ? Array.from({ length: end - first }, (_, r) => name(first + r)) : [],
      ),
    );
    const ours = order(whole, name)
      .split(' ')
      .filter((one) => isThere.has(one))
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
  const tally: Tally = { changes: 0, parts: 0, returns: 0, steps: 0, sameOrder: 0, sameBits: 0 };
  for (let seed = 1; seed <= models; seed++) compare(seed, tally);
  expect(tally.changes).toBeGreaterThan(atLeast(CHANGES, models, MODELS));
  expect(tally.returns).toBeGreaterThan(0.3 * tally.changes);
  expect(tally.parts).toBeGreaterThan(atLeast(1000, models, MODELS));
  // A solver that has solved other problems before may round otherwise.
  expect(tally.sameBits).toBeGreaterThan(0.99 * tally.sameOrder);
  expect(tally.sameOrder).toBeGreaterThan(0.9 * tally.steps);
}, 120_000);
