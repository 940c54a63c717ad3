/**
 * Bodies that one click adds ready to move: a ball, a box, what they fall on. Where bodies with discs and
 * polygons are, all move in a plane, whose height is y.
 */
import type { FieldValue, ModelDocument, SystemDocument, TypedElement } from '@engine/document/types';
import type { ComponentSymbol } from '@engine/model/definition';
import { contactOfAll, FIXED, hasFlatShapes, placeBeside, RIGID, SHAPE_CONTACT, shapesOf } from './bodies';
import { freshName } from './factory';

type Vector = [number, number, number];

export interface BodyStart {
  readonly key: string;
  readonly title: string;
  readonly summary: string;
  readonly words: readonly string[];
  readonly symbol: ComponentSymbol;
  /** what it adds; of a body that falls, in the plane or in space */
  readonly bodies: readonly ('ball' | 'box' | 'floor' | 'wall' | 'slope')[];
  /** in the plane wherever it is used; else where the other bodies are */
  readonly isFlat?: true;
}

const G = 9.81;
const HEIGHT = 0.6;
const RADIUS = 0.1;
const BOX: Vector = [0.3, 0.2, 0.2];
/** of a slope, rad */
const ANGLE = Math.PI / 9;
const DENSITY = 1000;

const BALL_LINES = 'M14 0A14 14 0 1 1 -14 0A14 14 0 1 1 14 0';
const symbol = (...lines: string[]): ComponentSymbol => ({ width: 20, height: 20, lines });

export const BODY_STARTS: readonly BodyStart[] = [
  {
    key: 'ball',
    title: 'Ball',
    summary: 'A ball of 0.1 m that falls and bounces in space.',
    words: ['sphere', 'bouncing ball', 'marble', '3D', 'Kugel', 'Ball', 'bille', 'balle', 'sphère'],
    symbol: symbol(BALL_LINES),
    bodies: ['ball'],
  },
  {
    key: 'ballOnFloor',
    title: 'Ball on a floor',
    summary: 'A ball that falls on a floor, with impact and friction between them: ready to run.',
    words: ['bouncing ball', 'gravity', 'fall', 'impact', 'bounce', '3D', 'Kugel auf dem Boden'],
    symbol: symbol(
      'M10 -6A10 10 0 1 1 -10 -6A10 10 0 1 1 10 -6',
      'M-20 8H20M-14 8L-20 16M-2 8L-8 16M10 8L4 16',
    ),
    bodies: ['floor', 'ball'],
  },
  {
    key: 'box',
    title: 'Box',
    summary: 'A box of 0.3 m × 0.2 m × 0.2 m that falls and tips in space.',
    words: ['cube', 'block', 'brick', 'crate', '3D', 'Kiste', 'Quader', 'Würfel', 'boîte', 'caisse'],
    symbol: symbol('M-14 -8H14V12H-14Z'),
    bodies: ['box'],
  },
  {
    key: 'floor',
    title: 'Floor',
    summary: 'A level floor without end, for bodies to fall on.',
    words: ['ground', 'plane', 'table', 'gravity', 'Boden', 'Ebene', 'sol', 'plancher'],
    symbol: symbol('M-20 0H20M-14 0L-20 8M-2 0L-8 8M10 0L4 8'),
    bodies: ['floor'],
  },
  {
    key: 'wall',
    title: 'Wall for bodies',
    summary: 'An upright wall without end, 1 m to the left of the origin.',
    words: ['wall', 'barrier', 'Wand', 'Mauer', 'mur', 'paroi'],
    symbol: symbol('M0 -18V18M0 -18L-10 -10M0 -6L-10 2M0 6L-10 14'),
    bodies: ['wall'],
  },
  {
    key: 'slope',
    title: 'Slope',
    summary: 'A plane inclined by 20°, for bodies to roll and slide down.',
    words: [
      'ramp',
      'incline',
      'inclined plane',
      'hill',
      'Rampe',
      'schiefe Ebene',
      'Hang',
      'pente',
      'plan incliné',
    ],
    symbol: symbol('M-20 -10L20 10M-12 -6L-18 4M2 1L-4 11'),
    bodies: ['slope'],
  },
  {
    key: 'flatBall',
    title: 'Ball in the plane',
    summary: 'A disc of 0.1 m: with it all bodies of the model move in the plane of x and y.',
    words: ['disc', 'disk', 'circle', '2D', 'planar', 'Scheibe', 'Kreis', 'disque'],
    symbol: symbol(BALL_LINES, 'M0 0H14'),
    bodies: ['ball'],
    isFlat: true,
  },
  {
    key: 'flatBox',
    title: 'Box in the plane',
    summary: 'A rectangle: with it all bodies of the model move in the plane of x and y.',
    words: ['rectangle', 'polygon', '2D', 'planar', 'Rechteck', 'rectangle'],
    symbol: symbol('M-14 -8H14V12H-14ZM0 2H14'),
    bodies: ['box'],
    isFlat: true,
  },
];

/** Height is the second of three numbers in the plane, and the third in space. */
const upright = (x: number, height: number, isFlat: boolean): Vector =>
  isFlat ? [x, height, 0] : [x, 0, height];

function shapeOf(body: BodyStart['bodies'][number], isFlat: boolean): TypedElement {
  const [length, width, height] = BOX;
  switch (body) {
    case 'ball':
      return { type: isFlat ? 'Disc' : 'Sphere', radius: RADIUS };
    case 'box': {
      const [a, b] = [0.5 * length, 0.5 * height];
      const points: FieldValue = [
        [-a, -b],
        [a, -b],
        [a, b],
        [-a, b],
      ];
      return isFlat ? { type: 'Polygon', points } : { type: 'Box', size: [length, width, height] };
    }
    case 'floor':
      return { type: 'Plane', ...(isFlat ? { normal: [0, 1, 0] } : {}) };
    case 'wall':
      return { type: 'Plane', normal: [1, 0, 0], offset: -1 };
    case 'slope':
      return {
        type: 'Plane',
        normal: upright(Number(Math.sin(ANGLE).toFixed(6)), Number(Math.cos(ANGLE).toFixed(6)), isFlat),
      };
  }
}

/** Floors and slopes that were there before the first disc stand upright in its plane. */
function layFlat(systems: readonly SystemDocument[]): void {
  for (const system of systems)
    for (const shape of shapesOf(system)) {
      const { type, normal } = shape as { type: string; normal?: number[] };
      if (type !== 'Plane') continue;
      const [x = 0, y = 0, z = 0] = normal ?? [0, 0, 1];
      shape['normal'] = [x, z === 0 ? y : z, 0];
    }
}

/**
 * Adds the bodies of a start, and the contact between all bodies where there is none.
 * @param taken names that are in use @returns ids of what is new, bodies first
 */
export function addStart(
  draft: ModelDocument,
  { bodies, isFlat: wantsPlane }: BodyStart,
  taken: readonly string[],
): { bodies: string[]; contact: string | null } {
  const isFlat = wantsPlane === true || hasFlatShapes(draft.systems);
  if (isFlat && !hasFlatShapes(draft.systems)) layFlat(draft.systems);
  const ids: string[] = [];
  for (const body of bodies) {
    const id = freshName(body, [...taken, ...ids], '');
    const isFixed = body !== 'ball' && body !== 'box';
    const system: SystemDocument = isFixed
      ? { id, type: FIXED, shapes: [shapeOf(body, isFlat)] }
      : {
          id,
          type: RIGID,
          density: DENSITY,
          position: upright(0, HEIGHT, isFlat),
          gravity: upright(0, -G, isFlat),
          shapes: [shapeOf(body, isFlat)],
        };
    placeBeside(system, draft);
    const contact = contactOfAll(draft);
    draft.systems.push(system);
    contact?.systems.push(id);
    ids.push(id);
  }
  const shaped = draft.systems.filter((system) => shapesOf(system).length > 0);
  const hasContact = draft.interactions.some(({ relation }) => relation.type === SHAPE_CONTACT);
  if (hasContact || shaped.length < 2 || shaped.every(({ type }) => type === FIXED))
    return { bodies: ids, contact: null };
  const contact = freshName('contact', [...taken, ...ids], '');
  draft.interactions.push({
    id: contact,
    systems: shaped.map(({ id }) => id),
    relation: { type: SHAPE_CONTACT },
    law: { type: 'NewtonImpactFriction3D', mu: 0.3, e: 0.6 },
  });
  return { bodies: ids, contact };
}
