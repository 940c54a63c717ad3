/** Inertia of bodies as a script function of time in documents: runs, what is refused, what ends a run. */
import { describe, expect, it } from 'vitest';
import type { FieldValue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { expectComplete } from '../support/issues';
import { refusal, run, runFailure } from '../support/run';
import { rigid, spaceModel } from '../support/space';

const sandbox = { sandbox: createSandbox };

function spinner(
  body: readonly string[],
  fields: Record<string, FieldValue | undefined> = {},
): ModelDocument {
  const document = spaceModel(
    [
      rigid('skater', [0, 0, 0], {
        mass: 60,
        inertia: { function: 'arms' },
        spin: [0, 0, 4],
        gravity: undefined,
        ...fields,
      }),
    ],
    [],
    { h: 1e-3, tEnd: 1 },
  );
  document.scripts = [
    {
      name: 'arms.ts',
      role: 'functions',
      source: ['export const arms: BodyInertia = (t, out, p) => {', ...body, '};'],
    },
  ];
  return document;
}

const ARMS = ['  out[0] = out[4] = 10;', '  out[8] = 3 / (1 + t);'];

describe('an inertia by a script', () => {
  it('speeds a skater up, whose work stands among those of motors', () => {
    const { column, session } = run(spinner(ARMS), sandbox);
    const [t, spin, kinetic, work] = ['t', 'skater.v[5]', 'energy.kinetic', 'energy.motors'].map(column);
    t.forEach((time, k) => {
      expect(spin[k]).toBeCloseTo(4 * (1 + time), 11);
      expect(kinetic[k] - kinetic[0]).toBeCloseTo(work[k], 9);
    });
    expect(kinetic[0]).toBeCloseTo(24, 12);
    expect(work[work.length - 1]).toBeCloseTo(24, 9);
    expect(session.energyDrift).toBeLessThan(1e-9);
  });

  it('goes with a density: mass by the shapes, inertia by the script', () => {
    const { column } = run(spinner(ARMS, { mass: undefined, density: 1000 }), sandbox);
    expect(column('energy.kinetic')[0]).toBeCloseTo(24, 12);
  });

  it('needs a mass or a density', () => {
    const { issues } = reportDocument(spinner(ARMS, { mass: undefined, density: undefined }));
    expectComplete(issues);
    expect(issues.map(({ code }) => code)).toContain('mass-missing');
  });

  it('has to exist', () => {
    const { issues } = reportDocument(spinner(ARMS, { inertia: { function: 'legs' } }));
    expectComplete(issues);
    expect(issues).toHaveLength(1);
    expect(issues[0].pointer).toBe('/systems/0/inertia');
  });

  it('is refused where none begins', () => {
    const refused = refusal(spinner(['  out[0] = 1;']), sandbox);
    expect(refused).toMatchObject({ code: 'inertia-not-positive', where: 'skater', time: 0 });
    expect(refused.remedy).toMatch(/nine entries/);
  });

  it('ends the run where it is lost, and what was computed stays', () => {
    const { error, column } = runFailure(
      spinner(['  out[0] = out[4] = 10;', '  out[8] = 1 - 2 * t;']),
      sandbox,
    );
    expect(error.code).toBe('space-inertiaNotPositive');
    expect(error.where).toBe('skater');
    expect(error.time).toBeCloseTo(0.5, 9);
    expect(column('t').length).toBeGreaterThan(490);
  });

  it('stays in the plane of bodies that move in one', () => {
    const flat = {
      shapes: [{ type: 'Disc', radius: 0.5 }],
      spin: [0, 0, 4],
    };
    const { column } = run(spinner(ARMS, flat), sandbox);
    expect(column('skater.v[5]')[1000]).toBeCloseTo(8, 11);
    const { error } = runFailure(spinner([...ARMS, '  out[2] = out[6] = t > 0.2 ? 0.1 : 0;'], flat), sandbox);
    expect(error.code).toBe('space-inertiaNotPositive');
    expect(error.remedy).toMatch(/products with z/);
  });
});
