/** Which node lies in a direction: for keys. Pure. */
import { FRAME_HEAD } from '../frames/frames';
import type { Point } from './layout';
import type { GraphScene, SceneNode } from '../canvas/scene';

/** Of a frame the middle of its name: its own lies among its members. */
const middle = ({ kind, x, y, width, height }: SceneNode): Point => ({
  x: x + 0.5 * width,
  y: y + (kind === 'frame' ? 0.5 * FRAME_HEAD : 0.5 * height),
});

/** Going aside counts so much more than going ahead. */
const ASIDE = 2;

/**
 * The node that is reached from another in a direction: the nearest ahead.
 * @param way unit vector along x or y
 * @param alongLinks only nodes that are linked to it
 */
export function neighbourAlong(
  scene: GraphScene,
  from: string,
  way: Point,
  alongLinks: boolean,
): string | null {
  const start = scene.byId.get(from);
  if (start === undefined) return null;
  const candidates = alongLinks
    ? (scene.linksOf.get(from) ?? []).map(({ source, target }) => (source === from ? target : source))
    : scene.nodes.map(({ id }) => id);
  const origin = middle(start);
  let best: { id: string; cost: number } | null = null;
  for (const id of candidates) {
    const node = id === from ? undefined : scene.byId.get(id);
    if (node === undefined) continue;
    const { x, y } = middle(node);
    const [dx, dy] = [x - origin.x, y - origin.y];
    const ahead = dx * way.x + dy * way.y;
    const aside = Math.abs(dx * way.y) + Math.abs(dy * way.x);
    if (ahead <= 0) continue;
    const cost = ahead + ASIDE * aside;
    if (best === null || cost < best.cost) best = { id, cost };
  }
  return best?.id ?? null;
}
