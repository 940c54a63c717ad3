/**
 * What belongs to the motion as a whole or to a time of it, beside the poses: the room it takes, trails,
 * contacts.
 */
import type { AnimationOverlay } from '@engine/document/types';
import type { Scene } from '@engine/scene/scene';
import { computed, onBeforeUnmount, shallowRef, watch } from 'vue';
import { LatestWins } from '../dashboard/plot/latest-wins';
import { usePacedRefresh } from '../pacing/window-budget';
import { describeError, useNoticesStore } from '../stores/notices';
import { isActive, useRunsStore } from '../stores/runs';
import { drawnContactsOf, type ContactSnapshot } from './contacts';
import type { SceneBox } from '@figures/animation/geometry/bounds';
import { startBox } from '@figures/animation/geometry/motion-bounds';
import { motionBox, readTrails, trailBodies } from './motion';
import { needsContacts } from './overlays';
import type { Player } from './playback/player';
import type { Recorded } from './playback/trajectory';
import type { Trails } from './stage';

export interface MotionSource {
  scene: () => Scene | null;
  runId: () => string | null;
  player: () => Player | null;
  recorded: () => Recorded;
  overlays: () => readonly AnimationOverlay[];
  /** place of the selected body; −1 for none */
  selected: () => number;
  /** of what is shown, s; null before a run */
  time: () => number | null;
}

/** Growth factor of the rows of a running run after which it is read again. */
const WORTH_A_LOOK = 1.5;

export function useMotion(source: MotionSource) {
  const runs = useRunsStore();
  const box = shallowRef<SceneBox | null>(null);
  const trails = shallowRef<Trails | null>(null);
  const contacts = shallowRef<ContactSnapshot | null>(null);
  let seenRows = 0;

  const provider = computed(() => {
    const runId = source.runId();
    return runId === null ? null : drawnContactsOf(runId);
  });
  const wantsTrails = computed(() => source.overlays().includes('trails'));
  const wantsContacts = computed(() => provider.value !== null && needsContacts(source.overlays()));

  function failed(error: unknown): void {
    if (describeError(error).code !== 'unknown-run') useNoticesStore().failure(error);
  }

  const boxes = new LatestWins<{ scene: Scene; player: Player }, SceneBox>(
    ({ scene, player }) => motionBox(scene, player.trajectory, source.recorded()),
    (found, { player }) => {
      if (player === source.player()) box.value = found;
    },
    failed,
  );
  const paths = new LatestWins<{ scene: Scene; player: Player }, Trails>(
    ({ scene, player }) =>
      readTrails(scene, player.trajectory, source.recorded(), trailBodies(scene, source.selected())),
    (found, { player }) => {
      if (player === source.player() && wantsTrails.value) trails.value = found;
    },
    failed,
  );
  /** Contacts of another time than the one that is shown; null while none are shown. @param time s */
  const contactsAt = async (time: number): Promise<ContactSnapshot | null> =>
    wantsContacts.value ? ((await provider.value?.contactsAt(time)) ?? null) : null;
  const touches = new LatestWins<number, ContactSnapshot | null>(
    contactsAt,
    (found) => {
      if (wantsContacts.value) contacts.value = found;
    },
    failed,
  );

  /** Reads all that depends on how far the recording has come. */
  const refresh = usePacedRefresh(async () => {
    const [scene, player] = [source.scene(), source.player()];
    const { rows } = source.recorded();
    if (scene === null || player === null || rows === 0) return;
    seenRows = rows;
    await boxes.ask({ scene, player });
    if (wantsTrails.value) await paths.ask({ scene, player });
  });

  watch(
    [() => source.scene(), () => source.player()],
    ([scene]) => {
      seenRows = 0;
      trails.value = null;
      contacts.value = null;
      box.value = scene === null ? null : startBox(scene);
      refresh.now();
    },
    { immediate: true },
  );
  watch(
    () => source.recorded().rows,
    (rows) => {
      if (rows > WORTH_A_LOOK * seenRows) refresh.inTurn();
    },
  );
  watch(
    () => runs.current !== null && isActive(runs.current),
    (active) => {
      if (!active) refresh.now();
    },
  );
  watch([() => wantsTrails.value, () => source.selected()], () => {
    if (wantsTrails.value) refresh.now();
    else trails.value = null;
  });
  watch(
    [() => wantsContacts.value, () => source.time(), () => provider.value],
    ([wanted, time]) => {
      if (wanted && time !== null) void touches.ask(time);
      else contacts.value = null;
    },
    { immediate: true },
  );
  onBeforeUnmount(() => [boxes, paths, touches].forEach((reader) => reader.close()));

  return { box, trails, contacts, contactsAt, contactsKnown: computed(() => provider.value !== null) };
}
