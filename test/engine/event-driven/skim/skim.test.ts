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
import { seeded } from '../../support/random';
import { type Drawn, drawn, simulationTo } from './drawn';

const CASES = process.env.MOREAU_PROVE === '1' ? 1000 : 60;
/** Events that are compared: later ones carry what small differences have grown to. */
const COMPARED = 12;

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
