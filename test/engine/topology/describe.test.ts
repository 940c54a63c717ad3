/** The description of a model's topology for the window. */
import { describe, expect, it } from 'vitest';
import type { FirstOrderForm } from '@engine/model/forms';
import { describeTopology } from '@engine/topology/describe';
import type { TopologyModel } from '@engine/topology/topology-model';
import { randomMatrix } from '../support/dense';
import { seeded } from '../support/random';
import * as forms from './forms';

/**
 * The Siconos developer's notes §2.1.2: I_μ links DS1 and DS3 with 3 rows, I_θ links DS2 and DS3 with 1; a
 * fourth system stands alone.
 */
function example(): TopologyModel {
  const random = seeded(6);
  const sizes = [2, 3, 2, 1];
  const relation = (size: number, columns: number) =>
    forms.firstOrderRelation(randomMatrix(random, size, columns), randomMatrix(random, columns, size));
  return forms.model(
    sizes.map((n, k) => forms.firstOrder(`DS${k + 1}`, randomMatrix(random, n, n))),
    [forms.interaction('mu', [0, 2], relation(3, 4)), forms.interaction('theta', [1, 2], relation(1, 5))],
  );
}

describe('the worked example of the Siconos developer’s notes §2.1.2', () => {
  const description = describeTopology(example(), 0);

  it('lists the interactions of each system', () => {
    expect(description.systems.map(({ id, interactions }) => [id, interactions])).toEqual([
      ['DS1', ['mu']],
      ['DS2', ['theta']],
      ['DS3', ['mu', 'theta']],
      ['DS4', []],
    ]);
  });

  it('has the linked-interaction map', () => {
    expect(description.interactions.map(({ id, linked }) => [id, linked])).toEqual([
      ['mu', [{ interaction: 'theta', common: ['DS3'] }]],
      ['theta', [{ interaction: 'mu', common: ['DS3'] }]],
    ]);
    expect(description.pattern).toEqual({ rowStart: [0, 2, 4], columns: [0, 1, 0, 1] });
  });

  it('has a component with 4 rows, and the system that stands alone', () => {
    expect(
      description.components.map(({ systems, interactions, rows }) => ({ systems, interactions, rows })),
    ).toEqual([
      { systems: ['DS1', 'DS2', 'DS3'], interactions: ['mu', 'theta'], rows: 4 },
      { systems: ['DS4'], interactions: [], rows: 0 },
    ]);
    expect(description.systems.map(({ component }) => component)).toEqual([0, 0, 0, 1]);
    expect(description.components[0].vector).toMatchObject({ status: 'exists', basis: 'constant' });
    expect(description.components[1].vector).toBeNull();
  });

  it('says how often the law is applied', () => {
    expect(description.interactions[0]).toMatchObject({ size: 3, lawSize: 1, laws: 3 });
  });

  it('is the same after a journey through JSON', () => {
    expect(JSON.parse(JSON.stringify(description))).toEqual(description);
  });
});

describe('without an initial time', () => {
  it('no function of the model is called and no degree is given', () => {
    const model = example();
    const refuse = (): never => {
      throw new Error('no function may be called');
    };
    const untouched: TopologyModel = {
      systems: model.systems.map(({ id, form }) => ({
        id,
        form: form.order === 1 ? { ...form, rate: refuse, rateJacobian: refuse } : form,
      })),
      interactions: model.interactions.map((interaction) => ({
        ...interaction,
        relation: { ...interaction.relation, outputJacobians: refuse, inputJacobians: refuse },
      })),
    };
    const description = describeTopology(untouched, null);
    expect(description.interactions.map(({ degree }) => degree)).toEqual([null, null]);
    expect(description.pattern).toEqual(describeTopology(model, 0).pattern);
    expect(() => describeTopology(untouched, 0)).toThrow('no function');
  });
});

describe('what cannot be computed', () => {
  it('is said with the element, and leaves the rest as it is', () => {
    const relation = forms.firstOrderRelation([[1]], [[1]]);
    const model = forms.model(
      [forms.firstOrder('sound', [[0]]), forms.firstOrder('hollow', [[0]], [[0]])],
      [forms.interaction('a', [0], relation), forms.interaction('b', [1], relation)],
    );
    const { components, interactions } = describeTopology(model, 0);
    expect(components[1].vector?.status).toBe('defect');
    expect(components[1].vector?.text).toContain("'hollow'");
    expect(interactions.map(({ degree }) => degree?.rule.code)).toEqual(['function', undefined]);
    expect(JSON.parse(JSON.stringify(components))).toEqual(components);
  });
});

describe('the linearisation at the initial state', () => {
  it('is said to be one, and taken at the initial state and time', () => {
    // y = x₁², r = (λ, 0): C = 2 x₁ is zero at x₁ = 0, and the row is dead there. y = t x₂ + x₁² sees x₂ from
    // t > 0 on.
    const relation = {
      ...forms.firstOrderRelation([[0, 0]], [[1], [0]]),
      C: null,
      isAffine: false,
      isTimeDependent: true,
      outputJacobians: (clock: Float64Array, z: Float64Array, _lambda: Float64Array, outC: Float64Array) => {
        outC[0] = 2 * z[0];
        outC[1] = clock[0];
      },
    };
    const systemAt = (x1: number) => {
      const system = forms.firstOrder('x', [
        [0, 0],
        [1, 0],
      ]);
      return { ...system, form: { ...system.form, x0: Float64Array.of(x1, 0) } } as typeof system;
    };
    const degreeAt = (x1: number, t0: number) => {
      const model = forms.model([systemAt(x1)], [forms.interaction('i', [0], relation)]);
      const { interactions, components } = describeTopology(model, t0);
      expect(components[0].vector?.basis).toBe('initial-state');
      expect(components[0].vector?.text).toMatch(/^At the initial state/);
      return interactions[0].degree?.rule.degree;
    };
    expect(degreeAt(3, 0)).toBe(1);
    expect(degreeAt(0, 0)).toBe('none');
    expect(degreeAt(0, 2)).toBe(2);
  });

  it('of a first-order system uses its Jacobian at the initial state and time', () => {
    // ẋ₁ = t x₂ + x₂²/2, ẋ₂ = λ, y = x₁: λ reaches y through ∂ẋ₁/∂x₂ = t + x₂.
    const { form, id } = forms.firstOrder('x', [
      [0, 0],
      [0, 0],
    ]);
    if (form.order !== 1) throw new Error('first order expected');
    const degreeAt = (x2: number, t0: number) => {
      const nonlinear: FirstOrderForm = {
        ...form,
        rateKind: 'nonlinear',
        isAutonomous: false,
        x0: Float64Array.of(0, x2),
        rateJacobian: (clock, x, out) => out.set([0, clock[0] + x[1], 0, 0]),
      };
      const relation = forms.firstOrderRelation([[1, 0]], [[0], [1]]);
      const model = forms.model([{ id, form: nonlinear }], [forms.interaction('i', [0], relation)]);
      const { interactions, components } = describeTopology(model, t0);
      expect(components[0].vector?.basis).toBe('initial-state');
      return interactions[0].degree?.rule.degree;
    };
    expect(degreeAt(0, 0)).toBe('none');
    expect(degreeAt(1, 0)).toBe(2);
    expect(degreeAt(0, 1)).toBe(2);
  });

  it('of a Lagrangian system uses M(q) at its initial position', () => {
    const system = forms.lagrangian('arm', [
      [1, 0],
      [0, 1],
    ]);
    if (system.form.order !== 2) throw new Error('Lagrangian expected');
    const form = {
      ...system.form,
      constantMass: null,
      q0: Float64Array.of(0, 0.5),
      mass: (q: Float64Array, out: Float64Array) => out.set([2, q[1], q[1], 1]),
    };
    // M = [2 q₂; q₂ 1] is regular at q₂ = ½ and singular at q₂ = √2.
    const model = (q2: number): TopologyModel =>
      forms.model(
        [{ id: 'arm', form: { ...form, q0: Float64Array.of(0, q2) } }],
        [
          forms.interaction(
            'i',
            [0],
            forms.lagrangianRelation([
              [1, 0],
              [0, 1],
            ]),
            forms.impact,
          ),
        ],
      );
    expect(describeTopology(model(0.5), 0).components[0].vector).toMatchObject({
      status: 'exists',
      basis: 'initial-state',
    });
    expect(describeTopology(model(Math.SQRT2), 0).components[0].vector?.status).toBe('defect');
  });
});

describe('a large model', () => {
  it('of 10⁴ bodies on a floor is described body by body', () => {
    const n = 10_000;
    const model = forms.model(
      Array.from({ length: n }, (_, k) => forms.lagrangian(`body ${k}`, [[1]])),
      Array.from({ length: n }, (_, k) =>
        forms.interaction(`floor ${k}`, [k], forms.lagrangianRelation([[1]]), forms.impact),
      ),
    );
    const { components, interactions } = describeTopology(model, 0);
    expect(components).toHaveLength(n);
    expect(components.every(({ vector }) => vector?.status === 'exists')).toBe(true);
    expect(interactions.every(({ degree }) => degree?.rule.code === 'impact')).toBe(true);
  });
});
