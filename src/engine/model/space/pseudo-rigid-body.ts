/**
 * Pseudo-rigid 3D body: it stretches and shears as a whole, x(ξ) = x̄ + F ξ. With the Euler tensor
 * E = ∫ ρ ξ⊗ξ dV and an elastic material of St Venant and Kirchhoff,
 *
 *     m x̄¨ = m g + f + p,     F̈ E = −V F (S(G) + τ S(Ġ)) + p_F,
 *     G = ½ (ᵗF F − 1),   S(G) = λ tr(G) 1 + 2μ G.
 */
import { AFFINE, eulerTensor, lameConstants } from '../../spatial/bodies/pseudo-rigid';
import { rotationMatrix } from '../../spatial/quaternion';
import type { ElementDefinition, FieldDefinition } from '../definition';
import type { FieldReader } from '../field-reader';
import { NOTHING } from '../plugin';
import { dynamicsFields, vectorField } from './body-fields';
import { readBodyMass, volumeOf } from './body-mass';
import { poseFields, readPose } from './pose';
import { readShapes, shapesField } from '../shapes/registry';
import type { BodyForce, SpaceBody } from './space';

const number = (
  key: string,
  label: string,
  symbol: string,
  unit: string,
  required: boolean,
  help: string,
): FieldDefinition => ({
  key,
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label,
  symbol,
  unit,
  required,
  help,
});

export const definition: ElementDefinition = {
  category: 'system',
  type: 'PseudoRigidBody',
  title: 'Pseudo-rigid 3D body',
  words: ['soft', 'deformable', 'elastic body'],
  summary:
    'An elastic body that stretches and shears as a whole, for contacts between its shapes, and for joints at points.',
  order: 'body',
  equations: [
    'm \\ddot{\\bar x} = m g + f + p, \\quad \\ddot F E = -V F\\,(S(G) + \\tau S(\\dot G)) + p_F',
    'G = \\tfrac12 (F^{\\mathsf T} F - 1), \\quad S(G) = \\lambda\\, \\mathrm{tr}(G)\\, 1 + 2 \\mu G',
  ],
  fields: [
    number('mass', 'Mass', 'm', 'kg', false, 'Of the body; left out where a density is given.'),
    number(
      'density',
      'Density',
      '\\rho',
      'kg/m³',
      false,
      'In place of the mass: mass and Euler tensor follow from the shapes.',
    ),
    {
      key: 'euler',
      kind: 'vector',
      length: 'any',
      label: 'Euler tensor',
      symbol: 'E',
      unit: 'kg m²',
      required: false,
      help: 'The moments ∫ ρ ξ⊗ξ dV about the mass centre in the frame of the body: three principal moments, or nine entries row by row. Follows from the shapes when left out.',
    },
    number('volume', 'Volume', 'V', 'm³', false, 'Of the undeformed body; that of the shapes when left out.'),
    number('young', 'Young’s modulus', 'Y', 'Pa', true, 'Stiffness against stretch.'),
    {
      key: 'poisson',
      kind: 'number',
      min: -1,
      exclusiveMin: true,
      max: 0.5,
      label: 'Poisson’s ratio',
      symbol: '\\nu',
      unit: '',
      required: true,
      help: 'How much thinner the body becomes where it is stretched, between −1 and ½; at ½ it could not be compressed.',
    },
    {
      key: 'relaxation',
      kind: 'number',
      min: 0,
      label: 'Relaxation time',
      symbol: '\\tau',
      unit: 's',
      required: false,
      default: 0,
      help: 'Of the viscosity, which is in proportion to the stiffness: a vibration with ω decays with the damping ratio ½ ω τ.',
    },
    ...poseFields('the mass centre and its frame', 'the world', true),
    vectorField(
      'deformation',
      'Deformation',
      'F_0',
      '',
      'At the start, in the frame of the body, row by row: F is the orientation times it. The unit matrix, no deformation, when left out.',
      9,
    ),
    ...dynamicsFields('\\dot{\\bar x}', 'f'),
    {
      key: 'load',
      kind: 'function',
      plugin: 'pseudoRigidForce',
      label: 'Load by state',
      symbol: 'f, f \\otimes \\xi',
      unit: 'N',
      required: false,
      help: 'Script function of time, q = (x̄, F) and its velocity that gives the force and, row by row, the sum of f⊗ξ over forces f at points ξ of the undeformed body.',
    },
    shapesField,
  ],
  source: 'Solfec, local dynamics; Cohen and Muncaster 1988',
};

const UNIT = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Force and load together; null where there are none. */
function readForce(fields: FieldReader): BodyForce | null {
  const constant = new Float64Array(AFFINE);
  constant.set(fields.vector('force', 3));
  const force = fields.function('force');
  const load = fields.function('load');
  if (force === null && load === null && constant.every((value) => value === 0)) return null;
  const part = new Float64Array(3);
  const whole = new Float64Array(AFFINE);
  return (clock, q, v, out) => {
    for (let i = 0; i < AFFINE; i++) out[i] = constant[i];
    if (force !== null) {
      force(clock, NOTHING, NOTHING, part);
      for (let i = 0; i < 3; i++) out[i] += part[i];
    }
    if (load !== null) {
      load(clock, q, v, whole);
      for (let i = 0; i < AFFINE; i++) out[i] += whole[i];
    }
  };
}

const product = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  Array.from({ length: 9 }, (_, k) => {
    const [i, j] = [3 * Math.floor(k / 3), k % 3];
    return a[i] * b[j] + a[i + 1] * b[3 + j] + a[i + 2] * b[6 + j];
  });

export function build(fields: FieldReader): SpaceBody {
  const shapes = readShapes(fields);
  shapes.forEach(({ shape }, k) => {
    if (shape.kind !== 'box' && shape.kind !== 'polyhedron')
      fields.reject(
        `shapes/${k}`,
        'shape-not-deformable',
        `A ${shape.kind === 'heightField' ? 'height field' : shape.kind} cannot be on a pseudo-rigid body: it would not stay one when the body deforms.`,
        'Give the body boxes or convex polyhedra, or make it rigid.',
      );
  });
  const mass = readBodyMass(fields, shapes, 'euler');
  const volume = fields.has('volume') ? fields.number('volume') : volumeOf(shapes);
  if (!(volume > 0) && !fields.has('volume'))
    fields.reject(
      'volume',
      'volume-missing',
      'The volume is left out, and the body has no shape it could follow from.',
      'Give the volume of the undeformed body in m³, or a shape.',
    );
  const poisson = fields.number('poisson');
  if (poisson === 0.5)
    fields.reject(
      'poisson',
      'poisson-incompressible',
      'Poisson’s ratio is ½: the material could not be compressed at all, and its stiffness would have no bound.',
      'Give a smaller one, such as 0.49.',
    );
  const pose = readPose(fields);
  const turn = new Float64Array(9);
  rotationMatrix(pose, 3, turn, 0);
  const given = fields.has('deformation') ? [...fields.vector('deformation', 9)] : UNIT;
  const [a, b, c] = fields.vector('spin', 3);
  const [x, y, z] = fields.vector('gravity', 3);
  const euler = mass === null ? UNIT : eulerTensor(mass.inertia);
  return {
    type: definition.type,
    id: fields.element,
    pose,
    shapes,
    listsShapes: fields.elements(shapesField.key).length > 0,
    dynamics: {
      kind: 'pseudoRigid',
      mass: mass?.mass ?? 1,
      euler,
      volume,
      ...lameConstants(fields.number('young'), poisson),
      relaxation: fields.number('relaxation'),
      deformation: product(turn, given),
      velocity: [...fields.vector('velocity', 3)],
      rate: product(turn, product([0, -c, b, c, 0, -a, -b, a, 0], given)),
      gravity: [x, y, z],
      force: readForce(fields),
    },
    motion: null,
  };
}
