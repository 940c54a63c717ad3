/** Definitions of the integrators a document can name. */
import type { ElementDefinition, FieldDefinition, Order } from '../definition';

/* Definition of the integrator by half steps, and the fields that all integrators of 3D bodies have. */

/** The field of systems of one order. */
const only = (systems: Order, field: FieldDefinition): FieldDefinition => ({ ...field, systems });

const PROJECTION_ITERATIONS = 30;

/**
 * Projection of positions.
 * @param byDefault what is done when it is left out; null where that depends on the systems
 * @param help what it does, in a sentence or two
 */
const projectionFields = (byDefault: 'yes' | null, help: string): readonly FieldDefinition[] => [
  {
    key: 'projection',
    kind: 'choice',
    options: [
      {
        value: 'yes',
        label: 'direct',
        help: 'Positions alone, after the velocities of the step are known.',
      },
      {
        value: 'combined',
        label: 'combined',
        help: 'Positions and velocities at the end of a step both satisfy the constraints to rounding: the step is solved some times more.',
      },
      {
        value: 'no',
        label: 'no',
        help: 'Constraints hold for velocities; positions drift with the square of the step.',
      },
    ],
    label: 'Projection of positions',
    symbol: '',
    unit: '',
    required: false,
    ...(byDefault === null ? {} : { default: byDefault }),
    help,
  },
  {
    key: 'metric',
    kind: 'choice',
    options: [
      { value: 'mass', label: 'of the mass', help: 'What is heavy gives way least.' },
      {
        value: 'velocity',
        label: 'of displacements and turns',
        help: 'Of 3D bodies: metres and half radians count alike, whatever the masses; what Siconos does.',
      },
      {
        value: 'euclidean',
        label: 'of the coordinates',
        help: 'Euclidean. Of 3D bodies in the seven numbers of position and quaternion, with |Q| = 1 among the equations: leads where displacements and turns do, for comparison. Each body adds a row.',
      },
    ],
    label: 'Metric of the projection',
    symbol: 'N^{-1}',
    unit: '',
    required: false,
    default: 'mass',
    help: 'In which the positions that satisfy the constraints are the nearest ones.',
  },
  {
    key: 'projectionTolerance',
    kind: 'number',
    min: 0,
    exclusiveMin: true,
    label: 'Tolerance of the projection',
    symbol: '\\varepsilon',
    unit: '',
    required: false,
    help: 'Violation that stays, in the unit of y; of 3D bodies in lengths of the joint, or radians. Left out, 1e-10 for coordinates and 1e-13 for 3D bodies.',
  },
  {
    key: 'projectionIterations',
    kind: 'integer',
    min: 1,
    max: 1000,
    label: 'Iterations of the projection',
    symbol: '',
    unit: '',
    required: false,
    default: PROJECTION_ITERATIONS,
    help: 'A projection that takes more ends the run with an error, as does a combined step that is repeated more often; repetitions with more contacts do not count. Two to five are usual.',
  },
];

/** @param byDefault treatment of the gyroscopic term when it is left out */
const gyroscopicField = (byDefault: 'conserving' | 'implicit'): FieldDefinition => ({
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
  default: byDefault,
  help: 'How the moment that a spinning body feels from its own spin is taken.',
});

const projectedContacts: FieldDefinition = {
  key: 'projectContacts',
  kind: 'choice',
  options: [
    {
      value: 'no',
      label: 'no',
      help: 'Contacts hold for velocities; what they overlap by when they close stays.',
    },
    {
      value: 'yes',
      label: 'yes',
      help: 'Shapes do not overlap at the end of a step. Contacts are found again at each position that is tried; with combined projection those that touch at its end take part in the step. For models of up to some hundred contacts: the problem is dense.',
    },
  ],
  label: 'Contacts in the projection',
  symbol: '0 \\le g(q) \\perp \\Lambda \\ge 0',
  unit: '',
  required: false,
  default: 'no',
  help: 'Whether the projection of positions takes in contacts of 3D bodies with laws of impact, beside joints and stops. The overlap that stays is the tolerance of the projection in metres, 1e-10 when left out.',
};

const overlap: FieldDefinition = {
  key: 'overlap',
  kind: 'number',
  min: 0,
  exclusiveMin: true,
  label: 'Removal of overlaps',
  symbol: '\\delta',
  unit: 'm',
  required: false,
  help: 'Overlap of resting contacts that may stay; what is deeper is taken out after a step, paid from what contacts have dissipated. Overlaps stay as they are when left out.',
};

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
    'Positions by two half steps, contacts found between them, and joints closed at both ends: order 2 with joints. For 3D bodies, and for coordinates with joints.',
  order: 'body',
  advances: [2, 'body'],
  equations: [
    'q_{k+1/2} = q_k \\oplus \\tfrac{h}{2}\\, u_k, \\quad \\varphi(q_{k+1/2}) = 0',
    'M (u_{k+1} - u_k) = h f(q_{k+1/2}, u) + H^{\\mathsf T} R, \\quad K_\\mu \\ni R \\perp \\hat U \\in K_\\mu^*',
    'q_{k+1} = q_{k+1/2} \\oplus \\tfrac{h}{2}\\, u_{k+1}, \\quad \\varphi(q_{k+1}) = 0',
  ],
  fields: [
    gyroscopicField('conserving'),
    ...projectionFields('yes', 'Whether positions are brought back onto joints and stops after each step.'),
    overlap,
    loads,
  ].map((field) => only('body', field)),
  source: 'Solfec, basics (1)–(11); Moreau 1988; Andersen 1983',
};

const weight = (
  key: string,
  symbol: string,
  label: string,
  byDefault: number,
  help: string,
  max = 1,
): FieldDefinition => ({
  key,
  kind: 'number',
  min: 0,
  max,
  label,
  symbol,
  unit: '',
  required: false,
  default: byDefault,
  help,
});

/** A contact that would close in the step after the next one: looking further ahead serves no purpose. */
const MAX_FORECAST = 2;

export const moreauJean: ElementDefinition = {
  category: 'integrator',
  type: 'MoreauJean',
  title: 'Moreau–Jean θ-method',
  summary:
    'Time-stepping at velocity level: impacts inside a step are summed up as one impulse. For coordinates and for 3D bodies.',
  order: 2,
  advances: [2, 'body'],
  equations: [
    'M(q_*) (v_{k+1} - v_k) = h\\,\\theta F_{k+1} + h\\,(1-\\theta) F_k + p_{k+1}',
    'q_{k+1} = q_k + h\\, v_{k+\\theta}, \\quad v_{k+\\theta} = \\theta v_{k+1} + (1-\\theta) v_k',
    '0 \\le \\dot y_{k+1} + e\\, \\dot y_k \\perp p_{k+1} \\ge 0 \\quad\\text{if } y_k + \\gamma h \\dot y_k \\le 0',
  ],
  fields: [
    weight(
      'theta',
      '\\theta',
      'Weight of the new values',
      0.5,
      '½ keeps the energy of smooth linear motion; 1 damps it; 0 is explicit.',
    ),
    weight(
      'forecast',
      '\\gamma',
      'Activation forecast',
      0.5,
      'A contact takes part in a step when y + γ h ẏ ≤ 0 at its start. 0 waits until the gap is closed, 1 acts in the step that would close it, more acts before that and stops a body at a distance.',
      MAX_FORECAST,
    ),
    only(2, {
      key: 'activation',
      kind: 'choice',
      options: [
        {
          value: 'forecast',
          label: 'by forecast',
          help: 'Contacts take part in a step when their gap is forecast to be closed.',
        },
        {
          value: 'always',
          label: 'always',
          help: 'All contacts take part in all steps: for bodies that are never meant to part.',
        },
      ],
      label: 'Activation of contacts',
      symbol: 'y_k + \\gamma h \\dot y_k \\le 0',
      unit: '',
      required: false,
      default: 'forecast',
      help: 'Which contacts take part in a step.',
    }),
    only(2, {
      key: 'massPoint',
      kind: 'choice',
      options: [
        {
          value: 'midpoint',
          label: 'middle of the step',
          help: 'q_* = ½ (q_k + q_{k+1}): order 2 in smooth motion at θ = ½.',
        },
        {
          value: 'end',
          label: 'end of the step',
          help: 'q_* = q_{k+1}: order 1 where M depends on q; the choice of Siconos.',
        },
      ],
      label: 'Mass matrix at',
      symbol: 'q_*',
      unit: '',
      required: false,
      default: 'midpoint',
      help: 'Where a mass matrix that depends on the coordinates is taken.',
    }),
    {
      key: 'relationPoint',
      kind: 'choice',
      options: [
        {
          value: 'start',
          label: 'start of the step',
          help: 'At q_k, once a step, and at t_k: velocities satisfy joints as they were.',
        },
        {
          value: 'predicted',
          label: 'predicted position',
          help: 'At q_k + h v_k, once a step.',
        },
        {
          value: 'end',
          label: 'end of the step',
          help: 'At q_{k+1}, by iteration: new velocities satisfy joints at the new positions. The choice of Siconos for systems that are not linear.',
        },
      ],
      label: 'Jacobians of relations at',
      symbol: '\\nabla h',
      unit: '',
      required: false,
      default: 'predicted',
      help: 'Where relations that are not linear are linearised for the laws on velocities, and where rows of joints of 3D bodies are formed. Contacts of bodies keep the predicted position.',
    },
    only('body', gyroscopicField('implicit')),
    ...projectionFields(
      null,
      'Whether positions are brought back at the end of a step: of 3D bodies onto joints and stops, direct when left out; of coordinates onto contacts and joints, not when left out.',
    ),
    only('body', projectedContacts),
    only('body', overlap),
  ],
  source: 'Jean 1999; Siconos developer’s notes §2.2, equations (2.29)–(2.42); projection: Acary 2013',
};

export const eulerMoreau: ElementDefinition = {
  category: 'integrator',
  type: 'EulerMoreau',
  title: 'Euler–Moreau (θ, θr)-method',
  summary:
    'One-step method for first-order systems, with a weight of its own for the non-smooth input r, or with relations within the step.',
  order: 1,
  equations: [
    'M (x_{k+1} - x_k) = h\\,\\theta f_{k+1} + h\\,(1-\\theta) f_k + h\\,\\theta_r r_{k+1} + h\\,(1-\\theta_r) r_k',
    '\\text{with } \\gamma: \\quad M (x_{k+1} - x_k) = h\\,\\theta f_{k+1} + h\\,(1-\\theta) f_k + h\\, r_{k+\\gamma}',
    'y_{k+\\gamma} = h(t_{k+\\gamma}, x_{k+\\gamma}, \\lambda_{k+\\gamma}), \\quad x_{k+\\gamma} = \\gamma x_{k+1} + (1-\\gamma) x_k',
  ],
  fields: [
    weight(
      'theta',
      '\\theta',
      'Weight of the new rate',
      1,
      '½ is of order 2 while nothing switches; 1 damps and is the safe choice for stiff circuits.',
    ),
    weight(
      'thetaR',
      '\\theta_r',
      'Weight of the new input',
      1,
      'The input r jumps when the model switches. With 1 each step uses its own r only; with ½ half of the r before a jump acts after it, which rings unless the step resolves it.',
    ),
    {
      key: 'gamma',
      kind: 'number',
      min: 0,
      max: 1,
      label: 'Weight of the new state in relations',
      symbol: '\\gamma',
      unit: '',
      required: false,
      help: 'Relations and laws hold at γ x_{k+1} + (1−γ) x_k, and the one multiplier of a step acts throughout it, in place of θr. ½ beside θ = ½ keeps the energy of circuits without losses. y and λ are recorded as they are there. Relations hold at the end of the step when left out.',
    },
  ],
  source:
    'Siconos developer’s notes §8, equations (8.1)–(8.52), with its γ as θr; relations at γ: Acary, Bonnefon and Brogliato 2010',
};

/**
 * γ of relations of first order, of the numbers of an integrator; null where they hold at the end of the
 * step.
 */
export const gammaOf = ({ gamma = Number.NaN }: Readonly<Record<string, number>>): number | null =>
  Number.isNaN(gamma) ? null : gamma;

/** A number of settings that are NaN, or absent, where they are left out. */
const numberOr = (value: number | undefined, byDefault: number): number =>
  value === undefined || Number.isNaN(value) ? byDefault : value;

/** What positions of coordinates are brought back by; see `PositionProjection`. */
export interface PositionProjectionSettings {
  readonly kind: 'direct' | 'combined';
  readonly metric: 'mass' | 'euclidean';
  /** violation that stays, in the unit of y */
  readonly tolerance: number;
  readonly maxIterations: number;
}

const COORDINATE_TOLERANCE = 1e-10;

/** Of an integrator of coordinates; null where it leaves positions as they are. */
export function positionProjectionOf({
  type,
  choices,
  numbers,
}: {
  readonly type: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
}): PositionProjectionSettings | null {
  const { projection } = choices;
  if (type !== moreauJean.type || (projection !== 'yes' && projection !== 'combined')) return null;
  return {
    kind: projection === 'yes' ? 'direct' : 'combined',
    metric: choices.metric === 'euclidean' ? 'euclidean' : 'mass',
    tolerance: numberOr(numbers.projectionTolerance, COORDINATE_TOLERANCE),
    maxIterations: numberOr(numbers.projectionIterations, PROJECTION_ITERATIONS),
  };
}

const CONTACT_TOLERANCE = 1e-8;

const contactTolerance = (key: string, symbol: string, label: string, help: string) => ({
  key,
  kind: 'number' as const,
  min: 0,
  label,
  symbol,
  unit: '' as const,
  required: false,
  default: CONTACT_TOLERANCE,
  help,
});

export const d1MinusLinear: ElementDefinition = {
  category: 'integrator',
  type: 'D1MinusLinear',
  title: 'Half-explicit Galerkin steps',
  summary:
    'Contact forces while contacts stay closed, impulses where they close: order 2 between impacts. Velocities are linear within a step and jump at its end. For all systems of a model, coordinates or 3D bodies.',
  order: 2,
  advances: [2, 'body'],
  equations: [
    'v_* = v_k^+ + h\\, a_k^+, \\quad q_{k+1} = q_k + \\tfrac{h}{2} (v_k^+ + v_*)',
    'v_{k+1}^- = v_k^+ + \\tfrac{h}{2} (a_k^+ + a_{k+1}^-), \\quad M a = F(t, q, v) + C^{\\mathsf T} \\lambda, \\quad 0 \\le \\ddot y \\perp \\lambda \\ge 0',
    'M (v_{k+1}^+ - v_{k+1}^-) = C^{\\mathsf T} P, \\quad 0 \\le \\dot y_{k+1}^+ + e\\, \\dot y_{k+1}^- \\perp P \\ge 0 \\quad\\text{if } y_{k+1} \\le \\varepsilon',
  ],
  fields: [
    {
      key: 'level',
      kind: 'choice',
      options: [
        {
          value: 'velocity',
          label: 'velocities',
          help: 'Impulses of forces within a step keep ẏ of closed contacts and of joints; with friction, too.',
        },
        {
          value: 'acceleration',
          label: 'accelerations',
          help: 'Forces at both ends of a step keep ÿ of closed contacts and of joints. Friction obeys velocities all the same.',
        },
      ],
      label: 'Contact forces from',
      symbol: '\\lambda',
      unit: '',
      required: false,
      default: 'velocity',
      help: 'What the forces of contacts that stay closed, and of joints, are found from.',
    },
    {
      key: 'direction',
      kind: 'choice',
      options: [
        {
          value: 'start',
          label: 'start of the step',
          help: 'At q_k: order 2 along curved contacts and joints.',
        },
        {
          value: 'predicted',
          label: 'predicted position',
          help: 'At q_k + h v_k: order 1 along what is curved; the choice of Siconos.',
        },
      ],
      label: 'Directions of first forces',
      symbol: 'C',
      unit: '',
      required: false,
      default: 'start',
      help: 'Where the forces of the start of a step, found from velocities, have their directions. Of relations that are linear all are the same.',
    },
    {
      key: 'besideImpacts',
      kind: 'choice',
      options: [
        {
          value: 'kept',
          label: 'kept',
          help: 'What rests goes on resting while something strikes.',
        },
        {
          value: 'dropped',
          label: 'dropped',
          help: 'In a step in which a contact closes no force acts anywhere beside impulses: what rests with e > 0 hops by e g h. The choice of Siconos.',
        },
      ],
      label: 'Forces beside impacts',
      symbol: '\\lambda',
      unit: '',
      required: false,
      default: 'kept',
      help: 'What becomes of the forces of other contacts and of joints in a step in which a contact closes.',
    },
    contactTolerance(
      'closedGap',
      '\\varepsilon',
      'Gap of closed contacts',
      'A contact is closed when y is not above this, in the unit of y. One that closes in a step has an impulse at its end, and forces from the next step on.',
    ),
    contactTolerance(
      'restingRate',
      '\\dot\\varepsilon',
      'Rate of contacts that stay',
      'Of accelerations, a closed contact has a force when ẏ is not above this, in the unit of y per second. Of velocities, one that approaches by more at the start of a step has an impact in it.',
    ),
    {
      ...contactTolerance(
        'kept',
        '\\kappa',
        'Rate of contacts that are kept',
        'Of accelerations: one that pushes has a force also while ẏ is not above this part of what its impulse does to ẏ in a step. Along a curve ẏ is never zero. Siconos has 0.',
      ),
      max: 1,
      default: 0.01,
    },
  ],
  source: 'Schindler and Acary 2014; Schindler, Rezaei, Kursawe and Acary 2015',
};

export const schatzmanPaoli: ElementDefinition = {
  category: 'integrator',
  type: 'SchatzmanPaoli',
  title: 'Schatzman–Paoli θ-method',
  summary:
    'Time-stepping at position level over three times: impacts without a velocity unknown. With e = 0 no gap is ever negative; otherwise q_{k+1} + e q_{k−1} is not, and a gap may be, by what a step moves the body.',
  order: 2,
  equations: [
    'M (q_{k+1} - 2 q_k + q_{k-1}) = h^2 F_{k+\\theta} + p_{k+1}',
    '0 \\le h\\!\\left(\\tfrac{q_{k+1} + e\\, q_{k-1}}{1 + e}\\right) \\perp p_{k+1} \\ge 0, \\quad v_k = \\tfrac{q_{k+1} - q_{k-1}}{2h}',
  ],
  fields: [
    weight(
      'theta',
      '\\theta',
      'Weight of the new values',
      0.5,
      '0 is explicit; larger weights damp and stabilise stiff springs.',
    ),
  ],
  source: 'Paoli and Schatzman 2002',
};

export const zeroOrderHold: ElementDefinition = {
  category: 'integrator',
  type: 'ZeroOrderHold',
  title: 'Zero-order hold',
  summary:
    'Exact over a step for linear systems whose input r and sources are held constant: sampled controllers.',
  order: 1,
  equations: ['x_{k+1} = e^{h A} x_k + \\int_0^h e^{s A}\\,\\mathrm ds\\; (b + T u_k + r_{k+1})'],
  fields: [],
  source: 'Acary, Brogliato and Orlov 2012',
};
