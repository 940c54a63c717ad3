/**
 * Linkages in space whose pins have clearance, from event to event: certified, with a closed balance of
 * energy, and what steps tend to.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument } from '@engine/document/types';
import { type Run, run } from '../support/run';
import { joint, rigid, spaceModel } from '../support/space';

function fourBar(): ModelDocument {
  const file = join(import.meta.dirname, '../../../resources/examples/four-bar-clearance.moreau.json');
  const { document } = readDocument(readFileSync(file, 'utf8'));
  if (document === null) throw new Error('the example cannot be opened');
  return document;
}

const [CRANK, ROD, OFFSET, CLEARANCE] = [0.1, 0.3, 0.05, 1e-3];

/**
 * A crank that turns about y drives a slider along x, beside its plane by OFFSET; the ball of the rod has
 * clearance in the slider.
 */
function sliderCrank(): ModelDocument {
  const reach = Math.sqrt(ROD * ROD - CRANK * CRANK - OFFSET * OFFSET);
  const rod = [reach, OFFSET, -CRANK].map((x) => x / ROD);
  // The shortest turn from x to the rod.
  const half = Math.sqrt((1 + rod[0]) / 2);
  const turn = [half, 0, -rod[2] / (2 * half), rod[1] / (2 * half)];
  const bar = (mass: number, length: number) => ({
    mass,
    inertia: [1e-4, (mass * length ** 2) / 12, (mass * length ** 2) / 12],
    shapes: [],
  });
  return spaceModel(
    [
      rigid('crank', [0, 0, CRANK / 2], {
        ...bar(0.5, CRANK),
        inertia: [4e-4, 4e-4, 1e-4],
      }),
      rigid('rod', [reach / 2, OFFSET / 2, CRANK / 2], { ...bar(0.4, ROD), orientation: turn }),
      rigid('slider', [reach, OFFSET, 0], { ...bar(0.8, 0.1), inertia: [1e-3, 1e-3, 1e-3] }),
    ],
    [
      joint('bearing', ['crank'], { type: 'RevoluteJoint', axis: [0, 1, 0], angleSpeed: 10, angleLimit: 20 }),
      joint('pin', ['crank', 'rod'], { type: 'BallJoint', point: [0, 0, CRANK] }),
      joint('guide', ['slider'], { type: 'PrismaticJoint', axis: [1, 0, 0] }),
      joint('loose', ['rod', 'slider'], {
        type: 'Rope',
        point: [reach, OFFSET, 0],
        lengthMax: CLEARANCE,
        e: 0.3,
      }),
    ],
    { h: 5e-4 },
  );
}

const end = ({ session, column }: Run): number[] =>
  session.signals
    .filter(({ name }) => /^\w+\.q\[[0-2]\]$/.test(name))
    .map(({ name }) => column(name).at(-1) ?? Number.NaN);

describe.each([
  ['a four-bar', fourBar, 0.1, 50],
  ['a slider-crank', sliderCrank, 0.05, 100],
] as const)('%s with clearance', (_, build, tEnd, leastImpacts) => {
  const events = run(build(), { scheme: 'event-driven', tEnd });

  it('rattles, and every impact is certified', () => {
    const impacts = events.session.eventRecords.filter(({ kind }) => kind === 'impact');
    expect(impacts.length).toBeGreaterThan(leastImpacts);
    const { complementarity, coneViolation, dynamics } = events.session.certificate;
    expect(Math.max(complementarity, coneViolation, dynamics)).toBeLessThan(1e-9);
    expect(events.session.energyDrift).toBeLessThan(1e-9);
    expect(events.session.complete).toBe(true);
  });

  it('is what steps tend to, at first order', () => {
    const errors = [1e-4, 6.25e-6].map((h) => {
      const steps = run(build(), { scheme: 'time-stepping', h, tEnd });
      const reference = end(events);
      return Math.max(...end(steps).map((value, k) => Math.abs(value - reference[k])));
    });
    // Impacts fall at other places of the steps: errors of single runs scatter about the first order.
    expect(errors[0]).toBeLessThan(2e-4);
    expect(errors[1]).toBeLessThan(errors[0] / 5);
  });
});
