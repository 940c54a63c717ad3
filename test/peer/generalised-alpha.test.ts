import { describe, expect, it } from 'vitest';
import type { Toolchain } from '@cli/bench/siconos/toolchain';
import type { ModelDocument } from '@engine/document/types';
import { runRecorded } from './run-engine';
import { runProgram, toolchain } from './run-program';

interface Swing {
  /** s */
  h: number;
  steps: number;
  rho: number;
  damping: number;
  q0: number;
  v0: number;
  /** it strikes q = −wall; 0 is no wall */
  wall: number;
  e: number;
}

interface Run {
  /** at the points of the discretisation but the first: t, q, v */
  rows: number[][];
  /** likewise before the first impact; null where there is none */
  impact: readonly number[] | null;
}

function inSiconos(swing: Swing, tools: Toolchain): Run {
  const { h, steps, rho, damping, q0, v0, wall, e } = swing;
  const lines = runProgram('generalised-alpha.cpp', [h, steps, rho, damping, q0, v0, wall, e], tools)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const of = (kind: number): number[][] => lines.filter(([k]) => k === kind).map((row) => row.slice(1, 4));
  return { rows: of(0), impact: of(1).at(0) ?? null };
}

function here({ h, steps, rho, damping, q0, v0, wall, e }: Swing): Run {
  const contact = {
    id: 'wall',
    systems: ['swing'],
    relation: { type: 'LagrangianLinear', H: [[1]], b: [wall] },
    law: { type: 'NewtonImpact', e },
  };
  const document: ModelDocument = {
    formatVersion: 3,
    title: 'Pendulum at a wall',
    parameters: [],
    systems: [
      {
        id: 'swing',
        type: 'LagrangianNonLinear',
        ndof: 1,
        mass: [[1]],
        q0: [q0],
        v0: [v0],
        fInt: { function: 'weight' },
      },
    ],
    interactions: wall > 0 ? [contact] : [],
    simulation: {
      scheme: 'event-driven',
      t0: 0,
      tEnd: h * steps,
      h,
      integrators: [],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
      eventDriven: { flight: { type: 'GeneralisedAlpha', spectralRadius: rho } },
    },
    observables: [],
    scripts: [
      {
        name: 'functions.ts',
        role: 'functions',
        source: [`export function weight(t, q, v, out) { out[0] = Math.sin(q[0]) + ${damping} * v[0]; }`],
      },
    ],
    views: [],
    layout: { nodes: {} },
  };
  const { signals, events } = runRecorded(document);
  const column = (name: string): Float64Array => signals.get(name) ?? new Float64Array();
  const [t, q, v] = [column('t'), column('swing.q'), column('swing.v')];
  const rows = Array.from(t, (time, row) => [time, q[row], v[row]]);
  const first = events.find(({ kind }) => kind === 'impact');
  return {
    rows: rows.slice(1).filter(([time]) => first === undefined || time < first.time),
    impact: rows.find(([time]) => time === first?.time) ?? null,
  };
}

/** Largest difference of q and v. */
const difference = (a: readonly number[][], b: readonly number[][]): number =>
  Math.max(...a.map((row, k) => Math.max(Math.abs(row[1] - b[k][1]), Math.abs(row[2] - b[k][2]))));

/**
 * The steps of Siconos: each begins with the acceleration for the algorithmic one, which the method has after
 * events only. Solved by bisection in q̈₁, which is between −2 and 2.
 */
function begunAfresh({ h, steps, rho, damping, q0, v0 }: Swing): number[][] {
  const m = (2 * rho - 1) / (rho + 1);
  const f = rho / (rho + 1);
  const gamma = 0.5 + f - m;
  const beta = 0.25 * (gamma + 0.5) ** 2;
  let [q, v] = [q0, v0];
  const rows: number[][] = [];
  for (let k = 1; k <= steps; k++) {
    const a0 = -Math.sin(q) - damping * v;
    const end = (rate: number): [number, number] => {
      const a1 = ((1 - f) * rate + (f - m) * a0) / (1 - m);
      return [q + h * v + h * h * ((0.5 - beta) * a0 + beta * a1), v + h * ((1 - gamma) * a0 + gamma * a1)];
    };
    let [low, high] = [-4, 4];
    while (high - low > 1e-16 * 8) {
      const middle = 0.5 * (low + high);
      const [p, w] = end(middle);
      if (middle + Math.sin(p) + damping * w > 0) high = middle;
      else low = middle;
      if (middle === low && high - low < 1e-15) break;
    }
    [q, v] = end(0.5 * (low + high));
    rows.push([k * h, q, v]);
  }
  return rows;
}

const SWING: Swing = { h: 0.02, steps: 500, rho: 1, damping: 0.1, q0: 2, v0: 0, wall: 0, e: 0.8 };

describe('generalised-α of Siconos', () => {
  it('has the same states where nothing is damped, ρ = 1', (context) => {
    if (!toolchain.ok) return context.skip(toolchain.reason);
    const tools = toolchain.toolchain;
    const [ours, theirs] = [here(SWING), inSiconos(SWING, tools)];
    expect(theirs.rows.length).toBe(500);
    expect(difference(theirs.rows, ours.rows)).toBeLessThan(1e-11);
  });

  it('strikes a wall at the same time and speed, as far as it locates them', (context) => {
    if (!toolchain.ok) return context.skip(toolchain.reason);
    const tools = toolchain.toolchain;
    const struck = { ...SWING, steps: 300, wall: 0.5 };
    const [ours, theirs] = [here(struck), inSiconos(struck, tools)];
    expect(theirs.rows.length).toBe(ours.rows.length);
    // Between the ends of a step positions are polynomials of degree 5 there, with velocities for their
    // derivatives, and of degree 3 here, each by itself. They differ by what a step leaves out, some h³.
    const [t, q, v] = theirs.impact!.map((value, k) => Math.abs(value - ours.impact![k]));
    expect(t).toBeLessThan(1e-5);
    expect(q).toBeLessThan(1e-10);
    expect(v).toBeLessThan(5e-3);
  });

  it('begins each step afresh for ρ < 1, which makes it one of order 1', (context) => {
    if (!toolchain.ok) return context.skip(toolchain.reason);
    const tools = toolchain.toolchain;
    const damped = { ...SWING, rho: 0.5 };
    const theirs = inSiconos(damped, tools).rows;
    expect(difference(theirs, begunAfresh(damped))).toBeLessThan(1e-11);
    const exact = here({ ...SWING, h: 0.0005, steps: 20_000 }).rows.filter((_, k) => k % 40 === 39);
    const errors = [1, 2].map((parts) => {
      const finer = { ...damped, h: damped.h / parts, steps: parts * damped.steps };
      const every = (rows: number[][]): number[][] => rows.filter((_, k) => (k + 1) % parts === 0);
      return {
        ours: difference(exact, every(here(finer).rows)),
        theirs: difference(exact, every(inSiconos(finer, tools).rows)),
      };
    });
    expect(Math.log2(errors[0].theirs / errors[1].theirs)).toBeCloseTo(1, 1);
    expect(Math.log2(errors[0].ours / errors[1].ours)).toBeCloseTo(2, 1);
  });
});
