/** How long commands take as whole processes, as a user waits for them, on a small model. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Installation } from '@main/installation';
import { type Benchmark, median, type Measurement } from './benchmark';

/** Each is measured so often, one after the other; once more before, which fills the caches. */
const TIMES = 7;

const MODEL = 'example:bouncing-ball';

/** Each does more than the one before. */
const COMMANDS: readonly { quantity: string; args: readonly string[] | null }[] = [
  { quantity: 'Node alone', args: null },
  { quantity: 'moreau --version', args: ['--version'] },
  { quantity: 'moreau validate', args: ['validate', MODEL] },
  { quantity: 'moreau run --no-accuracy', args: ['run', '--no-accuracy', MODEL] },
  { quantity: 'moreau run', args: ['run', MODEL] },
];

export const startBenchmark: Benchmark = {
  name: 'start',
  summary: `small commands as whole processes, medians of ${TIMES}`,
  measure: startTimes,
};

/** Wall times, ms. */
async function startTimes(place: Installation): Promise<Measurement[]> {
  const times = COMMANDS.map(() => [] as (number | null)[]);
  for (let k = 0; k <= TIMES; k++)
    for (const [i, { args }] of COMMANDS.entries()) {
      const time = await wallTime(place, args);
      if (k > 0) times[i].push(time);
    }
  return COMMANDS.map(({ quantity }, i) => {
    const known = times[i].filter((time) => time !== null);
    return known.length === TIMES
      ? { quantity, value: median(known), unit: 'ms' }
      : { quantity, value: null, unit: 'ms', note: 'it failed' };
  });
}

/** @returns ms; null where it failed */
function wallTime(place: Installation, args: readonly string[] | null): Promise<number | null> {
  const program = join(dirname(place.commandLine), '../../bin/moreau.mjs');
  const env = { ...process.env };
  // As from the user's shell: with the Node found there, which may hand over to another.
  delete env['MOREAU_HANDED_OVER'];
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn('node', args === null ? ['-e', '0'] : [program, ...args], { stdio: 'ignore', env });
    child.on('exit', (code) => resolve(code === 0 ? performance.now() - began : null));
    child.on('error', () => resolve(null));
  });
}
