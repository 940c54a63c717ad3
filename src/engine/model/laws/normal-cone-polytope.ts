/**
 * Normal cone to a polytope C = {z : A z ≤ b}. Either the output is confined to it and the multiplier is the
 * force that confines it,
 *
 *     −λ ∈ N_C(y)      ⇔      λ = −ᵗA μ,   0 ≤ μ ⊥ b − A y ≥ 0,
 *
 * as the two-sided stop is for an interval; or the multiplier is confined to it and the output is along the
 * normals,
 *
 *     −y ∈ N_C(λ)      ⇔      y = −ᵗA μ,   0 ≤ μ ⊥ b − A λ ≥ 0,
 *
 * as the relay is for an interval: dissipation is as large as C allows. The second is NormalConeNSL of
 * Siconos, 0 ∈ y + N_P(λ), whose P = {λ : H λ ≥ K} is this C with A = −H, b = −K. The two are each other's
 * inverse when y and λ change places.
 */
import { PolytopeProjection } from '../../linalg/polytope-projection';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { LawRow, Polytope } from '../forms';
import type { NonSmoothLaw } from '../nsds';
import { type LawTarget, levelField, readLevel } from './common';

export const definition: ElementDefinition = {
  category: 'law',
  type: 'NormalConePolytope',
  title: 'Normal cone to a polytope',
  summary:
    'Keeps the vector y, or the vector λ, within a polytope: a point in a pen with straight walls, a point that is dragged by a frame, friction with a polygon of forces.',
  equations: [
    'C = \\{z : A z \\le b\\}',
    '-\\lambda \\in N_C(y) \\quad\\text{or}\\quad -y \\in N_C(\\lambda)',
    'N_C(z) = \\{A^{\\mathsf T} \\mu : 0 \\le \\mu \\perp b - A z \\ge 0\\}',
  ],
  fields: [
    {
      key: 'A',
      kind: 'matrix',
      rows: 'any',
      columns: 'any',
      label: 'Normals of the facets',
      symbol: 'A',
      unit: '',
      required: true,
      help: 'One row for each facet, its normal pointing outwards; as many columns as the law takes rows of the relation.',
    },
    {
      key: 'b',
      kind: 'vector',
      length: 'any',
      label: 'Right sides of the facets',
      symbol: 'b',
      unit: '',
      required: true,
      help: 'One number for each facet: with a normal of length 1 its distance from the origin.',
    },
    {
      key: 'confines',
      kind: 'choice',
      options: [
        { value: 'y', label: 'output y', help: 'y stays within the polytope, λ acts at its walls.' },
        {
          value: 'lambda',
          label: 'multiplier λ',
          help: 'λ stays within the polytope; y moves only where λ is at a wall, against its normal. NormalConeNSL of Siconos.',
        },
      ],
      label: 'Confines',
      symbol: '',
      unit: '',
      required: false,
      default: 'y',
      help: 'Which of the two the polytope is for.',
    },
    {
      ...levelField('position'),
      help: 'Whether the law of a Lagrangian relation is on y or on ẏ. When left out: position where y is confined or depends on λ, velocity where λ is confined. First-order relations have y only.',
    },
  ],
  source: 'Moreau 1977; Siconos developer’s notes §7',
};

const EMPTY: Polytope = { size: 1, A: Float64Array.of(1), b: Float64Array.of(1), confines: 'output' };

/** Reads A and b, and reports what makes them no polytope. */
function readPolytope(fields: FieldReader): Polytope {
  const facets = fields.matrixRows('A');
  const size = fields.matrixColumns('A');
  const confines = fields.choice('confines') === 'lambda' ? 'multiplier' : 'output';
  if (facets === 0 || size === 0) {
    fields.reject(
      'A',
      'no-facets',
      'The polytope has no facet.',
      'Give the normal of at least one, e.g. [[1, 0], [0, 1]].',
    );
    return EMPTY;
  }
  const reported = fields.defectCount;
  const A = fields.matrix('A', facets, size) ?? new Float64Array(0);
  const sides = fields.vectorLength('b');
  const b = fields.vector('b', sides);
  if (fields.defectCount > reported) return EMPTY;
  if (sides !== facets) {
    fields.reject(
      'b',
      'facets-length',
      `A has ${facets} rows and b ${sides} entries.`,
      'Give one right side for each facet.',
    );
    return EMPTY;
  }
  const zero = Array.from(b).findIndex((_, i) => A.subarray(i * size, (i + 1) * size).every((a) => a === 0));
  if (zero >= 0) {
    fields.reject(
      'A',
      'zero-normal',
      `The normal of facet ${zero} is zero, so that the facet has no direction.`,
      'Give its normal, or remove the row here and in b.',
    );
    return EMPTY;
  }
  if (!new PolytopeProjection(A, b).project(new Float64Array(size))) {
    fields.reject(
      'b',
      'empty-polytope',
      'No point satisfies A z ≤ b: the polytope is empty.',
      'Check the signs of the normals, which point outwards, and enlarge b.',
    );
    return EMPTY;
  }
  return { size, A, b, confines };
}

export function build(fields: FieldReader, target: LawTarget): NonSmoothLaw {
  const polytope = readPolytope(fields);
  return {
    type: definition.type,
    size: polytope.size,
    rows: Array.from({ length: polytope.size }, (_, component): LawRow => ({
      kind: 'polytope',
      polytope,
      component,
    })),
    level: readLevel(fields, target, polytope.confines === 'output' ? 'position' : 'velocity'),
    multiplier: 'force',
    restitution: null,
  };
}
