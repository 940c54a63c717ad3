/**
 * Motion that is not recorded, against the same motion from row to row: random oscillators, chains and cams
 * between walls that rest, move by sines, or by scripts with corners.
 */
import { compileRun } from '@engine/run/compile-run';
import { schemes } from '@engine/run/schemes/registry';
import type { EventRecord } from '@engine/event-driven/event-record';
import type { Simulation } from '@engine/run/schemes/scheme';
import { createSandbox } from '@engine/script/sandbox';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { type Random, seeded } from '../../support/random';

const CASES = process.env.MOREAU_PROVE === '1' ? 1000 : 60;
/** Events that are compared: later ones carry what small differences have grown to. */
const COMPARED = 12;

const WALLS = [
  (a: number, w: number): string => `${a} * Math.sin(${w} * t)`,
  // Corners, and parts that rest.
  (a: number, w: number): string => `${a} * Math.max(0, Math.sin(${w} * t))`,
  // Two arcs of circles and a rest, as of a cam.
  (a: number, w: number): string =>
    `(() => { const s = ${w} / 6 * t; const u = s - Math.floor(s); if (u < 0.3) return 0; if (u < 0.6) return ${a} * (1 - Math.cos(10 * Math.PI / 3 * (u - 0.3))) / 2; return ${a} * Math.sqrt(1 - Math.pow((u - 0.6) / 0.45, 2)); })()`,
  (a: number, w: number): string => `${a} * Math.abs(Math.sin(${w / 2} * t))`,
];

const simulationTo = (tEnd: number): object => ({
  scheme: 'event-driven',
  t0: 0,
  tEnd,
  h: 0.01,
  integrators: [{ type: 'MoreauJean' }],
  problem: { type: 'auto' },
  solver: { type: 'auto' },
});

interface Drawn {
  readonly document: ModelDocument;
  readonly period: number;
}

/** A chain of masses on springs, with walls at its ends and stops between neighbours. */
function drawn(random: Random): Drawn {
  const n = random.integer(1, 3);
  const w = random.uniform(3, 12);
  const wall = WALLS[random.integer(0, WALLS.length - 1)];
  const isMoving = random.chance(0.7);
  const stiffness = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => (i === j ? random.uniform(20, 200) : 0)),
  );
  for (let i = 0; i + 1 < n; i++) stiffness[i][i + 1] = stiffness[i + 1][i] = -random.uniform(0, 15);
  const a = random.uniform(0.02, 0.15);
  const force = `${random.uniform(0, 20)} * Math.sin(${w} * t) - ${random.uniform(0, 10)}`;
  const systems = [
    {
      id: 'masses',
      type: 'LagrangianLinearTI',
      ndof: n,
      mass: Array.from({ length: n }, (_, i) =>
        Array.from({ length: n }, (_, j) => (i === j ? random.uniform(0.5, 3) : 0)),
      ),
      stiffness,
      ...(random.chance(0.5) && {
        damping: Array.from({ length: n }, (_, i) =>
          Array.from({ length: n }, (_, j) => (i === j ? random.uniform(0, 0.5) : 0)),
        ),
      }),
      q0: Array.from({ length: n }, (_, i) => 0.3 + 0.6 * i + random.uniform(-0.05, 0.05)),
      v0: Array.from({ length: n }, () => random.uniform(-1, 1)),
      ...(random.chance(0.6) && {
        fExt: Array.from({ length: n }, (_, i) =>
          i === 0 ? force.replaceAll('Math.', '') : `${random.uniform(-3, 3)}`,
        ),
      }),
    },
  ];
  const e = (): number => random.uniform(0.5, 0.98);
  const row = (i: number, j: number): number[][] => [
    Array.from({ length: n }, (_, k) => (k === i ? -1 : k === j ? 1 : 0)),
  ];
  const interactions: unknown[] = [];
  if (isMoving)
    interactions.push({
      id: 'wall',
      systems: ['masses'],
      relation: { type: 'LagrangianRheonomous', h: { function: 'gap' }, jacobian: row(-1, 0) },
      law: { type: 'NewtonImpact', e: e() },
    });
  else
    interactions.push({
      id: 'floor',
      systems: ['masses'],
      relation: { type: 'LagrangianLinear', H: row(-1, 0), b: [0] },
      law: { type: 'NewtonImpact', e: e() },
    });
  for (let i = 0; i + 1 < n; i++)
    interactions.push({
      id: `stop${i}`,
      systems: ['masses'],
      relation: { type: 'LagrangianLinear', H: row(i, i + 1), b: [-0.4] },
      law: { type: 'NewtonImpact', e: e() },
    });
  const document = {
    formatVersion: 3,
    title: 'random',
    systems,
    interactions,
    simulation: simulationTo(6),
    scripts: isMoving
      ? [
          {
            name: 'wall.ts',
            role: 'functions',
            source: [
              'export const gap: Constraint = (t, q, out) => {',
              `  out[0] = q[0] - (${wall(a, w)});`,
              '};',
            ],
          },
        ]
      : [],
  };
  const { document: read, issues } = readDocument(JSON.stringify(document));
  if (read === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return { document: read, period: (12 * Math.PI) / w };
}

function simulationOf({ document }: Drawn): { simulation: Simulation; tEnd: number } {
  const compiled = compileRun({ document }, undefined, () => createSandbox());
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { prepared } = compiled;
  const { scheme, tEnd } = prepared.settings;
  return { simulation: schemes[scheme].create(prepared, { loop: undefined }), tEnd };
}

/** Events of motion that was skimmed, so far. */
let skimmed = 0;

/** Events of a run in which nothing, or all it can, is skimmed. */
function eventsOf(model: Drawn, period: number | null | undefined): Simulation {
  const { simulation, tEnd } = simulationOf(model);
  while (!simulation.isAtEnd) {
    const { eventCount } = simulation;
    if (period !== undefined)
      simulation.skim?.({ until: tEnd - 0.01, period, isWanted: () => true, rows: null });
    skimmed += simulation.eventCount - eventCount;
    simulation.advance();
  }
  return simulation;
}

/** Impacts before anything that small differences may decide otherwise. */
function plainly(events: readonly EventRecord[]): readonly EventRecord[] {
  const end = events.findIndex(({ kind, before }) => kind !== 'impact' || Math.abs(before) < 0.02);
  return events.slice(0, Math.min(COMPARED, end < 0 ? events.length : end));
}

describe('motion that is skimmed', () => {
  let seen = 0;

  it.each(Array.from({ length: CASES }, (_, k) => k))(
    'has the events of that which is recorded: %i',
    (seed) => {
      const model = drawn(seeded(7000 + seed));
      const known = eventsOf(model, undefined);
      const expected = plainly(known.events);
      for (const period of [null, model.period]) {
        const found = eventsOf(model, period);
        expect(found.certificate.dynamics).toBeLessThan(Math.max(1e-10, 2 * known.certificate.dynamics));
        expect(found.certificate.complementarity).toBeLessThan(1e-10);
        expect(found.certificate.coneViolation).toBeLessThan(
          Math.max(1e-9, 2 * known.certificate.coneViolation),
        );
        expect(found.complete).toStrictEqual(known.complete);
        expected.forEach(({ time, element, kind, before, impulse }, k) => {
          const one = found.events[k];
          expect(one.kind).toBe(kind);
          expect(one.element).toBe(element);
          expect(Math.abs(one.time - time)).toBeLessThan(1e-9);
          expect(Math.abs(one.before - before)).toBeLessThan(1e-7 * (1 + Math.abs(before)));
          expect(Math.abs(one.impulse - impulse)).toBeLessThan(1e-7 * (1 + Math.abs(impulse)));
        });
        seen += expected.length;
      }
    },
  );

  it('has been seen', () => {
    expect(seen).toBeGreaterThan(4 * CASES);
    expect(skimmed).toBeGreaterThan(50 * CASES);
  });
});

/** A mass on a spring, and a wall by a script. */
function massAtWall(gap: readonly string[], tEnd: number): Drawn {
  const { document, issues } = readDocument(
    JSON.stringify({
      formatVersion: 3,
      title: 'mass at a wall',
      systems: [
        {
          id: 'mass',
          type: 'LagrangianLinearTI',
          ndof: 1,
          mass: [[1]],
          stiffness: [[37]],
          q0: [0.5],
          v0: [0],
        },
      ],
      interactions: [
        {
          id: 'wall',
          systems: ['mass'],
          relation: { type: 'LagrangianRheonomous', h: { function: 'gap' }, jacobian: [[1]] },
          law: { type: 'NewtonImpact', e: 1 },
        },
      ],
      simulation: simulationTo(tEnd),
      scripts: [
        {
          name: 'wall.ts',
          role: 'functions',
          source: ['export const gap: Constraint = (t, q, out) => {', ...gap, '};'],
        },
      ],
    }),
  );
  if (document === null) throw new Error(issues.map(({ message }) => message).join(' '));
  return { document, period: 1 };
}

it('of which the search has missed a wall is judged by the wall', () => {
  // A spike between all places at which a piece is read, in each period: nothing that polynomials show.
  const spiked = massAtWall(
    [
      '  const s = t - Math.floor(t);',
      '  out[0] = q[0] - 50 * Math.max(0, 1 - Math.pow((s - 3.56 / 16) / 8e-4, 2));',
    ],
    200,
  );
  expect(eventsOf(spiked, 1).certificate.coneViolation).toBeGreaterThan(1e-3);
});

it.each([
  ['asks where the mass is', '  out[0] = q[0] > 0.3 ? q[0] + 0.2 : q[0] + 0.2 + 0 * t;'],
  ['is bent', '  out[0] = q[0] + 0.2 + 0.3 * q[0] * q[0] + 0.01 * Math.sin(6.283185307179586 * t);'],
])('goes from event to event by the general search at a wall that %s', (_, gap) => {
  const model = massAtWall([gap], 4);
  const known = eventsOf(model, undefined);
  const found = eventsOf(model, 1);
  expect(found.events.length).toBe(known.events.length);
  found.events.forEach(({ kind, time, impulse }, k) => {
    expect(kind).toBe(known.events[k].kind);
    expect(Math.abs(time - known.events[k].time)).toBeLessThan(1e-10);
    expect(Math.abs(impulse - known.events[k].impulse)).toBeLessThan(1e-9);
  });
  expect(known.events.length).toBeGreaterThan(2);
});
