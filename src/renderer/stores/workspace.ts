/** State of the window itself: selection, tabs, theme. Nothing here belongs to the model. */
import type { Settings } from '@contract/settings';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { useHost } from '../transport/host';
import { perDocument } from './per-document';
import { useSettingsStore } from './settings';

export type ThemeChoice = Settings['appearance.theme'];
/** Views of the model in its pane. */
export type ModelTab = 'graph' | 'script' | 'text';
/** Panels below the model. */
export type LowerTab =
  'inspector' | 'problems' | 'topology' | 'equations' | 'events' | 'comparison' | 'analyses' | 'console';
/** `view`: a plot; `elements`: two or more systems and interactions at once. */
export type Selection =
  | { kind: 'model' }
  | { kind: 'simulation' }
  | { kind: 'element'; id: string }
  | { kind: 'view'; id: string }
  | { kind: 'elements'; ids: readonly string[] };

/** Ids of the systems and interactions that are selected. */
function selectedElements(selection: Selection): readonly string[] {
  if (selection.kind === 'elements') return selection.ids;
  return selection.kind === 'element' ? [selection.id] : [];
}

/** The selection of any number of elements. */
export function selectionOf(ids: readonly string[]): Selection {
  const [id] = ids;
  if (id === undefined) return { kind: 'model' };
  return ids.length === 1 ? { kind: 'element', id } : { kind: 'elements', ids };
}

/** A place in a script the editor is asked to show; `request` makes repeated wishes distinct. */
export interface OpenScriptPlace {
  name: string;
  line: number;
  column: number;
  request: number;
}

export const useWorkspaceStore = defineStore('workspace', () => {
  const selection = perDocument<Selection>(() => ({ kind: 'model' }));
  const selectedIds = computed(() => selectedElements(selection.value));
  const modelTab = perDocument<ModelTab>(() => 'graph');
  /** the view of the model that is to have the keyboard as soon as it is there */
  const wantsFocus = shallowRef<ModelTab | null>(null);
  const lowerTab = shallowRef<LowerTab>('inspector');
  const scriptPlace = perDocument<OpenScriptPlace | null>(() => null);
  /** name of the script that the editor shows */
  const activeScript = perDocument<string | null>(() => null);
  /** counts wishes to fit the graph and the plots */
  const fitRequest = shallowRef(0);
  /** id of the view that exports and keys refer to */
  const activeView = perDocument<string | null>(() => null);
  const settings = useSettingsStore();
  const themeChoice = computed(() => settings.values['appearance.theme']);
  const systemDark = shallowRef(false);
  let requests = 0;

  if (typeof window.matchMedia === 'function') {
    const query = window.matchMedia('(prefers-color-scheme: dark)');
    systemDark.value = query.matches;
    query.addEventListener('change', (event) => {
      systemDark.value = event.matches;
    });
  }

  const theme = computed<'light' | 'dark'>(() => {
    if (themeChoice.value === 'system') return systemDark.value ? 'dark' : 'light';
    return themeChoice.value;
  });

  watch(
    theme,
    (name) => {
      document.documentElement.dataset['theme'] = name;
    },
    { immediate: true },
  );
  watch(
    themeChoice,
    (choice) => {
      useHost()
        .shell.call('shell.setTheme', { theme: choice })
        .catch(() => undefined); // the page has its theme already; only the window frame misses it
    },
    { immediate: true },
  );

  function setTheme(choice: ThemeChoice): void {
    void settings.set('appearance.theme', choice);
  }

  function toggleTheme(): void {
    setTheme(theme.value === 'dark' ? 'light' : 'dark');
  }

  function select(next: Selection): void {
    selection.value = next;
    lowerTab.value = 'inspector';
  }

  /** Selects any number of systems and interactions. */
  function selectElements(ids: readonly string[]): void {
    select(selectionOf(ids));
  }

  /** Shows a view of the model and gives it the keyboard. */
  function showModel(tab: ModelTab): void {
    modelTab.value = tab;
    wantsFocus.value = tab;
  }

  /** Opens the script pane at a position, 1-based. */
  function showScript(name: string, line = 1, column = 1): void {
    modelTab.value = 'script';
    scriptPlace.value = { name, line, column, request: ++requests };
  }

  return {
    selection,
    selectedIds,
    modelTab,
    wantsFocus,
    lowerTab,
    scriptPlace,
    activeScript,
    fitRequest,
    activeView,
    theme,
    themeChoice,
    setTheme,
    toggleTheme,
    select,
    selectElements,
    showModel,
    showScript,
  };
});
