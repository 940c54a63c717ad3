/** Scenes of 3D bodies that several engines step at one and the same length of step. */
import { sphere } from '@engine/model/shapes/sphere';
import { box } from '@engine/model/shapes/box';
import type { Shape } from '@engine/collision/shapes/shape';
import { generator } from '../random';

/** kg/m³ */
export const DENSITY = 1000;
export const FRICTION = 0.5;
const G = 9.81;

/** A cube or a ball; half an edge or the radius, m. */
export interface SceneBody {
  readonly kind: 'cube' | 'ball';
  readonly size: number;
  /** m */
  readonly position: readonly [number, number, number];
}

export interface Scene {
  readonly name: string;
  /** over the plane z = 0 */
  readonly bodies: readonly SceneBody[];
  /** m/s² */
  readonly gravity: readonly [number, number, number];
  /** of steps, s */
  readonly h: number;
  readonly steps: number;
  /** what it is about, besides overlaps */
  readonly asks: 'tower' | 'slip' | 'nothing';
}

export const shapeOf = ({ kind, size }: SceneBody): Shape =>
  kind === 'cube' ? box(size, size, size) : sphere(size);

/** m, kg and kg m² of cube or ball: each has one moment of inertia. */
export function inertiaOf({ kind, size }: SceneBody): { mass: number; inertia: number } {
  const mass = kind === 'cube' ? 8 * DENSITY * size ** 3 : (4 / 3) * Math.PI * DENSITY * size ** 3;
  return { mass, inertia: (kind === 'cube' ? 2 / 3 : 2 / 5) * mass * size ** 2 };
}

const DOWN = [0, 0, -G] as const;
const H = 5e-3;
/** Half an edge of cubes, and radius of balls, m. */
const HALF = 0.1;
const RADIUS = 0.05;

const tower = (count: number, gap: number): SceneBody[] =>
  Array.from({ length: count }, (_, k) => ({
    kind: 'cube',
    size: HALF,
    position: [0, 0, HALF + gap + k * (2 * HALF + gap)],
  }));

/** A column of balls on a lattice, each off its place by a little. */
function column(side: number): SceneBody[] {
  const next = generator(5);
  const pitch = 2.02 * RADIUS;
  const off = (): number => 0.008 * RADIUS * next();
  return Array.from({ length: side ** 3 }, (_, k) => ({
    kind: 'ball',
    size: RADIUS,
    position: [
      pitch * (k % side) + off(),
      pitch * (Math.floor(k / side) % side) + off(),
      RADIUS + pitch * Math.floor(k / side ** 2),
    ],
  }));
}

/** Cubes and balls in turn that fall on the ground and on one another, in layers above it. */
function rain(count: number, layers: number): SceneBody[] {
  const next = generator(9);
  const side = Math.ceil(Math.sqrt(count / layers));
  const pitch = 3 * HALF;
  const off = (): number => 0.5 * HALF * next();
  return Array.from({ length: count }, (_, k) => ({
    kind: k % 2 === 0 ? 'cube' : 'ball',
    size: HALF,
    position: [
      pitch * (k % side) + off(),
      pitch * (Math.floor(k / side) % side) + off(),
      2 * HALF + pitch * Math.floor(k / side ** 2),
    ],
  }));
}

/** Slope of 20°, whose tangent 0.364 is below the coefficient of friction. */
const SLOPE = Math.PI / 9;

export const SCENES: readonly Scene[] = [
  {
    name: 'stack of 100 cubes at rest',
    bodies: tower(100, 0),
    gravity: DOWN,
    h: H,
    steps: 400,
    asks: 'tower',
  },
  {
    name: 'stack of 100 cubes, dropped with gaps of 1 mm',
    bodies: tower(100, 1e-3),
    gravity: DOWN,
    h: H,
    steps: 400,
    asks: 'tower',
  },
  { name: 'column of 1000 balls', bodies: column(10), gravity: DOWN, h: H, steps: 200, asks: 'nothing' },
  { name: '1000 falling bodies', bodies: rain(1000, 4), gravity: DOWN, h: H, steps: 150, asks: 'nothing' },
  {
    name: 'cube on a slope of 20°',
    bodies: [{ kind: 'cube', size: HALF, position: [0, 0, HALF] }],
    gravity: [G * Math.sin(SLOPE), 0, -G * Math.cos(SLOPE)],
    h: H,
    steps: 1000,
    asks: 'slip',
  },
  { name: '10000 falling bodies', bodies: rain(10_000, 4), gravity: DOWN, h: H, steps: 80, asks: 'nothing' },
];
