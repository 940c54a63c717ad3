/** Which panes of the window are shown, where, and how large: kept in the settings. */
import { DOCK_PANES, type DockLayout, type DockPane } from '@contract/settings';
import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef, watch } from 'vue';
import { useSettingsStore } from './settings';
import { useWorkspaceStore } from './workspace';

export type LayoutPreset = 'modelling' | 'running' | 'scripting' | 'presenting';
export const LAYOUT_PRESETS = [
  'modelling',
  'running',
  'scripting',
  'presenting',
] as const satisfies LayoutPreset[];

/** A column of the window: a pane, or the model over its details. */
export type Column = 'side' | 'centre' | 'plots' | 'lower';

const HIDDEN: Readonly<Record<LayoutPreset, DockPane[]>> = {
  modelling: ['plots'],
  running: ['model', 'lower'],
  scripting: ['side'],
  presenting: ['side', 'model', 'lower'],
};
const LOWER_PLACES = ['model', 'bottom', 'right'] as const;

/** What a window without room for all leads to, one by one. */
const WINDOW_PARTS = ['parameters', 'runs', 'model', 'lower', 'plots'] as const;
/** … of which nothing has been used yet: the model and what its runs show. */
const FIRST = ['columns', 'centre', 'model', 'plots', 'side', 'parameters'];
export type WindowPart = (typeof WINDOW_PARTS)[number];

/** Quiet time after a pane was resized before sizes are stored, ms. */
const DEBOUNCE = 300;

export const useLayoutStore = defineStore('layout', () => {
  const settings = useSettingsStore();
  const workspace = useWorkspaceStore();
  const docks = computed(() => settings.values['window.docks']);
  /** the pane that fills the window for now */
  const maximised = shallowRef<DockPane | null>(null);
  /** the pane that had the focus last */
  const focused = shallowRef<DockPane>('model');
  /** counts layouts set as a whole: splitters then re-read their sizes */
  const given = shallowRef(0);

  const isShown = (pane: DockPane): boolean => !docks.value.hidden.includes(pane);
  const shown = computed(() => DOCK_PANES.filter(isShown));
  const lowerIn = (place: DockLayout['lowerAt']): boolean =>
    isShown('lower') && docks.value.lowerAt === place;

  /** Columns from left to right. */
  const columns = computed<Column[]>(() => {
    const all: Column[] = [
      ...(isShown('model') || lowerIn('model') ? (['centre'] as const) : []),
      ...(isShown('plots') ? (['plots'] as const) : []),
      ...(lowerIn('right') ? (['lower'] as const) : []),
    ];
    if (!isShown('side')) return all;
    return docks.value.sideAt === 'left' ? ['side', ...all] : [...all, 'side'];
  });

  /** Sizes of the panes of a splitter, percent: as they were left, or their shares. */
  function sizes(splitter: string, panes: readonly string[], shares: readonly number[]): number[] {
    const stored =
      unsaved[`${splitter}:${panes.join()}`] ??
      settings.values['window.paneSizes'][`${splitter}:${panes.join()}`];
    if (stored?.length === panes.length) return stored;
    const sum = shares.reduce((a, b) => a + b, 0);
    return shares.map((share) => (100 * share) / sum);
  }
  /** parts of splits used last, the latest first: where there is no room for all, these are shown */
  const used = shallowRef<readonly string[]>(FIRST);
  /** what has no room, by split */
  const withoutRoom = shallowReactive(new Map<string, readonly string[]>());
  const isTight = computed(() => [...withoutRoom.values()].some((ids) => ids.length > 0));

  /** The parts of splits that a part of the window stands in, from the outermost on. */
  function pathOf(part: WindowPart): string[] {
    if (part === 'parameters' || part === 'runs') return ['columns', 'side', part];
    if (part === 'plots') return ['columns', 'plots'];
    if (part === 'model') return ['columns', 'centre', 'model'];
    const { lowerAt } = docks.value;
    if (lowerAt === 'bottom') return ['lower-row'];
    return lowerAt === 'right' ? ['columns', 'lower'] : ['columns', 'centre', 'lower'];
  }

  const paneOf = (part: WindowPart): DockPane => (part === 'parameters' || part === 'runs' ? 'side' : part);

  /** Parts that are not hidden, and whether there is room for them now. */
  const parts = computed(() => {
    const missing = new Set([...withoutRoom.values()].flat());
    const there = WINDOW_PARTS.filter((part) => isShown(paneOf(part)));
    return there.map((id) => ({ id, isSeen: !pathOf(id).some((one) => missing.has(one)) }));
  });

  /** Makes sure that a part has room, if others have to give way for it. */
  function use(part: WindowPart): void {
    const path = pathOf(part);
    used.value = [...path, ...used.value.filter((id) => !path.includes(id))];
  }

  function setWithoutRoom(split: string, ids: readonly string[]): void {
    withoutRoom.set(split, ids);
  }

  let unsaved: Record<string, number[]> = {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Keeps the sizes of a splitter. */
  function keepSizes(splitter: string, panes: readonly string[], values: readonly number[]): void {
    if (values.length !== panes.length) return;
    unsaved[`${splitter}:${panes.join()}`] = values.map((value) => Math.round(100 * value) / 100);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const next = { ...settings.values['window.paneSizes'], ...unsaved };
      unsaved = {};
      void settings.set('window.paneSizes', next);
    }, DEBOUNCE);
  }

  function setDocks(change: Partial<DockLayout>): void {
    maximised.value = null;
    void settings.set('window.docks', { ...docks.value, ...change });
  }

  /** Shows or hides a pane; one stays. */
  function toggle(pane: DockPane): void {
    const { hidden } = docks.value;
    if (!isShown(pane)) setDocks({ hidden: hidden.filter((other) => other !== pane) });
    else if (shown.value.length > 1) setDocks({ hidden: [...hidden, pane] });
  }

  /** Makes a pane visible. */
  function reveal(pane: DockPane): void {
    if (maximised.value !== null && maximised.value !== pane) maximised.value = null;
    if (!isShown(pane)) toggle(pane);
    use(pane === 'side' ? 'parameters' : pane);
  }

  /** Lets a pane fill the window, or brings the others back. */
  function toggleMaximised(pane: DockPane = focused.value): void {
    maximised.value = maximised.value === null && isShown(pane) ? pane : null;
    // One that has no room is not there to be enlarged.
    if (maximised.value !== null) use(pane === 'side' ? 'parameters' : pane);
  }

  function apply(preset: LayoutPreset): void {
    setDocks({ hidden: HIDDEN[preset], lowerAt: 'model' });
    if (preset === 'scripting') workspace.modelTab = 'script';
    else if (preset === 'modelling') workspace.modelTab = 'graph';
    given.value++;
  }

  function reset(): void {
    clearTimeout(timer);
    unsaved = {};
    maximised.value = null;
    void settings.reset(['window.docks', 'window.paneSizes']);
    given.value++;
  }

  function moveSide(): void {
    setDocks({ sideAt: docks.value.sideAt === 'left' ? 'right' : 'left' });
  }

  function moveLower(): void {
    const place = LOWER_PLACES.indexOf(docks.value.lowerAt);
    setDocks({
      lowerAt: LOWER_PLACES[(place + 1) % LOWER_PLACES.length],
      hidden: docks.value.hidden.filter((pane) => pane !== 'lower'),
    });
  }

  // A request for a line of a script also shows it.
  watch(
    () => workspace.scriptPlace,
    (place) => {
      if (place !== null) reveal('model');
    },
  );

  return {
    docks,
    maximised,
    focused,
    given,
    shown,
    columns,
    used,
    parts,
    isTight,
    isShown,
    lowerIn,
    sizes,
    keepSizes,
    toggle,
    reveal,
    use,
    setWithoutRoom,
    toggleMaximised,
    apply,
    reset,
    moveSide,
    moveLower,
  };
});
