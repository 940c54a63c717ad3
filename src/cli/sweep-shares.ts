/**
 * How `moreau sweep` computes: all of it, a share, the table of shares, or a script that has others do it.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type SweepJob, sweepChains } from '@engine/analysis/sweep/job';
import { plural } from '@engine/plural';
import { saveAtomically } from '@main/files/atomic';
import { fileError } from '@main/files/file-errors';
import { jobText, readJobText } from '@main/sweep/job-text';
import type { Share } from '@main/sweep/shares';
import { slurmScript } from '@main/sweep/slurm';
import { type CommandArguments, type CliContext, EXIT, UsageError } from './command';
import { wholeNumber } from './sweep-options';

/** Shares of a script when nothing is said. */
export const DEFAULT_SHARES = 64;

const JOB_FILE = '.job.json';

/** Flags that say how a job is computed; all others say what it is, which a file of a job has said. */
const HOW = new Set([
  ...['workers', 'queue', 'resume', 'emit', 'array', 'share', 'merge', 'out', 'comments', 'json'],
]);

export const isJobFile = (argument: string): boolean => argument.endsWith(JOB_FILE);

/** @throws {UsageError} for flags of a job, {MoreauError} for a file that is none */
export async function readJobFile(path: string, args: CommandArguments): Promise<SweepJob> {
  const superfluous = args.flags.find((flag) => !HOW.has(flag));
  if (superfluous !== undefined)
    throw new UsageError(`${path} says what is computed: leave out --${superfluous}.`);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw fileError(path, 'read', error);
  });
  return readJobText(text, path);
}

export type SweepWay =
  | { readonly kind: 'compute'; readonly share?: Share }
  | { readonly kind: 'merge' }
  | { readonly kind: 'emit'; readonly shares: number };

/** @throws {UsageError} */
export function sweepWay(args: CommandArguments): SweepWay {
  const given = ['emit', 'share', 'merge', 'queue'].filter((flag) => args.has(flag));
  if (given.length > 1) throw new UsageError(`Give --${given[0]} or --${given[1]}, not both.`);
  const shares = wholeNumber(args, 'array', 1);
  const emit = args.text('emit');
  if (emit === undefined && shares !== undefined) throw new UsageError('--array belongs to --emit slurm.');
  if (emit !== undefined && emit !== 'slurm') throw new UsageError(`--emit is slurm, not “${emit}”.`);
  if (emit !== undefined) return { kind: 'emit', shares: shares ?? DEFAULT_SHARES };
  if (args.has('merge')) return { kind: 'merge' };
  const text = args.text('share');
  if (text === undefined) return { kind: 'compute' };
  const [number, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (number === undefined || of === undefined || number < 1 || number > of)
    throw new UsageError(`--share needs K/N with K from 1 to N, not “${text}”.`);
  return { kind: 'compute', share: { number, of } };
}

/** Writes the job beside the table, and the script to standard output. */
export async function emitSlurm(
  job: SweepJob,
  out: string,
  most: number,
  context: CliContext,
): Promise<number> {
  const path = `${out}${JOB_FILE}`;
  await saveAtomically(path, jobText(job), { backup: false });
  // A share without a chain would only wait for its turn.
  const shares = Math.min(most, sweepChains(job).length);
  context.out(slurmScript({ job: path, out, shares, folder: process.cwd() }));
  context.note(
    `${basename(path)} is the job of ${plural(shares, 'share')}; the script says how to submit it\n`,
  );
  return EXIT.done;
}
