/**
 * Twins of benchmarks: the same job as a C programmer would write it by hand, in `twins/NAME.c`.
 *
 * They are compiled with `$CC` or gcc, `-O2`, into a folder that goes with the process. A twin and the engine
 * take turns, so that a machine that slows down meanwhile slows both.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callProgram, type ProgramArguments } from './siconos/run';
import beadColumn from './twins/bead-column.c?raw';
import bouncingBall from './twins/bouncing-ball.c?raw';
import bouncingEvents from './twins/bouncing-events.c?raw';
import buckDiagram from './twins/buck-diagram.c?raw';
import camDiagram from './twins/cam-diagram.c?raw';
import camLyapunov from './twins/cam-lyapunov.c?raw';
import cam from './twins/cam.h?raw';
import diodeBridge from './twins/diode-bridge.c?raw';
import impactBasins from './twins/impact-basins.c?raw';
import impactingBar from './twins/impacting-bar.c?raw';
import lorenzLyapunov from './twins/lorenz-lyapunov.c?raw';
import search from './twins/search.h?raw';
import stickSlip from './twins/stick-slip.c?raw';
import header from './twins/twin.h?raw';

/** A new one is a file and a line here. */
const sources = {
  'bead-column': beadColumn,
  'bouncing-ball': bouncingBall,
  'bouncing-events': bouncingEvents,
  'buck-diagram': buckDiagram,
  'cam-diagram': camDiagram,
  'cam-lyapunov': camLyapunov,
  'diode-bridge': diodeBridge,
  'impact-basins': impactBasins,
  'impacting-bar': impactingBar,
  'lorenz-lyapunov': lorenzLyapunov,
  'stick-slip': stickSlip,
} as const;

export type TwinName = keyof typeof sources;

/** What a twin prints. */
export interface TwinRun {
  /** time of one step, event or point, ns */
  ns: number;
  /** what it has computed, in the order its source says */
  state: number[];
}

export type Twin = { ok: true; run: (given: ProgramArguments) => TwinRun } | { ok: false; reason: string };

/** Folder of this process with what it has compiled, made when the first twin is. */
let folder: string | null = null;

function ownFolder(): string {
  if (folder !== null) return folder;
  const made = mkdtempSync(join(tmpdir(), 'moreau-twins-'));
  writeFileSync(join(made, 'twin.h'), header);
  writeFileSync(join(made, 'search.h'), search);
  writeFileSync(join(made, 'cam.h'), cam);
  process.once('exit', () => {
    rmSync(made, { recursive: true, force: true });
  });
  folder = made;
  return made;
}

/** The compiler of C that `$CC` names, or gcc. */
export function compilerIn({ CC }: NodeJS.ProcessEnv): string {
  return CC === undefined || CC === '' ? 'gcc' : CC;
}

/**
 * Compiles a twin.
 * @returns how to run it, or that there is no compiler
 * @throws {Error} with the compiler's message when it does not compile
 */
export function twin(name: TwinName, environment: NodeJS.ProcessEnv = process.env): Twin {
  const compiler = compilerIn(environment);
  if (spawnSync(compiler, ['--version']).status !== 0)
    return { ok: false, reason: `no C compiler (${compiler})` };
  const cwd = ownFolder();
  const source = `${name}.c`;
  writeFileSync(join(cwd, source), sources[name]);
  const built = spawnSync(compiler, ['-O2', source, '-o', name, '-lm'], { cwd, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`${source} does not compile:\n${built.stderr}`);
  return { ok: true, run: (given) => callProgram(join(cwd, name), given) as TwinRun };
}

/** Runs two programs in turn. @returns what each gave, by run */
export function alternately<A, B>(first: () => A, second: () => B, times: number): [A[], B[]] {
  const ours: A[] = [];
  const theirs: B[] = [];
  for (let run = 0; run < times; run++) {
    ours.push(first());
    theirs.push(second());
  }
  return [ours, theirs];
}
