/**
 * Where a joint in space takes hold before anyone has said so: at the mass centres of the bodies it links.
 * The points follow the links and the type of the joint until they are given.
 */
import type {
  Expression,
  FieldValue,
  InteractionDocument,
  ModelDocument,
  TypedElement,
} from '@engine/document/types';
import { isMoving } from './bodies';

type Point = readonly Expression[];
type Elements = Pick<ModelDocument, 'systems'>;
type Linked = Pick<InteractionDocument, 'systems' | 'relation'>;

/** What says where a joint takes hold, in the world at the start. */
type Hold = Partial<Record<'point' | 'point2' | 'lengthMax', FieldValue>>;

const KEYS = ['point', 'point2', 'lengthMax'] as const;

/** Height of the point above a body at which a rod or rope hangs from the ground, m. */
const HANGING = 0.5;
/** Length of a rope between places that are not numbers, m. */
const ROPE = 1;

const ORIGIN: Point = [0, 0, 0];

/** Joints at a point that both bodies have in common. */
const OF_ONE_POINT: readonly string[] = [
  'BallJoint',
  'RevoluteJoint',
  'PrismaticJoint',
  'CylindricalJoint',
  'UniversalJoint',
  'KneeJoint',
  'PlanarJoint',
  'FixedJoint',
];
/** Joints between a point of each body. */
const OF_TWO_POINTS: readonly string[] = ['DistanceJoint', 'Rope', 'PointPlaneStop'];

const isPoint = (value: FieldValue | undefined): value is Expression[] =>
  Array.isArray(value) && value.length === 3 && value.every((entry) => typeof entry !== 'object');

const placeOf = (body: TypedElement): Point => (isPoint(body['position']) ? body['position'] : ORIGIN);

/** A sum without the noise of its rounding; an expression stays one. */
const plus = (a: Expression, b: number): Expression =>
  typeof a === 'number' ? Number((a + b).toPrecision(12)) : `${a} + ${b}`;

const above = ([x = 0, y = 0, z = 0]: Point): Point => [x, y, plus(z, HANGING)];

const isSame = (a: Point, b: Point): boolean => a.every((entry, i) => entry === b[i]);

function distance(a: Point, b: Point): number {
  const differences = a.map((entry, i) => {
    const other = b[i];
    return typeof entry === 'number' && typeof other === 'number' ? other - entry : Number.NaN;
  });
  const length = Math.hypot(...differences);
  return Number.isNaN(length) ? ROPE : Number(length.toPrecision(12));
}

/** The lower of two heights; the first where one is an expression. */
const lower = (a: Expression, b: Expression): Expression =>
  typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : a;

function holdOfTwo(type: string, places: readonly Point[]): Hold {
  const [first = ORIGIN, second] = places;
  if (type === 'PointPlaneStop') {
    // A plane below the point, so that the stop is open at the start.
    const [base, point] = second === undefined ? [ORIGIN, first] : [first, second];
    const [x = 0, y = 0, z = 0] = base;
    return { point: [x, y, lower(z, point[2] ?? 0)], point2: [...point] };
  }
  const [one, two] = second === undefined || isSame(first, second) ? [above(first), first] : [first, second];
  return {
    point: [...one],
    point2: [...two],
    ...(type === 'Rope' ? { lengthMax: distance(one, two) } : {}),
  };
}

/**
 * The places at which a joint takes hold of what it links; nothing of other relations, and before anything is
 * linked.
 */
export function startingHold({ systems }: Elements, { systems: linked, relation }: Linked): Hold {
  const hasTwo = OF_TWO_POINTS.includes(relation.type);
  if (!hasTwo && !OF_ONE_POINT.includes(relation.type)) return {};
  const bodies = linked.flatMap((id) => systems.find((system) => system.id === id) ?? []);
  if (bodies.length === 0) return {};
  if (hasTwo) return holdOfTwo(relation.type, bodies.map(placeOf));
  const moving = bodies.find(isMoving) ?? bodies[0];
  return moving === undefined ? {} : { point: [...placeOf(moving)] };
}

/** Whether a joint takes hold where it started to. */
function isUntouched(relation: TypedElement, hold: Hold): boolean {
  return (
    relation['given'] !== 'bodies' &&
    KEYS.every((key) => JSON.stringify(relation[key]) === JSON.stringify(hold[key]))
  );
}

/**
 * Makes a change of the links or the type of a joint; where it takes hold follows, unless that has been
 * given.
 */
export function withHold(document: Elements, interaction: InteractionDocument, change: () => void): void {
  const follows = isUntouched(interaction.relation, startingHold(document, interaction));
  change();
  if (!follows) return;
  const hold = startingHold(document, interaction);
  for (const key of KEYS) {
    const value = hold[key];
    if (value === undefined) delete interaction.relation[key];
    else interaction.relation[key] = value;
  }
}
