/** What is looked for in the model, and by what it is replaced. */
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { findText, type TextMatch, replaceMatches } from '../document/find-text';
import { IDENTIFIER, takenNames } from '../document/names';
import { parameterUses, replaceUses, type ParameterUse, valueUses } from '../document/parameter-uses';
import { counted, text } from '../i18n';
import { useCatalogueStore } from './catalogue';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { usePlacesStore } from './places';
import { useReportStore } from './report';

/** Found places that are listed. */
export const MOST_FOUND = 2000;

export type FindMode = 'text' | 'parameter';

/** What replacing a parameter amounts to. */
export type ParameterReplacement = 'rename' | 'parameter' | 'value' | 'refused' | 'none';

export const useFindStore = defineStore('find', () => {
  const documents = useDocumentStore();
  const catalogue = useCatalogueStore();
  const mode = shallowRef<FindMode>('text');
  const query = ref('');
  const matchCase = ref(false);
  const parameter = ref('');
  const by = ref('');
  /** keys of places the user has ticked or unticked, against what they are by themselves */
  const turned = shallowRef<ReadonlySet<string>>(new Set());
  /** counts wishes to look for something: the field takes the focus */
  const request = shallowRef(0);

  const isParameter = computed(() => documents.model.parameters.some(({ name }) => name === parameter.value));
  const change = computed<ParameterReplacement>(() => {
    const to = by.value.trim();
    if (to === '' || to === parameter.value) return 'none';
    const { model } = documents;
    if (takenNames(model, 'parameters').includes(to)) return 'parameter';
    if (!IDENTIFIER.test(to)) return 'value';
    return [...takenNames(model, 'systems'), ...takenNames(model, 'observables')].includes(to)
      ? 'refused'
      : 'rename';
  });
  const found = computed<readonly (ParameterUse | TextMatch)[]>(() => {
    const { model } = documents;
    if (mode.value === 'text')
      return findText(model, catalogue.catalogue, query.value, { matchCase: matchCase.value }, MOST_FOUND);
    if (!isParameter.value) return [];
    const uses = parameterUses(model, catalogue.catalogue, parameter.value);
    return change.value === 'value' ? valueUses(model, uses, by.value) : uses;
  });
  const isTicked = (use: ParameterUse): boolean => use.isSure !== turned.value.has(use.key);
  const ticked = computed(() => found.value.filter(isTicked));
  const canReplace = computed(() =>
    mode.value === 'text'
      ? ticked.value.length > 0
      : change.value === 'rename' || (ticked.value.length > 0 && !['none', 'refused'].includes(change.value)),
  );

  function tick(use: ParameterUse): void {
    const next = new Set(turned.value);
    if (!next.delete(use.key)) next.add(use.key);
    turned.value = next;
  }

  function tickAll(wanted: boolean): void {
    turned.value = new Set(found.value.filter(({ isSure }) => isSure !== wanted).map(({ key }) => key));
  }

  /** Shows where a parameter is used. */
  function showUses(name: string): void {
    mode.value = 'parameter';
    parameter.value = name;
    by.value = '';
    usePlacesStore().sideTab = 'find';
    request.value++;
  }

  /** Looks for words. */
  function showText(): void {
    mode.value = 'text';
    usePlacesStore().sideTab = 'find';
    request.value++;
  }

  function replaceParameter(): void {
    const from = parameter.value;
    const to = by.value.trim();
    const uses = ticked.value;
    documents.edit(text('find.replaceLabel', { from, to }), (draft) => {
      replaceUses(draft, uses, from, to);
      if (change.value !== 'rename') return;
      const target = draft.parameters.find(({ name }) => name === from);
      if (target !== undefined) target.name = to;
    });
    if (change.value !== 'none') by.value = '';
    if (!isParameter.value) parameter.value = to;
  }

  function replaceText(): void {
    let refused: string[] = [];
    const matches = ticked.value as readonly TextMatch[];
    documents.edit(text('find.replaceLabel', { from: query.value, to: by.value }), (draft) => {
      refused = replaceMatches(draft, catalogue.catalogue, matches, by.value);
    });
    if (refused.length > 0)
      useNoticesStore().info(counted('find.refusedNames', refused.length, { names: refused.join(', ') }));
  }

  /** Replaces what is ticked, as one step. */
  function replace(): void {
    if (!canReplace.value) return;
    if (mode.value === 'text') replaceText();
    else replaceParameter();
    turned.value = new Set();
    void useReportStore().refresh();
  }

  watch(
    [
      () => mode.value,
      () => query.value,
      () => matchCase.value,
      () => parameter.value,
      () => documents.session,
    ],
    () => (turned.value = new Set()),
  );

  return {
    mode,
    query,
    matchCase,
    parameter,
    by,
    request,
    found,
    ticked,
    change,
    canReplace,
    isTicked,
    tick,
    tickAll,
    showUses,
    showText,
    replace,
  };
});
