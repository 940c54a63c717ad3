/** The help pane: which page it shows, and the way back. */
import type { DefinitionGroup } from './catalogue';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { useCatalogueStore } from './catalogue';
import { useDocumentStore } from './document';
import { useWorkspaceStore } from './workspace';

export const HELP_HOME = 'index.md';

/** Path of a page, with `#` and a heading where it is to be shown at one. */
export type HelpPlace = string;

export const useHelpStore = defineStore('help', () => {
  const isOpen = shallowRef(false);
  const visited = shallowRef<HelpPlace[]>([HELP_HOME]);
  const at = shallowRef(0);
  const search = shallowRef('');
  const place = computed(() => visited.value[at.value] ?? HELP_HOME);
  const canGoBack = computed(() => at.value > 0);
  const canGoForward = computed(() => at.value < visited.value.length - 1);

  /** Shows a page. */
  function show(next: HelpPlace): void {
    isOpen.value = true;
    search.value = '';
    if (next === place.value) return;
    visited.value = [...visited.value.slice(0, at.value + 1), next];
    at.value = visited.value.length - 1;
  }

  function back(): void {
    if (canGoBack.value) at.value--;
    search.value = '';
  }

  function forward(): void {
    if (canGoForward.value) at.value++;
    search.value = '';
  }

  function close(): void {
    isOpen.value = false;
  }

  /** Page of what is selected: the type of the element, or the simulation. */
  function placeOfSelection(): HelpPlace {
    const { selection } = useWorkspaceStore();
    const { model } = useDocumentStore();
    const { catalogue } = useCatalogueStore();
    const known = (group: DefinitionGroup, type: string): boolean =>
      catalogue?.[group].some((definition) => definition.type === type) === true;
    if (selection.kind === 'simulation') return 'how-to/choose-a-scheme.md';
    if (selection.kind === 'view') return 'how-to/plot-options.md';
    if (selection.kind !== 'element') return HELP_HOME;
    const system = model.systems.find(({ id }) => id === selection.id);
    if (system !== undefined && known('systems', system.type))
      return `reference/systems.md#${system.type.toLowerCase()}`;
    const interaction = model.interactions.find(({ id }) => id === selection.id);
    if (interaction !== undefined && known('relations', interaction.relation.type))
      return `reference/relations.md#${interaction.relation.type.toLowerCase()}`;
    return HELP_HOME;
  }

  /**
   * Help on what has the focus: a part that names its page by `data-help`, and there the entry of a field
   * that names itself by `data-field`; else what is selected.
   */
  function showContext(target: Element | null): void {
    const part = target?.closest('[data-help]');
    const page = part?.getAttribute('data-help');
    const field = target?.closest('[data-field]');
    const entry = field && part?.contains(field) === true ? `--${field.getAttribute('data-field')}` : '';
    const named = page === undefined || page === null ? null : page + (page.includes('#') ? entry : '');
    const command = target?.closest('[data-command]')?.getAttribute('data-command');
    show(named ?? (command ? 'reference/commands.md' : placeOfSelection()));
  }

  return {
    isOpen,
    place,
    search,
    canGoBack,
    canGoForward,
    show,
    back,
    forward,
    close,
    showContext,
    placeOfSelection,
  };
});
