/** Normal cones to polytopes in scripts for Siconos, whose law confines the multiplier by H λ ≥ K. */
import { expect, it } from 'vitest';
import type { ModelDocument, TypedElement } from '@engine/document/types';
import { siconosScript } from '@engine/siconos/script';
import { model } from '../support/models';

const plant = (law: TypedElement): ModelDocument => {
  const document = model(
    [
      {
        id: 'plant',
        type: 'FirstOrderLinear',
        n: 2,
        x0: [1, 0],
        A: [
          [0, 1],
          [0, 0],
        ],
      },
    ],
    [
      {
        id: 'control',
        systems: ['plant'],
        relation: {
          type: 'FirstOrderLinearTI',
          C: [
            [1, 0],
            [0, 1],
          ],
          B: [
            [0, 0],
            [1, 0.5],
          ],
        },
        law,
      },
    ],
  );
  const integrators = [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }];
  return { ...document, simulation: { ...document.simulation, integrators } };
};

const facets = {
  A: [
    [1, 0],
    [0, 1],
    [-1, -1],
  ],
  b: [1, 1, 2],
};

it('a confined multiplier is that law with the signs of both sides changed', () => {
  const script = siconosScript(plant({ type: 'NormalConePolytope', ...facets, confines: 'lambda' }));
  if (!script.ok) throw new Error(script.issues.map(({ message }) => message).join(' '));
  expect(script.text).toMatch(
    /sk\.NormalConeNSL\(2, -np\.array\(\[\[1, 0\], \[0, 1\], \[-1, -1\]\], dtype=float\), -np\.array\(\[1, 1, 2\]\)\)/,
  );
  expect(script.text).toContain('sk.AVI(sn.SICONOS_AVI_CAOFERRIS)');
  expect(script.warnings.join(' ')).toContain('lp_solve');
});

it('a confined output is refused with a way out', () => {
  expect(siconosScript(plant({ type: 'NormalConePolytope', ...facets }))).toMatchObject({
    ok: false,
    issues: [{ code: 'no-counterpart', remedy: expect.stringContaining('each other’s place') as string }],
  });
});
