/**
 * 3D bodies as a document has them: which there are, where a new one starts, and which contact takes
 * it.
 */
import type {
  Expression,
  FieldValue,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  TypedElement,
} from '@engine/document/types';
import type { Catalogue, ElementDefinition, FieldDefinition } from '@engine/model/definition';
import { isElements, systemOrder } from './sizes';

export const RIGID = 'RigidBody';
const PSEUDO_RIGID = 'PseudoRigidBody';
export const FIXED = 'FixedBody';
export const SHAPE_CONTACT = 'ShapeContact';
const SCRIPTED_CONTACT = 'ScriptedContact';

/** Whether a relation is a contact of 3D bodies, which acts in a plane of its own. */
export const isBodyContact = ({ type }: Pick<TypedElement, 'type'>): boolean =>
  type === SHAPE_CONTACT || type === SCRIPTED_CONTACT;

/** Shapes without an end, which only bodies that stand still may have. */
const ENDLESS: readonly string[] = ['Plane', 'HeightField'];
/** Shapes that stay what they are when they stretch and shear. */
const DEFORMABLE: readonly string[] = ['Box', 'Polyhedron'];
/** Shapes of the plane. */
const FLAT: readonly string[] = ['Disc', 'Polygon'];

/** Room between a new body and those that are there, m. */
const BODY_GAP_M = 0.05;
/** Places of new bodies are multiples of it, m. */
const GRID = 0.1;

/** Whether a system is a 3D body; also where the catalogue is not loaded yet. */
export const isBody = ({ type }: TypedElement): boolean =>
  type === RIGID || type === PSEUDO_RIGID || type === FIXED;

/** Whether a system is a 3D body that moves. */
export const isMoving = ({ type }: TypedElement): boolean => type === RIGID || type === PSEUDO_RIGID;

/** Why a shape cannot be on a body of a type; null where it can. */
export function shapeRefusal(body: string, shape: string): 'endless' | 'rigid' | null {
  if (body === FIXED) return null;
  if (ENDLESS.includes(shape)) return 'endless';
  return body === PSEUDO_RIGID && !DEFORMABLE.includes(shape) ? 'rigid' : null;
}

/** The shapes of a body; none where it lists none. */
export const shapesOf = ({ shapes }: TypedElement): readonly TypedElement[] =>
  isElements(shapes) ? shapes : [];

/** The numbers of a vector; an expression, whose value is not known here, counts as zero. */
const numbers = (value: FieldValue | undefined): number[] =>
  Array.isArray(value) ? value.map((entry) => (typeof entry === 'number' ? entry : 0)) : [];

const number = (value: FieldValue | undefined): number => (typeof value === 'number' ? value : 0);

/** Distance from the origin of its frame to the farthest point of a shape, m. */
function shapeReach(shape: TypedElement): number {
  switch (shape.type) {
    case 'Box':
      return 0.5 * Math.hypot(...numbers(shape['size']));
    case 'Ellipsoid':
      return Math.max(0, ...numbers(shape['semiAxes']));
    case 'Capsule':
      return number(shape['radius']) + 0.5 * number(shape['length']);
    case 'Cylinder':
      return Math.hypot(number(shape['radius']), 0.5 * number(shape['height']));
    case 'Polyhedron':
    case 'Polygon': {
      const { points } = shape;
      const corners = Array.isArray(points) ? (points as FieldValue[]) : [];
      return Math.max(0, ...corners.map((corner) => Math.hypot(...numbers(corner))));
    }
    default:
      return number(shape['radius']);
  }
}

/** Radius of a ball about the mass centre that holds the body, m. */
const bodyReach = (body: TypedElement): number =>
  Math.max(
    0,
    ...shapesOf(body).map((shape) => shapeReach(shape) + Math.hypot(...numbers(shape['position']))),
  );

/** Moves a new body along x beside the bodies that are there, so that it touches none. */
export function placeBeside(body: SystemDocument, { systems }: Pick<ModelDocument, 'systems'>): void {
  const others = systems.filter((other) => isMoving(other) && other.id !== body.id);
  if (!isMoving(body) || others.length === 0 || !Array.isArray(body['position'])) return;
  const edges = others.map((other) => (numbers(other['position'])[0] ?? 0) + bodyReach(other));
  const x = Math.max(...edges) + bodyReach(body) + BODY_GAP_M;
  const [, ...rest] = body['position'] as Expression[];
  body['position'] = [Number((Math.ceil(x / GRID) * GRID).toFixed(6)), ...rest];
}

/** Ids of all bodies that contacts can find. */
const bodiesWithShapes = (systems: readonly SystemDocument[]): string[] =>
  systems.filter((system) => shapesOf(system).length > 0).map(({ id }) => id);

const isContact = ({ relation }: InteractionDocument): boolean => relation.type === SHAPE_CONTACT;

/**
 * What a new contact of shapes links. The first one is for all bodies with shapes: that bodies pass through
 * each other is never meant. A further one makes an exception, and only its author knows between which.
 * @param chosen id of the selected body; undefined when none is
 */
export function contactLinks({ systems, interactions }: ModelDocument, chosen: string | undefined): string[] {
  if (!interactions.some(isContact)) return bodiesWithShapes(systems);
  return chosen === undefined ? [] : [chosen];
}

/**
 * The contact that links all bodies with shapes, which takes a new one too; undefined where there is none or
 * several.
 */
export function contactOfAll({ systems, interactions }: ModelDocument): InteractionDocument | undefined {
  const bodies = bodiesWithShapes(systems);
  if (bodies.length === 0) return undefined;
  const all = interactions.filter((interaction) => {
    if (!isContact(interaction)) return false;
    const linked = new Set(interaction.systems);
    return bodies.every((id) => linked.has(id));
  });
  return all.length === 1 ? all[0] : undefined;
}

/** Whether there are 3D bodies among systems. */
export const hasBodies = (systems: readonly TypedElement[], catalogue: Catalogue | null): boolean =>
  systems.some((system) => systemOrder(catalogue, system) === 'body');

/** Whether one of the systems has a disc or a polygon: all bodies of such a model move in a plane. */
export const hasFlatShapes = (systems: readonly TypedElement[]): boolean =>
  systems.some((system) => shapesOf(system).some(({ type }) => FLAT.includes(type)));

/** Degrees of freedom of a body. @param inPlane whether all bodies of its model move in a plane */
export const bodyFreedom = ({ type }: Pick<ElementDefinition, 'type'>, inPlane: boolean): number => {
  if (type === FIXED) return 0;
  if (type === PSEUDO_RIGID) return 12;
  return inPlane ? 3 : 6;
};

/** A field as it is for an element: the density of discs and polygons is that of an area. */
export const fieldFor = (field: FieldDefinition, element: TypedElement): FieldDefinition =>
  field.key === 'density' && hasFlatShapes([element]) ? { ...field, unit: 'kg/m²' } : field;
