/** Fixed bodies with a prescribed motion in documents: fields, signals, scene, failures. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { FieldValue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { createSandbox } from '@engine/script/sandbox';
import { expectComplete } from '../support/issues';
import { run, runFailure } from '../support/run';
import { floor, G, joint, rigid, spaceModel, touch } from '../support/space';

const sandbox = { sandbox: createSandbox };
const last = (values: Float64Array): number => values[values.length - 1];

function carried(fields: Record<string, FieldValue>, source: string[] = [], tEnd = 0.5): ModelDocument {
  const document = spaceModel(
    [floor('table', fields), rigid('box', [0, 0, 0.1], { mass: 2, inertia: [0.01, 0.01, 0.01] })],
    [touch('contact', ['table', 'box'], 0.4)],
    { h: 1e-3, tEnd },
  );
  if (source.length > 0) document.scripts = [{ name: 'motion.ts', role: 'functions', source }];
  return document;
}

const SHAKE = [
  'export const shake: PrescribedMotion = (t, out, p) => {',
  '  out[0] = 0.02 * Math.sin(6 * t);',
  '};',
];

describe('a fixed body with a motion', () => {
  it('takes what lies on it along with a constant velocity', () => {
    const { column } = run(carried({ velocity: [0.5, 0, 0] }));
    expect(last(column('box.v[0]'))).toBeCloseTo(0.5, 9);
    expect(last(column('table.q[0]'))).toBeCloseTo(0.25, 12);
    expect(last(column('table.v[0]'))).toBe(0.5);
    expect(last(column('energy.motors'))).toBeCloseTo(2 * 0.5 ** 2, 3);
  });

  it('shakes by a script, whose derivative is found', () => {
    const { column } = run(carried({ displacement: { function: 'shake' } }, SHAKE), sandbox);
    const times = column('t');
    // 0.02 · 36 = 0.72 m/s² is less than μ g.
    column('box.v[0]').forEach((v, k) => {
      if (times[k] > 0.1) expect(v).toBeCloseTo(0.12 * Math.cos(6 * times[k]), 8);
    });
    expect(last(column('table.q[0]'))).toBeCloseTo(0.02 * Math.sin(3), 12);
  });

  it('takes a derivative that is given', () => {
    const rate = [
      'export const rate: PrescribedMotion = (t, out) => {',
      '  out[0] = 0.12 * Math.cos(6 * t);',
      '};',
    ];
    const fields = { displacement: { function: 'shake' }, displacementRate: { function: 'rate' } };
    const given = run(carried(fields, [...SHAKE, ...rate]), sandbox);
    const derived = run(carried({ displacement: { function: 'shake' } }, SHAKE), sandbox);
    expect(last(given.column('box.q[0]'))).toBeCloseTo(last(derived.column('box.q[0]')), 10);
  });

  it('turns by a script as by a constant angular velocity', () => {
    const turn = [
      'export const turn: PrescribedMotion = (t, out) => {',
      '  out[0] = Math.cos(t);',
      '  out[3] = Math.sin(t);',
      '};',
    ];
    const place = { orientation: [1, 0.02, 0, 0] };
    const scripted = run(carried({ ...place, turn: { function: 'turn' } }, turn), sandbox);
    const constant = run(carried({ ...place, spin: [0, 0, 2] }));
    for (const name of ['table.q[3]', 'table.q[6]', 'table.v[5]', 'box.v[5]', 'box.q[0]', 'box.q[2]'])
      expect(last(scripted.column(name))).toBeCloseTo(last(constant.column(name)), 9);
    expect(last(constant.column('table.v[5]'))).toBeCloseTo(2, 12);
    expect(last(constant.column('box.v[5]'))).toBeCloseTo(2, 2);
  });

  it('turns by both together: about an axis that is carried round', () => {
    const turn = [
      'export const tilt: PrescribedMotion = (t, out) => {',
      '  out[0] = Math.cos(0.1 * t);',
      '  out[1] = Math.sin(0.1 * t);',
      '};',
    ];
    const place = { orientation: [1, 0.1, 0.2, 0], spin: [0, 0, 2], turn: { function: 'tilt' } };
    const { column } = run(carried(place, turn, 0.1), sandbox);
    const at = (k: number): number[] => [3, 4, 5, 6].map((i) => column(`table.q[${i}]`)[k]);
    // 2 vec(Q* ∘ Q̇) by central differences of what is recorded.
    const [w, x, y, z] = at(50);
    const rate = at(51).map((value, i) => (value - at(49)[i]) / 2e-3);
    const spin = [
      w * rate[1] - rate[0] * x - (y * rate[3] - z * rate[2]),
      w * rate[2] - rate[0] * y - (z * rate[1] - x * rate[3]),
      w * rate[3] - rate[0] * z - (x * rate[2] - y * rate[1]),
    ];
    spin.forEach((value, i) => expect(column(`table.v[${3 + i}]`)[50]).toBeCloseTo(2 * value, 5));
    expect(Math.hypot(...at(50))).toBeCloseTo(1, 14);
  });

  it('carries by its surface while it stays', () => {
    const { column } = run(carried({ surfaceVelocity: [1, 0, 3] }, [], 0.1));
    expect(last(column('box.v[0]'))).toBeCloseTo(0.4 * G * 0.1, 9);
    expect(last(column('contact.slip'))).toBeCloseTo(1 - 0.4 * G * 0.1, 9);
    expect(last(column('box.q[2]'))).toBeCloseTo(0.1, 12);
    expect(last(column('table.q[0]'))).toBe(0);
  });

  it('moves in the animation by its signals, and not where only its surface does', () => {
    const scene = (fields: Record<string, FieldValue>): unknown =>
      reportDocument(carried(fields)).scene?.bodies[0].motion;
    expect(scene({ spin: [0, 0, 1] })).toMatchObject({
      kind: 'spatial',
      signals: { 0: 'table.q[0]', length: 7 },
    });
    expect(scene({ surfaceVelocity: [1, 0, 0] })).toBeNull();
    expect(scene({})).toBeNull();
  });
});

describe('a motion is refused', () => {
  it.each([
    [
      'of which only the derivative is given',
      { displacementRate: { function: 'shake' } },
      'derivative-without-motion',
      '/systems/0/displacementRate',
    ],
    ['whose function there is not', { turn: { function: 'spiral' } }, 'unknown-function', '/systems/0/turn'],
    ['whose velocity has two entries', { velocity: [1, 2] }, 'vector-length', '/systems/0/velocity'],
  ])('%s', (_, fields, code, pointer) => {
    const { issues } = reportDocument(carried(fields, SHAKE));
    expectComplete(issues);
    expect(issues).toMatchObject([{ severity: 'error', code, pointer }]);
  });

  it('where a joint takes hold of it', () => {
    const document = carried({ spin: [0, 0, 1] });
    document.interactions.push(joint('pin', ['table', 'box'], { type: 'BallJoint' }));
    const { issues } = reportDocument(document);
    expectComplete(issues);
    expect(issues).toMatchObject([{ code: 'joint-on-motion', pointer: '/interactions/1/systems' }]);
  });
});

describe('a run ends', () => {
  const failing = (key: string, body: string): ReturnType<typeof runFailure>['error'] =>
    runFailure(
      carried({ [key]: { function: 'bad' } }, [
        'export const bad: PrescribedMotion = (t, out) => {',
        `  ${body}`,
        '};',
      ]),
      sandbox,
    ).error;

  it('where a motion is not finite', () => {
    const error = failing('displacement', 'out[0] = t < 0.01 ? 0 : Math.log(0.01 - t);');
    expect(error).toMatchObject({ code: 'script-not-finite', where: 'table' });
    expect(error.remedy).not.toBe('');
  });

  it('where a turn is no rotation', () => {
    const error = failing('turn', 'out[0] = 1 + t; out[1] = 0;');
    expect(error).toMatchObject({ code: 'turn-not-unit', where: 'table' });
    expect(error.message).toContain('“table”');
    expect(error.remedy).toContain('unit quaternion');
  });

  it('where its script fails', () => {
    const error = failing('displacement', 'if (t > 0.01) throw new Error("enough"); out[0] = 0;');
    expect(error.code).toMatch(/^script/);
    expect(error.message).toContain('enough');
  });
});

it('a drum carries its grains up the rising side, and keeps them', () => {
  const place = fileURLToPath(
    new URL('../../../resources/examples/rotating-drum.moreau.json', import.meta.url),
  );
  const document = JSON.parse(readFileSync(place, 'utf8')) as ModelDocument;
  document.parameters = document.parameters.map((one) =>
    one.name === 'grains' ? { ...one, value: 12 } : one,
  );
  const { column } = run(document, { ...sandbox, tEnd: 1 });
  const centre = [0, 2].map(
    (i) =>
      Array.from({ length: 12 }, (_, k) => last(column(`grain${k + 1}.q[${i}]`))).reduce((a, b) => a + b) /
      12,
  );
  // It turns about y from z to x: below, its wall moves towards −x.
  expect(Math.atan2(-centre[0], -centre[1])).toBeGreaterThan(0.2);
  for (let k = 1; k <= 12; k++)
    expect(Math.hypot(last(column(`grain${k}.q[0]`)), last(column(`grain${k}.q[2]`)))).toBeLessThan(0.3);
  expect(last(column('energy.motors'))).toBeGreaterThan(0.1);
  expect(last(column('energy.numerical'))).toBeCloseTo(0, 9);
});
