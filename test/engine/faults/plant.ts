/** Plants a fault in the engine, and looks for a verdict of some run of the gallery that sees it. */
import { rmSync } from 'node:fs';
import { bundle } from './bundle';
import { type BaseRun, executes } from './gallery-runs';
import type { Judged } from './judge';
import { JudgeThread } from './thread';

export interface Fault {
  readonly name: string;
  readonly kind: string;
  /** as imports name it */
  readonly module: string;
  /** text that stands in the module exactly once */
  readonly find: string;
  readonly replace: string;
}

export interface Found {
  readonly name: string;
  readonly kind: string;
  readonly module: string;
  /** what sees it; empty where nothing does */
  readonly caughtBy: string;
  /** the run that is judged so */
  readonly run: string;
  /** runs that execute the place, and those of them whose results change */
  readonly reached: number;
  readonly moved: number;
  readonly seconds: number;
}

/** A run may take this many times as long as without the fault, and some time more. */
const TIMES_AS_LONG = 20;
const AND_SECONDS = 10;

/** The verdict that fails with the fault and not without it; empty where none does. */
export function seenBy({ outcome, verdict, words }: Judged, before: Judged): string {
  if (outcome !== 'done') return outcome;
  const failing = (['solved', 'complete', 'accurate'] as const).find(
    (each) => verdict[each] === 'fails' && before.verdict[each] !== 'fails',
  );
  return failing === undefined ? '' : words;
}

export async function plant(
  fault: Fault,
  base: { text: string; runs: readonly BaseRun[] },
  log: (line: string) => void = () => undefined,
): Promise<Found> {
  const began = performance.now();
  const { name, kind, module, find, replace } = fault;
  const change = (source: string): string => source.split(find).join(replace);
  const { file, text } = await bundle(name, [{ module, change }]);
  // Where the texts differ first and last: a constant that is no longer used goes from before what is
  // changed.
  let first = 0;
  while (text.charCodeAt(first) === base.text.charCodeAt(first)) first++;
  let rest = 1;
  while (text.charCodeAt(text.length - rest) === base.text.charCodeAt(base.text.length - rest)) rest++;
  const last = base.text.length - rest;
  const runs = base.runs.filter((run) => executes(run, first) || executes(run, last));
  const thread = new JudgeThread(file);
  let caughtBy = '';
  let caughtIn = '';
  const moved = new Set<BaseRun>();
  try {
    for (const measures of [false, true]) {
      for (const one of measures ? moved : runs) {
        const most = TIMES_AS_LONG * one.judged.seconds + AND_SECONDS;
        const { judged } = await thread.judge(one.run, measures, most);
        if (judged.digest !== one.judged.digest) moved.add(one);
        caughtBy = seenBy(judged, one.judged);
        if (judged.message !== '') log(`${one.run.name}: ${judged.message}`);
        if (caughtBy === '') continue;
        caughtIn = one.run.name;
        return {
          name,
          kind,
          module,
          caughtBy,
          run: caughtIn,
          reached: runs.length,
          moved: moved.size,
          seconds: (performance.now() - began) / 1000,
        };
      }
    }
  } finally {
    await thread.end();
    rmSync(file);
  }
  return {
    name,
    kind,
    module,
    caughtBy,
    run: caughtIn,
    reached: runs.length,
    moved: moved.size,
    seconds: (performance.now() - began) / 1000,
  };
}
