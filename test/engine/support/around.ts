/**
 * A sound model around one element of any type, with its required fields only or with all of them, for tests
 * of definitions.
 */
import type {
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Dimension, ElementDefinition, FieldDefinition } from '@engine/model/definition';
import { contact, model, particle, withFunctions } from './models';
import { SPACE, TOUCH } from './space';

const sizeOf = (dimension: Dimension): number => (typeof dimension === 'number' ? dimension : 1);

/** Fields whose simplest value depends on another one. */
const PARTICULAR: Readonly<Record<string, FieldValue>> = {
  'NormalConeBox.upper': [2],
  'NormalConePolytope.A': [[1], [-1]],
  'NormalConePolytope.b': [1, 1],
  'MohrCoulomb.psi': 0.5,
  'FremondImpactFriction.dimension': 2,
  'MixedComplementarity.inequalities': 0,
  'PerRow.laws': [{ type: 'Complementarity' }],
  'PiecewiseLinear.start': [0, -1],
  'PiecewiseLinear.end': [1, 0],
  'RigidBody.inertia': [1, 1, 1],
  'PseudoRigidBody.euler': [1, 1, 1],
  'PseudoRigidBody.poisson': 0.3,
  'PseudoRigidBody.deformation': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  'Polyhedron.points': [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'Polygon.points': [
    [0, 0],
    [1, 0],
    [0, 1],
  ],
  'Disc.position': [1, 1, 0],
  'Disc.orientation': [0, 0, 0, 1],
  'Twisting.x': ['t', '1'],
  'Twisting.beta': 0.5,
  'Twisting.A': [
    [0, 1],
    [0, 0],
  ],
  'Polygon.position': [1, 1, 0],
  'Polygon.orientation': [0, 0, 0, 1],
  'HeightField.heights': [
    [0, 1],
    [1, 0],
  ],
  'UniversalJoint.direction': [1, 0, 0],
  'UniversalJoint.axis': [0, 1, 0],
  'PlanarJoint.direction': [1, -1, 0],
  'DistanceJoint.point2': [1, 1, 2],
};

/** Fields that stand in for others, of which one is needed. */
const ALTERNATIVES: Readonly<Record<string, { needed: readonly string[]; rivals: readonly string[] }>> = {
  RigidBody: { needed: ['mass', 'inertia'], rivals: ['density'] },
  PseudoRigidBody: { needed: ['mass', 'euler', 'volume'], rivals: ['density'] },
  DistanceJoint: { needed: ['point2'], rivals: [] },
  Reset: { needed: ['of'], rivals: [] },
};

/** The simplest value of a field, in a model of one coordinate and one gap. */
function simplest(field: FieldDefinition): FieldValue {
  const vector = (length: Dimension): number[] => new Array<number>(sizeOf(length)).fill(1);
  /** Only quaternions have four numbers. */
  const QUATERNION = 4;
  const matrix = (rows: Dimension, columns: Dimension): number[][] =>
    Array.from({ length: sizeOf(rows) }, () => vector(columns));
  switch (field.kind) {
    case 'integer':
      return Math.max(1, field.min);
    case 'number':
      // Stops on both sides of the coordinate at the start, which is 0.
      return field.key.endsWith('Min') ? -1 : 1;
    case 'vector':
    case 'vectorOrFunction':
      return field.length === QUATERNION ? [0.5, 0.5, 0.5, 0.5] : vector(field.length);
    case 'signals':
      return new Array<string>(sizeOf(field.length)).fill('t');
    case 'matrix':
    case 'matrixOrFunction':
      return matrix(field.rows, field.columns);
    case 'choice':
      return field.options[0].value;
    case 'reference':
      return {
        contact: 'link',
        parameter: 'p',
        firstOrderSystem: 'state',
        section: 'section',
        table: 'data',
      }[field.to];
    case 'text':
      return field.key === 'g' ? '1' : 'm';
    case 'function':
      return { function: 'plugin' };
    case 'expression':
      return 't';
    case 'components':
      return ['L1', 'L2'];
    case 'elements':
      return [];
    case 'element':
      return { type: 'Condition', condition: ['1'] };
  }
}

function element(definition: ElementDefinition, all: boolean): TypedElement {
  const { needed, rivals } = ALTERNATIVES[definition.type] ?? { needed: [], rivals: [] };
  const chosen = definition.fields.filter(
    ({ key, required }) => (all && !rivals.includes(key)) || required || needed.includes(key),
  );
  return {
    type: definition.type,
    ...Object.fromEntries(
      chosen.map((field) => [field.key, PARTICULAR[`${definition.type}.${field.key}`] ?? simplest(field)]),
    ),
  };
}

const STATE: SystemDocument = { id: 'body', type: 'FirstOrderLinear', n: 1, x0: [0], A: [[-1]] };
const CIRCUIT: InteractionDocument = {
  id: 'link',
  systems: ['body'],
  relation: { type: 'FirstOrderLinearTI', C: [[1]], B: [[1]] },
  law: { type: 'Complementarity' },
};

const BODIES: readonly SystemDocument[] = ['body', 'other'].map((id) => ({
  id,
  type: 'PlanarBody',
  mass: 1,
  inertia: 1,
  q0: [0, 0, 0],
  v0: [0, 0, 0],
}));

const isPlanar = ({ type }: ElementDefinition): boolean => type === 'Disc' || type === 'Polygon';

/** A model around one element of a kind that belongs to 3D bodies. */
function spaceAround(definition: ElementDefinition, all: boolean): ModelDocument {
  const document = withFunctions(
    model(structuredClone([...SPACE]), [structuredClone(TOUCH)]),
    'export const plugin = () => {};',
  );
  document.simulation.integrators = [];
  document.simulation.problem = { type: 'auto' };
  const made = element(definition, all);
  const [interaction] = document.interactions;
  switch (definition.category) {
    case 'system':
      document.systems[0] = {
        id: 'body',
        ...made,
        // A ball would not stay one on a body that deforms.
        shapes: [
          definition.type === 'PseudoRigidBody'
            ? { type: 'Box', size: [1, 1, 1] }
            : { type: 'Sphere', radius: 0.5 },
        ],
      };
      break;
    case 'shape':
      // Among shapes in the plane all are.
      if (isPlanar(definition))
        for (const system of document.systems) system.shapes = [{ type: 'Disc', radius: 0.5 }];
      // Ground has no end, and lies below the others.
      document.systems.push({
        id: 'ground',
        type: 'FixedBody',
        position: isPlanar(definition) ? [0, -5, 5] : [0, 0, -5],
        shapes: [made],
      });
      // Ellipsoids touch planes only.
      interaction.systems = definition.type === 'Ellipsoid' ? ['body', 'other'] : ['ground', 'body', 'other'];
      break;
    case 'relation':
      interaction.relation = made;
      // It takes two bodies, and its function is called where the model is run.
      if (definition.type === 'ScriptedContact')
        document.scripts[0].source = ['export const plugin = (q, out) => { out[6] = 1; };'];
      if (definition.law !== undefined && definition.law !== TOUCH.law.type)
        interaction.law = { type: definition.law };
      break;
    case 'law':
      interaction.law = made;
      break;
    case 'integrator':
      document.simulation.integrators = [made];
      break;
    case 'problem':
    case 'solver':
      document.simulation[definition.category] = made;
      break;
    default:
      throw new Error(`no model in space around a ${definition.category}`);
  }
  return document;
}

/** A model around one element of any category. */
export function modelAround(definition: ElementDefinition, all: boolean): ModelDocument {
  if (definition.order === 'body' || definition.category === 'shape') return spaceAround(definition, all);
  const document = withFunctions(
    definition.order === 1
      ? model([STATE], [structuredClone(CIRCUIT)])
      : model([particle('body', 0, 0)], [contact('link', ['body'], [[1]], 0)]),
    'export const plugin = () => {};',
  );
  const made = element(definition, all);
  switch (definition.category) {
    case 'system':
      if (definition.order === 'signal') {
        document.systems.push({ ...structuredClone(STATE), id: 'state' }, { id: 'block', ...made });
        break;
      }
      document.systems[0] = { id: 'body', ...made };
      if (Array.isArray(made.q0))
        document.interactions[0] = contact('link', ['body'], [made.q0.map(() => 1)], 0);
      break;
    case 'relation':
      // Complementarity suits relations of either order, compliant ones too, that have no law of their own.
      document.interactions[0].law = { type: definition.law ?? 'Complementarity' };
      document.interactions[0].relation = made;
      if (definition.links !== undefined) {
        document.systems = structuredClone([...BODIES]);
        document.interactions[0].systems = BODIES.slice(0, definition.links.least).map(({ id }) => id);
      }
      break;
    case 'law':
      // Cones have problems of their own.
      document.simulation.problem = { type: 'auto' };
      document.interactions[0].law = made;
      // A law of several rows needs a relation of as many.
      if (definition.rows !== undefined)
        document.interactions[0].relation.H = Array.from({ length: definition.rows }, () => [1]);
      break;
    case 'integrator':
      document.simulation.integrators = [made];
      break;
    case 'problem':
    case 'solver':
      document.simulation[definition.category] = made;
      break;
    case 'impact':
      Object.assign(document.simulation, { scheme: 'event-driven', impacts: made });
      break;
    case 'formulation':
      document.simulation.eventDriven = { constraints: made };
      break;
    case 'flight':
      document.simulation.eventDriven = { flight: made };
      break;
    case 'component': {
      // A component by itself: its pins are open.
      document.components = [{ id: 'part', ...made }];
      break;
    }
    case 'section':
      document.simulation.sections = [{ id: 'section', ...made }];
      break;
    case 'analysis':
    case 'axis': {
      const sweep = { type: 'sweep', axes: [made], measures: 'events' };
      document.parameters.push({ name: 'p', value: 1 });
      document.analyses = [{ id: 'study', ...(definition.category === 'axis' ? sweep : made) }];
      break;
    }
    case 'presence':
      Object.assign(document.interactions[0], { while: made });
      break;
    case 'scheme':
      break;
  }
  return document;
}
