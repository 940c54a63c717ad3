/** New documents and new parts of one, filled from the definitions of the catalogue. */
import type {
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, FieldDefinition } from '@engine/model/definition';
import { isBodyContact } from './bodies';
import { fieldSides, isVectorField, sideLength, type Sizes, UNIT_SIZES } from './sizes';

/** `base`, or `base-2`, `base-3` … when it is taken. */
export function freshName(base: string, taken: Iterable<string>, separator = '-'): string {
  const used = new Set(taken);
  if (!used.has(base)) return base;
  let number = 2;
  while (used.has(`${base}${separator}${number}`)) number++;
  return `${base}${separator}${number}`;
}

/** File-name form of a title: lower case, words joined by hyphens. */
export function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? 'model' : words.split(/\s+/).slice(0, 8).join('-');
}

/**
 * Values that no rule gives, by type and key: an element that means something as soon as it is chosen. The
 * graph starts as complementarity, which comes down λ at y = 0 and leaves along y; the mixed law as one
 * inequality.
 */
const STARTING_VALUES: Readonly<Record<string, Readonly<Record<string, FieldValue>>>> = {
  PiecewiseLinear: { points: [[0, 0]], start: [0, -1], end: [1, 0] },
  NormalConeBox: { lower: [-1], upper: [1] },
  NormalConePolytope: { A: [[-1], [1]], b: [1, 1] },
  MixedComplementarity: { equalities: 0, inequalities: 1 },
  Gear: { ratio: -1 },
  Twisting: { x: ['0', '0'] },
  PinInHole: { clearance: 0.001 },
  RigidBody: {
    density: 1000,
    position: [0, 0, 0.5],
    gravity: [0, 0, -9.81],
    shapes: [{ type: 'Box', size: [0.2, 0.2, 0.2] }],
  },
  // Rubber of the softest kind, which a step of a millisecond suffices for.
  PseudoRigidBody: {
    density: 1000,
    young: 200_000,
    poisson: 0.3,
    relaxation: 0.002,
    position: [0, 0, 0.5],
    gravity: [0, 0, -9.81],
    shapes: [{ type: 'Box', size: [0.2, 0.2, 0.2] }],
  },
  FixedBody: { shapes: [{ type: 'Plane' }] },
  Sphere: { radius: 0.1 },
  Box: { size: [0.2, 0.2, 0.2] },
  Capsule: { radius: 0.05, length: 0.2 },
  Cylinder: { radius: 0.1, height: 0.2 },
  Ellipsoid: { semiAxes: [0.1, 0.08, 0.05] },
  // Every second corner of a cube: a tetrahedron with its centre at the origin.
  Polyhedron: {
    points: [
      [0.1, 0.1, 0.1],
      [0.1, -0.1, -0.1],
      [-0.1, 0.1, -0.1],
      [-0.1, -0.1, 0.1],
    ],
  },
  Disc: { radius: 0.1 },
  Polygon: {
    points: [
      [-0.1, -0.1],
      [0.1, -0.1],
      [0.1, 0.1],
      [-0.1, 0.1],
    ],
  },
  HeightField: {
    heights: [
      [0, 0, 0],
      [0, 0.1, 0],
      [0, 0, 0],
    ],
    spacing: 0.5,
    position: [-0.5, -0.5, 0],
  },
  RevoluteJoint: { axis: [0, 0, 1] },
  PrismaticJoint: { axis: [0, 0, 1] },
  CylindricalJoint: { axis: [0, 0, 1] },
  PlanarJoint: { axis: [0, 0, 1] },
  KneeJoint: { axis: [0, 0, 1] },
  UniversalJoint: { axis: [0, 0, 1], direction: [1, 0, 0] },
  PointPlaneStop: { axis: [0, 0, 1], gapMin: 0 },
  PerRow: { laws: [{ type: 'Complementarity' }] },
  StateMachine: {
    states: 'off, on',
    output: [0, 1],
    transitions: 'off > on, on > off',
    guards: ['since > 1', 'since > 1'],
  },
  MultiStateSpace: { A: [[-1]], B: [[1]], C: [[1]] },
  FeedbackOfStates: { K: [[1]] },
  SlidingMode: { A: [[0]], B: [[1]], C: [[1]] },
  ObserverBlock: { A: [[-1]], C: [[1]], L: [[1]] },
  SlidingObserver: { A: [[-1]], C: [[1]], L: [[1]] },
};

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

const diagonal = (rows: number, columns: number, value: number): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => (i === j ? value : 0)));

/** A square matrix of rates starts as a decay, ẋ = −x; every other matrix as the identity. */
const diagonalOf = (field: FieldDefinition): number => (field.unit === '1/s' ? -1 : 1);

function initialArray(field: FieldDefinition, sizes: Sizes): FieldValue | undefined {
  const sides = fieldSides(field);
  if (sides === null) return undefined;
  const rows = sideLength(sides.rows, sizes, 1);
  const columns = sideLength(sides.columns, sizes, 1);
  return isVectorField(field) ? zeros(columns) : diagonal(rows, columns, diagonalOf(field));
}

/** Value a required field starts with. */
function initialValue(field: FieldDefinition, sizes: Sizes): FieldValue | undefined {
  if (field.default !== undefined) return field.default;
  switch (field.kind) {
    case 'integer':
      // What is counted by a size has that size; anything else starts at one.
      return field.key === 'n' || field.key === 'ndof' ? sizes[field.key] : Math.max(1, field.min);
    case 'number':
      return field.exclusiveMin === true ? (field.min ?? 0) + 1 : (field.min ?? 0);
    case 'text':
    case 'reference':
      return '';
    case 'choice':
      return field.options[0]?.value ?? '';
    case 'function':
      return { function: '' };
    case 'signals':
      return ['0'];
    default:
      return initialArray(field, sizes);
  }
}

/** A typed element with its required fields filled; functions are named when they exist. */
export function newElement(definition: ElementDefinition, sizes: Sizes = UNIT_SIZES): TypedElement {
  const element: TypedElement = { type: definition.type };
  const starting = STARTING_VALUES[definition.type];
  for (const field of definition.fields) {
    const value =
      starting?.[field.key] ?? field.initial ?? (field.required ? initialValue(field, sizes) : undefined);
    // A copy: two elements never share a value that one of them may change.
    if (value !== undefined) element[field.key] = structuredClone(value);
  }
  if (hasField(definition, 'size') && sizes.size !== 1) element['size'] = sizes.size;
  return element;
}

/** A system of one state or degree of freedom, or of the given size. */
export function newSystem(
  definition: ElementDefinition,
  id: string,
  sizes: Sizes = UNIT_SIZES,
): SystemDocument {
  return { ...newElement(definition, sizes), id };
}

/**
 * An interaction of one output with nothing linked yet, or with `systems` of `linkedSize` components
 * together.
 */
export function newInteraction(
  relation: ElementDefinition,
  law: ElementDefinition,
  id: string,
  systems: string[] = [],
  linkedSize = 1,
): InteractionDocument {
  const sizes = { ...UNIT_SIZES, linkedSize };
  return { id, systems, relation: newElement(relation, sizes), law: newElement(law, sizes) };
}

/** Whether the gaps of a relation yield under the force in them. */
export const isCompliant = (relation: ElementDefinition | undefined): boolean =>
  relation?.order === 2 && relation.fields.some(({ key }) => key === 'D' || key === 'stiffness');

/**
 * Whether a law may stand on a relation between 3D bodies. Contacts have the laws of
 * surfaces, joints the one they name; a relation of rows may be either, but has no plane that friction could
 * act in.
 */
function suitsSpace(law: ElementDefinition, relation: ElementDefinition): boolean {
  const isOfSurfaces = law.order === 'body';
  if (isBodyContact(relation)) return isOfSurfaces;
  if (law.type === relation.law) return true;
  return isOfSurfaces && hasField(relation, 'size') && !hasField(law, 'mu');
}

const hasField = ({ fields }: ElementDefinition, key: string): boolean =>
  fields.some((field) => field.key === key);

/** Whether a law may stand on a relation: of its order, and without impacts where nothing is rigid. */
export function lawSuits(law: ElementDefinition, relation: ElementDefinition | undefined): boolean {
  if (relation?.order === 'body') return suitsSpace(law, relation);
  if (law.order === undefined || relation?.order === undefined) return true;
  return law.order === relation.order && !isCompliant(relation);
}

/**
 * The law that a new interaction starts with: the one its relation names, else the first in the catalogue
 * that suits.
 */
export function firstLaw(
  catalogue: Catalogue | null,
  relation: ElementDefinition | undefined,
): ElementDefinition | undefined {
  const named = catalogue?.laws.find(({ type }) => type === relation?.law);
  return named ?? catalogue?.laws.find((law) => lawSuits(law, relation));
}

const first = (definitions: readonly ElementDefinition[], type: string): TypedElement => {
  const definition = definitions[0];
  return definition === undefined ? { type } : newElement(definition);
};

/** An untitled document without elements. Its systems get the integrator of their order. */
export function emptyDocument(
  catalogue: Catalogue | null,
  formatVersion: number,
  title: string,
): ModelDocument {
  return {
    formatVersion,
    title,
    parameters: [],
    systems: [],
    interactions: [],
    simulation: {
      scheme: 'time-stepping',
      t0: 0,
      tEnd: 5,
      h: 0.001,
      integrators: [],
      problem: first(catalogue?.problems ?? [], 'auto'),
      solver: first(catalogue?.solvers ?? [], 'auto'),
    },
    observables: [],
    scripts: [],
    views: [],
    layout: { nodes: {} },
  };
}
