/** Small models that no example needs, so that every element Siconos knows as well is compared. */
import type { IntegratorDocument, ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';

type Parts = Pick<ModelDocument, 'title' | 'systems' | 'interactions'> & {
  h: number;
  integrators?: IntegratorDocument[];
  source?: string[];
};

function documentOf({ title, systems, interactions, h, integrators, source }: Parts): ModelDocument {
  return {
    formatVersion: 3,
    title,
    parameters: [],
    systems,
    interactions,
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: 1,
      h,
      integrators: integrators ?? [{ type: 'EulerMoreau', theta: 0.5, thetaR: 1 }],
      problem: { type: 'auto' },
      solver: { type: 'auto' },
    },
    observables: [],
    scripts: source === undefined ? [] : [{ name: 'functions.ts', role: 'functions', source }],
    views: [],
    layout: { nodes: {} },
  };
}

/** Four states with a matrix of the rates that is neither diagonal nor symmetric. */
const coupled: SystemDocument = {
  id: 'system',
  type: 'FirstOrderLinear',
  n: 4,
  x0: [1, -1, 0.5, 2],
  A: [
    [-2, 1, 0, 0.5],
    [-1, -1.5, 0.3, 0],
    [0.2, 0, -2.5, 1],
    [0, -0.4, -1, -1],
  ],
  b: [1, -2, 0.5, -3],
  mass: [
    [1, 0.2, 0, 0],
    [-0.1, 1.5, 0.3, 0],
    [0, 0.2, 0.8, 0.1],
    [0.1, 0, 0, 1.2],
  ],
};

const threeRows: TypedElement = {
  type: 'FirstOrderLinearTI',
  C: [
    [1, 0, 0.5, 0],
    [0, 1, 0, -0.3],
    [0.2, 0, 0, 1],
  ],
  D: [
    [0.5, 0.1, 0],
    [-0.1, 0.4, 0.1],
    [0, 0, 0.6],
  ],
  B: [
    [1, 0, 0.2],
    [0, 1, 0],
    [0.5, 0.1, 0],
    [0, -0.3, 1],
  ],
  e: [0.1, -0.2, 0.3],
};

export const massMatrix = documentOf({
  title: 'complementarity, M ≠ I',
  systems: [coupled],
  interactions: [{ id: 'law', systems: ['system'], relation: threeRows, law: { type: 'Complementarity' } }],
  h: 0.01,
});

export const mixedComplementarity = documentOf({
  title: 'mixed complementarity',
  systems: [coupled],
  interactions: [
    {
      id: 'law',
      systems: ['system'],
      relation: threeRows,
      law: { type: 'MixedComplementarity', equalities: 1, inequalities: 2 },
    },
  ],
  h: 0.01,
});

export const equality = documentOf({
  title: 'equality',
  systems: [coupled],
  interactions: [{ id: 'law', systems: ['system'], relation: threeRows, law: { type: 'Equality' } }],
  h: 0.01,
});

const oneRow: TypedElement = {
  type: 'FirstOrderLinearTI',
  C: [[1, 0.3]],
  D: [[0.2]],
  B: [[0.5], [1]],
  e: [0.1],
};

export const timeVarying = documentOf({
  title: 'A(t) and b(t)',
  systems: [
    {
      id: 'system',
      type: 'FirstOrderLinear',
      n: 2,
      x0: [1, 0.5],
      A: { function: 'rates' },
      b: { function: 'source' },
    },
  ],
  interactions: [{ id: 'law', systems: ['system'], relation: oneRow, law: { type: 'Complementarity' } }],
  h: 0.01,
  source: [
    'export const rates: TimeMatrix = (t, out) => {',
    '  out[0] = -1; out[1] = 2 + Math.sin(3 * t); out[2] = -2; out[3] = -0.5 * t;',
    '};',
    'export const source: TimeVector = (t, out) => { out[0] = Math.cos(5 * t); out[1] = t - 1; };',
  ],
});

export const nonLinearRate = documentOf({
  title: 'f(t, x)',
  systems: [{ id: 'system', type: 'FirstOrderNonLinear', n: 2, x0: [1, 0.5], f: { function: 'swing' } }],
  interactions: [{ id: 'law', systems: ['system'], relation: oneRow, law: { type: 'Complementarity' } }],
  h: 0.01,
  source: [
    'export const swing: Rate = (t, x, out) => {',
    '  out[0] = x[1];',
    '  out[1] = -4 * Math.sin(x[0]) - 0.1 * x[1] * x[1] * x[1] + Math.cos(3 * t) - 1;',
    '};',
  ],
});

export const type2 = documentOf({
  title: 'type 2, h(x, λ) and g(λ)',
  systems: [{ id: 'system', type: 'FirstOrderNonLinear', n: 2, x0: [1, 0.5], f: { function: 'swing' } }],
  interactions: [
    {
      id: 'law',
      systems: ['system'],
      relation: { type: 'FirstOrderType2', size: 2, h: { function: 'output' }, g: { function: 'input' } },
      law: { type: 'Complementarity' },
    },
  ],
  h: 0.01,
  source: [
    'export const swing: Rate = (t, x, out) => {',
    '  out[0] = x[1];',
    '  out[1] = -4 * Math.sin(x[0]) - 0.1 * x[1] * x[1] * x[1] + Math.cos(3 * t) - 1;',
    '};',
    'export const output: Output = (t, x, lambda, out) => {',
    '  out[0] = x[0] + 0.2 * Math.sin(x[1]) + 0.3 * lambda[0] + 0.05 * lambda[0] * lambda[0];',
    '  out[1] = x[1] - 0.3 * x[0] * x[0] + 0.4 * lambda[1] - 0.5 + 0.02 * lambda[0] * lambda[1];',
    '};',
    'export const input: TimedMultiplierInput = (t, lambda, out) => {',
    '  out[0] = lambda[0] + 0.1 * lambda[0] * lambda[0];',
    '  out[1] = lambda[1] + 0.1 * lambda[0] * lambda[1];',
    '};',
  ],
});

/**
 * A plant in the plane under forces within a parallelogram |G λ| ≤ 1, which bring it to rest: as a polytope,
 * and with μ = G λ and ᵗG y in place of λ and y as two relays, which Siconos solves without lp_solve.
 */
const parallelogram = (relation: TypedElement, law: TypedElement): ModelDocument =>
  documentOf({
    title: `forces within a parallelogram, ${law.type}`,
    systems: [
      {
        id: 'plant',
        type: 'FirstOrderLinear',
        n: 2,
        x0: [0.9, -0.7],
        A: [
          [-0.1, 0.8],
          [-0.8, -0.2],
        ],
      },
    ],
    interactions: [{ id: 'law', systems: ['plant'], relation, law }],
    h: 2 ** -10,
    integrators: [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }],
  });

export const forcePolytope = parallelogram(
  {
    type: 'FirstOrderLinearTI',
    C: [
      [1, 0.25],
      [0, 1],
    ],
    B: [
      [1, 0],
      [0.25, 1],
    ],
  },
  {
    type: 'NormalConePolytope',
    // G = [1 ½; 0 2]
    A: [
      [1, 0.5],
      [-1, -0.5],
      [0, 2],
      [0, -2],
    ],
    b: [1, 1, 1, 1],
    confines: 'lambda',
  },
);

/** C′ = ᵗG⁻¹ C and B′ = B G⁻¹, with G⁻¹ = [1 −¼; 0 ½]. */
export const forceRelays = parallelogram(
  {
    type: 'FirstOrderLinearTI',
    C: [
      [1, 0.25],
      [-0.25, 0.4375],
    ],
    B: [
      [1, -0.25],
      [0.25, 0.4375],
    ],
  },
  { type: 'Relay', lower: [-1, -1], upper: [1, 1] },
);

/** A ball, a relay and a diode in one model: both orders, two integrators, three laws in one problem. */
export const bothOrders = documentOf({
  title: 'first and second order in one model',
  systems: [
    {
      id: 'ball',
      type: 'LagrangianLinearTI',
      ndof: 1,
      mass: [[2]],
      fExt: [-19.62],
      q0: [0.25],
      v0: [0],
    },
    coupled,
    { id: 'switched', type: 'FirstOrderLinear', n: 1, x0: [0.7], A: [[-0.2]] },
  ],
  interactions: [
    {
      id: 'floor',
      systems: ['ball'],
      relation: { type: 'LagrangianLinear', H: [[1]] },
      law: { type: 'NewtonImpact', e: 0.6 },
    },
    { id: 'law', systems: ['system'], relation: threeRows, law: { type: 'Complementarity' } },
    {
      id: 'switch',
      systems: ['switched'],
      relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]] },
      law: { type: 'Relay', lower: [-1], upper: [1] },
    },
  ],
  h: 2 ** -10,
  integrators: [
    { type: 'MoreauJean', theta: 0.5, forecast: 0.5 },
    { type: 'EulerMoreau', theta: 1, thetaR: 1 },
  ],
});

/**
 * Contacts with friction: a disc that is thrown on a floor with spin, where it bounces, slides and rolls, and
 * a brick that is pushed up a slope, stops and stays. Each has one contact, so that all impulses are unique.
 */
export const friction = (e: number): ModelDocument =>
  documentOf({
    title: `Friction, e = ${e}`,
    h: 1e-3,
    integrators: [{ type: 'MoreauJean', theta: 0.5, forecast: 0.5 }],
    systems: [
      {
        id: 'disc',
        type: 'LagrangianLinearTI',
        ndof: 3,
        mass: [
          [2, 0, 0],
          [0, 2, 0],
          [0, 0, 0.0625],
        ],
        q0: [0, 0.75, 0],
        v0: [1, 0, 20],
        fExt: [0, -20, 0],
      },
      {
        id: 'brick',
        type: 'LagrangianLinearTI',
        ndof: 2,
        mass: [
          [1, 0],
          [0, 1],
        ],
        q0: [0, 0],
        v0: [-1.5, -0.25],
        fExt: [3, -9],
      },
    ],
    interactions: [
      {
        id: 'floor',
        systems: ['disc'],
        relation: {
          type: 'LagrangianLinear',
          H: [
            [0, 1, 0],
            [1, 0, 0.25],
          ],
          b: [-0.25, 0],
        },
        law: { type: 'NewtonImpactFriction', mu: 0.25, e, et: 0 },
      },
      {
        id: 'slope',
        systems: ['brick'],
        relation: {
          type: 'LagrangianLinear',
          H: [
            [0, 1],
            [1, 0],
          ],
        },
        law: { type: 'NewtonImpactFriction', mu: 0.5, e, et: 0 },
      },
    ],
  });
