/**
 * What slides without friction over flush ground keeps its speed: edges inside of the ground are none. Real
 * ones stop it.
 */
import { expect, it } from 'vitest';
import type { ModelDocument, SystemDocument } from '@engine/document/types';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { run } from '../support/run';
import { rigid, spaceModel, touch } from '../support/space';

const TILE = 0.4;
const H = 2e-3;
const tile = (i: number, j: number): Record<string, unknown> => ({
  type: 'Box',
  size: [TILE, TILE, 0.1],
  position: [TILE * i, TILE * j, -0.05],
});
const GRID = [-3, -2, -1, 0, 1, 2, 3].flatMap((i) => [-3, -2, -1, 0, 1, 2, 3].map((j) => [i, j] as const));
const fixed = (id: string, shapes: unknown[]): SystemDocument =>
  ({ id, type: 'FixedBody', shapes }) as SystemDocument;

/** Level ground at height 0, of a kind. */
const GROUNDS: Record<string, () => SystemDocument[]> = {
  tiles: () => [
    fixed(
      'ground',
      GRID.map(([i, j]) => tile(i, j)),
    ),
  ],
  bodies: () => GRID.map(([i, j], k) => fixed(`tile${k}`, [tile(i, j)])),
  field: () => [
    fixed('ground', [
      {
        type: 'HeightField',
        spacing: TILE,
        heights: Array.from({ length: 8 }, () => new Array<number>(8).fill(0)),
        position: [-1.4, -1.4, 0],
      },
    ]),
  ],
};
const SHAPES: Record<string, { shape: Record<string, unknown>; height: number; turn: number[] }> = {
  box: { shape: { type: 'Box', size: [0.2, 0.14, 0.1] }, height: 0.05, turn: [1, 0, 0, 0] },
  sphere: { shape: { type: 'Sphere', radius: 0.07 }, height: 0.07, turn: [1, 0, 0, 0] },
  capsule: {
    shape: { type: 'Capsule', radius: 0.04, length: 0.12 },
    height: 0.04,
    turn: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
  },
  cylinder: { shape: { type: 'Cylinder', radius: 0.07, height: 0.08 }, height: 0.04, turn: [1, 0, 0, 0] },
};

interface Slide {
  ground: string;
  shape: string;
  direction: number;
  speed: number;
  drop: number;
}

const SLIDES: Slide[] = Object.keys(GROUNDS).flatMap((ground) =>
  Object.keys(SHAPES).flatMap((shape) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((direction) =>
      [0.05, 0.5, 2, 10].flatMap((speed) =>
        [0, 0.002, 0.05, 0.3].map((drop) => ({ ground, shape, direction, speed, drop })),
      ),
    ),
  ),
);

/**
 * Over the corner or the middle of an edge of a tile, from before a landing on, or on the ground at the
 * start.
 */
function model({ ground, shape, direction, speed, drop }: Slide): ModelDocument {
  const angle = (direction * Math.PI) / 4;
  const along = [Math.cos(angle), Math.sin(angle)];
  const fall = Math.sqrt((2 * drop) / 9.81);
  const tEnd = Math.min(fall + Math.max(0.25 / speed, 0.02), 1.4 / speed, 1.5);
  const edge = along.map((a, k) => (Math.abs(a) > 0.1 ? 0.5 * TILE * Math.sign(a) : 0.03 * (k + 1)));
  const { shape: own, height, turn } = SHAPES[shape];
  const parts = GROUNDS[ground]();
  return spaceModel(
    [
      ...parts,
      rigid('slider', [...edge.map((x, k) => x - 0.5 * speed * tEnd * along[k]), height + drop], {
        mass: 1,
        velocity: [speed * along[0], speed * along[1], 0],
        orientation: turn,
        shapes: [own as never],
      }),
    ],
    [touch('contact', [...parts.map(({ id }) => id), 'slider'], 0)],
    { h: H, tEnd },
  );
}

function chosen(): Slide[] {
  const count = sample(9, SLIDES.length);
  if (count >= SLIDES.length) return SLIDES;
  const random = seeded(3);
  const step = SLIDES.length / count;
  return Array.from({ length: count }, (_, k) => SLIDES[Math.floor((k + random.uniform(0, 1)) * step)]);
}

it('what slides over seams keeps its velocity', () => {
  for (const slide of chosen()) {
    const document = model(slide);
    const { column, session } = run(document);
    const [x, y] = [column('slider.v[0]'), column('slider.v[1]')];
    let worst = 0;
    for (let k = 0; k < x.length; k++) worst = Math.max(worst, Math.hypot(x[k] - x[0], y[k] - y[0]));
    const what = JSON.stringify(slide);
    expect(worst / slide.speed, what).toBeLessThan(1e-6);
    const z = column('slider.q[2]');
    // It has sunk by the fall of one step before it was noticed, at most.
    const { height } = SHAPES[slide.shape];
    expect(height - Math.min(...z), what).toBeLessThan(H * Math.sqrt(2 * 9.81 * slide.drop) + 1e-4);
    const { coneViolation, complementarity, dynamics, limit } = session.certificate;
    expect(Math.max(coneViolation, complementarity, dynamics), what).toBeLessThan(limit ?? 0);
  }
});

it.each([
  [
    'a step up of a millimetre',
    [
      { type: 'Box', size: [1, 1, 0.1], position: [-0.5, 0, -0.05] },
      { type: 'Box', size: [1, 1, 0.1], position: [0.5, 0, -0.049] },
    ],
  ],
  [
    'a wall on the floor',
    [
      { type: 'Box', size: [2, 1, 0.1], position: [0, 0, -0.05] },
      { type: 'Box', size: [0.2, 1, 0.3], position: [0.1, 0, 0.15] },
    ],
  ],
])('%s stops a box, after a landing as well', (_, shapes) => {
  for (const drop of [0, 0.3]) {
    const { column } = run(
      spaceModel(
        [
          fixed('ground', shapes),
          rigid('slider', [-0.3, 0, 0.05 + drop], {
            mass: 1,
            velocity: [0.4, 0, 0],
            shapes: [{ type: 'Box', size: [0.2, 0.14, 0.1] }],
          }),
        ],
        [touch('contact', ['ground', 'slider'], 0)],
        { h: H, tEnd: 0.8 },
      ),
    );
    const x = column('slider.q[0]');
    expect(Math.max(...x)).toBeLessThan(-0.1 + 2 * H);
  }
});
