/**
 * Masses that are pressed against walls which move by scripts, come to rest on them and open again: motion
 * that is not recorded against the same motion from row to row. Rest forgets what was before it, so that
 * later events can be compared as well as earlier ones.
 */
import { goOn, preparedMotion } from '@engine/analysis/stability/motion-model';
import { compileRun } from '@engine/run/compile-run';
import { schemes } from '@engine/run/schemes/registry';
import { REFUSED } from '@engine/event-driven/skim/skim-arcs';
import { WallRest } from '@engine/event-driven/skim/wall-rest';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { TangentMotion } from '@engine/event-driven/tangent/tangent-motion';
import type { Simulation } from '@engine/run/schemes/scheme';
import { createSandbox } from '@engine/script/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import { type Random, seeded } from '../../support/random';
import { type Drawn, simulationTo } from './drawn';

const CASES = process.env.MOREAU_PROVE === '1' ? 600 : 30;

/** Where a wall is by the part s of its turn, and dL/ds. */
const WALLS: readonly ((random: Random) => readonly [lift: string, slope: string])[] = [
  () => ['Math.sin(2 * Math.PI * s)', '2 * Math.PI * Math.cos(2 * Math.PI * s)'],
  // A rest, and a lift with jumps of its acceleration.
  (random) => {
    const from = random.uniform(0.1, 0.6);
    const u = `2 * Math.PI * (s - ${from}) / ${1 - from}`;
    return [
      `(s < ${from} ? 0 : 0.5 * (1 - Math.cos(${u})))`,
      `(s < ${from} ? 0 : ${Math.PI / (1 - from)} * Math.sin(${u}))`,
    ];
  },
  // Parabolas up and down, steeper on top.
  (random) => {
    const b = random.uniform(0.2, 0.45);
    const top = `${b} + 2 * (s - ${b}) * (${1 - b} - s) / ${1 - 2 * b}`;
    const slopeOfTop = `2 * (1 - 2 * s) / ${1 - 2 * b}`;
    return [
      `(s < ${b} ? s * s / ${b} : s < ${1 - b} ? ${top} : (1 - s) * (1 - s) / ${b})`,
      `(s < ${b} ? 2 * s / ${b} : s < ${1 - b} ? ${slopeOfTop} : -2 * (1 - s) / ${b})`,
    ];
  },
  // Corners of the wall itself.
  () => ['Math.abs(Math.sin(Math.PI * s))', 'Math.PI * Math.cos(Math.PI * s)'],
];

function drawnWall(random: Random): Drawn {
  const period = random.uniform(0.4, 2);
  const [lift, slope] = WALLS[random.integer(0, WALLS.length - 1)](random);
  const a = random.uniform(0.02, 0.2);
  const phase = random.uniform(0, 1);
  const source = [
    'function part(t: number): number {',
    `  const turns = t / ${period} + ${phase};`,
    '  return turns - Math.floor(turns);',
    '}',
    `function lift(s: number): number { return ${a} * ${lift}; }`,
    `function slope(s: number): number { return ${a} * ${slope}; }`,
    'export const gap: Constraint = (t, q, out) => {',
    '  out[0] = q[0] - lift(part(t));',
    '};',
    'export const gapRate: ConstraintTimeDerivative = (t, q, out) => {',
    `  out[0] = -slope(part(t)) / ${period};`,
    '};',
  ];
  const { document, issues } = readDocument(
    JSON.stringify({
      formatVersion: 3,
      title: 'mass on a wall',
      systems: [
        {
          id: 'mass',
          type: 'LagrangianLinearTI',
          ndof: 1,
          mass: [[random.uniform(0.5, 2)]],
          stiffness: [[random.uniform(20, 200)]],
          ...(random.chance(0.5) && { damping: [[random.uniform(0, 2)]] }),
          q0: [0.4],
          v0: [0],
          fExt: [
            `-${random.uniform(1, 20)}${random.chance(0.4) ? ` + 2 * sin(${random.uniform(1, 9)} * t)` : ''}`,
          ],
        },
      ],
      interactions: [
        {
          id: 'wall',
          systems: ['mass'],
          relation: {
            type: 'LagrangianRheonomous',
            h: { function: 'gap' },
            hDot: { function: 'gapRate' },
            jacobian: [[1]],
          },
          law: { type: 'NewtonImpact', e: random.uniform(0, 0.7) },
        },
      ],
      simulation: simulationTo(8 * period),
      scripts: [{ name: 'wall.ts', role: 'functions', source }],
    }),
  );
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return { document, period };
}

/** Of a run in which nothing, or all it can, is skimmed. */
function ran({ document }: Drawn, period: number | null | undefined): Simulation {
  const compiled = compileRun({ document }, undefined, () => createSandbox());
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { prepared } = compiled;
  const { scheme, tEnd } = prepared.settings;
  const simulation = schemes[scheme].create(prepared, { loop: undefined });
  while (!simulation.isAtEnd) {
    if (period !== undefined)
      simulation.skim?.({ until: tEnd - 0.01, period, isWanted: () => true, rows: null });
    simulation.advance();
  }
  return simulation;
}

/** Within it two events are at one instant, s, and so in either order. */
const INSTANT = 1e-9;

/**
 * Events but the impacts of an accumulation, whose number is that of rounding, and openings that are part of
 * an impact at a corner.
 */
function plain(events: readonly EventRecord[]): readonly EventRecord[] {
  const isHit = (time: number): boolean =>
    events.some((one) => one.kind === 'impact' && Math.abs(one.time - time) < INSTANT);
  return events.filter(({ kind, before, time }) =>
    kind === 'impact' ? Math.abs(before) > 1e-3 : kind !== 'takeOff' || !isHit(time),
  );
}

/** How far apart times may be, s: an accumulation may end a bounce earlier. */
const APART: Partial<Record<EventRecord['kind'], number>> = { zeno: 1e-4, closing: 1e-4, takeOff: 1e-6 };

describe('a mass on a wall that moves', () => {
  let rests = 0;
  let openings = 0;
  const { fly } = WallRest.prototype;
  WallRest.prototype.fly = function (this: WallRest, until) {
    const status = fly.call(this, until);
    if (status !== REFUSED) rests++;
    return status;
  };
  afterAll(() => {
    WallRest.prototype.fly = fly;
  });

  it.each(Array.from({ length: CASES }, (_, k) => k))('rests and opens as from row to row: %i', (seed) => {
    const model = drawnWall(seeded(9100 + seed));
    const known = ran(model, undefined);
    const expected = plain(known.events);
    for (const period of [null, model.period]) {
      const found = ran(model, period);
      expect(found.certificate.dynamics).toBeLessThan(Math.max(1e-10, 2 * known.certificate.dynamics));
      expect(found.certificate.complementarity).toBeLessThan(1e-10);
      expect(found.certificate.coneViolation).toBeLessThan(
        Math.max(1e-9, 2 * known.certificate.coneViolation),
      );
      expect(found.complete).toStrictEqual(known.complete);
      const events = plain(found.events);
      expect(events.map(({ kind }) => kind)).toStrictEqual(expected.map(({ kind }) => kind));
      events.forEach(({ kind, time, before, after, impulse }, k) => {
        if (kind === 'takeOff') openings++;
        expect(Math.abs(time - expected[k].time)).toBeLessThan(APART[kind] ?? 1e-7);
        for (const [own, other] of [
          [before, expected[k].before],
          [after, expected[k].after],
          [impulse, expected[k].impulse],
        ])
          expect(Math.abs(own - other)).toBeLessThan(1e-5 * (1 + Math.abs(other)));
      });
    }
  });

  it('has been seen', () => {
    expect(rests).toBeGreaterThan(3 * CASES);
    expect(openings).toBeGreaterThan(CASES);
  });
});

/** A motion with its disturbances. @param period undefined: nothing is skimmed */
function disturbed({ document }: Drawn, end: number, period?: number): TangentMotion {
  const compiled = compileRun({ document }, undefined, () => createSandbox());
  if (!compiled.ok) throw new Error(compiled.error.message);
  const motion = preparedMotion(compiled.prepared);
  const simulation = motion.simulate(0, end, motion.initialState, undefined, true);
  const tangent = motion.tangent(simulation);
  if (period === undefined) simulation.run();
  else goOn(simulation, { until: () => Infinity, arrive: () => undefined, isWanted: () => true, period });
  tangent.passed();
  return tangent;
}

it.each(Array.from({ length: CASES / 2 }, (_, k) => k))(
  'rest on a wall leaves the same of disturbances, skimmed or not: %i',
  (seed) => {
    const model = drawnWall(seeded(9100 + seed));
    const known = disturbed(model, 4 * model.period);
    const found = disturbed(model, 4 * model.period, model.period);
    expect(found.broken?.status).toBe(known.broken?.status);
    expect(found.grazes.count).toBe(known.grazes.count);
    const largest = Math.max(...known.frame.map(Math.abs));
    known.frame.forEach((value, k) => {
      expect(Math.abs(found.frame[k] - value)).toBeLessThan(1e-12 + 1e-6 * largest);
    });
  },
);
