/**
 * Benchmark of drawn models: circuits of components against the matrices that they stand for, written by
 * hand; half bridges with dead time from event to event; and a ladder whose steps should grow as it does.
 */
import { MoreauError } from '@contract/errors';
import type { ComponentDocument, ModelDocument, SchemeName } from '@engine/document/types';
import { componentTypes } from '@engine/model/components/registry';
import { MemoryChunks } from '@engine/recording/chunks';
import { prepareRun, type RunSession } from '@engine/run/session';
import { createSandbox } from '@engine/script/sandbox';
import type { Installation } from '@main/installation';
import { type Benchmark, type Measurement, median } from './benchmark';
import { example } from './engine';

/** `[id, type, nodes of its pins, fields]`; the node `0` is ground, and a pin without a node is free */
type Part = readonly [id: string, type: string, nodes: readonly string[], fields?: object];

/** Odd, so that the median is one of them; of short runs the least is the one that nothing disturbed. */
const RUNS = 5;
const SHORT_RUNS = 41;
const SIZES = [200, 625, 1250, 2500, 5000, 10_000] as const;
/** Steps of a ladder that are measured, behind some that are not. */
const STEPS = 40;

/** Examples that are in the gallery twice, the other one called as it with `-drawn`. */
const TWINS = [
  'bouncing-ball',
  'colpitts-oscillator',
  'diode-bridge',
  'diode-bridge-filter',
  'friction-belt',
  'grazing-oscillator',
  'rlcd-circuit',
  'spring-friction',
  'three-balls',
] as const;

const PERIOD = 5e-5;
const PERIODS = 4000;
const HALF_BRIDGE: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 400 }],
  ['Q1', 'Mosfet', ['in', 'sw'], { gate: 'min((t mod T) - dead, T/2 - (t mod T))' }],
  ['Q2', 'Mosfet', ['sw', '0'], { gate: '(t mod T) - T/2 - dead' }],
  ['L1', 'Inductor', ['sw', 'out'], { inductance: 1e-3 }],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 1e-5, v0: 200 }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 20 }],
];

const BRIDGE_BY_BLOCKS: readonly Part[] = [
  ['V1', 'VoltageSource', ['in', '0'], { voltage: 24 }],
  ['Q1', 'Mosfet', ['in', 'sw', 'high'], { forwardVoltage: 0.8 }],
  ['Q2', 'Mosfet', ['sw', '0', 'low'], { forwardVoltage: 0.8 }],
  ['L1', 'Inductor', ['sw', 'out'], { inductance: 1e-4, i0: 5.7 }],
  ['C1', 'Capacitor', ['out', '0'], { capacitance: 1e-4, v0: 11.5 }],
  ['R1', 'Resistor', ['out', '0'], { resistance: 2 }],
  ['PWM1', 'PWM', ['u', 'high', 'low'], { period: 'T', carrier: 'triangle', deadTime: 'dead' }],
];

/** Half bridges with dead time, by what their gates follow. */
const HALF_BRIDGES: readonly { readonly name: string; readonly parts: readonly Part[] }[] = [
  { name: 'gates by expression', parts: HALF_BRIDGE },
  { name: 'constant duty', parts: [...BRIDGE_BY_BLOCKS, ['D', 'Signal', ['u'], { value: 0.5 }]] },
  {
    name: 'PI controller',
    parts: [
      ...BRIDGE_BY_BLOCKS,
      ['VM1', 'Voltmeter', ['out', '0', 'm']],
      ['REF', 'Signal', ['r'], { value: 12 }],
      ['SUM1', 'Sum', ['r', 'm', '', 'e']],
      ['PID1', 'ContinuousPID', ['e', 'u'], { Kp: 0.1, Ki: 50 }],
    ],
  },
  {
    name: 'sine reference',
    parts: [...BRIDGE_BY_BLOCKS, ['W', 'SineSignal', ['u'], { amplitude: 0.3, frequency: 50, offset: 0.5 }]],
  },
];

/** Resistors, capacitors and diodes in a row. */
const ladder = (components: number): Part[] => [
  ['V1', 'VoltageSource', ['n0', '0'], { voltage: '-10*sin(2000*pi*t)' }],
  ...Array.from({ length: Math.floor((components - 1) / 3) }, (_, k): Part[] => [
    [`R${k}`, 'Resistor', [`n${k}`, `n${k + 1}`], { resistance: 10 }],
    [`C${k}`, 'Capacitor', [`n${k + 1}`, '0'], { capacitance: 1e-6 }],
    [`D${k}`, 'Diode', ['0', `n${k + 1}`]],
  ]).flat(),
];

/** @param frame a document whose elements are replaced by the drawing */
function drawn(parts: readonly Part[], frame: ModelDocument): ModelDocument {
  const ends = new Map<string, string[]>();
  const components = parts.map(([id, type, nodes, fields]): ComponentDocument => {
    componentTypes.get(type)?.definition.pins?.forEach(({ name }, k) => {
      const node = nodes.at(k) ?? '';
      if (node !== '') ends.set(node, [...(ends.get(node) ?? []), `${id}.${name}`]);
    });
    return { id, type, ...fields };
  });
  ends.get('0')?.push('ground.p');
  const wires = [...ends].map(([node, list]) => ({ id: node === '0' ? 'zero' : node, ends: list }));
  return {
    ...frame,
    systems: [],
    interactions: [],
    observables: [],
    views: [],
    scripts: [],
    components: [...components, { id: 'ground', type: 'Ground' }],
    wires,
  };
}

/** Only the last row is kept: what is measured is the loop. */
function unrecorded(document: ModelDocument): ModelDocument {
  const recording = { ...document.simulation.recording, every: 1e9 };
  return { ...document, simulation: { ...document.simulation, recording } };
}

/** @throws {MoreauError} when the model is refused */
function begin(document: ModelDocument, scheme: SchemeName): RunSession {
  const prepared = prepareRun(
    { document, scheme },
    { sandbox: () => createSandbox(), sink: new MemoryChunks() },
  );
  if (!prepared.ok) throw new MoreauError(prepared.error);
  return prepared.session;
}

/** Time of the processor, to which other programs do not add, s. */
function processorSeconds(action: () => void): number {
  const began = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

/** What a run takes without its preparation, s. @throws {MoreauError} when it fails */
function timed(document: ModelDocument, scheme: SchemeName): number {
  const session = begin(document, scheme);
  const taken = processorSeconds(() => session.advance(Number.MAX_SAFE_INTEGER));
  if (session.error !== null) throw new MoreauError(session.error);
  return taken;
}

/** What says how a document is computed, without observables, scripts and views of its own. */
const bare = ({ parameters, simulation }: ModelDocument, of: ModelDocument): ModelDocument =>
  unrecorded({ ...of, parameters, simulation, observables: [], views: [], dashboards: [] });

/** A drawing and its matrices take turns, and the least time of each counts. */
function compare(place: Installation): Measurement[] {
  return (['time-stepping', 'event-driven'] as const).flatMap((scheme) =>
    TWINS.map((name) => {
      const original = example(place, name);
      const [twin, byHand] = [example(place, `${name}-drawn`), original].map((one) => bare(original, one));
      const times = Array.from({ length: SHORT_RUNS }, () => [timed(twin, scheme), timed(byHand, scheme)]);
      const least = (k: number): number => Math.min(...times.map((pair) => pair[k]));
      return { quantity: `${name}, ${scheme}: drawn / by hand`, value: least(0) / least(1), unit: '' };
    }),
  );
}

function halfBridges(frame: ModelDocument): Measurement[] {
  return HALF_BRIDGES.flatMap(({ name, parts }) => {
    const document = {
      ...drawn(parts, frame),
      parameters: [
        { name: 'T', value: PERIOD },
        { name: 'dead', value: PERIOD / 50 },
      ],
      simulation: { ...frame.simulation, t0: 0, tEnd: PERIODS * PERIOD, h: PERIOD },
    };
    const times = Array.from({ length: RUNS }, () => timed(document, 'event-driven'));
    const quantity = `half bridge, ${name}, ${PERIODS} periods`;
    return [
      { quantity: `${quantity}: first run`, value: 1000 * times[0], unit: 'ms' },
      { quantity: `${quantity}: median`, value: 1000 * median(times), unit: 'ms' },
    ];
  });
}

function ladders(frame: ModelDocument): Measurement[] {
  return SIZES.flatMap((size) => {
    const h = 1e-5;
    const simulation = { ...frame.simulation, t0: 0, tEnd: 3 * STEPS * h, h };
    const document = unrecorded({ ...drawn(ladder(size), frame), parameters: [], simulation });
    let run = begin(document, 'time-stepping');
    // Again, when what makes models ready has been compiled itself.
    const prepared = processorSeconds(() => {
      run = begin(document, 'time-stepping');
    });
    run.advance(STEPS);
    const times = [0, 1].map(() => processorSeconds(() => run.advance(STEPS)) / STEPS);
    if (run.error !== null) throw new MoreauError(run.error);
    return [
      { quantity: `ladder of ${size} components: made ready`, value: 1000 * prepared, unit: 'ms' },
      {
        quantity: `ladder of ${size} components: time per step`,
        value: 1000 * Math.min(...times),
        unit: 'ms',
      },
    ];
  });
}

export const drawnModels: Benchmark = {
  name: 'drawn',
  summary:
    'circuits of components against their matrices by hand; half bridges; ladders up to 10 000 components',
  measure: (place) => {
    const frame = example(place, 'diode-bridge');
    return [...compare(place), ...halfBridges(frame), ...ladders(frame)];
  },
};
