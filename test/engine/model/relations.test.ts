/**
 * Relations in their forms: values by hand, every Jacobian against central differences of the form itself.
 */
import { describe, expect, it } from 'vitest';
import type {
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { RelationForm } from '@engine/model/forms';
import {
  build,
  buildSound,
  centralDifferences,
  differenceLookup,
  onlyInteraction,
  type Plugins,
} from '../support/built';
import { expectClose } from '../support/jacobians';
import { model, particle } from '../support/models';
import { seeded } from '../support/random';

type Vector = Float64Array;

const CLOCK = Float64Array.of(0.7);

/** Two first-order systems of two and one states. */
const FIRST: SystemDocument[] = [
  {
    id: 'a',
    type: 'FirstOrderLinear',
    n: 2,
    x0: [0, 0],
    A: [
      [0, 0],
      [0, 0],
    ],
  },
  { id: 'b', type: 'FirstOrderLinear', n: 1, x0: [0], A: [[0]] },
];
/** Two Lagrangian systems of two and one coordinates. */
const SECOND: SystemDocument[] = [
  {
    ...particle('a', 0, 0),
    ndof: 2,
    mass: [
      [1, 0],
      [0, 1],
    ],
    q0: [0, 0],
    v0: [0, 0],
  },
  particle('b', 0, 0),
];

function linked(systems: SystemDocument[], relation: TypedElement, law: TypedElement): ModelDocument {
  const interaction: InteractionDocument = { id: 'link', systems: ['a', 'b'], relation, law };
  return model(systems, [interaction]);
}

const first = (relation: TypedElement): ModelDocument => linked(FIRST, relation, { type: 'Complementarity' });
const second = (relation: TypedElement): ModelDocument =>
  linked(SECOND, relation, { type: 'Complementarity' });

const formOf = (document: ModelDocument, plugins: Plugins = {}): RelationForm =>
  onlyInteraction(buildSound(document, plugins)).relation;

const filled = (length: number): Vector => new Float64Array(length).fill(Number.NaN);

/** Compares all Jacobians of a relation with differences, and the constant ones with what they fill. */
function checkJacobians(relation: RelationForm, seed: number): void {
  const { size, columns, order } = relation;
  const next = seeded(seed);
  const vector = (n: number): Vector => Float64Array.from({ length: n }, () => next.uniform(-1, 1));
  for (let k = 0; k < 20; k++) {
    const z = vector(columns);
    const lambda = vector(size);
    const C = filled(size * columns);
    const D = filled(size * size);
    relation.outputJacobians(CLOCK, z, lambda, C, D);
    expectClose(
      C,
      centralDifferences((at, out) => relation.output(CLOCK, at, lambda, out), z, size),
    );
    const byLambda = centralDifferences((at, out) => relation.output(CLOCK, z, at, out), lambda, size);
    if (relation.hasFeedthrough) expectClose(D, byLambda);
    else expect(byLambda.every((value) => value === 0)).toBe(true);
    if (relation.C !== null) expect(relation.C).toEqual(C);
    if (relation.D !== null) expect(relation.D).toEqual(D);
    const byTime = centralDifferences((at, out) => relation.output(at, z, lambda, out), CLOCK, size);
    if (!relation.isTimeDependent) expect(byTime.every((value) => value === 0)).toBe(true);
    if (order === 2) {
      const hDot = filled(size);
      relation.timeDerivative(CLOCK, z, hDot);
      expectClose(hDot, byTime);
      continue;
    }
    const K = filled(columns * columns);
    const B = filled(columns * size);
    relation.inputJacobians(CLOCK, z, lambda, K, B);
    const byState = centralDifferences((at, out) => relation.input(CLOCK, at, lambda, out), z, columns);
    if (relation.hasStateInput) expectClose(K, byState);
    else expect(byState.every((value) => value === 0)).toBe(true);
    expectClose(
      B,
      centralDifferences((at, out) => relation.input(CLOCK, z, at, out), lambda, columns),
    );
    if (relation.B !== null) expect(relation.B).toEqual(B);
  }
}

const PLUGINS: Plugins = {
  hX: (x: Vector, out: Vector) => out.set([x[0] * x[2], Math.sin(x[1])]),
  gL: (l: Vector, out: Vector) => out.set([l[0] ** 2, l[0] * l[1], -l[1]]),
  gTL: (t: number, l: Vector, out: Vector) => out.set([t * l[0] ** 2, l[0] * l[1], -l[1]]),
  hTXL: (t: number, x: Vector, l: Vector, out: Vector) => out.set([x[0] * x[2] + l[1] ** 2, t * x[1] * l[0]]),
  gTXL: (t: number, x: Vector, l: Vector, out: Vector) => out.set([x[1] * l[0], t * x[2] ** 2, l[0] * l[1]]),
  hQ: (q: Vector, out: Vector) => out.set([Math.hypot(q[0] - 2, q[1]) - 1, q[2] * q[0]]),
  hTQ: (t: number, q: Vector, out: Vector) => out.set([q[0] * q[2] - Math.sin(3 * t), t * q[1]]),
  hQL: (q: Vector, l: Vector, out: Vector) =>
    out.set([q[0] ** 2 + 0.1 * l[0] ** 3, q[1] * q[2] + l[1] * l[0]]),
  e: (t: number, out: Vector) => out.set([t, t * t]),
};

const f = (name: string): { function: string } => ({ function: name });

describe('FirstOrderLinearTI', () => {
  const relation: TypedElement = {
    type: 'FirstOrderLinearTI',
    C: [
      [1, 2, 3],
      [0, 1, 0],
    ],
    B: [
      [1, 0],
      [0, 1],
      [2, 2],
    ],
  };

  it('is y = C x + D λ + F z + e, r = B λ', () => {
    const form = formOf(
      first({
        ...relation,
        D: [
          [0, 5],
          [0, 0],
        ],
        e: [10, 20],
        F: [[1], [2]],
        z: [100],
      }),
    );
    expect(form).toMatchObject({ order: 1, size: 2, columns: 3, isAffine: true, isTimeDependent: false });
    const y = filled(2);
    form.output(CLOCK, Float64Array.of(1, 1, 1), Float64Array.of(2, 3), y);
    expect([...y]).toEqual([6 + 15 + 100 + 10, 1 + 200 + 20]);
    const r = filled(3);
    form.input(CLOCK, Float64Array.of(1, 1, 1), Float64Array.of(2, 3), r);
    expect([...r]).toEqual([2, 3, 10]);
  });

  it('adds F z to an offset that depends on time', () => {
    const form = formOf(first({ ...relation, e: f('e'), F: [[1], [2]], z: [100] }), PLUGINS);
    expect(form.isTimeDependent).toBe(true);
    const y = filled(2);
    form.output(CLOCK, new Float64Array(3), new Float64Array(2), y);
    expect([...y]).toEqual([100.7, 200 + 0.7 * 0.7]);
  });

  it('takes z from a function of time, beside e', () => {
    const of = (fields: Partial<TypedElement>): number[] => {
      const form = formOf(first({ ...relation, ...fields }), PLUGINS);
      expect(form.isTimeDependent).toBe(true);
      const y = filled(2);
      form.output(CLOCK, new Float64Array(3), new Float64Array(2), y);
      return [...y];
    };
    const F = [
      [1, 2],
      [3, 4],
    ];
    const [a, b] = of({ e: f('e') });
    expect(of({ F, z: f('e') })).toEqual([a + 2 * b, 3 * a + 4 * b]);
    expect(of({ F, z: f('e'), e: [10, 20] })).toEqual([a + 2 * b + 10, 3 * a + 4 * b + 20]);
    expect(of({ F, z: f('e'), e: f('e') })).toEqual([a + (a + 2 * b), b + (3 * a + 4 * b)]);
  });

  it.each<[string, Partial<TypedElement>, boolean]>([
    ['without feedthrough', {}, false],
    [
      'with a feedthrough of zeros, which is none',
      {
        D: [
          [0, 0],
          [0, 0],
        ],
      },
      false,
    ],
    [
      'with feedthrough',
      {
        D: [
          [1, 2],
          [-2, 0],
        ],
      },
      true,
    ],
    [
      'with an offset of time',
      {
        D: [
          [1, 2],
          [-2, 0],
        ],
        e: f('e'),
      },
      true,
    ],
    [
      'by entries',
      {
        C: {
          entries: [
            [1, 2, 4],
            [0, 0, 1],
          ],
        },
        B: { entries: [[2, 1, 1]] },
      },
      false,
    ],
  ])('has its Jacobians %s', (_, fields, hasFeedthrough) => {
    const form = formOf(first({ ...relation, ...fields }), PLUGINS);
    expect(form.hasFeedthrough).toBe(hasFeedthrough);
    checkJacobians(form, 1);
  });
});

describe.each<[string, ModelDocument, Partial<RelationForm>]>([
  [
    'FirstOrderType1',
    first({ type: 'FirstOrderType1', size: 2, h: f('hX'), g: f('gL') }),
    { order: 1, hasFeedthrough: false, hasStateInput: false, isTimeDependent: false },
  ],
  [
    'FirstOrderType2',
    first({ type: 'FirstOrderType2', size: 2, h: f('hTXL'), g: f('gTL') }),
    { order: 1, hasFeedthrough: true, hasStateInput: false, isTimeDependent: true },
  ],
  [
    'FirstOrderNonLinearR',
    first({ type: 'FirstOrderNonLinearR', size: 2, h: f('hTXL'), g: f('gTXL') }),
    { order: 1, hasFeedthrough: true, hasStateInput: true, isTimeDependent: true },
  ],
  [
    'LagrangianScleronomous',
    second({ type: 'LagrangianScleronomous', size: 2, h: f('hQ') }),
    { order: 2, hasFeedthrough: false, isTimeDependent: false },
  ],
  [
    'LagrangianRheonomous',
    second({ type: 'LagrangianRheonomous', size: 2, h: f('hTQ') }),
    { order: 2, hasFeedthrough: false, isTimeDependent: true },
  ],
  [
    'LagrangianCompliant',
    second({ type: 'LagrangianCompliant', size: 2, h: f('hQL') }),
    { order: 2, hasFeedthrough: true, isTimeDependent: false },
  ],
])('%s', (type, document, expected) => {
  const form = formOf(document, PLUGINS);

  it('says what it depends on', () => {
    expect(form).toMatchObject({ type, size: 2, columns: 3, isAffine: false, C: null, D: null, B: null });
    expect(form).toMatchObject(expected);
  });

  it('derives its Jacobians', () => {
    checkJacobians(form, 2);
  });
});

describe('given Jacobians', () => {
  it('that are constant stand in the form', () => {
    const form = formOf(
      first({
        type: 'FirstOrderNonLinearR',
        h: f('h'),
        g: f('g'),
        C: [[1, 0, 0]],
        D: [[2]],
        K: [
          [0, 0, 0],
          [0, 0, 0],
          [0, 0, 0],
        ],
        B: [[1], [0], [3]],
      }),
      {
        h: (_t: number, x: Vector, l: Vector, out: Vector) => (out[0] = x[0] + 2 * l[0]),
        g: (_t: number, _x: Vector, l: Vector, out: Vector) => out.set([l[0], 0, 3 * l[0]]),
      },
    );
    expect([...(form.C ?? []), ...(form.D ?? []), ...(form.B ?? [])]).toEqual([1, 0, 0, 2, 1, 0, 3]);
    expect(form).toMatchObject({ hasFeedthrough: true, hasStateInput: false, isAffine: false });
    checkJacobians(form, 4);
  });

  it('that are functions are called, and nothing of h is derived', () => {
    const plugins: Plugins = {
      ...PLUGINS,
      J: (_t: number, q: Vector, out: Vector) => out.set([q[2], 0, q[0], 0, 0.7, 0]),
      hDot: (t: number, q: Vector, out: Vector) => out.set([-3 * Math.cos(3 * t), q[1]]),
    };
    const { model: built, issues } = build(
      second({ type: 'LagrangianRheonomous', size: 2, h: f('hTQ'), hDot: f('hDot'), jacobian: f('J') }),
      plugins,
      (request) => {
        // Curvature asks for derivatives of what is given.
        if (request.function === 'hTQ') throw new Error('nothing of it is to be derived');
        return differenceLookup(plugins)(request);
      },
    );
    expect(issues).toEqual([]);
    checkJacobians(built.interactions[0].relation, 5);
  });
});

describe('LagrangianLinear and its compliant variant', () => {
  it('are y = H q + b and y = H q + D λ + b', () => {
    const H = [
      [1, 0, -1],
      [0, 2, 0],
    ];
    const rigid = formOf(second({ type: 'LagrangianLinear', H, b: [5, 6] }));
    expect(rigid).toMatchObject({ order: 2, hasFeedthrough: false, isAffine: true, B: null });
    const yielding = formOf(
      second({
        type: 'LagrangianCompliantLinear',
        H,
        b: [5, 6],
        D: [
          [0.5, 0],
          [0, 0.25],
        ],
      }),
    );
    expect(yielding).toMatchObject({ order: 2, hasFeedthrough: true, isAffine: true });
    const y = filled(2);
    const at = [Float64Array.of(1, 2, 3), Float64Array.of(4, 8)] as const;
    rigid.output(CLOCK, ...at, y);
    expect([...y]).toEqual([3, 10]);
    yielding.output(CLOCK, ...at, y);
    expect([...y]).toEqual([5, 12]);
    checkJacobians(rigid, 6);
    checkJacobians(yielding, 7);
  });
});

describe('a function that cannot be differentiated', () => {
  const issue = {
    severity: 'error',
    code: 'not-differentiable',
    pointer: '/scripts/0/source/4',
    message: 'Math.random is not a function of its arguments.',
    remedy: '',
    script: { name: 'functions.ts', line: 5, column: 3 },
  } as const;
  const refuse = (names: string[]): ReturnType<typeof build>['issues'] =>
    build(
      {
        ...first({ type: 'FirstOrderNonLinearR', size: 2, h: f('hTXL'), g: f('gTXL') }),
        systems: [...FIRST, { id: 'c', type: 'FirstOrderNonLinear', n: 1, x0: [0], f: f('rate') }],
      },
      { ...PLUGINS, rate: () => undefined },
      (request) =>
        names.includes(request.function) ? { ok: false, issue } : differenceLookup(PLUGINS)(request),
    ).issues;

  it('is reported at its line, with both ways out', () => {
    const issues = refuse(['rate']);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      ...issue,
      element: 'c',
      remedy: expect.stringContaining('finite differences') as string,
    });
    expect(issues[0].remedy).toContain('“Jacobian” (jacobian) of “c”');
  });

  it('is reported once, though several Jacobians need it', () => {
    expect(refuse(['hTXL', 'rate'])).toHaveLength(1);
  });
});
