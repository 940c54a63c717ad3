/**
 * Jacobians that a model gives beside functions they could be derived from: compared, and told where they
 * differ.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, InteractionDocument, ModelDocument, TypedElement } from '@engine/document/types';
import { createSandbox } from '@engine/script/sandbox';
import { Examination, type ScriptCall } from '@engine/preparation/examination';
import { checkJacobians } from '@engine/preparation/jacobian-check';
import { reportDocument } from '@engine/preparation/report';
import { expectComplete } from './support/issues';
import { model, particle, withFunctions } from './support/models';

const EXAMPLES = fileURLToPath(new URL('../../resources/examples', import.meta.url));

/** Compares with everything allowed, and keeps what was executed. */
function check(
  document: ModelDocument,
  allowed = Infinity,
): { issues: DocumentIssue[]; calls: ScriptCall[] } {
  const calls: ScriptCall[] = [];
  const issues = checkJacobians(new Examination(document, undefined), {
    sandbox: () => createSandbox(),
    begin: (call) => calls.length < allowed && calls.push(call) > 0,
  });
  if (issues.length > 0) expectComplete(issues);
  return { issues, calls };
}

const messages = (document: ModelDocument): string[] => check(document).issues.map(({ message }) => message);

const point = {
  ...particle('point', 0, 0),
  ndof: 2,
  mass: [
    [1, 0],
    [0, 1],
  ],
  q0: [3, 0.5],
  v0: [2, 0.1],
};

/** A point mass beside a curve q₁ = sin(q₀) + t²; gap, rate and slope as given. */
function curve(fields: Partial<TypedElement>, ...lines: string[]): ModelDocument {
  const contact: InteractionDocument = {
    id: 'curve',
    systems: ['point'],
    relation: { type: 'LagrangianRheonomous', h: { function: 'gap' }, ...fields },
    law: { type: 'NewtonImpact', e: 0.5 },
  };
  return withFunctions(
    model([point], [contact], { h: 1e-3, tEnd: 2 }),
    'export const gap = (t, q, out, p) => { out[0] = q[1] - Math.sin(q[0]) - t * t; };',
    ...lines,
  );
}

const SLOPE = 'export const slope = (t, q, out, p) => { out[0] = -Math.cos(q[0]); out[1] = 1; };';
const GIVEN = { jacobian: { function: 'slope' } };

describe('a given Jacobian', () => {
  it('that is right is not mentioned', () => {
    const { issues, calls } = check(curve(GIVEN, SLOPE));
    expect(issues).toEqual([]);
    // Loading, then derivative and Jacobian at five points.
    expect(calls).toHaveLength(11);
    expect(calls[0]).toEqual({
      function: null,
      element: 'curve',
      pointer: '/interactions/0/relation/jacobian',
    });
    expect(calls[1].function).toBe('gap');
    expect(calls[2].function).toBe('slope');
  });

  it('that is wrong is named with its function, the entry and both values', () => {
    const { issues } = check(curve(GIVEN, SLOPE.replace('-Math.cos', 'Math.cos')));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'warning',
      code: 'jacobian-differs',
      element: 'curve',
      pointer: '/interactions/0/relation/jacobian',
    });
    const right = -Math.cos(3);
    expect(issues[0].message).toBe(
      `Your Jacobian “slope” of “gap” by q differs from the derived one in entry (0, 0) at the initial state: ` +
        `${-right} instead of ${right}, a difference of ${-2 * right}.`,
    );
  });

  it('that is right at the initial state alone is found near it', () => {
    const source = 'export const slope = (t, q, out, p) => { out[0] = -Math.cos(3); out[1] = 1; };';
    const [message] = messages(curve(GIVEN, source));
    const [, , coordinate, derived] =
      /\(0, 0\) at t = (\S+), q = \((\S+), .*λ = \S+: .* instead of (\S+),/.exec(message) ?? [];
    expect(Math.abs(Number(coordinate) - 3)).toBeGreaterThan(0.01);
    expect(Math.abs(Number(coordinate) - 3)).toBeLessThan(0.04);
    // The printed point is the very point, and the value that of the function there.
    expect(Number(derived)).toBe(-Math.cos(Number(coordinate)));
  });

  it('that is a constant matrix is compared too, and each of them told', () => {
    const document = curve({ jacobian: [[0.5, 1]] });
    const [contact] = document.interactions;
    const other = { ...contact, id: 'other', relation: { ...contact.relation, jacobian: [[0.25, 1]] } };
    const found = messages({ ...document, interactions: [contact, other] });
    expect(found).toHaveLength(2);
    expect(found[0]).toMatch(/^Your Jacobian of “gap” by q differs .*\(0, 0\).*: 0\.5 instead of 0\.98999/);
    expect(found[1]).toMatch(/: 0\.25 instead of 0\.98999/);
  });

  it('that many elements share is reported once', () => {
    const document = curve(GIVEN, SLOPE.replace('out[1] = 1', 'out[1] = 2'));
    const [contact] = document.interactions;
    const interactions = [contact, { ...contact, id: 'b' }, { ...contact, id: 'c' }];
    expect(messages({ ...document, interactions })).toHaveLength(1);
  });

  it('by time is called a time derivative', () => {
    const source = 'export const rate = (t, q, out, p) => { out[0] = -t; };';
    const [message] = messages(curve({ hDot: { function: 'rate' } }, source));
    expect(message).toMatch(
      /^Your time derivative “rate” of “gap” differs .*\(0, 0\) at t = 0\.001, .*: -0\.001/,
    );
    expect(message).toContain('instead of -0.002');
  });

  it('is compared with differences where the model takes them, as exactly as they are', () => {
    const byDifferences = (document: ModelDocument): ModelDocument => ({
      ...document,
      simulation: { ...document.simulation, derivatives: 'finite-differences' },
    });
    expect(messages(byDifferences(curve(GIVEN, SLOPE)))).toEqual([]);
    expect(messages(byDifferences(curve(GIVEN, SLOPE.replace('= 1;', '= 1.001;'))))).toHaveLength(1);
  });

  it('that differs at a kink of the function only is right', () => {
    const document = curve(
      { h: { function: 'wedge' }, jacobian: { function: 'side' } },
      'export const wedge = (t, q, out, p) => { out[0] = Math.abs(q[0] - 3); };',
      'export const side = (t, q, out, p) => { out[0] = q[0] === 3 ? 0.5 : Math.sign(q[0] - 3); };',
    );
    expect(check(document).calls).toHaveLength(11);
    expect(messages(document)).toEqual([]);
  });

  it('is compared where both are defined', () => {
    const root = (factor: string): ModelDocument =>
      curve(
        { h: { function: 'root' }, jacobian: { function: 'slope' } },
        'export const root = (t, q, out, p) => { out[0] = Math.sqrt(q[0] - 3); };',
        `export const slope = (t, q, out, p) => { out[0] = ${factor} / Math.sqrt(q[0] - 3); };`,
      );
    expect(messages(root('0.5'))).toEqual([]);
    expect(messages(root('0.4'))).toHaveLength(1);
  });

  it('of a function that cannot be derived is taken as it is', () => {
    const document = curve(
      { h: { function: 'noise' }, ...GIVEN, hDot: { function: 'noise' } },
      'export const noise = (t, q, out, p) => { out[0] = q[0] * Math.random(); };',
      SLOPE,
    );
    expect(check(document)).toEqual({ issues: [], calls: [] });
  });
});

describe('a given Jacobian of a system', () => {
  const forced = (fIntJacobianV: string): ModelDocument => {
    const system = {
      ...point,
      type: 'LagrangianNonLinear',
      fInt: { function: 'drag' },
      fIntJacobianQ: { function: 'none' },
      fIntJacobianV: { function: 'byV' },
    };
    return withFunctions(
      model([system], [], { h: 1e-3, tEnd: 1 }),
      'export const drag = (t, q, v, out, p) => { out[0] = v[0] * v[1]; out[1] = v[1] ** 3; };',
      'export const none = (t, q, v, out, p) => {};',
      `export const byV = (t, q, v, out, p) => { ${fIntJacobianV} };`,
    );
  };

  it('is compared by each of its arguments', () => {
    expect(messages(forced('out[0] = v[1]; out[1] = v[0]; out[3] = 3 * v[1] ** 2;'))).toEqual([]);
    // Row and column exchanged.
    const [message] = messages(forced('out[0] = v[1]; out[2] = v[0]; out[3] = 3 * v[1] ** 2;'));
    expect(message).toMatch(/“byV” of “drag” by v .* entry \(0, 1\) at the initial state: 0 instead of 2,/);
  });

  it('of first order is compared at its state', () => {
    const system = {
      id: 'tank',
      type: 'FirstOrderNonLinear',
      n: 1,
      x0: [2],
      f: { function: 'flow' },
      jacobian: { function: 'byX' },
    };
    const document = withFunctions(
      model([system], [], { h: 1e-3, tEnd: 1 }),
      'export const flow = (t, x, out, p) => { out[0] = -(x[0] ** 2); };',
      'export const byX = (t, x, out, p) => { out[0] = -x[0]; };',
    );
    const integrators = [{ type: 'EulerMoreau' }];
    const [message] = messages({ ...document, simulation: { ...document.simulation, integrators } });
    expect(message).toContain('Your Jacobian “byX” of “flow” by x');
    expect(message).toContain('-2 instead of -4');
  });
});

describe('the scripts of a comparison', () => {
  it('are not executed for a model without given Jacobians, or with errors', () => {
    expect(check(curve({}, 'throw new Error("executed");')).calls).toEqual([]);
    const broken = curve(GIVEN, SLOPE);
    expect(check({ ...broken, systems: [{ ...point, mass: [[1]] }] }).calls).toEqual([]);
    expect(check(curve({ jacobian: { function: 'missing' } })).calls).toEqual([]);
    expect(check({ title: 'no model' } as unknown as ModelDocument).calls).toEqual([]);
  });

  it('that fail while they are loaded are an error at their line', () => {
    const { issues } = check(curve(GIVEN, SLOPE, 'throw new Error("not ready yet.");'));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'error',
      code: 'script-error',
      pointer: '/scripts/0',
      element: 'functions.ts',
      script: { line: 3 },
    });
    expect(issues[0].message).toContain('not ready');
  });

  it.each([0, 1, 2])('are left alone after %i calls when no more is allowed', (allowed) => {
    const { issues, calls } = check(curve(GIVEN, SLOPE.replace('= 1;', '= 2;')), allowed);
    expect(calls).toHaveLength(allowed);
    expect(issues).toEqual([]);
  });

  it('cannot move the point of a comparison', () => {
    const moving = SLOPE.replace('out[0]', 'q[0] += 1; out[0]').replace('q[0])', 'q[0] - 1)');
    expect(messages(curve(GIVEN, moving))).toEqual([]);
  });

  it('are not executed by the report itself', () => {
    const document = curve(GIVEN, SLOPE, 'throw new Error("executed");');
    expect(reportDocument(document).issues).toEqual([]);
  });
});

describe('the gallery', () => {
  const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.moreau.json'));
  const documents = names.map((name) => {
    const document = JSON.parse(readFileSync(`${EXAMPLES}/${name}`, 'utf8')) as ModelDocument;
    return [name, check(document)] as const;
  });

  it.each(documents)('%s gives no wrong Jacobian', (_, { issues }) => {
    expect(issues).toEqual([]);
  });

  it('has models whose Jacobians are compared', () => {
    expect(documents.filter(([, { calls }]) => calls.length > 0).length).toBeGreaterThan(0);
  });
});
