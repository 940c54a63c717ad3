/** Playing the run that is shown: its rows, the clock, and the time cursor of the dashboard. */
import type { AnimationView } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import { computed, onBeforeUnmount, onMounted, shallowRef, watch } from 'vue';
import { usePacedRefresh } from '../pacing/window-budget';
import { describeError, useNoticesStore } from '../stores/notices';
import { usePlotCursorStore } from '../stores/plot-cursor';
import { useRunsStore } from '../stores/runs';
import { useHost } from '../transport/host';
import { posePlan, startPoses } from '@figures/animation/geometry/poses';
import { type ClockState, restingClock } from './playback/clock';
import { Player } from './playback/player';
import { type Recorded, Trajectory } from './playback/trajectory';
import { prefersReducedMotion } from './reduced-motion';
import type { ShownScene } from './use-scene';

/**
 * Figures and plots follow the picture at this distance, ms: each change of them costs more than the picture
 * itself.
 */
const FOLLOW_INTERVAL = 80;

export interface PlaybackHost {
  /** poses to be shown, 7 a body; time null: of the document, before any run */
  shown(poses: Float64Array, time: number | null): void;
}

const nextPicture = (callback: (now: number) => void): (() => void) => {
  const id = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(id);
};

export function usePlayback(shown: () => ShownScene | null, view: () => AnimationView, host: PlaybackHost) {
  const runs = useRunsStore();
  const cursor = usePlotCursorStore();
  const player = shallowRef<Player | null>(null);
  const clock = shallowRef<ClockState>(restingClock);
  /** poses and time for the figures beside the picture; a new object each time */
  const figures = shallowRef<{ poses: Float64Array; time: number | null }>({
    poses: new Float64Array(0),
    time: null,
  });
  const unrecorded = shallowRef<readonly string[]>([]);
  let ownRequest = 0;
  let lastFollowed = -Infinity;

  const recorded = computed<Recorded & { from: number; to: number }>(() => {
    const run = runs.current;
    if (run === null) return { rows: 0, spacing: 0, from: 0, to: 0 };
    const { rows, simulatedTime } = run.statistics;
    const spacing = rows > 1 ? (simulatedTime - run.t0) / (rows - 1) : 0;
    return { rows, spacing, from: run.t0, to: Math.max(run.t0, simulatedTime) };
  });

  function failed(error: unknown): void {
    // A run deleted while it was being read is no news.
    if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
  }

  function follow(poses: Float64Array, time: number): void {
    const now = performance.now();
    const rests = !clock.value.playing;
    if (!rests && now - lastFollowed < FOLLOW_INTERVAL) return;
    lastFollowed = now;
    figures.value = { poses, time };
    // What follows a run that goes on must not move the parts of plots that the user has zoomed to.
    if (clock.value.follows && rests) return;
    cursor.moveTo(time);
    ownRequest = cursor.mark?.request ?? 0;
  }

  function open(scene: Scene, runId: string): Player {
    const names = new Set(runs.current?.signals.map(({ name }) => name));
    const plan = posePlan(scene, names);
    unrecorded.value = plan.unrecorded;
    const poses = startPoses(scene);
    const trajectory = new Trajectory(useHost().dispatcher, runId, plan, poses);
    return new Player(trajectory, poses, {
      nextPicture,
      changed: (next) => (clock.value = next),
      shown: (time) => {
        host.shown(poses, time);
        follow(poses, time);
      },
      failed,
    });
  }

  function extend(): void {
    const { from, to, ...rest } = recorded.value;
    player.value?.extend(rest, from, to);
  }

  const refresh = usePacedRefresh(() => {
    extend();
    return Promise.resolve();
  });

  function begin(next: ShownScene | null): void {
    player.value?.close();
    player.value = null;
    unrecorded.value = [];
    if (next === null) {
      clock.value = restingClock;
      return;
    }
    const { scene, runId } = next;
    if (runId === null) {
      clock.value = restingClock;
      const poses = startPoses(scene);
      figures.value = { poses, time: null };
      host.shown(poses, null);
      return;
    }
    const { follows, time } = clock.value;
    const opened = open(scene, runId);
    player.value = opened;
    const { speed = 1, loop = false } = view();
    const isLive = runs.active !== null;
    const mark = cursor.mark?.t ?? (follows ? null : time);
    opened.set({ speed, loop, follows: mark === null && isLive && !prefersReducedMotion() });
    extend();
    // A run that is over is shown from its start, or where the cursor stands.
    if (!opened.clock.follows) void opened.seek(mark ?? recorded.value.from);
  }

  watch(shown, begin);
  // Not before: the listener for the first poses must exist.
  onMounted(() => begin(shown()));
  watch(
    () => runs.current?.statistics.rows,
    () => refresh.inTurn(),
  );
  watch(
    () => runs.current?.state,
    () => refresh.now(),
  );
  watch([() => view().speed, () => view().loop], ([speed = 1, loop = false]) =>
    player.value?.set({ speed, loop }),
  );
  watch(
    () => cursor.mark,
    (mark) => {
      if (mark !== null && mark.request !== ownRequest) void player.value?.seek(mark.t);
    },
  );
  onBeforeUnmount(() => player.value?.close());

  return { player, clock, figures, recorded, unrecorded };
}
