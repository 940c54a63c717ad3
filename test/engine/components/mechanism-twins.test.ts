/** Mechanisms of the gallery, drawn of components: the motion of matrices that are written by hand. */
import { describe, expect, it } from 'vitest';
import type { Expression, ModelDocument, SchemeName } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { example } from '../support/models';
import { run } from '../support/run';

interface Twin {
  readonly name: string;
  /** what it is at other values of the parameters, where its drawing is that of another */
  readonly as?: string;
  /** signals of the drawing by those of the example */
  readonly signals: Readonly<Record<string, string>>;
  readonly tEnd: number;
  /** where it is no model of the other */
  readonly scheme?: SchemeName;
  /** of parameters, where those of the example are no test */
  readonly values?: Readonly<Record<string, number>>;
  /** whether it has samples, which are 1e-9 of their period early in the drawing, and rows of their own */
  readonly isSampled?: true;
}

/** s: less than from one event to the next. */
const SAME_TIME = 1e-9;

const TWINS: readonly Twin[] = [
  {
    name: 'bouncing-ball',
    signals: { 'ball.x': 'ball.q', 'ball.v': 'ball.v' },
    tEnd: 2,
  },
  {
    name: 'spring-friction',
    signals: { 'm.x': 'mass.q', 'm.v': 'mass.v', 'table.f': 'table.lambda' },
    tEnd: 2.5,
  },
  {
    name: 'friction-belt',
    signals: { 'm.x': 'mass.q', 'belt.f': 'belt.lambda', 'k.f': 'springForce', 'belt.slip': 'slip' },
    tEnd: 40,
  },
  {
    name: 'grazing-oscillator',
    signals: { 'm.x': 'mass.q', 'stop.s': 'stop.gap' },
    tEnd: 30,
  },
  {
    name: 'impact-oscillator-basins',
    signals: { 'm.x': 'oscillator.q', 'm.v': 'oscillator.v' },
    tEnd: 10,
  },
  {
    name: 'three-balls',
    signals: { 'm0.x': 'ball0.q', 'm1.v': 'ball1.v', 'm2.x': 'ball2.q' },
    tEnd: 1,
  },
  {
    name: 'bead-column',
    signals: {
      ...{ 'beads[0].m.x': 'bead0.q', 'beads[50].m.v': 'bead50.v', 'beads[99].m.x': 'bead99.q' },
      'beads[3].contact.impulse': 'contact3.impulse',
    },
    tEnd: 0.05,
  },
  {
    name: 'drag-sled',
    signals: { 'sled.x': 'sled.q[0]', 'sled.v': 'sled.v[0]' },
    tEnd: 10,
  },
  {
    name: 'ball-chain',
    values: { ratio: 0.7, e: 0.9 },
    // Its law of impacts is one of this scheme.
    scheme: 'event-driven',
    signals: { 'first.x': 'ball0.q', 'balls[0].m.v': 'ball1.v', 'balls[4].m.x': 'ball5.q' },
    tEnd: 0.2,
  },
  {
    name: 'impacting-bar',
    signals: { 'elements[0].m1.x': 'bar.q[0]', 'elements[98].m2.v': 'bar.v[99]' },
    tEnd: 5e-4,
  },
  {
    name: 'damped-bar',
    signals: {
      'elements[0].m1.x': 'bar.q[0]',
      'elements[98].m2.v': 'bar.v[99]',
      'hit.s': 'wall.gap',
    },
    tEnd: 6e-4,
  },
  {
    name: 'vibrating-table',
    signals: { 'ball.x': 'ball.q', 'ball.v': 'ball.v', 'table.s': 'table.gap' },
    tEnd: 2,
  },
  {
    name: 'newtons-cradle',
    signals: {
      ...{ 'first.x': 'ball0.q', 'balls[0].m.v': 'ball1.v', 'balls[3].m.x': 'ball4.q' },
      'balls[1].contact.impulse': 'contact1.impulse',
    },
    tEnd: 1,
  },
  {
    name: 'pid-dry-friction',
    // What signals drive is a system of the first order, which steps otherwise.
    scheme: 'event-driven',
    signals: { 'slide.x': 'slide.q', 'slide.v': 'slide.v', 'drive.f': 'pid.u', 'guide.f': 'guide.lambda' },
    tEnd: 12,
    isSampled: true,
  },
  {
    name: 'cam-follower-358',
    signals: { 'follower.x': 'follower.q', 'follower.v': 'follower.v', 'lift.x': 'lift' },
    tEnd: 1,
  },
  ...['cam-follower-660', 'cam-follower-700'].map((name): Twin => ({
    name,
    as: 'cam-follower-358',
    signals: { 'follower.x': 'follower.q', 'follower.v': 'follower.v' },
    tEnd: 1,
  })),
  {
    name: 'forecast-of-contacts',
    signals: { 'late.x': 'late.q', 'early.x': 'early.q', 'earlier.v': 'earlier.v', left3: 'left3' },
    tEnd: 0.3,
  },
  {
    name: 'coupling-and-rope',
    // What is written comes and goes in steps only.
    scheme: 'time-stepping',
    signals: {
      ...{ 'cart.x': 'cart.q', 'mass.v': 'mass.v', 'coupling.s': 'coupling.y', 'rope.s': 'rope.gap' },
      ...{ 'coupling.impulse': 'coupling.impulse', momentum: 'momentum', energy: 'energy' },
    },
    tEnd: 4,
  },
  {
    name: 'lift-off',
    signals: { 'ball.x': 'ball.q', 'ball.v': 'ball.v', force: 'force' },
    tEnd: 10,
  },
];

function twinOf({ name, as = name, values = {} }: Twin): { twin: ModelDocument; original: ModelDocument } {
  const valued = (document: ModelDocument, given: Readonly<Record<string, Expression>>): ModelDocument => {
    for (const parameter of document.parameters) parameter.value = given[parameter.name] ?? parameter.value;
    return document;
  };
  const original = valued(example(name), values);
  const own = Object.fromEntries(original.parameters.map((one) => [one.name, one.value]));
  return { original, twin: { ...valued(example(`${as}-drawn`), own), simulation: original.simulation } };
}

/** Rows of both at one time, the last that each has there. */
function pairsOf(mine: Float64Array, theirs: Float64Array): { row: number; other: number }[] {
  const pairs: { row: number; other: number }[] = [];
  let row = 0;
  theirs.forEach((time, other) => {
    if (time === theirs[other + 1]) return;
    while (row + 1 < mine.length && mine[row + 1] <= time + SAME_TIME) row++;
    pairs.push({ row, other });
  });
  return pairs;
}

const sandbox = (): ReturnType<typeof createSandbox> => createSandbox();

describe('a mechanism of components moves as its matrices', () => {
  for (const scheme of ['time-stepping', 'event-driven'] as const)
    it.each(TWINS.filter((one) => (one.scheme ?? scheme) === scheme).map((one) => [one.name, one] as const))(
      `%s, ${scheme}`,
      (_, one) => {
        const { twin, original } = twinOf(one);
        const [a, b] = [twin, original].map((document) => run(document, { sandbox, scheme, tEnd: one.tEnd }));
        const pairs = one.isSampled === true ? pairsOf(a.column('t'), b.column('t')) : null;
        for (const [signal, other] of Object.entries(one.signals)) {
          const [all, every] = [a.column(signal), b.column(other)];
          const [mine, theirs] =
            pairs === null
              ? [all, every]
              : [
                  Float64Array.from(pairs, (at) => all[at.row]),
                  Float64Array.from(pairs, (at) => every[at.other]),
                ];
          expect(mine.length).toBe(theirs.length);
          const size = theirs.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
          const off = mine.reduce((most, value, k) => Math.max(most, Math.abs(value - theirs[k])), 0);
          expect(off, signal).toBeLessThanOrEqual((one.isSampled === true ? 1e-9 : 1e-12) * size);
        }
      },
    );
});
