/**
 * Spring between two points, y = |P₂ − P₁| − L + λ/k: with the law of equality λ = −k (|P₂ − P₁| − L), the
 * thrust of the spring. A spring is a relation that yields under its force, a compliant one, and needs
 * nothing of its own in the schemes; with the law of complementarity it pushes and never pulls, and with its
 * opposite it is a rope.
 *
 * Without a free length the force −k (P₂ − P₁) is regular where the ends meet, and the direction of a length
 * is not: such a spring has a row for each component, y = P₂ − P₁ + λ/k. With one, ends in one place have no
 * direction, and the run is stopped there.
 */
import { EngineError } from '../../errors';
import { PlanarCoincidence, Length } from '../../multibody/rows';
import type { ElementDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import type { Relation } from '../nsds';
import { bodies, bodyRelation, firstPoint, JOINT_LAW, readMarkers, secondPoint } from './bodies';

export const definition: ElementDefinition = {
  category: 'relation',
  type: 'Spring',
  title: 'Spring between two points',
  summary:
    'A linear spring between points of two bodies, or of a body and the ground. Goes with the law of equality.',
  order: 2,
  links: bodies(1, 2),
  law: JOINT_LAW,
  equations: [
    'y = |P_2 - P_1| - L + \\frac{\\lambda}{k}, \\quad\\text{with } L = 0:\\; y = P_2 - P_1 + \\frac{\\lambda}{k}',
    'p = (\\nabla_q y)^{\\mathsf T} \\lambda',
  ],
  fields: [
    firstPoint,
    secondPoint,
    {
      key: 'stiffness',
      kind: 'number',
      min: 0,
      exclusiveMin: true,
      label: 'Stiffness',
      symbol: 'k',
      unit: 'N/m',
      required: true,
      help: 'Force for each metre that the spring is longer than its free length.',
    },
    {
      key: 'length',
      kind: 'number',
      min: 0,
      label: 'Free length',
      symbol: 'L',
      unit: 'm',
      required: false,
      default: 0,
      help: 'Length without force. With 0 the spring pulls the points together, through each other where they pass, and has a row for x and one for y.',
    },
  ],
  source: 'Siconos developer’s notes §6; Haug 1989 §6.2',
};

export function build(fields: FieldReader, columns: number): Relation {
  const { first, second } = readMarkers(fields, columns);
  const length = fields.number('length');
  const compliance = 1 / fields.number('stiffness');
  const { element } = fields;
  if (length === 0)
    return {
      ...bodyRelation(definition.type, columns, {
        rows: [new PlanarCoincidence(first, second)],
        second,
        compliance,
      }),
      isVector: true,
    };
  const rows = [new Length(first, second, length, () => meeting(element))];
  return bodyRelation(definition.type, columns, { rows, second, compliance });
}

const meeting = (element: string): EngineError =>
  new EngineError({
    code: 'spring-without-direction',
    message: `The ends of the spring “${element}” are in one place, where a spring with a free length has no direction.`,
    where: element,
    remedy: 'Start elsewhere, set the free length to 0, or keep the ends apart by a contact.',
  });
