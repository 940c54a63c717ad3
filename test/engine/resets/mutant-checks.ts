/**
 * What the certificate of resets must say and a slip in it must break: each check throws when it does not.
 */
import { ResetCheck } from '@engine/certificate/reset-check';
import type { ResetRule } from '@engine/model/resets/reset';

/** One system ẋ = v. */
const moving = (v: number): never =>
  ({
    systems: [
      {
        form: {
          order: 1,
          size: 1,
          mass: null,
          rate: (_clock: unknown, _x: unknown, out: Float64Array) => out.fill(v),
        },
      },
    ],
    interactions: [],
  }) as never;
const places = { q: 1, v: 3, ndof: 0, lambda: 3, resets: 2 };

/** x rises to 1 and falls to 0. Rows are t, x, number of resets. */
const firing: ResetRule = {
  id: 'fire',
  system: 0,
  size: 1,
  direction: 1,
  every: null,
  text: 'x - 1',
  sets: [0],
  readsOwn: true,
  readsSet: true,
  slots: [1],
  affine: null,
  guard: (row, out) => (out[0] = row[1] - 1),
  map: (_row, out) => (out[0] = 0),
};
const row = (t: number, x: number, count: number): Float64Array => Float64Array.of(t, x, count);

interface Found {
  map: number;
  guard: number;
}

function judged(act: (check: ResetCheck) => void, rule = firing, v = 1, isStepped = false): Found {
  const found = { map: 0, guard: 0 };
  const raise = (isMap: boolean, value: number): void => {
    if (isMap) found.map = Math.max(found.map, value);
    else found.guard = Math.max(found.guard, value);
  };
  const check = new ResetCheck(moving(v), [rule], places, raise, isStepped);
  check.start(row(0, 0, 0));
  act(check);
  return found;
}

function demand(
  act: (check: ResetCheck) => void,
  { map, guard }: Found,
  rule = firing,
  v = 1,
  isStepped = false,
): void {
  const found = judged(act, rule, v, isStepped);
  if (found.map !== map || found.guard !== guard)
    throw new Error(`map ${found.map} and guard ${found.guard}, not ${map} and ${guard}`);
}

/** Three spikes as they should be, and two with nothing seen in between. */
function soundResets(): void {
  demand(
    (check) => {
      for (let k = 0; k < 3; k++) {
        check.row(row(k, 0.5, k));
        check.round(row(k, 1, k), row(k, 0, k + 1));
        check.row(row(k, 0, k + 1));
      }
      for (let k = 3; k < 5; k++) check.round(row(k, 1, k), row(k, 0, k + 1));
    },
    { map: 0, guard: 0 },
  );
}

/**
 * A state behind it that the map does not give, relative to the largest so far, and one that is not a number.
 */
function wrongMap(): void {
  demand((check) => check.round(row(1, 1, 0), row(1, 0.25, 1)), { map: 0.25, guard: 0 });
  const found = judged((check) => check.round(row(1, 1, 0), row(1, Number.NaN, 1)));
  if (!Number.isNaN(found.map) && found.map === 0) throw new Error('a state that is no number passed');
}

function jumpWithoutReset(): void {
  demand((check) => check.round(row(1, 0.5, 0), row(1, 0, 0)), { map: 1, guard: 0 });
}

/** Guards that have not come to zero, or were passed from the other side. */
function early(): void {
  demand((check) => check.round(row(1, 0.5, 0), row(1, 0, 1)), { map: 0, guard: 0.5 });
  demand(
    (check) => {
      check.start(row(0, 2, 0));
      check.round(row(2, 2, 0), row(2, 0, 1));
    },
    { map: 0, guard: 1 },
  );
}

function missed(): void {
  demand((check) => check.row(row(1, 2, 0)), { map: 0, guard: 1 });
}

/** A map that leaves the state beyond its guard. */
function beyond(): void {
  demand(
    (check) => check.round(row(1, 1, 0), row(1, 2, 1)),
    { map: 0, guard: 1 },
    { ...firing, map: (_row, out) => (out[0] = 2) },
  );
}

/** What was seen before goes on. */
function goesOn(): void {
  const other = new ResetCheck(moving(1), [firing], places, () => undefined);
  other.start(row(0, 0, 0));
  other.row(row(1, -3, 0));
  demand(
    (check) => {
      check.load(other.save());
      check.round(row(1, 0, 0), row(1, 0, 1));
    },
    { map: 0, guard: 0.25 },
  );
}

/** A map that keeps its guard, and where that is seen next. */
const keeping: ResetRule = { ...firing, map: (row, out) => (out[0] = row[1]) };
function kept(v: number, then: number, guard: number, at = 1, isStepped = false): void {
  demand(
    (check) => {
      check.round(row(1, at, 0), row(1, at, 1));
      check.row(row(1, at, 1));
      check.row(row(2, then, 1));
    },
    { map: 0, guard },
    keeping,
    v,
    isStepped,
  );
}

/** A guard that is left where it was passed goes on as it moves: not beyond zero where it turns back. */
function keptGuard(): void {
  kept(1, 3, 0);
  kept(-1, 0.5, 0);
  kept(-1, 3, 1);
}

/** What a reset has stopped at its guard is where it came from. */
function stopped(): void {
  kept(0, 3, 1);
}

/** A step leaves a guard beyond zero, from where it may turn back. */
function turningSteps(): void {
  kept(-1, 1.125, 0, 1.25, true);
  kept(-1, 3, 1, 1.25, true);
  kept(1, 3, 0, 1.25, true);
}

/** A guard that each reset leaves where it was sinks from step to step, also in a run that goes on. */
function held(): void {
  const sink = (check: ResetCheck, from: number, to: number): void => {
    for (let k = from; k < to; k++) {
      const at = 1.0625 + 0.0625 * k;
      check.round(row(1 + k, at, k), row(1 + k, at, k + 1));
      check.row(row(1 + k, at, k + 1));
    }
  };
  demand(
    (check) => {
      check.row(row(0.5, -1, 0));
      sink(check, 0, 1);
    },
    { map: 0, guard: 0 },
    keeping,
    0,
    true,
  );
  const sunk = { map: 0, guard: 0.125 };
  demand(
    (check) => {
      check.row(row(0.5, 0, 0));
      sink(check, 0, 3);
    },
    sunk,
    keeping,
    0,
    true,
  );
  const other = new ResetCheck(moving(0), [keeping], places, () => undefined, true);
  other.start(row(0, 0, 0));
  other.row(row(0.5, 0, 0));
  sink(other, 0, 1);
  demand(
    (check) => {
      check.load(other.save());
      sink(check, 1, 3);
    },
    sunk,
    keeping,
    0,
    true,
  );
}

/** What has come back to where it is passed from may overshoot as far as a step leads it. */
function comesBack(): void {
  demand(
    (check) => {
      for (let k = 0; k < 3; k++) {
        check.row(row(2 * k, 0.5, k));
        check.round(row(2 * k + 1, 1.25 + 0.25 * k, k), row(2 * k + 1, 1.25 + 0.25 * k, k + 1));
        check.row(row(2 * k + 1, 1.25 + 0.25 * k, k + 1));
      }
    },
    { map: 0, guard: 0 },
    keeping,
    -1,
    true,
  );
}

/** A mass of 2 kg, a state at rest and a link that pulls the mass; rows are t, q, x, v, 0, λ, k. */
function driven(acceleration: number, pull: number, isStepped: boolean): Found {
  const mass = {
    ...{ order: 2, size: 1, linear: null, constantMass: null },
    mass: (_q: unknown, out: Float64Array) => out.fill(2),
    force: (_c: unknown, _q: unknown, _v: unknown, out: Float64Array) => out.fill(2 * (acceleration - pull)),
  };
  const x = {
    order: 1,
    size: 1,
    mass: null,
    rate: (_c: unknown, _x: unknown, out: Float64Array) => out.fill(0),
  };
  const relation = {
    ...{ order: 2, size: 1, columns: 1, C: null },
    outputJacobians: (_c: unknown, _z: unknown, _l: unknown, C: Float64Array) => C.fill(1),
  };
  const model = {
    systems: [{ form: mass }, { form: x }],
    interactions: [{ relation, systems: [0] }],
  } as never;
  const fast: ResetRule = {
    ...{
      id: 'fast',
      system: 1,
      size: 1,
      direction: 1,
      every: null,
      text: 'v - 1',
      sets: [0],
      readsOwn: true,
      readsSet: true,
      slots: [3],
      affine: null,
    },
    guard: (at, out) => (out[0] = at[3] - 1),
    map: (at, out) => (out[0] = at[2]),
  };
  const found = { map: 0, guard: 0 };
  const check = new ResetCheck(
    model,
    [fast],
    { q: 1, v: 3, ndof: 2, lambda: 5, resets: 6 },
    (isMap, value) => {
      if (isMap) found.map = Math.max(found.map, value);
      else found.guard = Math.max(found.guard, value);
    },
    isStepped,
  );
  const at = (t: number, v: number, count: number): Float64Array =>
    Float64Array.of(t, 0, 0, v, 0, 2 * pull, count);
  check.start(at(0, 0, 0));
  check.row(at(0.5, 0.5, 0));
  if (!isStepped) check.row(at(1, 1, 0));
  check.round(at(1, 1, 0), at(1, 1, 1));
  check.row(at(1, 1, 1));
  // It rises on: from beyond zero there is no passage.
  check.row(at(2, 2, 1));
  return found;
}

/** A guard of a velocity goes on as forces say, or the change over the step. */
function velocityGuard(): void {
  for (const [acceleration, pull, isStepped, guard] of [
    [1, 0, false, 0],
    [1, 3, false, 0],
    [-1, -3, false, 1],
    [0, 0, true, 0],
  ] as const) {
    const found = driven(acceleration, pull, isStepped);
    if (found.guard !== guard || found.map !== 0)
      throw new Error(`${acceleration}, ${pull}: ${found.guard} instead of ${guard}`);
  }
}

export const checks = {
  ...{ soundResets, wrongMap, jumpWithoutReset, early, missed, beyond, goesOn },
  ...{ keptGuard, stopped, turningSteps, held, comesBack, velocityGuard },
};
