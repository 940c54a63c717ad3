/** Runs whose blocks are certified, and with a slip in blocks or samples are not. */
import type { ModelDocument, SchemeName, SystemDocument } from '@engine/document/types';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun, type RunSession } from '@engine/run/session';
import { seeded } from '../support/random';
import { controlled } from './documents';
import { KINDS, type PLANTS, randomModel } from './random-blocks';

function session(document: ModelDocument, scheme: SchemeName, from?: RunSession): RunSession {
  const specification = { document, scheme };
  const state = from === undefined ? {} : { from: { state: structuredClone(from.state), time: from.time } };
  const prepared = prepareRun(
    { ...specification, ...state },
    {
      sandbox: () => {
        throw new Error('no scripts');
      },
      sink: new MemoryChunks(),
    },
  );
  if (!prepared.ok) throw new Error(prepared.error.message);
  return prepared.session;
}

/** @throws {Error} with what the certificate says of blocks */
function demand({ certificate: { blocks }, error }: RunSession): void {
  // A run that ends with an error says nothing of its certificate, and nothing that looks right.
  if (error !== null || blocks === undefined) throw new Error('not judged');
  if (blocks.samples === 0) throw new Error('nothing was sampled');
  if (blocks.worst !== 0) throw new Error(`${blocks.worst}: ${JSON.stringify(blocks.defect)}`);
}

function certified(document: ModelDocument, scheme: SchemeName): void {
  const run = session(document, scheme);
  run.advance(1e9);
  demand(run);
}

/** Rates that do not divide each other, and memories that hang together. */
const blocks = (every: number): SystemDocument[] => [
  { id: 'limited', type: 'RateLimiter', x: ['-late.y + 0.1*pid.u'], rise: 5, every, offset: 0.004 },
  { id: 'late', type: 'Delay', x: ['observer.xHat[0] + observer.xHat[1]'], samples: 3, every },
  {
    id: 'observer',
    type: 'LuenbergerObserver',
    measured: ['sensor.y'],
    control: ['pid.u + limited.y'],
    A: [
      [0, 1],
      [-2, -0.3],
    ],
    B: [[0], [1]],
    C: [[1, 0]],
    L: [[3], [4]],
    every,
  },
  {
    id: 'pid',
    type: 'PID',
    measured: ['sensor.y'],
    reference: ['sin(3*t)'],
    kp: 2,
    ki: 1,
    kd: 0.01,
    lower: -1,
    upper: 0.2,
    every,
  },
  { id: 'sensor', type: 'LinearSensor', x: ['plant.x[0]', 'plant.x[1]'], C: [[1, 0.1]], every },
];

const rates = (every: number, tEnd: number): ModelDocument =>
  controlled(
    {
      A: [
        [0, 1],
        [-2, -0.3],
      ],
      T: [[0], [1]],
      u: ['limited.y + 0.1*pid.u'],
      x0: [1, 0.5],
    },
    blocks(every),
    { tEnd, h: 0.01 },
  );

/** Controls that keep a plant at zero, against a disturbance. */
function sliding(): void {
  const [A, B] = [
    [
      [0, 1],
      [-2, -0.3],
    ],
    [[0], [1]],
  ];
  const state = ['plant.x[0]', 'plant.x[1]'];
  const surface = { x: state, A, B, C: [[1, 0.5]], alpha: 3 };
  const controls: SystemDocument[] = [
    { id: 'c', type: 'SlidingModeControl', ...surface },
    { id: 'c', type: 'SlidingModeControl', ...surface, equivalent: 'no' },
    { id: 'c', type: 'SlidingModeControl', ...surface, method: 'explicit' },
    { id: 'c', type: 'SlidingModeOT2', ...surface },
    { id: 'c', type: 'Twisting', x: state, gain: 4, A },
    { id: 'c', type: 'Twisting', x: state, gain: 4, method: 'explicit' },
    { id: 'c', type: 'SuperTwisting', sigma: ['0.5*plant.x[0] + plant.x[1]'], k1: 3, k2: 4 },
    {
      id: 'c',
      type: 'SuperTwisting',
      sigma: ['0.5*plant.x[0] + plant.x[1]'],
      k1: 3,
      k2: 4,
      method: 'explicit',
    },
  ];
  for (const control of controls) {
    const push: SystemDocument = { id: 'push', type: 'SampleAndHold', x: ['0.3*sin(5*t)'], every: 0.01 };
    const plant = { A, T: B, u: ['c.u + push.y'], x0: [0.3, 0] };
    certified(controlled(plant, [{ ...control, every: 0.01 }, push], { tEnd: 4 }), 'time-stepping');
  }
  const two = [
    [1, 0.9],
    [-0.8, 1],
  ];
  const both = ['plant.x[0]', 'plant.x[1]'];
  const control = { id: 'c', type: 'SlidingModeControl', x: both, A, B: two, C: two, alpha: 1, every: 0.01 };
  const plant = { A, T: two, u: ['c.u[0]', 'c.u[1]'], x0: [0.3, -0.2] };
  certified(controlled(plant, [control], { tEnd: 2 }), 'time-stepping');
}

/** Some runs of a kind of block. */
const ofKind = (kind: string) => (): void => {
  for (let seed = 0; seed < 10; seed++)
    certified(randomModel(seeded(seed), 'LINEAR', 'time-stepping', [kind]), 'time-stepping');
};

/** Some runs of a plant. */
const ofPlant = (plant: keyof typeof PLANTS, scheme: SchemeName) => (): void => {
  for (let seed = 0; seed < 12; seed++) certified(randomModel(seeded(seed), plant, scheme), scheme);
};

export const checks = {
  steps(): void {
    certified(rates(0.01, 1), 'time-stepping');
    certified(rates(0.013, 1), 'time-stepping');
  },
  events(): void {
    certified(rates(0.05, 0.3), 'event-driven');
    certified(rates(0.013, 0.3), 'event-driven');
  },
  space: ofPlant('HINGED', 'time-stepping'),
  planar: ofPlant('PLANAR', 'event-driven'),
  bouncing: ofPlant('BOUNCING', 'event-driven'),
  resetting: ofPlant('RESETTING', 'time-stepping'),
  continued(): void {
    for (const scheme of ['time-stepping', 'event-driven'] as const) {
      const first = session(rates(0.013, 1), scheme);
      first.advance(61);
      const other = session(rates(0.013, 1), scheme, first);
      other.advance(1e9);
      demand(other);
    }
  },
  sliding,
  ...(Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, ofKind(kind)])) as Record<
    | 'PID'
    | 'Delay'
    | 'Quantiser'
    | 'RateLimiter'
    | 'Saturation'
    | 'SampleAndHold'
    | 'LinearSensor'
    | 'StateFeedback'
    | 'LuenbergerObserver'
    | 'SlidingReducedOrderObserver'
    | 'SlidingModeControl'
    | 'SlidingModeOT2'
    | 'Twisting'
    | 'SuperTwisting',
    () => void
  >),
};
