/** Wires of drawn circuits: right angles, around symbols, no two nets on one line, the same each time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Point, Rectangle } from '@figures/circuit/geometry';
import { type Net, routeNets, simplified } from '@figures/circuit/route';
import { drawnWire } from '@figures/circuit/wires';
import { sample } from '../../support/prove';

const WAYS = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
];

interface Drawing {
  nets: Net[];
  obstacles: Rectangle[];
  stops: Point[];
}

/** Two-poles of 80 by 24 at cells of a grid, their pins joined to nets at random. */
const drawings = fc
  .record({
    cells: fc.uniqueArray(fc.record({ x: fc.nat(7), y: fc.nat(7), turned: fc.boolean() }), {
      minLength: 2,
      maxLength: 24,
      selector: ({ x, y }) => 10 * x + y,
    }),
    nets: fc.array(fc.nat(11), { minLength: 48, maxLength: 48 }),
  })
  .map(({ cells, nets }): Drawing => {
    const obstacles: Rectangle[] = [];
    const pins: (Point & { direction: Point })[] = [];
    for (const { x, y, turned } of cells) {
      const [cx, cy] = [140 * x, 140 * y];
      const [w, h] = turned ? [12, 40] : [40, 12];
      obstacles.push({ x: cx - w, y: cy - h, width: 2 * w, height: 2 * h });
      for (const way of turned ? [1, 3] : [0, 2]) {
        const direction = WAYS[way];
        pins.push({ x: cx + 40 * direction.x, y: cy + 40 * direction.y, direction });
      }
    }
    const of = new Map<number, Net & { pins: typeof pins }>();
    pins.forEach((pin, i) => {
      const id = nets[i];
      const net = of.get(id) ?? { id: `n${id}`, pins: [] };
      of.set(id, { ...net, pins: [...net.pins, pin] });
    });
    const all = [...of.values()];
    return {
      nets: all.filter(({ pins: own }) => own.length > 1),
      obstacles,
      stops: all.filter(({ pins: own }) => own.length === 1).flatMap(({ pins: own }) => own),
    };
  });

/** Every step of 10 px of some lines, without direction. */
function steps(lines: readonly (readonly Point[])[]): string[] {
  const found = new Set<string>();
  for (const line of lines)
    for (let i = 0; i + 1 < line.length; i++) {
      const [a, b] = [line[i], line[i + 1]];
      const [dx, dy] = [Math.sign(b.x - a.x), Math.sign(b.y - a.y)];
      for (let k = 0; k < (Math.abs(b.x - a.x) + Math.abs(b.y - a.y)) / 10; k++) {
        const [p, q] = [k, k + 1].map((n) => [a.x + 10 * n * dx, a.y + 10 * n * dy] as const);
        found.add([p, q].sort((u, v) => u[0] - v[0] || u[1] - v[1]).join(' '));
      }
    }
  return [...found];
}

describe('wires', () => {
  it('join all pins of a net, at right angles, around symbols, each on lines of its own', () => {
    fc.assert(
      fc.property(drawings, (drawing) => {
        const routes = routeNets(drawing);
        const taken = new Map<string, string>();
        for (const { id, pins } of drawing.nets) {
          const lines = routes.get(id)!;
          for (const line of lines)
            for (let i = 0; i + 1 < line.length; i++)
              if (line[i].x !== line[i + 1].x && line[i].y !== line[i + 1].y)
                throw new Error(`${id} is askew`);
          for (const step of steps(lines)) {
            if ((taken.get(step) ?? id) !== id) throw new Error(`${id} and ${taken.get(step)} share ${step}`);
            taken.set(step, id);
            const [ax, ay, bx, by] = step.split(/[ ,]/).map(Number) as [number, number, number, number];
            const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
            for (const box of drawing.obstacles)
              if (x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height)
                throw new Error(`${id} runs through a symbol`);
          }
          // All ends are in one piece: nothing is left when no branch is taken out.
          const ends = new Map(pins.map((pin, i) => [`P${i}.a`, pin]));
          const { branches } = drawnWire(id, lines, ends);
          for (const { sides } of branches) expect(new Set(sides.flat())).toEqual(new Set(ends.keys()));
        }
        expect(routeNets(drawing)).toEqual(routes);
      }),
      { seed: 1, numRuns: sample(60, 2000) },
    );
  });

  it('are straight between pins that face each other', () => {
    const nets = [
      {
        id: 'n1',
        pins: [
          { x: 0, y: 0, direction: WAYS[0] },
          { x: 100, y: 0, direction: WAYS[2] },
        ],
      },
    ];
    const routes = routeNets({ nets, obstacles: [], stops: [] });
    expect(routes.get('n1')!.map(simplified)).toEqual([
      [
        { x: 100, y: 0 },
        { x: 0, y: 0 },
      ],
    ]);
  });

  it('go around a pin without a wire, which they would seem to join', () => {
    const nets = [
      {
        id: 'n1',
        pins: [
          { x: 0, y: 0, direction: WAYS[0] },
          { x: 100, y: 0, direction: WAYS[2] },
        ],
      },
    ];
    const [line] = routeNets({ nets, obstacles: [], stops: [{ x: 50, y: 0 }] }).get('n1')!;
    expect(line.length).toBeGreaterThan(2);
  });

  it('of 1000 components are laid while one looks on', () => {
    const obstacles: Rectangle[] = [];
    const pins: (Point & { direction: Point })[][] = [];
    for (let i = 0; i < 1000; i++) {
      const [x, y] = [120 * (i % 32), 80 * Math.floor(i / 32)];
      obstacles.push({ x: x - 40, y: y - 12, width: 80, height: 24 });
      (pins[i] ??= []).push({ x: x + 40, y, direction: WAYS[0] });
      (pins[(i + (i % 7 === 0 ? 33 : 1)) % 1000] ??= []).push({ x: x - 40, y, direction: WAYS[2] });
    }
    const nets = pins.map((own, i) => ({ id: `n${i}`, pins: own }));
    const start = performance.now();
    routeNets({ nets, obstacles, stops: [] });
    const time = performance.now() - start;
    expect(time).toBeLessThan(4000);
  });
});
