/** Changes to an animation of the document. */
import type { AnimationCamera, AnimationOverlay, AnimationView } from '@engine/document/types';
import type { Draft } from 'mutative';
import { materialiseViews } from '../document/views';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useReportStore } from '../stores/report';
import { roundedCamera } from '@figures/animation/geometry/camera';

/** @param gesture edits of one gesture carry the same name and are one step */
function editAnimation(
  viewId: string,
  label: string,
  gesture: string,
  change: (view: Draft<AnimationView>) => void,
): void {
  const { signals } = useReportStore();
  useDocumentStore().edit(
    label,
    (draft) => {
      materialiseViews(draft, signals);
      const view = draft.views.find(({ id }) => id === viewId);
      if (view?.type === 'animation') change(view);
    },
    { mergeKey: `${gesture} ${viewId}` },
  );
}

/** @param camera null: fits the scene again */
export function setCamera(viewId: string, camera: AnimationCamera | null): void {
  editAnimation(viewId, text('edit.camera'), 'camera', (view) => {
    if (camera === null) delete view.camera;
    else view.camera = roundedCamera(camera);
  });
}

/** Follows a body, or none. @param camera from now on relative to its place, or to the origin */
export function setFollow(viewId: string, follow: string | null, camera: AnimationCamera): void {
  editAnimation(viewId, text('edit.follow'), 'follow', (view) => {
    if (follow === null) delete view.follow;
    else view.follow = follow;
    view.camera = roundedCamera(camera);
  });
}

export function setOverlays(viewId: string, overlays: readonly AnimationOverlay[]): void {
  editAnimation(viewId, text('edit.view'), 'overlays', (view) => (view.overlays = [...overlays]));
}

export function setForceScale(viewId: string, scale: number): void {
  editAnimation(viewId, text('edit.view'), 'force scale', (view) => (view.forceScale = scale));
}

export function setSpeed(viewId: string, speed: number): void {
  editAnimation(viewId, text('edit.view'), 'speed', (view) => (view.speed = speed));
}

export function setLoop(viewId: string, loop: boolean): void {
  editAnimation(viewId, text('edit.view'), 'loop', (view) => (view.loop = loop));
}
