/** Definition of the integrator by half steps, and the fields that all integrators of bodies in space have. */
import type { ElementDefinition, FieldDefinition, Order } from './definition';

/** The field of systems of one order. */
export const only = (systems: Order, field: FieldDefinition): FieldDefinition => ({ ...field, systems });

/** @param gyroscopic treatment of the gyroscopic term by default */
export const bodyFields = (gyroscopic: 'conserving' | 'implicit'): readonly FieldDefinition[] => [
  {
    key: 'gyroscopic',
    kind: 'choice',
    options: [
      {
        value: 'conserving',
        label: 'conserving',
        help: 'Keeps the angular momentum in the world exactly while no moment acts.',
      },
      {
        value: 'implicit',
        label: 'implicit',
        help: 'Loads of the middle, or the new ones by θ: no drift of the energy at θ = ½.',
      },
      { value: 'explicit', label: 'explicit', help: 'Cheapest; a fast spin gains energy.' },
    ],
    label: 'Gyroscopic term',
    symbol: '\\Omega \\times I \\Omega',
    unit: '',
    required: false,
    default: gyroscopic,
    help: 'How the moment that a spinning body feels from its own spin is taken.',
  },
  {
    key: 'projection',
    kind: 'choice',
    options: [
      { value: 'yes', label: 'yes', help: 'Joints stay together to rounding: direct projection.' },
      {
        value: 'combined',
        label: 'combined',
        help: 'Positions and velocities at the end of a step both satisfy the joints to rounding: the step is solved some times more.',
      },
      {
        value: 'no',
        label: 'no',
        help: 'Joints hold for velocities; positions drift with the square of the step.',
      },
    ],
    label: 'Projection onto joints',
    symbol: '',
    unit: '',
    required: false,
    default: 'yes',
    help: 'Whether positions are brought back onto the joints and stops after each step.',
  },
  {
    key: 'metric',
    kind: 'choice',
    options: [
      { value: 'mass', label: 'of the mass', help: 'What is heavy gives way least.' },
      {
        value: 'velocity',
        label: 'of displacements and turns',
        help: 'Metres and half radians count alike, whatever the masses; what Siconos does.',
      },
      {
        value: 'euclidean',
        label: 'of the coordinates',
        help: 'Euclidean, in the seven numbers of position and quaternion, with |Q| = 1 among the equations: leads where displacements and turns do, for comparison. Each body adds a row.',
      },
    ],
    label: 'Metric of the projection',
    symbol: 'N^{-1}',
    unit: '',
    required: false,
    default: 'mass',
    help: 'In which positions on the joints are the nearest ones.',
  },
  {
    key: 'overlap',
    kind: 'number',
    min: 0,
    exclusiveMin: true,
    label: 'Removal of overlaps',
    symbol: '\\delta',
    unit: 'm',
    required: false,
    help: 'Overlap of resting contacts that may stay; what is deeper is taken out after a step, paid from what contacts have dissipated. Overlaps stay as they are when left out.',
  },
];

const loads: FieldDefinition = {
  key: 'loads',
  kind: 'choice',
  options: [
    {
      value: 'start',
      label: 'of the start',
      help: 'Loads are evaluated once a step. Those that depend on velocities, such as drag, are of order 1.',
    },
    {
      value: 'predicted',
      label: 'predicted',
      help: 'At the velocity that loads at that of the start, and joints, lead to in half a step: twice the evaluations, and order 2 but for what contacts do.',
    },
  ],
  label: 'Velocity for loads',
  symbol: 'f(\\cdot, u)',
  unit: '',
  required: false,
  default: 'start',
  help: 'Velocity at which loads are taken in the middle of the step.',
};

export const moreauHalfStep: ElementDefinition = {
  category: 'integrator',
  type: 'MoreauHalfStep',
  title: 'Moreau’s half steps',
  summary:
    'Positions by two half steps, contacts found between them, and joints closed at both ends: order 2 with joints. For bodies in space, and for coordinates with joints.',
  order: 'body',
  advances: [2, 'body'],
  equations: [
    'q_{k+1/2} = q_k \\oplus \\tfrac{h}{2}\\, u_k, \\quad \\varphi(q_{k+1/2}) = 0',
    'M (u_{k+1} - u_k) = h f(q_{k+1/2}, u) + H^{\\mathsf T} R, \\quad K_\\mu \\ni R \\perp \\hat U \\in K_\\mu^*',
    'q_{k+1} = q_{k+1/2} \\oplus \\tfrac{h}{2}\\, u_{k+1}, \\quad \\varphi(q_{k+1}) = 0',
  ],
  fields: [...bodyFields('conserving'), loads].map((field) => only('body', field)),
  source:
    'T. Koziara, Solfec 1.0 documentation, theory, Basics, equations (1)–(11); J. J. Moreau, 1988, doi:10.1007/978-3-7091-2624-0_1; H. C. Andersen, 1983, doi:10.1016/0021-9991(83)90014-1',
};
