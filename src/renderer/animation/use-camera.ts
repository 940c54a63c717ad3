/**
 * The camera of an animation: that of the document, or one that has the whole motion in the picture; and the
 * body it moves with.
 */
import type { AnimationCamera, AnimationView } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import { watch } from 'vue';
import { setCamera, setFollow } from './edits';
import type { SceneBox } from '@figures/animation/geometry/bounds';
import { isFlatScene } from '@figures/animation/geometry/bounds';
import {
  cameraDistance,
  directionOf,
  dollied,
  fitCamera,
  minus,
  type NamedView,
  orbited,
  panned,
  shifted,
  upOf,
  type SpaceVector,
} from '@figures/animation/geometry/camera';
import { POSE_NUMBERS } from '@figures/animation/geometry/poses';
import type { StageUse } from './use-stage';

/**
 * Cameras nearer to each other than this, relative to their distance, are the same: a document keeps five
 * digits.
 */
const SAME = 1e-4;
/** Turn of one key, rad; step of one key, in distances; factor of one key. */
const TURN = Math.PI / 24;
const STEP = 0.05;
const FACTOR = 0.85;

export interface CameraSource {
  scene(): Scene | null;
  /** room of the motion */
  box(): SceneBox | null;
  poses(): Float64Array;
}

export function useCamera(view: () => AnimationView, use: StageUse, source: CameraSource) {
  /** where the followed body was in the last picture; null while none is followed */
  let anchor: SpaceVector | null = null;

  const planar = (): boolean => {
    const scene = source.scene();
    return scene !== null && isFlatScene(scene);
  };
  const up = (): SpaceVector => upOf(planar());

  /** Place of the followed body; the origin where there is none. */
  function followed(): SpaceVector | null {
    const { follow } = view();
    const body = source.scene()?.bodies.findIndex(({ id }) => id === follow) ?? -1;
    const at = POSE_NUMBERS * body;
    const poses = source.poses();
    return body < 0 || at >= poses.length ? null : [poses[at], poses[at + 1], poses[at + 2]];
  }

  /** A camera that has all in the picture, seen from a direction. */
  function fitted(direction: SpaceVector): AnimationCamera | null {
    const box = source.box();
    const { width, height } = use.size.value;
    return box === null || height === 0 ? null : fitCamera(box, direction, up(), width / height);
  }

  function set(camera: AnimationCamera | null): void {
    if (camera === null) return;
    use.stage.value?.setCamera(camera);
    use.draw();
  }

  /** Takes the camera of the document, unless it is the one already. */
  function apply(): void {
    const stage = use.stage.value;
    if (stage === null) return;
    const { camera } = view();
    anchor = followed();
    const wanted =
      camera === undefined
        ? fitted(directionOf(planar() ? 'front' : 'isometric', planar()))
        : shifted(camera, anchor ?? [0, 0, 0]);
    if (wanted !== null && cameraDistance(stage.camera, wanted) > SAME) set(wanted);
  }

  /** Moves with the followed body. To be called when the poses have changed. */
  function keepUp(): void {
    const stage = use.stage.value;
    const now = followed();
    if (stage !== null && now !== null && anchor !== null)
      stage.setCamera(shifted(stage.camera, minus(now, anchor)));
    anchor = now;
  }

  /** Writes the present camera into the document. */
  function keep(): void {
    const stage = use.stage.value;
    if (stage === null) return;
    const [x, y, z] = anchor ?? [0, 0, 0];
    setCamera(view().id, shifted(stage.camera, [-x, -y, -z]));
  }

  function change(next: (camera: AnimationCamera, up: SpaceVector) => AnimationCamera | null): void {
    const stage = use.stage.value;
    if (stage === null) return;
    set(next(stage.camera, up()));
    keep();
  }

  /** Seen from one side, all in the picture. */
  function look(named: NamedView): void {
    change(() => fitted(directionOf(named, planar())));
  }

  /** All in the picture, seen from where it is seen now. */
  function fit(): void {
    change(({ position, target }) => fitted(minus(position, target)));
  }

  /** Follows a body, or none: what is seen stays where it is. */
  function follow(id: string | null): void {
    const stage = use.stage.value;
    const scene = source.scene();
    if (stage === null || scene === null) return;
    const at = POSE_NUMBERS * scene.bodies.findIndex((body) => body.id === id);
    const poses = source.poses();
    const place: SpaceVector = at < 0 ? [0, 0, 0] : [poses[at], poses[at + 1], poses[at + 2]];
    setFollow(view().id, id, shifted(stage.camera, minus([0, 0, 0], place)));
  }

  /** What a key does. @returns false for one that does nothing */
  function onKey({ key, shiftKey }: { key: string; shiftKey: boolean }): boolean {
    const [x, y] = ARROWS[key] ?? [0, 0];
    if (x !== 0 || y !== 0) {
      if (shiftKey) change((camera, above) => panned(camera, above, x * STEP, y * STEP));
      else change((camera, above) => orbited(camera, above, x * TURN, y * TURN));
    } else if (key === '+' || key === '=') zoom(FACTOR);
    else if (key === '-') zoom(1 / FACTOR);
    else if (key === '0' || key === 'f') fit();
    else if (VIEW_KEYS[key] !== undefined) look(VIEW_KEYS[key]);
    else return false;
    return true;
  }

  const zoom = (factor: number): void => change((camera) => dollied(camera, factor));

  watch([() => view().camera, () => view().follow, () => use.stage.value], apply);

  return { apply, keepUp, keep, look, fit, follow, zoom, onKey };
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const VIEW_KEYS: Readonly<Record<string, NamedView>> = {
  '1': 'front',
  '2': 'top',
  '3': 'side',
  '4': 'isometric',
};
