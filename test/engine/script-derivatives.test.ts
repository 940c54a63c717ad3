/**
 * Jacobians that a model does not give: derived from its scripts, refused at their line, or taken by
 * differences.
 */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument, TypedElement } from '@engine/document/types';
import { FunctionScripts } from '@engine/script/function-scripts';
import { createSandbox } from '@engine/script/sandbox';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from './support/issues';
import { model, particle, withFunctions } from './support/models';
import { refusal, run } from './support/run';

const sandbox = createSandbox;

const SOURCE = [
  'type Point = [number, number];',
  '',
  'const height = (t: number, p: Parameters): number => p.a * Math.sin(5 * t);',
  '',
  'export const gap: Constraint = (t, q, out, p) => {',
  '  const from: Point = [3, height(t, p)];',
  '  out[0] = Math.hypot(q[0] - from[0], q[1] - from[1]) - 1;',
  '};',
  'export const gapRate: ConstraintTimeDerivative = (t, q, out, p) => {',
  '  const d = q[1] - height(t, p);',
  '  out[0] = (-d / Math.hypot(q[0] - 3, d)) * 5 * p.a * Math.cos(5 * t);',
  '};',
  'export const gapJacobian: ConstraintJacobian = (t, q, out, p) => {',
  '  const d = q[1] - height(t, p);',
  '  const length = Math.hypot(q[0] - 3, d);',
  '  out[0] = (q[0] - 3) / length;',
  '  out[1] = d / length;',
  '};',
];

/** A point mass thrown against a disc that moves up and down. */
function disc(fields: Partial<TypedElement>, source: readonly string[] = SOURCE): ModelDocument {
  const interaction: InteractionDocument = {
    id: 'disc',
    systems: ['point'],
    relation: { type: 'LagrangianRheonomous', h: { function: 'gap' }, ...fields },
    law: { type: 'NewtonImpact', e: 0.5 },
  };
  const point = {
    ...particle('point', 0, 0),
    ndof: 2,
    mass: [
      [1, 0],
      [0, 1],
    ],
    q0: [0, 0],
    v0: [2, 0.1],
  };
  const document = withFunctions(model([point], [interaction], { h: 1e-3, tEnd: 2 }), ...source);
  return { ...document, parameters: [{ name: 'a', value: 0.3 }] };
}

const GIVEN = { hDot: { function: 'gapRate' }, jacobian: { function: 'gapJacobian' } };

const byDifferences = (document: ModelDocument): ModelDocument => ({
  ...document,
  simulation: { ...document.simulation, derivatives: 'finite-differences' },
});

function worst(a: Float64Array, b: Float64Array): number {
  expect(a).toHaveLength(b.length);
  return a.reduce((largest, value, i) => Math.max(largest, Math.abs(value - b[i])), 0);
}

describe('a run with Jacobians left out', () => {
  const given = run(disc(GIVEN), { sandbox });

  it('hits the disc', () => {
    expect(given.session.events).toBeGreaterThan(0);
    expect(given.column('point.v[0]').at(-1)).toBeLessThan(0);
  });

  it.each<[string, ModelDocument, number]>([
    // The same derivatives by other operations: they differ by rounding, amplified by one impact.
    ['derives them', disc({}), 1e-12],
    ['derives the one that is missing', disc({ jacobian: GIVEN.jacobian }), 1e-12],
    ['takes differences when the model says so', byDifferences(disc({})), 1e-8],
  ])('%s', (_, document, tolerance) => {
    const derived = run(document, { sandbox });
    for (const signal of ['point.q[0]', 'point.q[1]', 'point.v[0]', 'point.v[1]', 'disc.gap'])
      expect(worst(derived.column(signal), given.column(signal))).toBeLessThan(tolerance);
  });

  it('gives the same bits again', () => {
    const [a, b] = [run(disc({}), { sandbox }), run(disc({}), { sandbox })];
    expect(a.column('point.q[1]')).toEqual(b.column('point.q[1]'));
  });
});

describe('a function that cannot be differentiated', () => {
  const source = SOURCE.map((line) => line.replace('Math.sin(5 * t)', 'Math.random()'));

  it('is reported at its line without running anything, with the field that would mend it', () => {
    const { issues } = reportDocument(disc({}, source));
    expectComplete(issues);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'error',
      pointer: '/scripts/0/source/2',
      element: 'functions.ts',
      script: { name: 'functions.ts', line: 3 },
    });
    expect(issues[0].remedy).toMatch(/\(jacobian|hDot\) of “disc”.*simulation settings/);
    expect(refusal(disc({}, source), { sandbox })).toMatchObject({
      code: 'invalid-document',
      script: { line: 3 },
    });
  });

  it('is no defect when all its Jacobians are given, or when the model asks for differences', () => {
    expect(reportDocument(disc(GIVEN, source)).issues).toEqual([]);
    expect(reportDocument(byDifferences(disc({}, source))).issues).toEqual([]);
    expect(run(byDifferences(disc({}, source)), { sandbox }).session.rows).toBe(2001);
  });
});

describe('the scripts of a document', () => {
  const request = { function: 'gap', arguments: 4, argument: 1, shape: 'vector', result: 2 } as const;

  it('have the derivatives that were asked for before they were evaluated, and no others', () => {
    const scripts = new FunctionScripts(disc({}));
    expect(scripts.request(request).ok).toBe(true);
    const { derivatives, functions } = scripts.evaluate(createSandbox());
    const answer = derivatives(request);
    const jacobian = new Float64Array(2);
    if (answer.ok) answer.call(0, Float64Array.of(0, 0), new Float64Array(1), { a: 1 }, jacobian);
    expect([...jacobian]).toEqual([-1, 0]);
    expect(() => derivatives({ ...request, argument: 0, shape: 'scalar' })).toThrow('was not asked for');
    expect(functions('gap')).toBeTypeOf('function');
    expect(scripts.functionNames).toEqual(['gap', 'gapRate', 'gapJacobian']);
    // Generated functions are not the user's to call.
    expect(scripts.exports).toEqual({ 'functions.ts': ['gap', 'gapRate', 'gapJacobian'] });
  });

  it('call the later one of two functions of one name, and differentiate that', () => {
    const document = withFunctions(
      disc({}),
      'export const gap: Constraint = (t, q, out) => { out[0] = 7 * q[1]; };',
    );
    const scripts = new FunctionScripts(document);
    scripts.request(request);
    const answer = scripts.evaluate(createSandbox()).derivatives(request);
    const jacobian = new Float64Array(2);
    if (answer.ok) answer.call(0, Float64Array.of(1, 1), new Float64Array(1), {}, jacobian);
    expect([...jacobian]).toEqual([0, 7]);
  });

  it('that cannot be read leave every function possible: that is one defect', () => {
    const scripts = new FunctionScripts(withFunctions(disc({}), 'export const = 3;'));
    expect(scripts.issues).toHaveLength(1);
    expect(scripts.functions('whatever')).not.toBeNull();
    expect(() => scripts.evaluate(createSandbox())).toThrow(scripts.issues[0].message);
  });
});
