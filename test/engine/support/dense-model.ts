/** Random multi-system models, and one step of them computed from dense matrices of the whole model. */
import type { ModelDocument } from '@engine/document/types';
import {
  combine,
  type Matrix,
  multiply,
  randomGram,
  randomMatrix,
  solve,
  solveMany,
  times,
  transpose,
  zeros,
} from './dense';
import { enumerateLcp } from './lcp-oracle';
import { contact, linearSystem, model } from './models';
import type { Random } from './random';

/** Dense data of one model. */
export interface DenseModel {
  document: ModelDocument;
  h: number;
  theta: number;
  gamma: number;
  M: Matrix;
  C: Matrix;
  K: Matrix;
  F: number[];
  q: number[];
  v: number[];
  /** all gap rows, columns over all coordinates */
  H: Matrix;
  gap: number[];
  e: number[];
  /** systems by interaction, and first coordinate of each system */
  links: number[][];
  offsets: number[];
  /** first row of each interaction */
  rowOffsets: number[];
}

export interface DenseModelOptions {
  /** whether K may have a skew part */
  skew: boolean;
  /** largest number of gap rows: enumeration takes 2^rows solves */
  maxRows: number;
}

const diagonal = (a: Matrix): Matrix => a.map((row, i) => row.map((x, j) => (i === j ? x : 0)));

function put(target: Matrix, block: Matrix, row: number, column: number): void {
  block.forEach((line, i) => line.forEach((x, j) => (target[row + i][column + j] = x)));
}

/** A model of 1 to 4 systems and 1 to 4 interactions with 1 to 3 rows on 1 to 3 systems each. */
export function randomModel(random: Random, { skew, maxRows }: DenseModelOptions): DenseModel {
  const count = random.integer(1, 4);
  const sizes = Array.from({ length: count }, () => random.integer(1, 4));
  const offsets = sizes.map((_, i) => sizes.slice(0, i).reduce((a, b) => a + b, 0));
  const n = sizes.reduce((a, b) => a + b, 0);
  const [M, C, K] = [zeros(n, n), zeros(n, n), zeros(n, n)];
  const vector = (length: number): number[] => Array.from({ length }, () => random.uniform(-1, 1));
  const [q, v, F] = [vector(n), vector(n), vector(n)];
  const systems = sizes.map((size, i) => {
    const isDiagonal = random.chance(0.4);
    const shape = (a: Matrix): Matrix => (isDiagonal ? diagonal(a) : a);
    const mass = shape(randomGram(random, size, size, 0.2));
    const damping = shape(randomGram(random, size, random.integer(1, size), 0));
    let stiffness = shape(randomGram(random, size, random.integer(1, size), 0)).map((row) =>
      row.map((x) => 20 * x),
    );
    if (skew && !isDiagonal) {
      const b = randomMatrix(random, size, size);
      stiffness = stiffness.map((row, r) => row.map((x, c) => x + 5 * (b[r][c] - b[c][r])));
    }
    const at = offsets[i];
    put(M, mass, at, at);
    put(C, damping, at, at);
    put(K, stiffness, at, at);
    const own = (x: number[]): number[] => x.slice(at, at + size);
    return linearSystem(`s${i}`, { mass, damping, stiffness, force: own(F) }, own(q), own(v));
  });

  const H: Matrix = [];
  const gap: number[] = [];
  const e: number[] = [];
  const links: number[][] = [];
  const rowOffsets: number[] = [];
  const interactions = Array.from({ length: random.integer(1, 4) }, (_, i) => {
    const linked = random.sample(random.integer(1, Math.min(3, count)), count);
    const columns = linked.flatMap((s) => Array.from({ length: sizes[s] }, (_unused, k) => offsets[s] + k));
    const rows = Math.min(random.integer(1, 3), Math.max(1, Math.floor((maxRows - H.length) / (4 - i))));
    const block = randomMatrix(random, rows, columns.length);
    // Touching, penetrating, or far away.
    const gaps = Array.from({ length: rows }, () => [0, -0.01, 1][random.integer(0, 2)]);
    const restitution = random.uniform(0, 1);
    rowOffsets.push(H.length);
    const b = block.map((line, r) => gaps[r] - line.reduce((sum, x, k) => sum + x * q[columns[k]], 0));
    for (const line of block) {
      const full = new Array<number>(n).fill(0);
      line.forEach((x, k) => (full[columns[k]] = x));
      H.push(full);
      e.push(restitution);
    }
    gap.push(...gaps);
    links.push(linked);
    return contact(
      `c${i}`,
      linked.map((s) => `s${s}`),
      block,
      restitution,
      b,
    );
  });

  const h = 0.01;
  const theta = [0.5, 1, random.uniform(0.1, 0.9)][random.integer(0, 2)];
  const gamma = 0.5;
  const document = model(systems, interactions, { h, tEnd: h, theta, forecast: gamma });
  return { document, h, theta, gamma, M, C, K, F, q, v, H, gap, e, links, offsets, rowOffsets };
}

/** Ŵ = M + hθ C + h²θ² K of the whole model. */
export const iterationMatrix = ({ M, C, K, h, theta }: DenseModel): Matrix =>
  combine([1, M], [h * theta, C], [h * h * theta * theta, K]);

/** H Ŵ⁻¹ ᵗH over all rows. */
export const denseDelassus = (dense: DenseModel): Matrix =>
  multiply(dense.H, solveMany(iterationMatrix(dense), transpose(dense.H)));

export interface DenseStep {
  v: number[];
  /** impulse by row */
  p: number[];
}

/**
 * One step by enumeration of the active sets.
 * @param operator the Delassus operator over all rows; the correct one unless a test puts a wrong one in its
 *   place
 * @returns null when no active set solves the problem
 */
export function denseStep(dense: DenseModel, operator: Matrix = denseDelassus(dense)): DenseStep | null {
  const { C, K, F, q, v, H, h, theta, gamma, gap, e } = dense;
  const [damping, spring, spring2] = [times(C, v), times(K, q), times(K, v)];
  const residual = F.map((f, i) => h * f - h * damping[i] - h * spring[i] - h * h * theta * spring2[i]);
  const change = solve(iterationMatrix(dense), residual);
  const free = v.map((x, i) => x + change[i]);
  const speed = times(H, v);
  const active = gap.flatMap((y, i) => (y + gamma * h * speed[i] <= 1e-13 ? [i] : []));
  const freeSpeed = times(H, free);
  const b = active.map((i) => freeSpeed[i] + e[i] * speed[i]);
  const W = active.map((i) => active.map((j) => operator[i][j]));
  const [z] = enumerateLcp(W, b, 1);
  if (z === undefined) return null;
  const p = new Array<number>(gap.length).fill(0);
  active.forEach((row, k) => (p[row] = z[k]));
  const response = solve(iterationMatrix(dense), times(transpose(H), p));
  return { v: free.map((x, i) => x + response[i]), p };
}
