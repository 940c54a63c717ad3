/** What the engine says of the present document: issues, values, signals, typings. */
import type { ExaminedDocument } from '@contract/methods';
import type { DocumentIssue } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed, watch } from 'vue';
import { isWithin } from '../document/pointer';
import { useHost } from '../transport/host';
import { useDocumentStore } from './document';
import { useNoticesStore } from './notices';
import { perDocument, setOfDocument } from './per-document';
import { useScriptTypesStore } from './script-types';

/** Quiet time after an edit before the document is examined, ms. */
const DEBOUNCE = 150;

const nothingKnown: ExaminedDocument = {
  issues: [],
  parameters: {},
  values: {},
  signals: [],
  exports: {},
  typings: '',
};

export const useReportStore = defineStore('report', () => {
  const documents = useDocumentStore();
  const report = perDocument<ExaminedDocument>(() => nothingKnown);
  /** last report without errors: its signals and typings stay in use while the document is broken */
  const lastGood = perDocument<ExaminedDocument>(() => nothingKnown);
  /** document version the report belongs to */
  const reportedVersion = perDocument(() => -1);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let inFlight: Promise<boolean> | null = null;

  const types = useScriptTypesStore();
  /** what the engine says, and what is wrong with types in scripts that have been looked at */
  const problems = computed(() => [...report.value.issues, ...types.issues]);
  const errors = computed(() => problems.value.filter((issue) => issue.severity === 'error'));
  const warnings = computed(() => problems.value.filter((issue) => issue.severity === 'warning'));
  const signals = computed(() =>
    report.value.signals.length > 0 ? report.value.signals : lastGood.value.signals,
  );
  const typings = computed(() =>
    report.value.typings === '' ? lastGood.value.typings : report.value.typings,
  );
  const fresh = computed(() => reportedVersion.value === documents.version);

  /** @returns false when the host did not answer */
  async function examine(): Promise<boolean> {
    const { version, session, model: document } = documents;
    try {
      const answer = await useHost().dispatcher.dispatch('document.report', { document });
      setOfDocument(report, session, answer);
      if (answer.issues.every((issue) => issue.severity !== 'error'))
        setOfDocument(lastGood, session, answer);
    } catch (error) {
      useNoticesStore().failure(error);
      return false;
    }
    setOfDocument(reportedVersion, session, version);
    return true;
  }

  /** Brings the report up to date at once, unless the host does not answer. */
  async function refresh(): Promise<void> {
    clearTimeout(timer);
    // One question at a time: edits made meanwhile are answered together by the next one.
    while (inFlight !== null) await inFlight;
    if (fresh.value) return;
    inFlight = examine().finally(() => {
      inFlight = null;
    });
    if ((await inFlight) && !fresh.value) await refresh();
  }

  watch(
    () => documents.version,
    () => {
      clearTimeout(timer);
      if (!fresh.value) timer = setTimeout(() => void refresh(), DEBOUNCE);
    },
  );
  /** Issues at a place of the document or inside it. */
  function issuesWithin(place: string): DocumentIssue[] {
    return report.value.issues.filter((issue) => isWithin(issue.pointer, place));
  }

  /** Issues of an element. */
  function issuesOf(element: string): DocumentIssue[] {
    return report.value.issues.filter((issue) => issue.element === element);
  }

  /** Value of the expression at a place; undefined when there is none or it cannot be evaluated. */
  function valueAt(place: string): number | undefined {
    return report.value.values[place];
  }

  return {
    report,
    problems,
    errors,
    warnings,
    signals,
    typings,
    fresh,
    refresh,
    issuesWithin,
    issuesOf,
    valueAt,
  };
});
