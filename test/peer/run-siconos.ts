/**
 * Runs models in Siconos, each in a Python process of its own that is forked from one that has imported it.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { NumericModel } from './documents';
import type { GalleryModel } from './gallery';
import type { LinearModel, MovingSurfaceModel } from './models';
import type { SignalTable, Trajectory } from './trajectory';

/** Debian's package belongs to the system's Python, whatever comes first on PATH. */
export const PYTHON = process.env.MOREAU_PEER_PYTHON ?? '/usr/bin/python3';

/** @returns why the comparison cannot run, or null when Siconos is there */
export function missingSiconos(): string | null {
  const { status, error } = spawnSync(PYTHON, ['-B', '-c', 'import siconos.kernel, siconos.numerics'], {
    stdio: 'ignore',
  });
  if (error !== undefined) return `there is no ${PYTHON}`;
  return status === 0 ? null : `${PYTHON} has no Siconos; on Debian: apt-get install python3-siconos`;
}

/** Exit status of scripts that wait for theirs; the server says it. */
const waiting = new Map<number, (status: number) => void>();
let server: ChildProcessWithoutNullStreams | null = null;
let asked = 0;

/**
 * The Python process that has imported Siconos. It ends with this one, whose end closes its standard input.
 */
function startServer(): ChildProcessWithoutNullStreams {
  const started = spawn(PYTHON, ['-B', fileURLToPath(new URL('./siconos/server.py', import.meta.url))]);
  const complaints: Buffer[] = [];
  started.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  createInterface({ input: started.stdout }).on('line', (line) => {
    const [number, status] = line.split(' ').map(Number);
    waiting.get(number)?.(status);
    waiting.delete(number);
  });
  started.stdin.on('error', () => undefined);
  started.on('close', () => {
    server = null;
    if (waiting.size > 0) console.error(Buffer.concat(complaints).toString());
    for (const answer of waiting.values()) answer(NaN);
    waiting.clear();
  });
  return started;
}

/**
 * Runs one of the scripts in `siconos/`.
 * @param script file name
 * @param parameters the object that the script reads from its standard input
 * @returns the object it prints
 * @throws when it fails, and when Siconos prints a warning: its states are then not what it was asked for
 */
export async function runPeer(script: string, parameters: object): Promise<unknown> {
  const file = fileURLToPath(new URL(`./siconos/${script}`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'moreau-peer-'));
  try {
    writeFileSync(join(folder, 'in'), JSON.stringify(parameters));
    server ??= startServer();
    const number = asked++;
    const ended = new Promise<number>((resolve) => waiting.set(number, resolve));
    server.stdin.write(`${JSON.stringify([number, file, folder])}\n`);
    const status = await ended;
    const printed = (name: string): string => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    if (status !== 0) throw new Error(`${script} failed (${status}):\n${printed('err')}`);
    const text = printed('out');
    const start = text.indexOf('{');
    if (start !== 0) throw new Error(`Siconos warned in ${script}:\n${text.slice(0, Math.max(start, 500))}`);
    return JSON.parse(text) as unknown;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a linear model with the LCP solved by Lemke's algorithm. */
export async function runLinearInSiconos(model: LinearModel): Promise<Trajectory> {
  return (await runPeer('lagrangian.py', model)) as Trajectory;
}

/** Runs the particle above a moving surface. */
export async function runMovingSurfaceInSiconos(model: MovingSurfaceModel): Promise<Trajectory> {
  return (await runPeer('rheonomous.py', model)) as Trajectory;
}

const FIRST_ORDER: ReadonlySet<string> = new Set(['EulerMoreau', 'ZeroOrderHold']);

/**
 * Siconos has no simulation of systems of both orders, and no interaction can link them: their parts are
 * independent, and each can run alone.
 */
function partsByOrder({ document, ...rest }: NumericModel): NumericModel[] {
  const { systems, interactions, simulation } = document;
  return [true, false]
    .map((first) => {
      const own = systems.filter(({ type }) => type.startsWith('FirstOrder') === first);
      const ids = new Set(own.map(({ id }) => id));
      return {
        ...rest,
        document: {
          systems: own,
          interactions: interactions.filter((interaction) => interaction.systems.every((id) => ids.has(id))),
          simulation: {
            integrators: simulation.integrators.filter(({ type }) => FIRST_ORDER.has(type) === first),
          },
        },
      };
    })
    .filter((part) => part.document.systems.length > 0);
}

/** Runs a document. @returns its signals by our names, and `t` */
export async function runDocumentInSiconos(
  { functions, steps }: GalleryModel,
  model: NumericModel,
): Promise<SignalTable> {
  const table: SignalTable = new Map();
  for (const { document, parameters, h } of partsByOrder(model)) {
    const given = { document, parameters, functions, h, steps };
    const { t, signals } = (await runPeer('model.py', given)) as {
      t: number[];
      signals: Record<string, number[]>;
    };
    table.set('t', t);
    for (const [name, values] of Object.entries(signals)) table.set(name, values);
  }
  return table;
}
