/** Random models with random blocks of all kinds, wired to each other in any order. */
import type { ModelDocument, SchemeName, SystemDocument } from '@engine/document/types';
import { reset } from '../resets/documents';
import { contact, model, particle } from '../support/models';
import type { Random } from '../support/random';
import { start } from '../support/run';
import { controlled } from './documents';

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(0, list.length - 1)];

const numbers = (random: Random, count: number, size = 1): number[] =>
  Array.from({ length: count }, () => random.uniform(-size, size));

const matrix = (random: Random, rows: number, columns: number, size = 1): number[][] =>
  Array.from({ length: rows }, () => numbers(random, columns, size));

/** A matrix that is well invertible. */
const regular = (random: Random, n: number): number[][] =>
  matrix(random, n, n, 0.3).map((row, i) => row.map((value, j) => (i === j ? 1 + value : value)));

/** Blocks that are built so far: names that others may read, at the same sample or only by a memory. */
interface Signals {
  readonly early: string[];
  readonly all: string[];
}

/** Expressions that sensors may stand for. */
function expression(random: Random, names: readonly string[]): string {
  const name = pick(random, names);
  switch (random.integer(0, 4)) {
    case 0:
      return name;
    case 1:
      return `${random.uniform(-2, 2)}*${name}`;
    case 2:
      return `${name} - gain*${pick(random, names)}`;
    case 3:
      return `sin(3*t) + ${name}`;
    default:
      return `gain*${name} + 0.2`;
  }
}

const several = (random: Random, names: readonly string[], count: number): string[] =>
  Array.from({ length: count }, () => expression(random, names));

/** Fields of a kind of block, all but its name and its samples, and the size of its output. */
type Kind = (random: Random, signals: Signals) => [fields: Record<string, unknown>, size: number];

const bounds = (random: Random): Record<string, number> => ({
  ...(random.chance(0.6) ? { lower: -random.uniform(0.05, 1) } : {}),
  ...(random.chance(0.6) ? { upper: random.uniform(0.05, 1) } : {}),
});

const ofOne =
  (fields: (random: Random) => Record<string, unknown>): Kind =>
  (random, { early }) => {
    const n = random.integer(1, 2);
    return [{ x: several(random, early, n), ...fields(random) }, n];
  };

const observer: Kind = (random, { early, all }) => {
  const [n, p, m] = [random.integer(1, 3), 1, random.integer(0, 2)];
  const control = m === 0 ? {} : { control: several(random, all, m), B: matrix(random, n, m) };
  const start = random.chance(0.5) ? { x0: numbers(random, n) } : {};
  const [A, C, L] = [matrix(random, n, n, 2), matrix(random, p, n), matrix(random, n, p, 3)];
  return [{ measured: several(random, early, p), ...control, A, C, L, ...start }, n];
};

/** A plant as a controller knows it. */
const surface = (random: Random): [Record<string, unknown>, n: number, m: number] => {
  const m = random.integer(1, 2);
  const n = m + random.integer(0, 1);
  const B = [...regular(random, m), ...matrix(random, n - m, m)];
  const C = regular(random, m).map((row) => [...row, ...numbers(random, n - m, 0.3)]);
  return [{ A: matrix(random, n, n, 2), B, C, alpha: random.uniform(0.2, 2) }, n, m];
};

const method = (random: Random): string => pick(random, ['implicit', 'explicit']);

export const KINDS: Readonly<Record<string, Kind>> = {
  SampleAndHold: ofOne(() => ({})),
  Saturation: ofOne(bounds),
  Quantiser: ofOne((random) => ({ step: random.uniform(0.01, 0.3) })),
  RateLimiter: ofOne((random) => ({
    rise: random.uniform(0.1, 3),
    ...(random.chance(0.5) ? { fall: random.uniform(0.1, 3) } : {}),
  })),
  Delay: (random, { all }) => {
    const n = random.integer(1, 2);
    return [{ x: several(random, all, n), samples: random.integer(1, 4), initial: random.uniform(-1, 1) }, n];
  },
  LinearSensor: (random, { early }) => {
    const [n, rows, m] = [random.integer(1, 3), random.integer(1, 2), random.integer(0, 1)];
    const through = m === 0 ? {} : { u: several(random, early, m), D: matrix(random, rows, m) };
    return [{ x: several(random, early, n), C: matrix(random, rows, n), ...through }, rows];
  },
  StateFeedback: (random, { early }) => {
    const [n, rows, m] = [random.integer(1, 3), random.integer(1, 2), random.integer(0, 1)];
    const aim = m === 0 ? {} : { reference: several(random, early, m), N: matrix(random, rows, m) };
    return [{ x: several(random, early, n), K: matrix(random, rows, n), ...aim }, rows];
  },
  PID: (random, { early }) => [
    {
      measured: several(random, early, 1),
      reference: several(random, early, 1),
      kp: random.uniform(-1, 2),
      ki: random.uniform(-1, 4),
      kd: random.uniform(-0.05, 0.1),
      ...bounds(random),
    },
    1,
  ],
  LuenbergerObserver: (random, { all }) => observer(random, { early: all, all }),
  SlidingReducedOrderObserver: observer,
  SlidingModeControl: (random, { early }) => {
    const [fields, n, m] = surface(random);
    const equivalent = pick(random, ['yes', 'no']);
    const theta = random.uniform(0, 1);
    return [{ x: several(random, early, n), ...fields, method: method(random), equivalent, theta }, m];
  },
  SlidingModeOT2: (random, { early }) => {
    const [fields, n, m] = surface(random);
    return [{ x: several(random, early, n), ...fields }, m];
  },
  Twisting: (random, { early }) => [
    {
      x: several(random, early, 2),
      gain: random.uniform(0.3, 2),
      beta: random.uniform(0.2, 0.8),
      method: method(random),
      ...(random.chance(0.5) ? { A: matrix(random, 2, 2) } : {}),
    },
    1,
  ],
  SuperTwisting: (random, { early }) => [
    {
      sigma: several(random, early, 1),
      k1: random.uniform(0.3, 2),
      k2: random.uniform(0.3, 2),
      method: method(random),
    },
    1,
  ],
};

const OUTPUTS: Readonly<Record<string, string>> = {
  LuenbergerObserver: 'xHat',
  SlidingReducedOrderObserver: 'xHat',
  PID: 'u',
  StateFeedback: 'u',
  SlidingModeControl: 'u',
  SlidingModeOT2: 'u',
  Twisting: 'u',
  SuperTwisting: 'u',
};

/** Names of the entries of an output. */
const namesOf = (id: string, type: string, size: number): string[] => {
  const name = `${id}.${OUTPUTS[type] ?? 'y'}`;
  return size === 1 ? [name] : Array.from({ length: size }, (_, k) => `${name}[${k}]`);
};

/**
 * Blocks, listed in any order, that read these signals and each other.
 * @param kinds one block of each
 */
function randomBlocks(
  random: Random,
  kinds: readonly string[],
  signals: readonly string[],
  periods: readonly number[],
): { blocks: SystemDocument[]; outputs: string[] } {
  const early = [...signals];
  const all = [...signals];
  const outputs: string[] = [];
  const blocks = kinds.map((type, k): SystemDocument => {
    const id = `b${k}`;
    const [fields, size] = KINDS[type](random, { early, all });
    const names = namesOf(id, type, size);
    early.push(...names);
    all.push(...names);
    outputs.push(...names);
    const offset = random.chance(0.4) ? { offset: random.uniform(-0.1, 0.1) } : {};
    return { id, type, ...fields, every: pick(random, periods), ...offset };
  });
  return { blocks: random.sample(blocks.length, blocks.length).map((k) => blocks[k]), outputs };
}

/** What drives a plant: bounded, so that a motion stays where numbers are of a size. */
const driven = (random: Random, outputs: readonly string[]): string =>
  `${pick(random, ['1', '0.5'])}*sin(${pick(random, outputs)})`;

/** A model with something that `u` drives. */
type Plant = (u: string, blocks: readonly SystemDocument[]) => ModelDocument;

const LINEAR: Plant = (u, blocks) =>
  model([
    {
      id: 'plant',
      type: 'FirstOrderLinear',
      n: 2,
      controlSize: 1,
      A: [
        [0, 1],
        [-2, -0.4],
      ],
      T: [[0], [1]],
      u: { signals: [u] },
      x0: [1, 0],
    },
    ...blocks,
  ]);

const BOUNCING: Plant = (u, blocks) =>
  model(
    [particle('ball', 0.05, 0, { fExt: { signals: [`${u} - 9.81`] } }), ...blocks],
    [contact('floor', ['ball'], [[1]], 0.6)],
  );

const RESETTING: Plant = (u, blocks) =>
  model([
    {
      id: 'plant',
      type: 'FirstOrderLinear',
      n: 1,
      A: [[-0.2]],
      T: [[1]],
      u: { signals: [u] },
      b: [2],
      x0: [0],
    },
    reset('jump', 'plant', 'plant.x - 0.05', ['0.3*plant.x'], 'rising'),
    ...blocks,
  ]);

/** Solved by what suits joints. */
function withJoint(document: ModelDocument): ModelDocument {
  document.simulation = {
    ...document.simulation,
    integrators: [{ type: 'MoreauJean' }],
    problem: { type: 'auto' },
    solver: { type: 'auto' },
  };
  return document;
}

const HINGED: Plant = (u, blocks) => {
  const document = model(
    [
      {
        id: 'arm',
        type: 'RigidBody',
        mass: 2,
        inertia: [0.03, 0.04, 0.05],
        position: [0, -0.6, 0],
        gravity: [0, -9.81, 0],
        moment: { signals: ['0', '0', u] },
      },
      ...blocks,
    ],
    [
      {
        id: 'hinge',
        systems: ['arm'],
        relation: { type: 'RevoluteJoint', point: [0, 0, 0], axis: [0, 0, 1] },
        law: { type: 'Equality' },
      },
    ],
  );
  return withJoint(document);
};

const PLANAR: Plant = (u, blocks) =>
  withJoint(
    model(
      [
        {
          id: 'arm',
          type: 'PlanarBody',
          mass: 2,
          inertia: 0.05,
          q0: [0.6, 0, 0],
          v0: [0, 0, 0],
          fExt: { signals: ['0', '-9.81', u] },
        },
        ...blocks,
      ],
      [
        {
          id: 'hinge',
          systems: ['arm'],
          relation: { type: 'Revolute', point1: [0, 0], point2: [-0.6, 0] },
          law: { type: 'Equality' },
        },
      ],
    ),
  );

export const PLANTS: Readonly<Record<string, Plant>> = { LINEAR, BOUNCING, RESETTING, PLANAR, HINGED };

/** All that blocks may read of a plant. */
function signalsOf(plant: Plant, scheme: SchemeName): string[] {
  const { session } = start(plant('hold.y', [{ id: 'hold', type: 'SampleAndHold', x: ['0'], every: 1 }]), {
    scheme,
  });
  return session.signals.filter(({ kind }) => kind !== 'time' && kind !== 'held').map(({ name }) => name);
}

/** @param kinds of the blocks; chosen by lot where absent */
export function randomModel(
  random: Random,
  name: string,
  scheme: SchemeName,
  kinds = Object.keys(KINDS).flatMap((kind) => (random.chance(0.4) ? [kind] : [])),
): ModelDocument {
  const plant = PLANTS[name];
  const h = pick(random, [0.01, 0.005]);
  const periods = random.chance(0.5) ? [h, 2 * h, 5 * h] : [0.013, 0.007, 0.0211];
  const list = kinds.length === 0 ? ['PID'] : kinds;
  const { blocks, outputs } = randomBlocks(random, list, signalsOf(plant, scheme), periods);
  const document = plant(driven(random, outputs), blocks);
  document.parameters = [{ name: 'gain', value: random.uniform(0.5, 1.5) }];
  document.simulation = { ...document.simulation, scheme, t0: 0, tEnd: 0.3, h };
  return document;
}

/** Matrices with a diagonal that keeps them regular. */
const strong = (random: Random, rows: number, columns: number): number[][] =>
  matrix(random, rows, columns).map((row, i) => row.map((value, j) => (i === j ? 2 + value : value)));

/**
 * A loop that a block with a model closes, which comes to its sliding surface against a disturbance: with
 * numbers of any size, stiff plants, and periods that are no multiple of the step.
 */
export function randomLoop(random: Random): ModelDocument {
  const size = 10 ** random.uniform(-6, 6);
  const rate = 10 ** random.uniform(-1, 2);
  const every = 10 ** random.uniform(-3, -1);
  const m = random.integer(1, 3);
  const n = m + random.integer(0, 1);
  const [A, B, C] = [matrix(random, n, n, rate), strong(random, n, m), strong(random, m, n)];
  const [x, u] = [
    ['plant.x', n],
    ['c.u', m],
  ].map(([name, count]) =>
    count === 1 ? [String(name)] : Array.from({ length: Number(count) }, (_, i) => `${name}[${i}]`),
  );
  const alpha = size * random.uniform(0.5, 30);
  const ways = { method: random.chance(0.7) ? 'implicit' : 'explicit', every };
  const x0 = numbers(random, n, size);
  const driven = { A, T: B, u: [`${u[0]} + push.y`, ...u.slice(1)], x0 };
  const second = [[0, 1], numbers(random, 2, 4)];
  const [block, plant] = pick<() => [Record<string, unknown>, Parameters<typeof controlled>[0]]>(random, [
    () => {
      const equivalent = pick(random, ['yes', 'no']);
      const theta = random.uniform(0, 1);
      return [{ id: 'c', type: 'SlidingModeControl', x, A, B, C, alpha, equivalent, theta, ...ways }, driven];
    },
    () => [{ id: 'c', type: 'SlidingModeOT2', x, A, B, C, alpha, every }, driven],
    () => {
      const of = {
        gain: alpha,
        beta: random.uniform(0.1, 0.9),
        ...(random.chance(0.5) ? { A: second } : {}),
      };
      const motion = { A: second, T: [[0], [1]], u: ['c.u + push.y'], x0: [x0[0], 0] };
      return [{ id: 'c', type: 'Twisting', x: ['plant.x[0]', 'plant.x[1]'], ...of, ...ways }, motion];
    },
    () => {
      const k1 = Math.sqrt(size) * random.uniform(0.5, 5);
      const of = { sigma: ['plant.x'], k1, k2: size * random.uniform(0.5, 5) };
      const motion = { A: [[0]], T: [[1]], u: ['c.u + push.y'], x0: [x0[0]] };
      return [{ id: 'c', type: 'SuperTwisting', ...of, ...ways }, motion];
    },
    () => {
      const type = pick(random, ['LuenbergerObserver', 'SlidingReducedOrderObserver']);
      const L = matrix(random, n, 1, rate);
      const of = {
        measured: [x[0]],
        control: ['push.y'],
        A,
        B: matrix(random, n, 1),
        C: [numbers(random, n)],
        L,
      };
      return [
        { id: 'o', type, ...of, every },
        { A, T: B.map(([b]) => [b]), u: ['push.y'], x0 },
      ];
    },
  ])();
  const push = { id: 'push', type: 'SampleAndHold', x: [`${0.2 * size}*sin(7*t)`], every: every / 2 };
  const h = every * pick(random, [1, 0.7]);
  return controlled(plant, [block as SystemDocument, push], { tEnd: 300 * every, h });
}
