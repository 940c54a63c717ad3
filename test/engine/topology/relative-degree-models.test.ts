/**
 * Relative degrees of models with mass matrices, of large models, and of models that cannot be linearised.
 */
import { describe, expect, it } from 'vitest';
import { zeros } from '../support/dense';
import { degrees, single } from './degrees';
import * as forms from './forms';

describe('mass matrices', () => {
  it('turn degrees: M⁻¹ may connect what A and B do not', () => {
    const separate = single(
      [
        [0, 0],
        [0, 0],
      ],
      [[0], [1]],
      [[1, 0]],
    );
    expect(degrees(separate).interactions[0]?.block.degree).toBe('none');
    const coupled = single(
      [
        [0, 0],
        [0, 0],
      ],
      [[0], [1]],
      [[1, 0]],
      null,
      [
        [2, 1],
        [0, 1],
      ],
    );
    expect(degrees(coupled).interactions[0]?.block.degree).toBe(1);
    // c M⁻¹ and not c M⁻ᵀ: the other triangle connects nothing.
    const other = single(
      [
        [0, 0],
        [0, 0],
      ],
      [[0], [1]],
      [[1, 0]],
      null,
      [
        [2, 0],
        [1, 1],
      ],
    );
    expect(degrees(other).interactions[0]?.block.degree).toBe('none');
  });

  it('that are singular leave the component without degrees, and name the system', () => {
    const model = single(
      [
        [0, 0],
        [0, 0],
      ],
      [[0], [1]],
      [[1, 0]],
      null,
      [
        [1, 1],
        [1, 1],
      ],
    );
    expect(degrees(model).components[0].vector).toEqual({ defect: 'singular-mass', element: 'x' });
    expect(degrees(model).interactions).toEqual([null]);
  });

  it('of large meshes are factorised: the ends of a bar of 700 elements', () => {
    const n = 701;
    const mass = zeros(n, n);
    for (let e = 0; e + 1 < n; e++) {
      mass[e][e] += 1 / 3;
      mass[e + 1][e + 1] += 1 / 3;
      mass[e][e + 1] += 1 / 6;
      mass[e + 1][e] += 1 / 6;
    }
    const ends = zeros(2, n);
    ends[0][0] = 1;
    ends[1][n - 1] = -1;
    const model = forms.model(
      [forms.lagrangian('bar', mass)],
      [forms.interaction('ends', [0], forms.lagrangianRelation(ends), forms.impact)],
    );
    const { interactions, components } = degrees(model);
    expect(interactions[0]?.block).toEqual({ degree: 2, rank: 2, nonSingular: true });
    expect(components[0].vector).toEqual({ status: 'exists' });
  });
});

describe('large models', () => {
  it('2000 beads in a row have the vector degree (2, …, 2) by a sparse factor', () => {
    const n = 2000;
    const beads = Array.from({ length: n }, (_, k) => forms.lagrangian(`bead ${k}`, [[1 + (k % 7)]]));
    const contacts = beads.map((_, k) =>
      k === 0
        ? forms.interaction('floor', [0], forms.lagrangianRelation([[1]]), forms.impact)
        : forms.interaction(`contact ${k}`, [k - 1, k], forms.lagrangianRelation([[-1, 1]]), forms.impact),
    );
    const { components } = degrees(forms.model(beads, contacts));
    expect(components).toHaveLength(1);
    expect(components[0].vector).toEqual({ status: 'exists' });
    // One contact more than the beads can carry apart from each other, and the factor does not exist.
    const wall = forms.interaction('ceiling', [n - 1], forms.lagrangianRelation([[-1]]), forms.impact);
    expect(degrees(forms.model(beads, [...contacts, wall])).components[0].vector).toEqual({
      status: 'not-decided',
    });
  });
});

describe('Jacobians that are not finite', () => {
  it('leave the component without degrees, and name the element', () => {
    const relation = { ...forms.firstOrderRelation([[1]], [[1]]), isAffine: false };
    relation.outputJacobians = (_clock, _z, _lambda, outC) => outC.fill(Number.NaN);
    const model = forms.model([forms.firstOrder('x', [[0]])], [forms.interaction('i', [0], relation)]);
    expect(degrees(model).components[0].vector).toEqual({ defect: 'not-finite', element: 'i' });
    const late = single(
      [
        [Number.NaN, 1],
        [0, 0],
      ],
      [[0], [1]],
      [[1, 0]],
    );
    expect(degrees(late).components[0].vector).toEqual({ defect: 'not-finite', element: 'x' });
  });
});
