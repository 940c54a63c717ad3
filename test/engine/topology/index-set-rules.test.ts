/** What is said of an interaction from its relative degree and its law. */
import { describe, expect, it } from 'vitest';
import type { LawForm } from '@engine/model/forms';
import { describeTopology, type DescribedDegree } from '@engine/topology/describe';
import { boundsMultiplier } from '@engine/topology/index-set-rules';
import type { TopologyModel } from '@engine/topology/topology-model';
import type { Matrix } from '../support/dense';
import { single } from './degrees';
import * as forms from './forms';

const withLaw = (model: TopologyModel, law: LawForm): TopologyModel => ({
  ...model,
  interactions: model.interactions.map((interaction) => ({ ...interaction, law })),
});

function ruleOf(model: TopologyModel): DescribedDegree {
  const { degree } = describeTopology(model, 0).interactions[0];
  if (degree === null) throw new Error('expected a degree');
  return degree;
}

/** n integrators in a row, λ at one end and y at the other. */
function integrators(n: number, law: LawForm): TopologyModel {
  const A = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_x, j) => (j === i + 1 ? 1 : 0)));
  const B = Array.from({ length: n }, (_, i) => [i === n - 1 ? 1 : 0]);
  const C = [Array.from({ length: n }, (_, j) => (j === 0 ? 1 : 0))];
  return withLaw(single(A, B, C), law);
}

const mass = (law: LawForm, D: Matrix | null = null): TopologyModel =>
  forms.model(
    [forms.lagrangian('mass', [[2]])],
    [forms.interaction('i', [0], forms.lagrangianRelation([[1]], D), law)],
  );

/** A law that bounds λ by a saturating graph, with slope in between. */
const saturation: LawForm = {
  ...forms.relay,
  rows: [
    {
      kind: 'graph',
      graph: {
        y: Float64Array.of(-1, 1),
        lambda: Float64Array.of(-2, 2),
        startDirection: [1, 0],
        endDirection: [1, 0],
      },
    },
  ],
};

const spring: LawForm = {
  ...saturation,
  rows: [
    {
      kind: 'graph',
      graph: {
        y: Float64Array.of(0),
        lambda: Float64Array.of(0),
        startDirection: [1, 0],
        endDirection: [1, -3],
      },
    },
  ],
};

const contactWithFriction: LawForm = {
  ...forms.impact,
  size: 2,
  rows: [forms.impact.rows[0], { kind: 'friction', coefficient: 0.5, restitution: 0 }],
};

/** A point mass above a floor, with rows of gap and slip. */
const planarMass = (law: LawForm): TopologyModel =>
  forms.model(
    [
      forms.lagrangian('mass', [
        [2, 0],
        [0, 2],
      ]),
    ],
    [
      forms.interaction(
        'i',
        [0],
        forms.lagrangianRelation([
          [0, 1],
          [1, 0],
        ]),
        law,
      ),
    ],
  );

describe('the rule of an interaction', () => {
  it.each([
    [
      'a diode with D = R',
      withLaw(single([[0]], [[1]], [[1]], [[5]]), forms.complementarity),
      'algebraic',
      0,
    ],
    ['a compliant contact', mass(forms.complementarity, [[1e-3]]), 'algebraic', 0],
    ['a relay on an integrator', integrators(1, forms.relay), 'function', 1],
    ['a diode on an integrator', integrators(1, forms.complementarity), 'function', 1],
    ['a contact', mass(forms.impact), 'impact', 2],
    ['a contact with friction', planarMass(contactWithFriction), 'impact-with-friction', 2],
    ['a joint', mass(forms.joint), 'constraint', 2],
    ['friction', mass(forms.frictionRelay), 'velocity-force', 2],
    ['a stop without restitution', mass(forms.complementarity), 'measure', 2],
    ['the same in first-order form', integrators(2, forms.complementarity), 'measure', 2],
    ['a position relay', mass(forms.relay), 'bounded', 2],
    ['a relay on three integrators', integrators(3, forms.relay), 'bounded', 3],
    ['a saturation on three integrators', integrators(3, saturation), 'bounded', 3],
    ['a one-sided spring on three integrators', integrators(3, spring), 'higher-order', 3],
    ['a stop on three integrators', integrators(3, forms.complementarity), 'higher-order', 3],
    ['an impact law on a compliant relation', mass(forms.impact, [[1e-3]]), 'impact-on-compliance', 0],
    ['a zero row', withLaw(single([[1]], [[1]], [[0]]), forms.complementarity), 'no-effect', 'none'],
    ['a very long chain', integrators(80, forms.relay), 'beyond-limit', 'beyond-limit'],
  ])('%s', (_, model, code, degree) => {
    const { rule, text } = ruleOf(model);
    expect(rule.code).toBe(code);
    expect(rule.degree).toBe(degree);
    expect(text.length).toBeGreaterThan(20);
  });

  it('warns where no integrator does what the law says', () => {
    for (const n of [3, 4]) {
      const { rule } = ruleOf(integrators(n, forms.complementarity));
      expect(rule).toMatchObject({ severity: 'warning', integrators: [], indexSets: ['always'] });
    }
    expect(ruleOf(integrators(2, forms.complementarity)).rule.severity).toBe('warning');
    expect(ruleOf(integrators(3, forms.relay)).rule.severity).toBe('information');
  });

  it('puts contacts into I1 when closed and into I2 when at rest, joints into all, and diodes into I0', () => {
    expect(ruleOf(mass(forms.impact)).rule).toMatchObject({
      level: 'velocity',
      indexSets: ['always', 'closed', 'resting'],
      integrators: ['MoreauJean', 'MoreauHalfStep', 'D1MinusLinear', 'SchatzmanPaoli'],
    });
    expect(ruleOf(planarMass(contactWithFriction)).rule).toMatchObject({
      level: 'velocity',
      indexSets: ['always', 'closed', 'resting'],
      integrators: ['MoreauJean', 'MoreauHalfStep', 'D1MinusLinear'],
    });
    expect(ruleOf(mass(forms.joint)).rule.indexSets).toEqual(['always', 'always', 'always']);
    expect(ruleOf(integrators(1, forms.complementarity)).rule).toMatchObject({
      level: 'position',
      indexSets: ['always'],
      integrators: ['EulerMoreau', 'ZeroOrderHold'],
    });
  });

  it('says when rows differ, and speaks of the highest', () => {
    const model = withLaw(
      single(
        [
          [0, 1],
          [0, 0],
        ],
        [
          [0, 1],
          [1, 0],
        ],
        [
          [1, 0],
          [0, 0],
        ],
        [
          [0, 0],
          [0, 1],
        ],
      ),
      forms.complementarity,
    );
    const { rule, text } = ruleOf(model);
    expect(rule).toMatchObject({ mixed: true, degree: 1 });
    expect(text).toContain('rows differ');
  });
});

describe('the coupling of an interaction', () => {
  it('is redundant where rows repeat each other', () => {
    const model = forms.model(
      [
        forms.lagrangian('box', [
          [1, 0],
          [0, 1],
        ]),
      ],
      [
        forms.interaction('left', [0], forms.lagrangianRelation([[1, 1]]), forms.impact),
        forms.interaction('right', [0], forms.lagrangianRelation([[2, 2]]), forms.impact),
        forms.interaction('side', [0], forms.lagrangianRelation([[1, 0]]), forms.impact),
      ],
    );
    const { interactions } = describeTopology(model, 0);
    expect(interactions.map(({ degree }) => degree?.rule.coupling.code)).toEqual([
      'redundant',
      'redundant',
      'independent',
    ]);
    expect(interactions.map(({ degree }) => degree?.rule.severity)).toEqual(new Array(3).fill('information'));
  });

  it('warns of impulses that no row shows by itself', () => {
    // Each row has degree 1, but y₂ − y₁ has 2: with unbounded λ this combination needs impulses.
    const model = withLaw(
      single(
        [
          [0, 0, 0],
          [0, 0, 1],
          [0, 0, 0],
        ],
        [
          [1, 0],
          [1, 0],
          [0, 1],
        ],
        [
          [1, 0, 0],
          [0, 1, 0],
        ],
      ),
      forms.complementarity,
    );
    const { rule, text } = ruleOf(model);
    expect(rule).toMatchObject({
      code: 'function',
      degree: 1,
      severity: 'warning',
      coupling: { code: 'hidden', order: 2 },
    });
    expect(text).toContain('derivative 2');
  });
});

describe('whether a law bounds λ', () => {
  it.each([
    ['relay', forms.relay, true],
    ['saturation', saturation, true],
    ['complementarity', forms.complementarity, false],
    ['equality', forms.joint, false],
    ['one-sided spring', spring, false],
  ])('%s', (_, law, expected) => {
    expect(boundsMultiplier(law)).toBe(expected);
  });
});
