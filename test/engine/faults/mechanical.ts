/** Chooses mechanical mutants of the code of schemes, solvers and certificates, and looks for verdicts of gallery runs that see them. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundle, ENGINE } from './bundle';
import type { BaseRun } from './gallery-runs';
import { counting, type Place, placesOf, switched } from './mutate';
import type { MutantAnswer, MutantRequest } from './mutants.worker';
import { seenBy } from './plant';

/** Folders of schemes, solvers and certificates; what only makes messages is left out. */
const FOLDERS: readonly string[] = [
  'contact-dynamics',
  'event-driven',
  'impacts',
  'integrators',
  'problems',
  'simulation/certificate',
  'smooth',
  'smooth-arcs',
  'solvers',
];
const FILES: readonly string[] = [
  'simulation/delassus',
  'simulation/half-steps',
  'simulation/joint-groups',
  'simulation/newton-iteration',
  'simulation/one-step',
  'simulation/row-residuals',
  'simulation/rows',
  'simulation/space/stepping',
  'simulation/step-control',
  'simulation/step-memory',
  'simulation/straight-line-step',
  'simulation/time-stepping',
  'spatial/body-motion',
  'spatial/half-step',
  'spatial/midpoint-rotation',
  'spatial/projection',
  'spatial/pseudo-rigid',
  'spatial/rigid-body',
  'spatial/rotation-step',
];
const MESSAGES = /failure|errors|registry|settings|tangent|approach-watch/;

/** Runs that a mutant is looked for in, the quickest ones that execute its place, and those in which its accuracy is measured, at most. */
const LOOKED_AT = 8;
const MEASURED = 3;
/** s of a run with its accuracy, of those that take part. */
const LONGEST = 1.5;
/** In parts of its estimate, from which on a result counts as moved. */
const MOVED = 10;
const TIMES_AS_LONG = 10;
const AND_SECONDS = 15;

export interface MutantFound {
  readonly place: string;
  readonly change: string;
  readonly fate: 'caught' | 'no change' | 'little' | 'survives';
  /** verdict, or how far a result is moved */
  readonly by: string;
  readonly run: string;
}

const modules = (): string[] =>
  [
    ...FOLDERS.flatMap((folder) =>
      readdirSync(join(ENGINE, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `@engine/${folder}/${name.replace('.ts', '')}`),
    ),
    ...FILES.map((file) => `@engine/${file}`),
  ].filter((module) => !MESSAGES.test(module));

/** A number that orders places as if by lot, the same each time. */
const lot = ({ module, start, text, mutant }: Place): string =>
  createHash('sha1').update(`${module} ${start} ${text} ${mutant}`).digest('hex');

/** A thread with a bundle, which is begun anew where a run comes to no end. */
class MutantThread {
  #worker: Worker | null = null;
  constructor(private readonly file: string) {}

  async ask(request: MutantRequest, most: number): Promise<MutantAnswer | 'endless'> {
    this.#worker ??= new Worker(this.file, {
      resourceLimits: { maxOldGenerationSizeMb: 1500 },
      stdout: true,
      stderr: true,
    });
    const worker = this.#worker;
    const answer = await new Promise<MutantAnswer | 'endless'>((resolve) => {
      const timer = setTimeout(() => resolve('endless'), 1000 * most);
      const end = (found: MutantAnswer | 'endless'): void => {
        clearTimeout(timer);
        resolve(found);
      };
      worker.removeAllListeners();
      worker.on('message', end);
      // Out of memory.
      worker.on('error', () => end('endless'));
      worker.postMessage(request);
    });
    if (answer === 'endless') await this.end();
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }
}

type Numbered = Place & { readonly number: number };
function byModule(places: readonly Numbered[]): Map<string, Numbered[]> {
  const groups = new Map<string, Numbered[]>();
  for (const place of places) {
    const group = groups.get(place.module) ?? [];
    group.push(place);
    groups.set(place.module, group);
  }
  return groups;
}

/**
 * Looks at mutants, each by itself.
 * @param count of mutants, of places that runs execute
 * @param report called for each
 * @returns number of places there are, and of those that runs execute
 */
export async function lookAtMutants(
  base: readonly BaseRun[],
  count: number,
  report: (found: MutantFound) => void,
): Promise<{ places: number; executed: number }> {
  const runs = base.filter(({ judged }) => judged.seconds <= LONGEST);
  const all = modules()
    .flatMap(placesOf)
    .map((place, number): Numbered => ({ ...place, number }));
  const counted = [...byModule(all)].map(([module, places]) => counting(module, places));
  const counter = new MutantThread((await bundle('counting', counted, 'mutants.worker.ts')).file);
  const hits = new Map<BaseRun, Uint8Array>();
  for (const one of runs) {
    const request = { number: -1, run: one.run, measures: false, accuracy: null, places: all.length };
    const answer = await counter.ask(request, 120);
    if (answer !== 'endless') hits.set(one, answer.hits);
  }
  await counter.end();
  const executed = all.filter(({ number }) => runs.some((one) => hits.get(one)?.[number] === 1));
  const chosen: Numbered[] = [];
  const order = executed
    .map((place) => ({ place, key: lot(place) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { place } of order) {
    if (chosen.length === count) break;
    const overlaps = chosen.some(
      (other) => other.module === place.module && other.start < place.end && place.start < other.end,
    );
    if (!overlaps) chosen.push(place);
  }
  const texts = [...byModule(chosen)].map(([module, places]) => switched(module, places));
  const thread = new MutantThread((await bundle('mutants', texts, 'mutants.worker.ts')).file);
  for (const place of chosen)
    report(
      await look(
        place,
        runs.filter((one) => hits.get(one)?.[place.number] === 1),
        thread,
      ),
    );
  await thread.end();
  return { places: all.length, executed: executed.length };
}

async function look(place: Numbered, runs: readonly BaseRun[], thread: MutantThread): Promise<MutantFound> {
  const what = {
    place: `${place.module.replace('@engine/', '')}.ts:${place.line}`,
    change: `${short(place.text)} → ${short(place.mutant)}`,
  };
  const moved: { one: BaseRun; by: number | null }[] = [];
  for (const measures of [false, true]) {
    const list = measures
      ? moved
          .filter(({ by }) => by === null || by > MOVED)
          .slice(0, MEASURED)
          .map(({ one }) => one)
      : runs.slice(0, LOOKED_AT);
    for (const one of list) {
      const { run, judged: before } = one;
      const request = { number: place.number, run, measures, accuracy: before.accuracy, places: 0 };
      const answer = await thread.ask(request, TIMES_AS_LONG * before.seconds + AND_SECONDS);
      if (answer === 'endless') return { ...what, fate: 'caught', by: 'endless', run: run.name };
      const by = seenBy(answer.judged, before);
      if (by !== '') return { ...what, fate: 'caught', by, run: run.name };
      if (!measures && answer.judged.digest !== before.digest) moved.push({ one, by: answer.moved });
    }
  }
  if (moved.length === 0) return { ...what, fate: 'no change', by: '', run: '' };
  const worst = moved.reduce((a, b) => ((b.by ?? 0) > (a.by ?? 0) ? b : a));
  const by = `${(worst.by ?? 0).toPrecision(2)} times the estimate`;
  return { ...what, fate: (worst.by ?? 0) > MOVED ? 'survives' : 'little', by, run: worst.one.run.name };
}

const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
};
