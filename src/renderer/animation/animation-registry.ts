/** Animations that are on screen: for commands, and read-only for automation. */
import { text } from '../i18n';
import { useNoticesStore } from '../stores/notices';
import { useWorkspaceStore } from '../stores/workspace';
import type { StageFigures } from './stage';

/** Hook for tests and automation: what an animation shows. It changes nothing. */
interface AnimationHook {
  /** time of what is shown, s; null before a run */
  time(): number | null;
  /** 7 a body */
  poses(): number[];
  figures(): StageFigures | null;
  /** where a body is in the picture, px from its upper left; null where it is not seen */
  place(body: number): { x: number; y: number } | null;
}

export interface RegisteredAnimation extends AnimationHook {
  togglePlaying(): void;
  exportFilm(): void;
}

declare global {
  interface Window {
    __moreauAnimations?: Record<string, AnimationHook>;
  }
}

const animations = new Map<string, RegisteredAnimation>();

/** Registers an animation under the id of its view. @returns a function that takes it out again */
export function registerAnimation(viewId: string, animation: RegisteredAnimation): () => void {
  animations.set(viewId, animation);
  const hooks = (window.__moreauAnimations ??= {});
  hooks[viewId] = {
    time: () => animation.time(),
    poses: () => animation.poses(),
    figures: () => animation.figures(),
    place: (body) => animation.place(body),
  };
  return () => {
    if (animations.get(viewId) !== animation) return;
    animations.delete(viewId);
    delete hooks[viewId];
  };
}

/** The active animation, else the first. */
function chosen(): RegisteredAnimation | null {
  const active = animations.get(useWorkspaceStore().activeView ?? '');
  const [first] = animations.values();
  const found = active ?? first ?? null;
  if (found === null) useNoticesStore().info(text('animation.none'));
  return found;
}

export const toggleAnimation = (): void => chosen()?.togglePlaying();
export const exportAnimation = (): void => chosen()?.exportFilm();
