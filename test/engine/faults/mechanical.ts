/**
 * Chooses mechanical mutants of the code of schemes, solvers and certificates, and looks for verdicts of
 * gallery runs that see them.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundle, ENGINE, FOLDER } from './bundle';
import type { BaseRun } from './gallery-runs';
import { counting, type Place, placesOf, switched } from './mutate';
import type { MutantAnswer, MutantRequest } from './mutants.worker';
import { seenBy } from './plant';

/** Folders of schemes, solvers and certificates; what only makes messages is left out. */
const FOLDERS: readonly string[] = [
  'certificate',
  'contact-dynamics',
  'event-driven',
  'impacts',
  'integrators',
  'problems',
  'time-stepping/certificate',
  'smooth',
  'smooth-arcs',
  'solvers',
];
const FILES: readonly string[] = [
  'time-stepping/delassus',
  'time-stepping/half-steps',
  'time-stepping/newton-iteration',
  'time-stepping/one-step',
  'time-stepping/evaluated-relation',
  'time-stepping/rows',
  'run/spatial/stepping',
  'time-stepping/step-control',
  'time-stepping/step-memory',
  'time-stepping/straight-line-step',
  'time-stepping/time-stepping',
  'contact-dynamics/schemes/half-steps',
  'spatial/projection',
  'spatial/bodies/pseudo-rigid',
  'spatial/bodies/rigid-body',
  'spatial/bodies/rotation-step',
];
const MESSAGES = /failure|errors|registry|settings|tangent|approach-watch/;

/**
 * Runs that a mutant is looked for in, the quickest ones that execute its place, and those in which its
 * accuracy is measured, at most.
 */
const LOOKED_AT = 8;
const MEASURED = 3;
/** In parts of its estimate, from which on a result counts as moved. */
const MOVED = 10;
const TIMES_AS_LONG = 10;
const AND_SECONDS = 5;

export interface MutantFound {
  /** says which place and which change it is */
  readonly id: string;
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

/** A thread with a bundle, which starts again where a run comes to no end. */
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
 * Which places each run executes, by its name; kept in a file as long as the engine and the gallery are the
 * same.
 */
async function hitsOf(
  runs: readonly BaseRun[],
  all: readonly Numbered[],
  kept: string,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (existsSync(kept)) {
    const entries = JSON.parse(readFileSync(kept, 'utf8')) as [string, string][];
    return new Map(entries.map(([name, hits]) => [name, Uint8Array.from(Buffer.from(hits, 'base64'))]));
  }
  const counted = [...byModule(all)].map(([module, places]) => counting(module, places));
  const counter = new MutantThread((await bundle('counting', counted, 'mutants.worker.ts')).file);
  const hits = new Map<string, Uint8Array>();
  for (const { run } of runs) {
    const request = { number: -1, run, measures: false, accuracy: null, places: all.length };
    const answer = await counter.ask(request, 120);
    if (answer !== 'endless') hits.set(run.name, answer.hits);
  }
  await counter.end();
  const entries = [...hits].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]);
  writeFileSync(kept, JSON.stringify(entries));
  return hits;
}

/**
 * Looks at mutants, each by itself.
 * @param base runs, and what names the engine and the gallery as they are
 * @param count of mutants, of places that runs execute
 * @param known what has been found of some of them before
 * @param report called for each
 * @returns number of places there are, and of those that runs execute
 */
export async function lookAtMutants(
  base: { readonly runs: readonly BaseRun[]; readonly key: string },
  count: number,
  known: ReadonlyMap<string, MutantFound>,
  report: (found: MutantFound) => void,
): Promise<{ places: number; executed: number }> {
  const { runs } = base;
  const all = modules()
    .flatMap(placesOf)
    .map((place, number): Numbered => ({ ...place, number }));
  const hits = await hitsOf(runs, all, `${FOLDER}/hits-${base.key}.json`);
  const executes = ({ run }: BaseRun, { number }: Numbered): boolean => hits.get(run.name)?.[number] === 1;
  const executed = all.filter((place) => runs.some((one) => executes(one, place)));
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
  for (const place of chosen) {
    const found =
      known.get(lot(place)) ??
      (await look(
        place,
        runs.filter((one) => executes(one, place)),
        thread,
      ));
    report(found);
  }
  await thread.end();
  return { places: all.length, executed: executed.length };
}

async function look(place: Numbered, runs: readonly BaseRun[], thread: MutantThread): Promise<MutantFound> {
  const what = {
    id: lot(place),
    place: `${place.module.replace('@engine/', '')}.ts:${place.line}`,
    change: `${short(place.text)} → ${short(place.mutant)}`,
  };
  let moved: { one: BaseRun; by: number | null }[] = [];
  for (const measures of [false, true]) {
    const far = moved.filter(({ by }) => by === null || by > MOVED);
    const list = measures ? far.slice(0, MEASURED).map(({ one }) => one) : runs.slice(0, LOOKED_AT);
    // What is measured says more than what was seen before.
    if (list.length > 0 && measures) moved = [];
    for (const one of list) {
      const { run, judged: before } = one;
      const request = { number: place.number, run, measures, accuracy: before.accuracy, places: 0 };
      const answer = await thread.ask(request, TIMES_AS_LONG * before.seconds + AND_SECONDS);
      if (answer === 'endless') return { ...what, fate: 'caught', by: 'endless', run: run.name };
      const by = seenBy(answer.judged, before);
      if (by !== '') return { ...what, fate: 'caught', by, run: run.name };
      if (answer.judged.digest !== before.digest) moved.push({ one, by: answer.moved });
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
