/** Friction-contact problems to measure solvers on: from files, or generated. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FrictionContactProblem } from '@engine/problems/friction-contact';
import { UsageError } from '../command';
import { bodyPile, FAMILIES } from './body-piles';
import { spherePile } from './sphere-pile';

export interface FrictionData {
  name: string;
  problem: FrictionContactProblem;
}

/** A file: W in block compressed sparse rows, blocks as lists of rows or flat by rows. */
interface FrictionFile {
  name: string;
  dimension: number;
  contacts: number;
  mu: number[];
  q: number[];
  W: { format: 'bsr'; blockSize: number; rowptr: number[]; colind: number[]; blocks: unknown[] };
}

/** Coulomb's coefficient of the piles of bodies. */
const FRICTION = 0.5;

/**
 * Stacks, walls, blocks at random and columns of balls as contact dynamics forms them, and piles of spheres
 * of which only W is known; each is made when it is asked for, large ones taking seconds.
 */
export function* generatedPiles(
  sizes: readonly number[],
  sizesOfSpheres: readonly number[],
): Generator<FrictionData> {
  for (const family of FAMILIES)
    for (const contacts of sizes)
      yield { name: `${family}-${contacts}`, problem: bodyPile(family, contacts, FRICTION) };
  for (const contacts of sizesOfSpheres) yield { name: `spheres-${contacts}`, problem: spherePile(contacts) };
}

/**
 * All friction-contact problems of a folder, `.json` or `.json.gz`, in the order of their names.
 * @throws {UsageError} when the folder or a file cannot be read, or is not of that form
 */
export function readFrictionProblems(folder: string): FrictionData[] {
  const names = filesOf(folder)
    .filter((name) => /\.json(\.gz)?$/.test(name))
    .sort();
  if (names.length === 0) throw new UsageError(`The folder ${folder} has no .json or .json.gz files.`);
  return names.map((name) => {
    try {
      const bytes = readFileSync(join(folder, name));
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      return fromFile(JSON.parse(text) as FrictionFile);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UsageError(`${name} is not a friction-contact problem: ${reason}`);
    }
  });
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    throw new UsageError(`The folder ${folder} cannot be read.`);
  }
}

function fromFile({ name, dimension: d, contacts: n, mu, q, W }: FrictionFile): FrictionData {
  if ((d !== 2 && d !== 3) || W.blockSize !== d) throw new Error('the dimension is neither 2 nor 3');
  const blocks = W.colind.length;
  const values = (W.blocks as number[][][]).flat(2);
  if (mu.length !== n || q.length !== d * n || W.rowptr.length !== n + 1 || values.length !== d * d * blocks)
    throw new Error('mu, q, rowptr or blocks have another length than contacts say');
  const problem = new FrictionContactProblem(d, n, blocks);
  problem.count = n;
  problem.revision = 1;
  problem.W.rows = n;
  problem.W.rowStart.set(W.rowptr);
  problem.W.columns.set(W.colind);
  problem.W.values.set(values);
  for (let i = 0; i < n; i++) {
    const place = W.colind.indexOf(i, W.rowptr[i]);
    if (place < 0 || place >= W.rowptr[i + 1]) throw new Error(`row ${i} has no diagonal block`);
    problem.W.diagonal[i] = place;
  }
  problem.q.set(q);
  problem.mu.set(mu);
  return { name, problem };
}

/** What the comparison program reads: see `siconos/friction.cpp`. */
export function frictionBytes({ dimension: d, count: n, W, q, mu }: FrictionContactProblem): Buffer {
  const blocks = W.rowStart[n];
  const parts = [
    Int32Array.of(d, n, blocks),
    W.rowStart.subarray(0, n + 1),
    W.columns.subarray(0, blocks),
    W.values.subarray(0, d * d * blocks),
    q.subarray(0, d * n),
    mu.subarray(0, n),
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
}
