/** The stage in a component: loaded, sized, drawn when something has changed, and let go. */
import type { AnimationCamera } from '@engine/document/types';
import { inject, onBeforeUnmount, onMounted, ref, type Ref, type ShallowRef, shallowRef } from 'vue';
import { useRedrawBudget } from '../pacing/window-budget';
import { useNoticesStore } from '../stores/notices';
import { loadStage } from './load-stage';
import { type Stage, STAGE_LOADER, type StageEvents, StageUnavailable } from './stage';

type StageState = 'loading' | 'ready' | 'unavailable' | 'lost' | 'failed';

export interface StageUse {
  readonly stage: ShallowRef<Stage | null>;
  readonly state: Ref<StageState>;
  readonly size: Ref<{ width: number; height: number }>;
  /** Something has changed: a new picture before the next frame of the screen. */
  draw(): void;
  /** Makes the stage again, e.g. after the graphics card has given up. */
  restart(): void;
}

/**
 * @param frame what the picture fills @param holder what the canvas is put into
 * @param on told of the stage when it is there, of each picture, and of movements of the camera
 */
export function useStage(
  frame: Ref<HTMLElement | null>,
  holder: Ref<HTMLElement | null>,
  on: {
    ready(stage: Stage): void;
    drawn(stage: Stage): void;
    camera(camera: AnimationCamera, done: boolean): void;
    /** how many there are to be drawn, about */
    bodies(): number;
  },
): StageUse {
  const load = inject(STAGE_LOADER, loadStage);
  const budget = useRedrawBudget();
  const stage = shallowRef<Stage | null>(null);
  const state = ref<StageState>('loading');
  const size = ref({ width: 0, height: 0 });
  let picture: number | null = null;
  let observer: ResizeObserver | null = null;
  let isGone = false;

  function draw(): void {
    if (picture !== null) return;
    picture = requestAnimationFrame(() => {
      picture = null;
      const present = stage.value;
      if (present === null || size.value.width === 0) return;
      budget.charge();
      present.render();
      on.drawn(present);
    });
  }

  function resize(): void {
    const { clientWidth: width, clientHeight: height } = frame.value ?? { clientWidth: 0, clientHeight: 0 };
    if (width === 0 || height === 0) return;
    size.value = { width, height };
    stage.value?.resize(width, height);
    draw();
  }

  function release(): void {
    if (picture !== null) cancelAnimationFrame(picture);
    picture = null;
    stage.value?.dispose();
    stage.value = null;
    // A canvas whose context has been given up gives no other one.
    holder.value?.replaceChildren();
  }

  async function start(): Promise<void> {
    state.value = 'loading';
    try {
      const create = await load();
      if (isGone || holder.value === null) return;
      const canvas = document.createElement('canvas');
      holder.value.replaceChildren(canvas);
      const events: StageEvents = {
        camera: (camera, done) => {
          on.camera(camera, done);
          draw();
        },
        lost: () => {
          release();
          state.value = 'lost';
        },
      };
      const present = create(canvas, events, on.bodies());
      stage.value = present;
      state.value = 'ready';
      resize();
      on.ready(present);
      draw();
    } catch (error) {
      state.value = error instanceof StageUnavailable ? 'unavailable' : 'failed';
      if (state.value === 'failed') useNoticesStore().failure(error);
    }
  }

  onMounted(() => {
    if (frame.value !== null) {
      observer = new ResizeObserver(resize);
      observer.observe(frame.value);
    }
    void start();
  });
  onBeforeUnmount(() => {
    isGone = true;
    observer?.disconnect();
    release();
  });

  return {
    stage,
    state,
    size,
    draw,
    restart: () => {
      release();
      void start();
    },
  };
}
