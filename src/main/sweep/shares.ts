/**
 * Shares of a sweep, for machines that cannot speak with each other while they compute: each has chains of
 * its own and a journal of its own beside the table, from which the table is made in the end.
 */
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { PointResult } from '@engine/analysis/sweep/compute-point';
import { type SweepJob, countResults, sweepChains } from '@engine/analysis/sweep/job';
import { plural } from '@engine/plural';
import { SweepJournal } from './journal';

/** One of several, from 1. */
export interface Share {
  readonly number: number;
  readonly of: number;
}

/** Neighbours go to different shares: what takes long often lies side by side. */
export const belongs = ({ number, of }: Share, chain: number): boolean => chain % of === number - 1;

/** Points of a share. */
export const sharePoints = (job: SweepJob, share: Share): number[] =>
  sweepChains(job).flatMap(({ points }, chain) => (belongs(share, chain) ? [...points] : []));

/** Place of the journal of a share of the table `out`. */
export const shareJournal = (out: string, { number, of }: Share): string =>
  SweepJournal.place(`${out}.${number}-of-${of}`);

export interface Gathered {
  readonly results: Map<number, PointResult>;
  /** journals that they come from */
  readonly journals: readonly string[];
}

/**
 * What the shares of a sweep have computed together.
 * @throws {MoreauError} `incomplete-sweep` with what is missing; `other-sweep`, `invalid-journal`
 */
export async function gatherShares(out: string, job: SweepJob): Promise<Gathered> {
  const found = await findShares(out);
  const results = new Map<number, PointResult>();
  for (const share of found) {
    const known = await SweepJournal.read(shareJournal(out, share), job);
    for (const [index, result] of known?.results ?? []) results.set(index, result);
  }
  const count = countResults(job);
  if (results.size === count) return { results, journals: found.map((share) => shareJournal(out, share)) };
  const of = found.at(0)?.of;
  const all = Array.from({ length: of ?? 0 }, (_, k): Share => ({ number: k + 1, of: of ?? 0 }));
  const unfinished = all.filter((share) => sharePoints(job, share).some((index) => !results.has(index)));
  throw new MoreauError({
    code: 'incomplete-sweep',
    message:
      found.length === 0
        ? `There are no journals of shares beside ${out}.`
        : `${plural(count - results.size, 'point')} of ${count} are missing.`,
    where: out,
    remedy:
      found.length === 0
        ? 'Compute the shares first, with --share K/N and the same --out.'
        : `Compute these shares on with --resume: ${unfinished.map((share) => `${share.number}/${share.of}`).join(', ')}.`,
  });
}

async function findShares(out: string): Promise<Share[]> {
  const begin = `${basename(out)}.`;
  const shares = (await readdir(dirname(out))).flatMap((name): Share[] => {
    const match = name.startsWith(begin) ? /^(\d+)-of-(\d+)\.sweep$/.exec(name.slice(begin.length)) : null;
    return match === null ? [] : [{ number: Number(match[1]), of: Number(match[2]) }];
  });
  return shares.sort((a, b) => a.of - b.of || a.number - b.number);
}
