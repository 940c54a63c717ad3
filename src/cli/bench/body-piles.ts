/**
 * Friction-contact problems of piles of bodies, as contact dynamics forms them: stacks, walls, blocks at
 * random, columns of balls. Bodies touch without overlap and are pushed about by random forces of the size of
 * their weights, so that contacts stick, slip and open here and there.
 */
import { ContactDetection, GROUND } from '@engine/collision/contact-detection';
import { box } from '@engine/model/shapes/box';
import { plane } from '@engine/model/shapes/plane';
import type { Shape } from '@engine/collision/shapes/shape';
import { sphere } from '@engine/model/shapes/sphere';
import { ContactDynamics } from '@engine/contact-dynamics/contact-dynamics';
import { DetectedContacts } from '@engine/contact-dynamics/contacts/detected-contacts';
import type { FrictionContactProblem } from '@engine/problems/friction-contact';
import type { FrictionSolver } from '@engine/solvers/friction/solver';
import { compileSpatial } from '@engine/spatial/compile';
import { generator } from './random';

const G = 9.81;
/**
 * kg/m³: bodies of about 1 kg, so that the residual, which adds velocities and impulses, says something of
 * both
 */
const DENSITY = 1;
/** s */
const STEP = 5e-3;
/** Random forces relative to weights, and angular accelerations relative to g/m. */
const PUSH = 0.5;
/** m, by which bodies overlap so that rounding does not part them */
const OVERLAP = 1e-12;
const MARGIN = 0.01;

interface Placed {
  shape: Shape;
  position: [number, number, number];
  /** about the vertical, rad */
  turn?: number;
}

export const FAMILIES = ['stack', 'wall', 'blocks', 'columns'] as const;
export type Family = (typeof FAMILIES)[number];

/** Where the bodies of a pile of about that many contacts lie. */
const LAYOUTS: Readonly<Record<Family, (contacts: number) => Placed[]>> = { stack, wall, blocks, columns };

/** Slabs on top of one another, four contacts each. */
function stack(contacts: number): Placed[] {
  const shape = box(0.5, 0.5, 0.25);
  return Array.from({ length: Math.ceil(contacts / 4) }, (_, k) => ({
    shape,
    position: [0, 0, 0.25 + k * (0.5 - OVERLAP)] as [number, number, number],
  }));
}

/**
 * Bricks in running bond, eight contacts each above the lowest course; a wall twice as long as it is high.
 */
function wall(contacts: number): Placed[] {
  const shape = box(0.5, 0.25, 0.25);
  const courses = Math.max(2, Math.round(Math.sqrt(contacts / 32)));
  const long = Math.max(1, Math.ceil(contacts / (8 * courses)));
  return Array.from({ length: courses * long }, (_, k) => {
    const course = Math.floor(k / long);
    return {
      shape,
      // No contacts between the ends of the bricks of a course.
      position: [((k % long) + (course % 2) / 2) * 1.05, 0, 0.25 + course * (0.5 - OVERLAP)],
    };
  });
}

/** Contacts that there are for each block at random. */
const BLOCK_CONTACTS = 8.5;

/**
 * Layers of blocks of random lengths and widths, turned at random, each in its own cell of a grid that is
 * shifted from layer to layer.
 */
function blocks(contacts: number): Placed[] {
  const next = generator(11);
  const count = Math.max(1, Math.ceil(contacts / BLOCK_CONTACTS));
  const side = Math.max(2, Math.round(Math.cbrt(count)));
  return Array.from({ length: count }, (_, k) => {
    const layer = Math.floor(k / (side * side));
    const [x, y] = [k % side, Math.floor(k / side) % side];
    const half = [0.35 + 0.1 * next(), 0.3 + 0.1 * next()];
    const shift = (layer % 2) / 2;
    return {
      shape: box(half[0], half[1], 0.25),
      position: [x + shift, y + shift, 0.25 + layer * (0.5 - OVERLAP)],
      turn: Math.PI * next(),
    };
  });
}

/**
 * A bundle of columns of equal balls, eight times as high as wide, in which each ball touches its neighbours
 * on all sides.
 */
function columns(contacts: number): Placed[] {
  const shape = sphere(0.5);
  const width = Math.max(1, Math.round(Math.cbrt(contacts / 24)));
  const height = Math.max(1, Math.round(contacts / (width * (3 * width - 2))));
  const step = 1 - OVERLAP;
  return Array.from({ length: width * width * height }, (_, k) => ({
    shape,
    position: [
      (k % width) * step,
      (Math.floor(k / width) % width) * step,
      0.5 + Math.floor(k / (width * width)) * step,
    ],
  }));
}

/** Takes the problem of a step and solves nothing. */
const none: FrictionSolver = {
  solve(_, __, result) {
    result.status = 'maxIterations';
  },
};

/**
 * @param contacts about how many
 * @param mu Coulomb's coefficient of all contacts
 * @param seed of what pushes the bodies, not zero
 */
export function bodyPile(family: Family, contacts: number, mu: number, seed = 1): FrictionContactProblem {
  const placed = LAYOUTS[family](contacts);
  const next = generator(seed);
  const push = (inertia: number): number => PUSH * G * inertia * next();
  const bodies = placed.map(({ shape, position, turn = 0 }, k) => {
    const properties = shape.massProperties(DENSITY);
    if (properties === null) throw new Error('a body of a pile has a mass');
    const { mass, inertia } = properties;
    return {
      id: `body${k}`,
      mass,
      inertia: [...inertia],
      position,
      orientation: [Math.cos(turn / 2), 0, 0, Math.sin(turn / 2)],
    };
  });
  const system = compileSpatial({
    bodies,
    joints: [],
    loads: [
      { type: 'gravity', id: 'weight', acceleration: [0, 0, -G] },
      // As forces they leave positions as they are until the contacts have been found.
      ...bodies.map(({ id, mass, inertia }, k) => ({
        type: 'wrench' as const,
        id: `push${k}`,
        on: { body: id },
        frame: 'body' as const,
        value: [mass, mass, mass, inertia[0], inertia[4], inertia[8]].map(push),
      })),
    ],
  });
  const detection = new ContactDetection({ dimension: 3, margin: MARGIN });
  detection.add(GROUND, plane([0, 0, 1]));
  placed.forEach(({ shape }, k) => detection.add(k, shape));
  const source = new DetectedContacts(detection, { materialOf: () => 0 });
  const material = { kind: 'impact', friction: mu, restitution: 0, tangentialRestitution: 0 } as const;
  const dynamics = new ContactDynamics(system, source, [material], none, {
    t0: 0,
    h: STEP,
    motion: { gyroscopic: 'conserving' },
    tolerance: 1e-8,
    projects: false,
  });
  dynamics.advance();
  return dynamics.problem;
}
