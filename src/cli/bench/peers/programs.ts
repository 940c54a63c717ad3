/**
 * The other programs: which of them are installed, and one run of a model by each. XPPAUT has no clock of its
 * own; what it takes to begin and end is measured by a run of nearly nothing, and left out.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callProgram } from '../siconos/run';
import { compilerIn, type TwinRun } from '../twin';
import header from '../twins/twin.h?raw';
import cvode from './cvode-events.c?raw';
import { EVENTS } from './peer-models';
import scipy from './scipy_events.py?raw';
import xppaut from './xppaut-events.ode?raw';
import { xppautModels } from './xppaut-models';

export interface Peer {
  readonly name: string;
  /** tolerances, or lengths of step, s, from loose to tight */
  readonly ladder: readonly number[];
  /**
   * Times of events of a model, the first ones or only the last of them.
   * @param at of the ladder @returns null where the program fails
   */
  run(model: number, at: number): PeerRun | null;
}

export interface PeerRun extends TwinRun {
  /** number of the event whose time is the first in `state` */
  readonly first: number;
}

export type PeerSearch = { ok: true; peer: Peer } | { ok: false; name: string; reason: string };

const TOLERANCES = [1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13];

/** Runs a program that is given words and prints times of events. */
function calling(executable: string, prefix: readonly string[] = []): Peer['run'] {
  return (model, rtol) => {
    try {
      const given = { model, rtol, events: EVENTS, rpm: 700 };
      const ran = callProgram(executable, given, prefix) as TwinRun;
      return { ...ran, first: 0 };
    } catch {
      return null;
    }
  };
}

function findCvode(folder: string): PeerSearch {
  const name = 'CVODE';
  writeFileSync(join(folder, 'twin.h'), header);
  writeFileSync(join(folder, 'cvode.c'), cvode);
  const libraries = ['cvode', 'nvecserial', 'sunnonlinsolfixedpoint'].map((one) => `-lsundials_${one}`);
  const words = ['-O2', 'cvode.c', '-o', 'cvode', ...libraries, '-lm'];
  const { status } = spawnSync(compilerIn(process.env), words, { cwd: folder });
  if (status !== 0) return { ok: false, name, reason: 'no C compiler, or SUNDIALS 6 not installed' };
  return { ok: true, peer: { name, ladder: TOLERANCES, run: calling(join(folder, 'cvode')) } };
}

function findScipy(folder: string): PeerSearch {
  const name = 'scipy';
  if (spawnSync('python3', ['-c', 'import scipy.integrate']).status !== 0)
    return { ok: false, name, reason: 'scipy not installed' };
  const file = join(folder, 'scipy_events.py');
  writeFileSync(file, scipy);
  return { ok: true, peer: { name, ladder: TOLERANCES, run: calling('python3', [file]) } };
}

/** Times of the model for about twenty events, s: its steps are short. */
const XPPAUT_TIMES = [17, 92, 66, 1.7];
/** Rows of the file of results. */
const ROWS = 1000;

function findXppaut(folder: string): PeerSearch {
  const name = 'XPPAUT';
  if (spawnSync('xppaut', ['-version']).error !== undefined)
    return { ok: false, name, reason: 'XPPAUT not installed' };
  const timed = (model: number, dt: number, total: number): number => {
    const words = { MODEL: xppautModels[model], DT: dt, TOTAL: total, NOUT: Math.ceil(total / dt / ROWS) };
    const text = Object.entries(words).reduce(
      (all, [word, value]) => all.replaceAll(word, String(value)),
      xppaut,
    );
    writeFileSync(join(folder, 'model.ode'), text);
    // The shell tells the processor time of what it has run: the last line, user and system.
    const { stdout } = spawnSync('sh', ['-c', 'xppaut model.ode -silent > log && times'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const spent = [...(stdout.trimEnd().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
    if (spent.length !== 2) throw new Error('XPPAUT failed');
    return 1e9 * spent.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
  };
  const run = (model: number, dt: number): PeerRun | null => {
    const start = timed(model, dt, 10 * dt);
    const taken = timed(model, dt, XPPAUT_TIMES[model]);
    const rows = readFileSync(join(folder, 'output.dat'), 'utf8').trimEnd().split('\n');
    const [whole, part, rest, count] = rows[rows.length - 1].trim().split(/\s+/).slice(-4).map(Number);
    if (!(count > 0)) return null;
    return { ns: (taken - start) / count, state: [whole + (part + rest) / 10_000], first: count - 1 };
  };
  return { ok: true, peer: { name, ladder: [1e-3, 1e-4, 1e-5, 1e-6], run } };
}

/** A folder for the programs and their files; who asks for it removes it. */
export const peersFolder = (): string => mkdtempSync(join(tmpdir(), 'moreau-peers-'));

/** Looks for all of them. @param folder of their files */
export const findPeers = (folder: string): PeerSearch[] => [
  findCvode(folder),
  findScipy(folder),
  findXppaut(folder),
];
