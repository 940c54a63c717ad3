/**
 * Relative degrees: scalar, block and vector, and what is said where there is none. Siconos developer's notes
 * §2.1.3.
 */
import { describe, expect, it } from 'vitest';
import type { TopologyModel } from '@engine/topology/topology-model';
import { identity, randomGram, randomMatrix, zeros } from '../support/dense';
import { seeded } from '../support/random';
import { degrees, single, undefinedVector } from './degrees';
import * as forms from './forms';

describe('single rows', () => {
  const resistance = 1e3;
  const inductance = 1e-2;
  const capacitance = 1e-6;
  it.each([
    [
      'the double integrator has 2',
      single(
        [
          [0, 1],
          [0, 0],
        ],
        [[0], [1]],
        [[1, 0]],
      ),
      2,
    ],
    [
      'the RLC circuit with a diode has 0: D = R',
      single(
        [
          [0, -1],
          [1 / (inductance * capacitance), 0],
        ],
        [[-1 / inductance], [0]],
        [[-1, 0]],
        [[resistance]],
      ),
      0,
    ],
    ['the relay ẋ = −sgn x has 1', single([[0]], [[-1]], [[1]]), 1],
    [
      'an output that no multiplier reaches has none',
      single(
        [
          [-1, 0],
          [1, -2],
        ],
        [[0], [1]],
        [[1, 0]],
      ),
      'none',
    ],
  ])('%s', (_, model, expected) => {
    const { interactions } = degrees(model);
    expect(interactions[0]?.rows).toEqual([{ degree: expected, scalar: expected }]);
    expect(interactions[0]?.block.degree).toBe(expected);
    expect(interactions[0]?.block.nonSingular).toBe(expected !== 'none');
  });

  it('a contact of Lagrangian systems has 2, whatever its masses and forces', () => {
    const random = seeded(5);
    for (let k = 0; k < 50; k++) {
      const n = random.integer(1, 5);
      const matrices = { stiffness: randomMatrix(random, n, n), damping: randomMatrix(random, n, n) };
      const model = forms.model(
        [forms.lagrangian('body', randomGram(random, n, n, 0.1), matrices)],
        [
          forms.interaction(
            'contact',
            [0],
            forms.lagrangianRelation(randomMatrix(random, 1, n)),
            forms.impact,
          ),
        ],
      );
      expect(degrees(model).interactions[0]?.rows).toEqual([{ degree: 2, scalar: 2 }]);
      expect(degrees(model).components[0].vector).toEqual({ status: 'exists' });
    }
  });

  it('a compliant contact has 0', () => {
    const model = forms.model(
      [forms.lagrangian('body', [[2]])],
      [forms.interaction('spring', [0], forms.lagrangianRelation([[1]], [[1e-4]]))],
    );
    expect(degrees(model).interactions[0]?.block).toEqual({ degree: 0, rank: 1, nonSingular: true });
  });
});

describe('the diode bridge', () => {
  const [L, C, R] = [1e-2, 1e-6, 1e3];
  const D = [
    [1 / R, 1 / R, -1, 0],
    [1 / R, 1 / R, 0, -1],
    [1, 0, 0, 0],
    [0, 1, 0, 0],
  ];
  const model = single(
    [
      [0, -1 / C],
      [1 / L, 0],
    ],
    [
      [0, 0, -1 / C, 1 / C],
      [0, 0, 0, 0],
    ],
    [
      [0, 0],
      [0, 0],
      [-1, 0],
      [1, 0],
    ],
    D,
  );
  const { interactions, components } = degrees(model);

  it('has the vector degree (0, 0, 0, 0)', () => {
    expect(components[0].vector).toEqual({ status: 'exists' });
    expect(interactions[0]?.rows.map(({ degree }) => degree)).toEqual([0, 0, 0, 0]);
    expect(interactions[0]?.block).toEqual({ degree: 0, rank: 4, nonSingular: true });
  });

  it('has no scalar degree in the rows with D33 = D44 = 0, where the diagonal alone would say 1', () => {
    expect(interactions[0]?.rows.map(({ scalar }) => scalar)).toEqual([0, 0, 'undefined', 'undefined']);
    // What (2.28) would see: C_3 B_3 ≠ 0.
    expect(-1 * (-1 / C)).not.toBe(0);
  });
});

describe('(2.28) summed over all systems', () => {
  it('sees that the contributions of two systems cancel', () => {
    // y = x₁ + x₂ with ẋ₁ = −x₁ + λ, ẋ₂ = −3 x₂ − λ: CB = 0, CAB = 2.
    const relation = forms.firstOrderRelation([[1, 1]], [[1], [-1]]);
    const model = forms.model(
      [forms.firstOrder('x1', [[-1]]), forms.firstOrder('x2', [[-3]])],
      [forms.interaction('i', [0, 1], relation)],
    );
    expect(degrees(model).interactions[0]?.rows).toEqual([{ degree: 2, scalar: 2 }]);
  });

  it('goes by the magnitude of what cancels, not by the size of the numbers', () => {
    const scaled = (factor: number): TopologyModel =>
      forms.model(
        [forms.firstOrder('x1', [[-1]]), forms.firstOrder('x2', [[-3]])],
        [
          forms.interaction(
            'i',
            [0, 1],
            forms.firstOrderRelation([[factor, 0.1]], [[1e-9], [-1e-8 * factor]]),
          ),
        ],
      );
    // 0.1 · (1e-8 f) and f · 1e-9 are equal up to rounding only.
    for (const factor of [3e-12, 0.7, 1.1e13])
      expect(degrees(scaled(factor)).interactions[0]?.block.degree).toBe(2);
    const tiny = single([[0]], [[1e-160]], [[1e-140]]);
    expect(degrees(tiny).interactions[0]?.block.degree).toBe(1);
  });
});

describe('rounding in the data of a model', () => {
  it('is not taken for a coupling', () => {
    // Meant as zero, it would let λ act on ẏ.
    const residue = 0.1 + 0.2 - 0.3;
    expect(residue).not.toBe(0);
    const places: TopologyModel[] = [
      single(
        [
          [0, 1],
          [0, 0],
        ],
        [[residue], [1]],
        [[1, 0]],
      ),
      single(
        [
          [0, 1],
          [0, 0],
        ],
        [[0], [1]],
        [[1, residue]],
      ),
      single(
        [
          [0, 1],
          [0, 0],
        ],
        [[0], [1]],
        [[1, 0]],
        [[residue]],
      ),
    ];
    for (const model of places) expect(degrees(model).interactions[0]?.block.degree).toBe(2);
    const chain = single(
      [
        [0, 1, residue],
        [0, 0, 1],
        [0, 0, 0],
      ],
      [[0], [0], [1]],
      [[1, 0, 0]],
    );
    expect(degrees(chain).interactions[0]?.block.degree).toBe(3);
  });

  it('is judged beside its row and column: small quantities in small units count', () => {
    const small = single(
      [
        [0, 1e-17],
        [0, 0],
      ],
      [[0], [1]],
      [[1, 0]],
    );
    expect(degrees(small).interactions[0]?.block.degree).toBe(2);
  });
});

describe('chains', () => {
  /** n unit masses between springs; the force acts on the last, the first is observed. */
  const chain = (n: number, spring: number): TopologyModel => {
    const K = identity(n).map((row, i) =>
      row.map((_, j) => (i === j ? 2 * spring : Math.abs(i - j) === 1 ? -spring : 0)),
    );
    const A = zeros(2 * n, 2 * n);
    for (let i = 0; i < n; i++) {
      A[i][n + i] = 1;
      for (let j = 0; j < n; j++) A[n + i][j] = -K[i][j];
    }
    const B = zeros(2 * n, 1);
    B[2 * n - 1][0] = 1;
    return single(A, B, [[1, ...new Array<number>(2 * n - 1).fill(0)]]);
  };

  it.each([
    [1, 1],
    [5, 1e-3],
    [20, 1e12],
    [30, 1e12],
    [30, 1e-12],
  ])('of %i masses and stiffness %f between λ and y have twice as many', (n, spring) => {
    expect(degrees(chain(n, spring)).interactions[0]?.block.degree).toBe(2 * n);
  });

  it('longer than the orders that are tried are reported so', () => {
    expect(degrees(chain(40, 1)).interactions[0]?.block.degree).toBe('beyond-limit');
  });
});

describe('coupled systems', () => {
  it('with redundant contacts have no vector degree, and say which rows depend on each other', () => {
    // A box on its four lower corners, and a ball apart from it with a contact of its own on the box.
    const corners = [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ];
    const box = forms.lagrangian('box', [
      [4, 0, 0],
      [0, 2, 0],
      [0, 0, 3],
    ]);
    const model = forms.model(
      [box, forms.lagrangian('ball', [[1]])],
      [
        forms.interaction(
          'face',
          [0],
          forms.lagrangianRelation(corners.map(([a, b]) => [1, a, b])),
          forms.impact,
        ),
        forms.interaction('ball on box', [0, 1], forms.lagrangianRelation([[-1, 0, 0, 1]]), forms.impact),
      ],
    );
    const { interactions, components } = degrees(model);
    expect(interactions[0]?.block).toEqual({ degree: 2, rank: 3, nonSingular: false });
    expect(interactions[1]?.block).toEqual({ degree: 2, rank: 1, nonSingular: true });
    const vector = undefinedVector(components[0]);
    expect(vector.rank).toBe(4);
    expect(vector.rows).toEqual([0, 1, 2, 3].map((row) => ({ interaction: 0, row })));
    expect(vector.structure).toEqual({
      zeros: [{ order: 2, count: 4 }],
      rank: 4,
      invertible: false,
      index: null,
      limited: false,
    });
  });

  it('whose rows share their first multiplier have zeros at infinity of different orders', () => {
    // y₁ = x₁, y₂ = x₂ with ẋ₁ = λ₁, ẋ₂ = λ₁ + x₃, ẋ₃ = λ₂: rows (1, 0), (1, 0); y₂ − y₁ needs one more
    // derivative.
    const model = single(
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
    );
    const vector = undefinedVector(degrees(model).components[0]);
    expect(vector.rank).toBe(1);
    expect(vector.rows).toHaveLength(2);
    expect(vector.structure).toEqual({
      zeros: [
        { order: 1, count: 1 },
        { order: 2, count: 1 },
      ],
      rank: 2,
      invertible: true,
      index: 3,
      limited: false,
    });
  });

  it('that touch nothing in common are judged apart', () => {
    const model = forms.model(
      [forms.firstOrder('a', [[0]]), forms.firstOrder('b', [[0]]), forms.firstOrder('alone', [[0]])],
      [
        forms.interaction('twice', [0], forms.firstOrderRelation([[1], [2]], [[1, 1]])),
        forms.interaction('once', [1], forms.firstOrderRelation([[1]], [[1]])),
      ],
    );
    const { components } = degrees(model);
    expect(components.map(({ systems }) => systems)).toEqual([[0], [1]]);
    expect(undefinedVector(components[0]).rank).toBe(1);
    expect(components[1].vector).toEqual({ status: 'exists' });
  });

  it('coupled through K = ∇g reach multipliers of interactions without a common system', () => {
    // r = K x of the first interaction feeds x₂ into ẋ₁; λ of the second acts on x₂ only.
    const model = forms.model(
      [forms.firstOrder('x1', [[0]]), forms.firstOrder('x2', [[0]])],
      [
        forms.interaction(
          'feeds',
          [0, 1],
          forms.firstOrderRelation([[1, 0]], [[0], [0]], null, [
            [0, 5],
            [0, 0],
          ]),
        ),
        forms.interaction('drives', [1], forms.firstOrderRelation([[1]], [[1]])),
      ],
    );
    const { interactions, components } = degrees(model);
    expect(interactions[0]?.rows).toEqual([{ degree: 2, scalar: 'undefined' }]);
    expect(interactions[0]?.block.degree).toBe('none');
    expect(components[0].basis).toBe('initial-state');
  });
});
