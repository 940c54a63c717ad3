/** What the language service says of the types in the scripts, as problems of the document. */
import type { DocumentIssue } from '@engine/document/types';
import { defineStore } from 'pinia';
import { computed } from 'vue';
import { text } from '../i18n';
import { useDocumentStore } from './document';
import { perDocument } from './per-document';

/** A type error in a script; line and column are 1-based. */
export interface ScriptTypeError {
  line: number;
  column: number;
  message: string;
}

export const useScriptTypesStore = defineStore('script-types', () => {
  const documents = useDocumentStore();
  const found = perDocument<ReadonlyMap<string, readonly ScriptTypeError[]>>(() => new Map());

  function set(script: string, errors: readonly ScriptTypeError[]): void {
    found.value = new Map([...found.value, [script, errors]]);
  }

  /** A run does without types: they are warnings. */
  const issues = computed<DocumentIssue[]>(() =>
    documents.model.scripts.flatMap(({ name }, place) =>
      (found.value.get(name) ?? []).map(({ line, column, message }) => ({
        severity: 'warning',
        code: 'script-type',
        pointer: `/scripts/${place}/source`,
        message,
        remedy: text('problems.type'),
        script: { name, line, column },
      })),
    ),
  );

  return { set, issues };
});
