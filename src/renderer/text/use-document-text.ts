/**
 * Keeps an editor and the document in step: the document is written into the text, what is typed is read
 * back.
 */
import { onBeforeUnmount, onMounted, ref, type Ref, type ShallowRef, shallowRef, watch } from 'vue';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useNoticesStore } from '../stores/notices';
import { useReportStore } from '../stores/report';
import { useTextStore } from '../stores/text';
import { useHost } from '../transport/host';
import { TextAnalyst } from './analyst';
import TextWorker from './analysis.worker.ts?worker';
import { bringToJson, type editor, optionsFor, setTextMarkers } from './monaco-json';

/** Quiet time after typing before the text is read, ms. */
const QUIET = 250;
/** Longest text that is edited, characters: reading a longer one at every pause would be felt. */
export const MOST_EDITED = 2_000_000;
/** Longest text that is shown, characters. */
export const MOST_SHOWN = 20_000_000;

/** Why the text cannot be edited or shown; null where it can. */
type TextLimit = 'edit' | 'show' | null;

export interface DocumentText {
  limit: Ref<TextLimit>;
  analyst: ShallowRef<TextAnalyst | null>;
  /** reads what has been typed at once */
  read(): Promise<void>;
}

export function useDocumentText(
  instance: ShallowRef<editor.IStandaloneCodeEditor | null>,
  onWritten: () => void,
): DocumentText {
  const documents = useDocumentStore();
  const report = useReportStore();
  const store = useTextStore();
  const catalogue = useCatalogueStore();
  const limit = ref<TextLimit>(null);
  const analyst = shallowRef<TextAnalyst | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** true while the text is being set from the document, so that this is not taken for typing */
  let isFollowing = false;
  let turn = 0;

  function setText(source: string): void {
    const model = instance.value?.getModel();
    if (!model) return;
    isFollowing = true;
    bringToJson(model, source);
    isFollowing = false;
  }

  /** Writes the document into the text, unless the text is what it came from or is ahead of it. */
  async function follow(): Promise<void> {
    const { draft } = store;
    if (draft !== null && (store.isAhead || draft.base === documents.model)) {
      setText(draft.source);
      void mark();
      return;
    }
    const mine = ++turn;
    const document = documents.model;
    try {
      const { text: source } = await useHost().dispatcher.dispatch('document.write', { document });
      // The text may have been typed in meanwhile, and the document changed again.
      if (mine !== turn || document !== documents.model || store.isAhead) return;
      limit.value = source.length > MOST_SHOWN ? 'show' : source.length > MOST_EDITED ? 'edit' : null;
      instance.value?.updateOptions({ readOnly: limit.value !== null, ...optionsFor(source.length) });
      setText(limit.value === 'show' ? '' : source);
      store.inStep(source);
      onWritten();
      await mark();
    } catch (error) {
      useNoticesStore().failure(error);
    }
  }

  /** Underlines what the engine says of the document, while the text is that of the document. */
  async function mark(): Promise<void> {
    const model = instance.value?.getModel();
    const { draft } = store;
    if (!model || analyst.value === null || limit.value === 'show' || draft === null) return;
    const { defect } = draft;
    if (defect !== null) {
      // The JSON language underlines what is no JSON by itself.
      setTextMarkers(model, []);
      return;
    }
    const { issues } = report.report;
    const source = model.getValue();
    const ranges = await analyst.value.ask(
      'ranges',
      source,
      issues.map(({ pointer }) => pointer),
    );
    if (model.isDisposed() || model.getValueLength() !== source.length) return;
    setTextMarkers(
      model,
      issues.flatMap(({ message, remedy, severity }, k) => {
        const range = ranges[k];
        return range === undefined ? [] : [{ ...range, message: `${message} ${remedy}`, severity }];
      }),
    );
  }

  /** Parses the typed text: a valid document becomes the model, anything else shows a message. */
  async function read(): Promise<void> {
    clearTimeout(timer);
    const model = instance.value?.getModel();
    if (!model || analyst.value === null || store.draft?.isPending !== true) return;
    const { session } = documents;
    const version = model.getVersionId();
    const formatVersion = catalogue.app?.formatVersion ?? documents.model.formatVersion;
    const reading = await analyst.value.ask('read', model.getValue(), formatVersion);
    if (session !== documents.session || version !== model.getVersionId()) return;
    if (!reading.ok) store.broken(reading.defect);
    // Where the document was changed elsewhere, the user decides which of the two it is to be.
    else if (!store.isDiverged) store.apply(reading.document);
    void mark();
  }

  function onTyped(): void {
    const model = instance.value?.getModel();
    if (isFollowing || !model) return;
    store.typed(model.getValue());
    clearTimeout(timer);
    timer = setTimeout(() => void read(), QUIET);
  }

  onMounted(() => {
    analyst.value = new TextAnalyst(new TextWorker());
    instance.value?.onDidChangeModelContent(onTyped);
    store.typing = (move) => {
      if (instance.value?.hasTextFocus() !== true) return false;
      instance.value.trigger('undo', move, null);
      return true;
    };
    void follow();
    if (store.draft?.isPending === true) void read();
  });
  onBeforeUnmount(() => {
    clearTimeout(timer);
    store.typing = null;
    analyst.value?.dispose();
  });
  watch([() => documents.model, () => documents.session], () => void follow(), { flush: 'post' });
  // Discarding the typed text regenerates it; keeping it parses it again.
  watch(
    () => [store.draft === null, store.isDiverged] as const,
    ([isGone, isDiverged], [, wasDiverged]) => {
      if (isGone) void follow();
      else if (wasDiverged && !isDiverged && store.draft !== null && instance.value !== null) onTyped();
    },
    { flush: 'post' },
  );
  watch(
    () => report.report,
    () => void mark(),
  );

  return { limit, analyst, read };
}
