/** Runs a model in Siconos, in a Python process of its own. */
import { spawn, spawnSync } from 'node:child_process';
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

/**
 * Runs one of the scripts in `siconos/`.
 * @param script file name
 * @param parameters the object that the script reads from its standard input
 * @returns the object it prints
 * @throws when it fails, and when Siconos prints a warning: its states are then not what it was asked for
 */
export async function runPeer(script: string, parameters: object): Promise<unknown> {
  const file = fileURLToPath(new URL(`./siconos/${script}`, import.meta.url));
  const child = spawn(PYTHON, ['-B', file], { stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  // A script that fails before it reads closes the pipe; its own message says more than the broken pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(parameters));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const text = Buffer.concat(output).toString();
  if (code !== 0) throw new Error(`${script} failed:\n${Buffer.concat(errors).toString()}`);
  const start = text.indexOf('{');
  if (start !== 0) throw new Error(`Siconos warned in ${script}:\n${text.slice(0, Math.max(start, 500))}`);
  return JSON.parse(text) as unknown;
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
