/** Laws in their forms, and where they hold. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import type { LawForm } from '@engine/model/forms';
import { isMonotone } from '@engine/model/laws/piecewise-linear';
import { reportDocument } from '@engine/preparation/report';
import { build, type Built, buildSound, onlyInteraction } from '../support/built';
import { expectComplete } from '../support/issues';
import { model, particle } from '../support/models';

const STATES: SystemDocument = {
  id: 's',
  type: 'FirstOrderLinear',
  n: 2,
  x0: [0, 0],
  A: [
    [0, 0],
    [0, 0],
  ],
};

const on = (system: SystemDocument, relation: TypedElement, law: TypedElement): ModelDocument =>
  model([system], [{ id: 'link', systems: [system.id], relation, law }]);

/** A first-order relation of four rows. */
const first = (law: TypedElement): ModelDocument =>
  on(
    STATES,
    {
      type: 'FirstOrderLinearTI',
      C: [
        [1, 0],
        [0, 1],
        [1, 1],
        [1, -1],
      ],
      B: [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
      ],
    },
    law,
  );
const rigid = (law: TypedElement): ModelDocument =>
  on(particle('s', 0, 0), { type: 'LagrangianLinear', H: [[1], [1], [1], [1]] }, law);
const compliant = (law: TypedElement): ModelDocument =>
  on(particle('s', 0, 0), { type: 'LagrangianCompliantLinear', H: [[1]], D: [[0.1]] }, law);

const lawOf = (built: Built): LawForm => onlyInteraction(built).law;
const INFINITY = Number.POSITIVE_INFINITY;
const box = (lower: number, upper: number): object => ({ kind: 'box', lower, upper });

describe('rows', () => {
  it.each<[TypedElement, object[]]>([
    [{ type: 'Complementarity' }, [box(0, INFINITY)]],
    [{ type: 'Equality' }, [box(-INFINITY, INFINITY)]],
    [
      { type: 'MixedComplementarity', equalities: 3, inequalities: 1 },
      [box(-INFINITY, INFINITY), box(-INFINITY, INFINITY), box(-INFINITY, INFINITY), box(0, INFINITY)],
    ],
    [{ type: 'Relay' }, [box(-1, 1)]],
    [{ type: 'Relay', lower: [-2], upper: ['1 + 2'] }, [box(-2, 3)]],
    [{ type: 'Relay', lower: [-2, 0], upper: [3] }, [box(-2, 3), box(0, 3)]],
    [{ type: 'Relay', upper: [1, 4] }, [box(-1, 1), box(-1, 4)]],
    [{ type: 'Relay', lower: [2], upper: [2] }, [box(2, 2)]],
  ])('of %j', (law, rows) => {
    const form = lawOf(buildSound(first(law)));
    expect(form.rows).toEqual(rows);
    expect(form).toMatchObject({
      size: rows.length,
      level: 'position',
      multiplier: 'force',
      restitution: null,
    });
  });

  it('of a two-sided stop run down the lower stop, along λ = 0 and down the upper one', () => {
    const form = lawOf(buildSound(first({ type: 'NormalConeBox', lower: [-1, -2], upper: [3] })));
    expect(form.size).toBe(2);
    expect(form.rows[1]).toEqual({
      kind: 'graph',
      graph: {
        y: Float64Array.of(-2, 3),
        lambda: Float64Array.of(0, 0),
        startDirection: [0, -1],
        endDirection: [0, -1],
      },
    });
  });

  it('of a piecewise linear law are its graph', () => {
    const form = lawOf(
      buildSound(
        first({
          type: 'PiecewiseLinear',
          points: [
            [-1, 2],
            [1, -2],
          ],
          start: [1, 0],
          end: [2, 0],
        }),
      ),
    );
    expect(form.rows).toEqual([
      {
        kind: 'graph',
        graph: {
          y: Float64Array.of(-1, 1),
          lambda: Float64Array.of(2, -2),
          startDirection: [1, 0],
          endDirection: [2, 0],
        },
      },
    ]);
  });
});

describe('level and multiplier', () => {
  const relay = { type: 'Relay' };
  const graph = { type: 'PiecewiseLinear', points: [[0, 0]], start: [0, -1], end: [1, 0] };
  it.each<[string, ModelDocument, LawForm['level'], LawForm['multiplier'], number | null]>([
    ['an impact law', rigid({ type: 'NewtonImpact', e: 0.5 }), 'velocity', 'impulse', 0.5],
    ['complementarity', rigid({ type: 'Complementarity' }), 'position', 'force', null],
    [
      'complementarity of rates',
      rigid({ type: 'Complementarity', level: 'velocity' }),
      'velocity',
      'force',
      null,
    ],
    ['an equality', rigid({ type: 'Equality' }), 'velocity', 'impulse', null],
    ['an equality of positions', rigid({ type: 'Equality', level: 'position' }), 'position', 'force', null],
    ['a relay', rigid(relay), 'velocity', 'force', null],
    ['a relay of positions', rigid({ ...relay, level: 'position' }), 'position', 'force', null],
    ['a graph', rigid(graph), 'position', 'force', null],
    ['a graph of rates', rigid({ ...graph, level: 'velocity' }), 'velocity', 'force', null],
    ['a stop', rigid({ type: 'NormalConeBox', lower: [0], upper: [1] }), 'position', 'force', null],
    ['a relay on a compliant relation', compliant(relay), 'position', 'force', null],
    ['a joint on a compliant relation', compliant({ type: 'Equality' }), 'position', 'force', null],
  ])('of %s', (_, document, level, multiplier, restitution) => {
    expect(lawOf(buildSound(document))).toMatchObject({ level, multiplier, restitution });
  });

  it.each<[string, ModelDocument, string, string]>([
    [
      'a rate where there is none',
      first({ type: 'Relay', level: 'velocity' }),
      'level-without-velocity',
      '/interactions/0/law/level',
    ],
    [
      'the position of a first-order relation, which has no other',
      first({ type: 'Relay', level: 'position' }),
      'level-without-velocity',
      '/interactions/0/law/level',
    ],
    [
      'the rate of a compliant gap',
      compliant({ type: 'Relay', level: 'velocity' }),
      'level-of-compliant-relation',
      '/interactions/0/law/level',
    ],
    [
      'an impact on a compliant gap',
      compliant({ type: 'NewtonImpact', e: 0 }),
      'impact-on-compliant-relation',
      '/interactions/0/law/type',
    ],
    [
      'an impact with friction on a compliant gap',
      on(
        particle('s', 0, 0),
        { type: 'LagrangianCompliantLinear', H: [[1], [1]], D: { entries: [[0, 0, 0.1]] } },
        { type: 'NewtonImpactFriction', mu: 0.3, e: 0 },
      ),
      'impact-on-compliant-relation',
      '/interactions/0/law/type',
    ],
    ['an impact of states', first({ type: 'NewtonImpact', e: 0 }), 'law-order', '/interactions/0/law/type'],
  ])('refuses %s', (_, document, code, pointer) => {
    const { issues } = build(document);
    expect(issues.map((issue) => [issue.code, issue.pointer])).toEqual([[code, pointer]]);
  });
});

describe('monotone graphs', () => {
  const withGraph = (points: number[][], start: number[], end: number[]): ModelDocument =>
    first({ type: 'PiecewiseLinear', points, start, end });
  const graphOf = (points: number[][], start: number[], end: number[]): Built =>
    build(withGraph(points, start, end));

  it.each<[string, number[][], number[], number[]]>([
    ['complementarity', [[0, 0]], [0, -1], [1, 0]],
    ['the same the other way round', [[0, 0]], [-1, 0], [0, 1]],
    [
      'a relay',
      [
        [0, 1],
        [0, -1],
      ],
      [1, 0],
      [1, 0],
    ],
    [
      'a saturation',
      [
        [-1, 2],
        [1, -2],
      ],
      [1, 0],
      [1, 0],
    ],
    ['a spring', [[0, 0]], [1, -3], [1, -3]],
  ])('%s has one solution, and no warning', (_, points, start, end) => {
    const built = graphOf(points, start, end);
    expect(built.issues).toEqual([]);
    const [row] = lawOf(built).rows;
    expect(row.kind === 'graph' && isMonotone(row.graph)).toBe(true);
  });

  it.each<[string, number[][], number[], number[]]>([
    [
      'a relay of the wrong sign',
      [
        [0, -1],
        [0, 1],
      ],
      [1, 0],
      [1, 0],
    ],
    [
      'a hysteresis',
      [
        [1, 1],
        [-1, 0],
      ],
      [1, 0],
      [1, 0],
    ],
    ['a fold in an end ray', [[0, 0]], [1, 0], [1, 1]],
  ])('%s is allowed with a warning where a step solves for both', (_, points, start, end) => {
    const { issues } = reportDocument(withGraph(points, start, end));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      severity: 'warning',
      code: 'graph-not-monotone',
      pointer: '/interactions/0/law/points',
    });
    expectComplete(issues);
  });

  it.each([
    [0.4, 0],
    [0.6, 1],
  ])('one that rises by 2 beside D = %d has %d warnings', (d, count) => {
    const document = withGraph([[0, 0]], [1, 1], [1, 2]);
    document.interactions[0].relation.D = { entries: [0, 1, 2, 3].map((k) => [k, k, d]) };
    const { issues } = reportDocument(document);
    expect(issues.map(({ code }) => code)).toEqual(Array<string>(count).fill('graph-not-monotone'));
  });

  it('one that rises is what it is from event to event, where λ follows from y', () => {
    const document = withGraph([[0, 0]], [1, 1], [1, 2]);
    document.simulation.scheme = 'event-driven';
    expect(reportDocument(document).issues).toEqual([]);
  });
});
