/** Construction rules of systems, each by its breach: one defect, at its place, with a remedy. */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, FieldValue, ModelDocument, SystemDocument } from '@engine/document/types';
import { structuralIssues } from '@engine/document/structure';
import { build, type Plugins } from '../support/built';
import { expectComplete } from '../support/issues';
import { model, particle } from '../support/models';

const f = (name = 'plugin'): { function: string } => ({ function: name });
const PLUGINS: Plugins = { plugin: () => undefined };

const firstOrder: SystemDocument = { id: 's', type: 'FirstOrderNonLinear', n: 2, x0: [0, 0], f: f() };
const linear: SystemDocument = {
  id: 's',
  type: 'FirstOrderLinear',
  n: 2,
  x0: [0, 0],
  A: [
    [1, 0],
    [0, 1],
  ],
};
const mechanism: SystemDocument = {
  id: 's',
  type: 'LagrangianNonLinear',
  ndof: 2,
  q0: [0, 0],
  v0: [0, 0],
  mass: f(),
};

const only = (system: SystemDocument, fields: Record<string, FieldValue> = {}): ModelDocument =>
  model([{ ...system, ...fields }]);

type Expected = Partial<DocumentIssue>;

function expectOne(issues: DocumentIssue[], expected: Expected): void {
  expectComplete(issues);
  expect(issues.map(({ code, pointer, message }) => [code, pointer, message])).toHaveLength(1);
  expect(issues[0]).toMatchObject(expected);
}

const without = (system: SystemDocument, key: string): SystemDocument => {
  const { [key]: _removed, ...rest } = system;
  return rest as SystemDocument;
};

describe('required data', () => {
  it.each<[SystemDocument, string]>([
    [firstOrder, 'n'],
    [firstOrder, 'x0'],
    [firstOrder, 'f'],
    [linear, 'n'],
    [linear, 'x0'],
    [linear, 'A'],
    [mechanism, 'ndof'],
    [mechanism, 'q0'],
    [mechanism, 'v0'],
    [mechanism, 'mass'],
    [particle('s', 0, 0), 'ndof'],
    [particle('s', 0, 0), 'q0'],
    [particle('s', 0, 0), 'v0'],
    [particle('s', 0, 0), 'mass'],
  ])('of $type: %s', (system, key) => {
    expectOne(structuralIssues(model([without(system, key)])), {
      code: 'missing-field',
      pointer: `/systems/0/${key}`,
      element: 's',
    });
  });
});

describe('systems', () => {
  it.each<[string, ModelDocument, Expected]>([
    ['x₀ has n entries', only(firstOrder, { x0: [1] }), { code: 'vector-length', pointer: '/systems/0/x0' }],
    [
      'a constant Jacobian is n × n',
      only(firstOrder, { jacobian: [[1, 2]] }),
      { code: 'matrix-shape', pointer: '/systems/0/jacobian' },
    ],
    ['A is n × n', only(linear, { A: [[1]] }), { code: 'matrix-shape', pointer: '/systems/0/A' }],
    ['M is n × n', only(linear, { mass: [[1]] }), { code: 'matrix-shape', pointer: '/systems/0/mass' }],
    [
      'M is regular',
      only(linear, {
        mass: [
          [1e-9, 2e-9],
          [2, 4],
        ],
      }),
      { code: 'mass-singular', pointer: '/systems/0/mass' },
    ],
    ['b has n entries', only(linear, { b: [1] }), { code: 'vector-length', pointer: '/systems/0/b' }],
    [
      'a control of a first-order system has its matrix',
      only(firstOrder, { u: f() }),
      { code: 'control-incomplete', pointer: '/systems/0/T' },
    ],
    [
      'a control matrix of a first-order system has its control',
      only(firstOrder, { T: [[1], [0]] }),
      { code: 'control-incomplete', pointer: '/systems/0/u' },
    ],
    [
      'a control of a linear system has its matrix',
      only(linear, { u: [1] }),
      { code: 'control-incomplete', pointer: '/systems/0/T' },
    ],
    [
      'a control of a mechanism has its matrix',
      only(mechanism, { u: f() }),
      { code: 'control-incomplete', pointer: '/systems/0/T' },
    ],
    [
      'a control matrix has a column for each control',
      only(linear, { controlSize: 2, u: [1, 2], T: [[1], [0]] }),
      { code: 'matrix-shape', pointer: '/systems/0/T' },
    ],
    [
      'a control has controlSize entries',
      only(linear, { u: [1, 2], T: [[1], [0]] }),
      { code: 'vector-length', pointer: '/systems/0/u' },
    ],
    [
      'the derivative of a control matrix fits into memory',
      only(
        { ...firstOrder, n: 2000, x0: new Array<number>(2000).fill(0) },
        { controlSize: 10, u: f(), T: f() },
      ),
      { code: 'derivative-too-large', pointer: '/systems/0/T' },
    ],
    [
      'a right-hand side exists',
      only(firstOrder, { f: f('other') }),
      { code: 'unknown-function', pointer: '/systems/0/f' },
    ],
    [
      'a constant mass of a mechanism is positive definite',
      only(mechanism, {
        mass: [
          [1, 2],
          [2, 1],
        ],
      }),
      { code: 'mass-not-positive', pointer: '/systems/0/mass' },
    ],
    [
      'a constant mass of a mechanism is symmetric',
      only(mechanism, {
        mass: [
          [1, 0.5],
          [0, 1],
        ],
      }),
      { code: 'mass-not-symmetric', pointer: '/systems/0/mass' },
    ],
    [
      'a Jacobian of the internal force belongs to an internal force',
      only(mechanism, {
        fIntJacobianQ: [
          [1, 0],
          [0, 1],
        ],
      }),
      { code: 'jacobian-without-function', pointer: '/systems/0/fInt' },
    ],
    [
      'a Jacobian of gyroscopic terms belongs to gyroscopic terms',
      only(mechanism, { gyroscopicJacobianV: f() }),
      { code: 'jacobian-without-function', pointer: '/systems/0/gyroscopic' },
    ],
    [
      'an entry of a matrix lies in it',
      only(particle('s', 0, 0), {
        mass: {
          entries: [
            [0, 0, 1],
            [1, 0, 2],
          ],
        },
      }),
      { code: 'entry-outside', pointer: '/systems/0/mass/entries/1' },
    ],
    [
      'a matrix of entries has the rows that are needed',
      only(particle('s', 0, 0), { mass: { rows: 2, entries: [[0, 0, 1]] } }),
      { code: 'matrix-shape', pointer: '/systems/0/mass/rows' },
    ],
    [
      'an entry of a matrix can be evaluated',
      only(particle('s', 0, 0), { mass: { entries: [[0, 0, 'm']] } }),
      { code: 'expression', pointer: '/systems/0/mass/entries/0/2' },
    ],
    [
      'a mass matrix without entries is not positive definite',
      only(particle('s', 0, 0), { mass: { entries: [] } }),
      { code: 'mass-not-positive', pointer: '/systems/0/mass' },
    ],
  ])('%s', (_, document, expected) => {
    expectOne(build(document, PLUGINS).issues, { element: 's', ...expected });
  });

  it.each([
    ['gyroscopic', 'by q and by v'],
    ['fInt', 'by q and by v'],
  ])('a force %s that cannot be differentiated needs both Jacobians', (key) => {
    const refuse = (fields: Record<string, FieldValue>): DocumentIssue[] =>
      build(only(mechanism, { [key]: f(), ...fields }), PLUGINS, ({ argument }) => ({
        ok: false,
        issue: {
          severity: 'error',
          code: 'not-differentiable',
          pointer: `/scripts/0/source/${argument}`,
          message: 'The function cannot be differentiated.',
          remedy: '',
        },
      })).issues;
    expect(refuse({})).toHaveLength(2);
    expect(refuse({ [`${key}JacobianQ`]: f() })).toHaveLength(1);
    expect(refuse({ [`${key}JacobianQ`]: f(), [`${key}JacobianV`]: f() })).toEqual([]);
  });
});

describe('entries of a sparse matrix', () => {
  const mass = (value: unknown): DocumentIssue[] =>
    structuralIssues(only(particle('s', 0, 0), { mass: value as FieldValue }));

  it.each<[string, unknown, string]>([
    ['that are no list', { entries: 3 }, '/systems/0/mass/entries'],
    [
      'of two numbers',
      {
        entries: [
          [0, 0, 1],
          [0, 0],
        ],
      },
      '/systems/0/mass/entries/1',
    ],
    ['at a fraction', { entries: [[0.5, 0, 1]] }, '/systems/0/mass/entries/0/0'],
    ['without a value', { entries: [[0, 0, null]] }, '/systems/0/mass/entries/0/2'],
    ['beside an unknown key', { entries: [[0, 0, 1]], columns: 3 }, '/systems/0/mass/columns'],
    ['that are missing', { rows: 3 }, '/systems/0/mass'],
  ])('%s are reported at their place', (_, value, pointer) => {
    const issues = mass(value);
    expectComplete(issues);
    expect(issues[0].pointer.startsWith(pointer)).toBe(true);
  });

  it('are reported five at a time', () => {
    const entries = Array.from({ length: 100 }, (_, k): [number, number, number] => [k + 1, 0, 1]);
    expect(build(only(particle('s', 0, 0), { mass: { entries } })).issues).toHaveLength(5);
  });
});
