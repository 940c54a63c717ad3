/**
 * Bodies with contact and friction here, in MuJoCo and in Rapier: the same scenes at the same step, with
 * the processor time of a step and what each loses. Engines take turns step by step, so that other work on
 * the machine slows all of them alike.
 */
import type { Benchmark, BenchmarkOptions, Measurement } from './benchmark';
import { ENGINES, type Engine } from './bodies-peers/engines';
import { LossMeter } from './bodies-peers/losses';
import { SCENES, type Scene } from './bodies-peers/scenes';

/** Steps from look to look at what is lost. */
const LOOK = 10;
/** Processor time of steps after which an engine is ended, ms. */
const PATIENCE = 300_000;

interface Entry {
  readonly name: string;
  readonly engine: Engine;
  readonly meter: LossMeter;
  /** processor time of steps, and of their verdicts, of all threads, ms */
  taken: number;
  judged: number;
  /** why it went no further */
  ended: string | null;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function openAll(scene: Scene): Promise<{ entries: Entry[]; missing: Measurement[] }> {
  const entries: Entry[] = [];
  const missing: Measurement[] = [];
  for (const kind of ENGINES)
    try {
      const engine = await kind.open(scene);
      entries.push({
        name: kind.name,
        engine,
        meter: new LossMeter(scene),
        taken: 0,
        judged: 0,
        ended: null,
      });
    } catch (error) {
      missing.push({ quantity: `  ${kind.name}`, value: null, unit: '', note: reasonOf(error) });
    }
  return { entries, missing };
}

/** ms */
function processorTime(action: () => void): number {
  const began = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e3;
}

/** @param k number of the step, from 1 */
function advance(entry: Entry, k: number): void {
  const { engine, meter } = entry;
  if (entry.ended !== null) return;
  try {
    entry.taken += processorTime(() => {
      engine.step();
    });
    if (engine.judge !== undefined) entry.judged += processorTime(engine.judge);
    if (entry.taken > PATIENCE) entry.ended = `ended after ${k} steps, which took ${PATIENCE / 1e3} s`;
    if (k % LOOK !== 0) return;
    engine.poses(meter.poses);
    engine.velocities(meter.velocities);
    meter.look();
  } catch (error) {
    entry.ended = reasonOf(error);
  }
}

function rowsOf({ name, engine, meter, taken, judged, ended }: Entry, { steps, asks }: Scene): Measurement[] {
  if (ended !== null) return [{ quantity: `  ${name}`, value: null, unit: '', note: ended }];
  const { overlap, gain, sunk, drift, slip } = meter.losses;
  const perStep = (time: number): string => (time / steps).toPrecision(2);
  const verdict =
    engine.verdict === undefined
      ? ''
      : `; its certificate takes ${perStep(judged)} more, worst ${engine.verdict()}`;
  const row = (quantity: string, metres: number): Measurement => ({
    quantity: `    ${quantity}`,
    value: 1e3 * metres,
    unit: 'mm',
  });
  return [
    {
      quantity: `  ${name}`,
      value: taken / steps,
      unit: 'ms per step',
      note: `processor time${verdict}`,
    },
    row('deepest overlap', overlap),
    ...(asks === 'tower' ? [row('top below its place', sunk), row('top beside it', drift)] : []),
    ...(asks === 'slip' ? [row('slid where friction holds', slip)] : []),
    ...(gain > 1e-9
      ? [{ quantity: '    energy from nowhere', value: 100 * gain, unit: '% of that at the start' }]
      : []),
  ];
}

async function* measure({ isEnded }: BenchmarkOptions): AsyncGenerator<Measurement> {
  for (const scene of SCENES) {
    if (isEnded?.() === true) return;
    const { entries, missing } = await openAll(scene);
    yield {
      quantity: scene.name,
      value: scene.bodies.length,
      unit: 'bodies',
      note: `${scene.steps} steps of 5 ms`,
    };
    for (let k = 1; k <= scene.steps && isEnded?.() !== true; k++) {
      for (const entry of entries) advance(entry, k);
      // A turn for the event loop, in which an interrupt is heard.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    for (const entry of entries) {
      yield* rowsOf(entry, scene);
      entry.engine.close();
    }
    yield* missing;
  }
}

export const bodiesPeers: Benchmark = {
  name: 'bodies-peers',
  summary: 'bodies with contact and friction here, in MuJoCo and in Rapier, and what each loses',
  onlyWhenNamed: true,
  measure: (_, options) => measure(options),
};
