/** Frames of force and moment, and the point of the force, in documents: against closed solutions. */
import { describe, expect, it } from 'vitest';
import type { FieldValue, ModelDocument } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from '../support/issues';
import { HEIGHT } from '../support/plane';
import { run, runFailure } from '../support/run';
import { rigid, spaceModel, turned } from '../support/space';

const last = (column: Float64Array): number => column[column.length - 1];
const sandbox = { sandbox: createSandbox };

const MASS = 2;
const INERTIA = [0.2, 0.3, 0.4];

/** A free body for a second. @param scripts lines of functions of time that it may name */
function free(
  fields: Record<string, FieldValue | undefined>,
  scripts: readonly string[] = [],
): ModelDocument {
  const document = spaceModel(
    [rigid('body', [0, 0, HEIGHT], { mass: MASS, inertia: INERTIA, gravity: undefined, ...fields })],
    [],
    { h: 1e-3, tEnd: 1 },
  );
  document.scripts = [{ name: 'loads.ts', role: 'functions', source: [...scripts] }];
  return document;
}

/** A constant vector, and a script function that gives it. */
const SOURCES = ['constant', 'script'] as const;
const given = (source: (typeof SOURCES)[number], value: number[]): [FieldValue, string[]] =>
  source === 'constant'
    ? [value, []]
    : [
        { function: 'push' },
        [
          'export const push: ExternalForce = (t, out, p) => {',
          `  [out[0], out[1], out[2]] = ${JSON.stringify(value)};`,
          '};',
        ],
      ];

describe.each(SOURCES)('a %s', (source) => {
  it('thrust turns with its body: V = F/mΩ (sin Ωt, 1 − cos Ωt)', () => {
    const [force, scripts] = given(source, [6, 0, 0]);
    const { column } = run(free({ force, forceFrame: 'body', spin: [0, 0, 4] }, scripts), sandbox);
    expect(last(column('body.v[0]'))).toBeCloseTo((6 / (MASS * 4)) * Math.sin(4), 5);
    expect(last(column('body.v[1]'))).toBeCloseTo((6 / (MASS * 4)) * (1 - Math.cos(4)), 5);
    expect(last(column('body.v[5]'))).toBe(4);
  });

  it('force in the world’s frame stays, whatever the body does', () => {
    const [force, scripts] = given(source, [6, 0, 0]);
    const { column } = run(free({ force, spin: [0, 0, 4] }, scripts), sandbox);
    expect(last(column('body.v[0]'))).toBeCloseTo(6 / MASS, 12);
    expect(last(column('body.v[1]'))).toBe(0);
  });

  it('moment in the world’s frame gives moment of momentum there: R I Ω = M t', () => {
    const [moment, scripts] = given(source, [0.1, -0.2, 0.3]);
    const { column } = run(
      free({ moment, momentFrame: 'world', orientation: turned(0, 0.7) }, scripts),
      sandbox,
    );
    const [w, x, y, z] = [3, 4, 5, 6].map((k) => last(column(`body.q[${k}]`)));
    const [a, b, c] = INERTIA.map((moment, k) => moment * last(column(`body.v[${3 + k}]`)));
    const matrix = [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
    [0.1, -0.2, 0.3].forEach((value, i) => {
      expect(matrix[i][0] * a + matrix[i][1] * b + matrix[i][2] * c).toBeCloseTo(value, 6);
    });
  });

  it('moment in the body’s frame turns with it: about a principal axis Ω = M t/I', () => {
    const [moment, scripts] = given(source, [0, 0.6, 0]);
    const { column } = run(free({ moment, orientation: turned(0, 0.7) }, scripts), sandbox);
    expect(last(column('body.v[4]'))).toBeCloseTo(0.6 / 0.3, 12);
    expect(last(column('body.v[3]'))).toBe(0);
  });

  it('force of the body at a point of it has a constant moment: Ω = (s′×f) t/I', () => {
    const [force, scripts] = given(source, [0, 6, 0]);
    const { column, session } = run(free({ force, forceFrame: 'body', at: [0.1, 0, 0] }, scripts), sandbox);
    expect(last(column('body.v[5]'))).toBeCloseTo((0.1 * 6) / 0.4, 12);
    // Its work is in the balance.
    const gained = last(column('energy.kinetic')) - column('energy.kinetic')[0];
    expect(gained).toBeCloseTo(last(column('energy.loads')), 9);
    expect(session.energyDrift).toBeLessThan(1e-9);
  });

  it('force of the world at a point of the body lets it swing like a pendulum: ½ I Ω² = s F (1 − cos φ)', () => {
    const [force, scripts] = given(source, [6, 0, 0]);
    const { column } = run(free({ force, at: [0.1, 0, 0], orientation: turned(2, 2.5) }, scripts), sandbox);
    const angle = 2 * Math.atan2(last(column('body.q[6]')), last(column('body.q[3]')));
    const spin = last(column('body.v[5]'));
    expect(Math.abs(spin)).toBeGreaterThan(0.5);
    expect(0.5 * 0.4 * spin ** 2).toBeCloseTo(0.1 * 6 * (Math.cos(angle) - Math.cos(2.5)), 6);
  });
});

describe('in a plane', () => {
  const flat = { shapes: [{ type: 'Disc', radius: 0.1 }] };

  it('forces of the body at its points drive a disc', () => {
    const { column } = run(
      free({
        ...flat,
        force: [0, 6, 0],
        forceFrame: 'body',
        at: [0.1, 0, 0],
        moment: [0, 0, 0.2],
        momentFrame: 'world',
      }),
      sandbox,
    );
    expect(last(column('body.v[5]'))).toBeCloseTo((0.6 + 0.2) / 0.4, 12);
    expect(last(column('body.q[2]'))).toBe(HEIGHT);
  });

  it.each<[string, Record<string, FieldValue>, string]>([
    ['a force', { force: [0, 0, 1], forceFrame: 'body' }, '/systems/0/force'],
    ['a point', { force: [1, 0, 0], at: [0, 0, 0.1] }, '/systems/0/at'],
    ['a moment', { moment: [1, 0, 0], momentFrame: 'world' }, '/systems/0/moment'],
  ])('%s that leads out of it is refused', (_, fields, pointer) => {
    const { issues } = reportDocument(free({ ...flat, ...fields }));
    expectComplete(issues);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code: 'load-out-of-plane', pointer });
  });

  it('a script that leads out of it ends the run', () => {
    const [force, scripts] = given('script', [1, 0, 1]);
    const { error } = runFailure(free({ ...flat, force, forceFrame: 'body' }, scripts), sandbox);
    expect(error).toMatchObject({ code: 'load-out-of-plane', where: 'body' });
  });
});

it('a point without a force is reported', () => {
  const { issues } = reportDocument(free({ at: [0.1, 0, 0] }));
  expectComplete(issues);
  expect(issues).toHaveLength(1);
  expect(issues[0]).toMatchObject({
    severity: 'warning',
    code: 'point-without-force',
    pointer: '/systems/0/at',
  });
});
