/** Construction rules of interactions, each by its breach: one defect, at its place, with a remedy. */
import { describe, expect, it } from 'vitest';
import type {
  DocumentIssue,
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import { build, type Plugins } from '../support/built';
import { expectComplete } from '../support/issues';
import { contact, model, particle } from '../support/models';

const f = (name = 'plugin'): { function: string } => ({ function: name });
const PLUGINS: Plugins = { plugin: () => undefined };

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
function link(
  systems: SystemDocument[],
  relation: TypedElement,
  law: TypedElement = { type: 'Complementarity' },
): ModelDocument {
  const interaction: InteractionDocument = {
    id: 'link',
    systems: systems.map(({ id }) => id),
    relation,
    law,
  };
  return model(systems, [interaction]);
}

const onLinear = (fields: Record<string, FieldValue>, law?: TypedElement): ModelDocument =>
  link([linear], { type: 'FirstOrderLinearTI', C: [[1, 0]], B: [[1], [0]], ...fields }, law);

type Expected = Partial<DocumentIssue>;

function expectOne(issues: DocumentIssue[], expected: Expected): void {
  expectComplete(issues);
  expect(issues.map(({ code, pointer, message }) => [code, pointer, message])).toHaveLength(1);
  expect(issues[0]).toMatchObject(expected);
}

describe('relations', () => {
  const body = particle('body', 0, 0);
  it.each<[string, ModelDocument, Expected]>([
    [
      'C has a column for each state',
      onLinear({ C: [[1]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/C' },
    ],
    [
      'B has a row for each state',
      onLinear({ B: [[1]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/B' },
    ],
    [
      'D is square',
      onLinear({ D: [[1, 2]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/D' },
    ],
    [
      'e has an entry for each row',
      onLinear({ e: [1, 2] }),
      { code: 'vector-length', pointer: '/interactions/0/relation/e' },
    ],
    [
      'F comes with z',
      onLinear({ F: [[1]] }),
      { code: 'external-incomplete', pointer: '/interactions/0/relation/z' },
    ],
    [
      'z comes with F',
      onLinear({ z: [1] }),
      { code: 'external-incomplete', pointer: '/interactions/0/relation/F' },
    ],
    [
      'F has a column for each entry of z',
      onLinear({ F: [[1, 2]], z: [1] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/F' },
    ],
    [
      'z has as many outputs of blocks as F has columns',
      onLinear({ F: [[1, 2]], z: { signals: [1] } }),
      { code: 'vector-length', pointer: '/interactions/0/relation/z/signals' },
    ],
    [
      'a compliance is square',
      link([body], { type: 'LagrangianCompliantLinear', H: [[1], [1]], D: [[1]] }),
      { code: 'matrix-shape', pointer: '/interactions/0/relation/D' },
    ],
    [
      'a compliant gap depends on a coordinate',
      link([body], { type: 'LagrangianCompliantLinear', H: [[0]], D: [[1]] }),
      { code: 'empty-row', pointer: '/interactions/0/relation/H' },
    ],
    [
      'a gap matrix fits into memory',
      link(
        [
          {
            ...particle('body', 0, 0),
            ndof: 20_000,
            mass: { entries: eye(20_000) },
            q0: zeros(20_000),
            v0: zeros(20_000),
          },
        ],
        { type: 'LagrangianLinear', H: { rows: 20_000, entries: [[0, 0, 1]] } },
      ),
      { code: 'matrix-too-large', pointer: '/interactions/0/relation/H' },
    ],
    [
      'Jacobians from scripts fit into memory',
      link(
        Array.from({ length: 30 }, (_, k): SystemDocument => ({
          id: `s${k}`,
          type: 'FirstOrderNonLinear',
          n: 1000,
          x0: zeros(1000),
          f: f(),
        })),
        { type: 'FirstOrderNonLinearR', h: f(), g: f() },
      ),
      { code: 'relation-too-large', pointer: '/interactions/0/relation' },
    ],
    [
      'a first-order relation links first-order systems',
      link([body], { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]] }),
      {
        code: 'relation-order',
        pointer: '/interactions/0/systems/0',
        message:
          'The relation FirstOrderLinearTI links first-order systems; “body” (LagrangianLinearTI) is Lagrangian.',
        remedy: expect.stringContaining('LagrangianScleronomous') as string,
      },
    ],
    [
      'a Lagrangian relation links Lagrangian systems, all of them',
      link([body, linear], { type: 'LagrangianLinear', H: [[1, 0, 0]] }),
      {
        code: 'relation-order',
        pointer: '/interactions/0/systems/1',
        remedy: expect.stringContaining('FirstOrderType1') as string,
      },
    ],
    [
      'a derived relation needs its function',
      link([linear], { type: 'FirstOrderType1', h: f('other'), g: f() }),
      { code: 'unknown-function', pointer: '/interactions/0/relation/h' },
    ],
  ])('%s', (_, document, expected) => {
    expectOne(build(document, PLUGINS).issues, { element: 'link', ...expected });
  });
});

describe('laws', () => {
  const rows = (count: number): Record<string, FieldValue> => ({
    C: Array.from({ length: count }, () => [1, 0]),
    B: [new Array<number>(count).fill(0), new Array<number>(count).fill(1)],
  });
  it.each<[string, ModelDocument, Expected]>([
    [
      'the relation has a multiple of the law’s rows',
      onLinear(rows(3), { type: 'Relay', lower: [-1, -2], upper: [1] }),
      {
        code: 'law-size',
        pointer: '/interactions/0/law',
        message:
          'The law Relay takes 2 rows at once; the relation FirstOrderLinearTI has 3, which is no multiple of that.',
      },
    ],
    [
      'the relation has at least the law’s rows',
      onLinear(rows(2), { type: 'MixedComplementarity', equalities: 1, inequalities: 2 }),
      { code: 'law-size', pointer: '/interactions/0/law' },
    ],
    [
      'a mixed law has rows',
      onLinear({}, { type: 'MixedComplementarity', equalities: 0, inequalities: 0 }),
      { code: 'empty-law', pointer: '/interactions/0/law/equalities' },
    ],
    [
      'a relay has bounds',
      onLinear({}, { type: 'Relay', lower: [] }),
      { code: 'empty-law', pointer: '/interactions/0/law/lower' },
    ],
    [
      'a relay has as many bounds of each kind',
      onLinear({}, { type: 'Relay', lower: [0, 0], upper: [1, 1, 1] }),
      { code: 'bounds-length', pointer: '/interactions/0/law/upper' },
    ],
    [
      'the bounds of a relay are in order',
      onLinear({}, { type: 'Relay', lower: [1], upper: [-1] }),
      { code: 'bounds-order', pointer: '/interactions/0/law/upper' },
    ],
    [
      'two stops are apart',
      onLinear({}, { type: 'NormalConeBox', lower: [1], upper: [1] }),
      { code: 'bounds-order', pointer: '/interactions/0/law/upper' },
    ],
    [
      'a polytope has a facet',
      onLinear({}, { type: 'NormalConePolytope', A: [], b: [] }),
      { code: 'no-facets', pointer: '/interactions/0/law/A' },
    ],
    [
      'a polytope has a right side for each facet',
      onLinear({}, { type: 'NormalConePolytope', A: [[1], [-1]], b: [1] }),
      { code: 'facets-length', pointer: '/interactions/0/law/b' },
    ],
    [
      'facets have a direction',
      onLinear({}, { type: 'NormalConePolytope', A: [[1], [0]], b: [1, 1] }),
      { code: 'zero-normal', pointer: '/interactions/0/law/A' },
    ],
    [
      'a polytope is not empty',
      onLinear({}, { type: 'NormalConePolytope', A: [[1], [-1]], b: [1, -2] }),
      { code: 'empty-polytope', pointer: '/interactions/0/law/b' },
    ],
    [
      'a polytope takes as many rows as the relation has, or a divisor of them',
      onLinear({}, { type: 'NormalConePolytope', A: [[1, 0]], b: [1] }),
      { code: 'law-size' },
    ],
    [
      'strain does not expand by more than friction carries',
      link(
        [particle('body', 0, 0)],
        { type: 'LagrangianLinear', H: [[1], [1], [1]] },
        {
          type: 'MohrCoulomb',
          phi: 0.3,
          psi: 0.4,
        },
      ),
      { code: 'dilatancy-above-friction', pointer: '/interactions/0/law/psi' },
    ],
    ['plasticity takes three rows', onLinear({}, { type: 'MohrCoulomb', phi: 0.3 }), { code: 'law-size' }],
    [
      'a graph has a point',
      onLinear({}, { type: 'PiecewiseLinear', points: [], start: [1, 0], end: [1, 0] }),
      { code: 'no-points', pointer: '/interactions/0/law/points' },
    ],
    [
      'points of a graph have two coordinates',
      onLinear({}, { type: 'PiecewiseLinear', points: [[1, 2, 3]], start: [1, 0], end: [1, 0] }),
      { code: 'matrix-shape', pointer: '/interactions/0/law/points' },
    ],
    [
      'neighbouring points of a graph differ',
      onLinear(
        {},
        {
          type: 'PiecewiseLinear',
          points: [
            [0, 1],
            [0, 0],
            [0, '2*0'],
          ],
          start: [1, 0],
          end: [1, 0],
        },
      ),
      { code: 'equal-points', pointer: '/interactions/0/law/points' },
    ],
    [
      'a graph comes from somewhere',
      onLinear({}, { type: 'PiecewiseLinear', points: [[0, 0]], start: [0, 0], end: [1, 0] }),
      { code: 'zero-direction', pointer: '/interactions/0/law/start' },
    ],
    [
      'a graph goes somewhere',
      onLinear({}, { type: 'PiecewiseLinear', points: [[0, 0]], start: [1, 0], end: [0, 0] }),
      { code: 'zero-direction', pointer: '/interactions/0/law/end' },
    ],
    [
      'a direction has two components',
      onLinear({}, { type: 'PiecewiseLinear', points: [[0, 0]], start: [1], end: [1, 0] }),
      { code: 'vector-length', pointer: '/interactions/0/law/start' },
    ],
  ])('%s', (_, document, expected) => {
    expectOne(build(document, PLUGINS).issues, { element: 'link', ...expected });
  });

  it('of one row go on any relation', () => {
    for (const count of [1, 2, 7]) expect(build(onLinear(rows(count)), PLUGINS).issues).toEqual([]);
  });

  it('report their own defects also where the links are broken', () => {
    const document = model([particle('body', 0, 0)], [contact('link', ['absent'], [[1]], 7)]);
    expect(build(document).issues.map(({ code }) => code)).toEqual(['unknown-system', 'out-of-range']);
  });
});

function eye(n: number): [number, number, number][] {
  return Array.from({ length: n }, (_, i) => [i, i, 1]);
}

function zeros(n: number): number[] {
  return new Array<number>(n).fill(0);
}
