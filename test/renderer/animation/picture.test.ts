/**
 * Scenes as drawings: what is in front covers what is behind, what is behind the eye is not drawn, and balls
 * have the outline that a lens gives them.
 */
import { describe, expect, it } from 'vitest';
import type { AnimationView } from '@engine/document/types';
import type { Scene, SceneBody, Vector3 } from '@engine/scene/scene';
import { eyeOf, viewCamera } from '@figures/animation/eye';
import { FIELD_OF_VIEW } from '@figures/animation/geometry/camera';
import { startBox } from '@figures/animation/geometry/motion-bounds';
import { startPoses } from '@figures/animation/geometry/poses';
import { paintersOrder } from '@figures/animation/painters-order';
import { scenePicture } from '@figures/animation/picture';
import { sceneForms, worldSolids } from '@figures/animation/solids';
import { LIGHT_STAGE } from '@figures/animation/stage-theme';
import { rowsIn, shownRows } from '@views/table/drawing';
import { sceneOf, shape, spatialBody } from './support/scenes';

const SIZE = { width: 400, height: 300 };
const at = (body: SceneBody, position: Vector3): SceneBody => ({ ...body, position });
const box = (id: string, halfLengths: Vector3, position: Vector3): SceneBody =>
  at(spatialBody(id, shape({ kind: 'box', halfLengths })), position);
const ball = (id: string, radius: number, position: Vector3): SceneBody =>
  at(spatialBody(id, shape({ kind: 'sphere', radius })), position);

/** Ids of the bodies in the order in which they are painted. */
function orderOf(scene: Scene, position: Vector3, target: Vector3): string[] {
  const eye = eyeOf({ position: [...position], target: [...target] }, [0, 0, 1], SIZE);
  const solids = worldSolids(sceneForms(scene), startPoses(scene), eye);
  return paintersOrder(solids, eye.position).map((i) => scene.bodies[solids[i]?.body ?? -1]?.id ?? '');
}

const draw = (scene: Scene, position: Vector3, target: Vector3): string =>
  scenePicture({
    scene,
    forms: sceneForms(scene),
    poses: startPoses(scene),
    box: startBox(scene),
    camera: { position: [...position], target: [...target] },
    overlays: [],
    theme: LIGHT_STAGE,
    size: SIZE,
  });

describe('the order of painting', () => {
  // The middle of the plate is nearer to the eye than that of what stands on its far end.
  const plate = box('plate', [5, 1, 0.1], [0, 0, -0.1]);

  it('puts what stands on a large plate before it, wherever it stands', () => {
    for (const x of [-4.5, -1, 0, 3, 4.5]) {
      const scene = sceneOf(box('cup', [0.1, 0.1, 0.1], [x, 0, 0.1]), plate);
      expect(orderOf(scene, [8, -3, 3], [0, 0, 0])).toEqual(['plate', 'cup']);
      expect(orderOf(scene, [8, -3, -3], [0, 0, 0])).toEqual(['cup', 'plate']);
    }
  });

  it('tells of balls by planes, too, and of two balls by their power about the eye', () => {
    const scene = sceneOf(plate, ball('ball', 0.3, [-4, 0, 0.3]));
    expect(orderOf(scene, [8, -3, 3], [0, 0, 0])).toEqual(['plate', 'ball']);
    // The middle of the large one is nearer; the small one stands before it all the same.
    const balls = sceneOf(ball('small', 0.1, [0, -1.2, 0]), ball('large', 1, [0, 0, 0]));
    expect(orderOf(balls, [0, -9, 0], [0, 0, 0])).toEqual(['large', 'small']);
  });

  it('has each body once where three cover each other in a ring', () => {
    const scene = sceneOf(
      box('a', [2, 0.1, 0.1], [0, -0.5, 0.3]),
      box('b', [0.1, 2, 0.1], [0.5, 0, 0.3]),
      box('c', [0.1, 0.1, 2], [0.2, -0.2, 0]),
    );
    expect(orderOf(scene, [6, -6, 6], [0, 0, 0]).sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('the drawing', () => {
  it('has the three faces of a box that look at the eye', () => {
    const svg = draw(sceneOf(box('box', [1, 1, 1], [0, 0, 0])), [6, -7, 5], [0, 0, 0]);
    expect(svg.match(/<polygon /g)).toHaveLength(3);
    const front = draw(sceneOf(box('box', [1, 1, 1], [0, 0, 0])), [0, -7, 0], [0, 0, 0]);
    expect(front.match(/<polygon /g)).toHaveLength(1);
  });

  it('shows a ball under the angle of its outline', () => {
    const svg = draw(sceneOf(ball('ball', 1, [0, 0, 0])), [0, -4, 0], [0, 0, 0]);
    const [, x, y, r] = /<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/.exec(svg) ?? [];
    const focal = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    expect([Number(x), Number(y)]).toEqual([200, 150]);
    expect(Number(r)).toBeCloseTo(focal * Math.tan(Math.asin(1 / 4)), 1);
  });

  it('leaves out what is behind the eye, and cuts what reaches behind it', () => {
    const behind = draw(sceneOf(ball('ball', 1, [0, -20, 0])), [0, -4, 0], [0, 0, 0]);
    expect(behind).not.toContain('<circle');
    const long = draw(sceneOf(box('rail', [0.5, 50, 0.1], [0, 0, -1])), [0, -4, 0], [0, 0, 0]);
    expect(long).toContain('<polygon ');
    expect(long).not.toMatch(/NaN|Infinity/);
  });

  it('goes with the body that its camera follows', () => {
    const scene = sceneOf(ball('ball', 1, [3, 0, 0]));
    const view: AnimationView = {
      type: 'animation',
      id: 'film',
      camera: { position: [0, -4, 0], target: [0, 0, 0] },
      follow: 'ball',
    };
    const camera = viewCamera(view, scene, startBox(scene), startPoses(scene), SIZE);
    expect(camera).toEqual({ position: [3, -4, 0], target: [3, 0, 0] });
    const { follow: _, ...still } = view;
    expect(viewCamera(still, scene, startBox(scene), startPoses(scene), SIZE)).toEqual(view.camera);
  });
});

describe('the rows of a drawn table', () => {
  it('are the first that there is room for, and the last', () => {
    expect(shownRows(0, 100, 4)).toEqual([0, 1, 2, 99]);
    expect(shownRows(0, 3, 4)).toEqual([0, 1, 2]);
    expect(shownRows(0, 4, 4)).toEqual([0, 1, 2, 3]);
    expect(shownRows(0, 0, 4)).toEqual([]);
    expect(rowsIn(10)).toBe(1);
  });
});
