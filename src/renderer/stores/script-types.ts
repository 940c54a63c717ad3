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

interface Found {
  errors: readonly ScriptTypeError[];
  /** the text that was looked at: of another one, as after an undo elsewhere, nothing is known */
  source: readonly string[];
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((line, k) => line === b[k]));

export const useScriptTypesStore = defineStore('script-types', () => {
  const documents = useDocumentStore();
  const found = perDocument<ReadonlyMap<string, Found>>(() => new Map());

  function set(script: string, errors: readonly ScriptTypeError[]): void {
    const source = documents.model.scripts.find(({ name }) => name === script)?.source ?? [];
    found.value = new Map([...found.value, [script, { errors, source }]]);
  }

  /** A run does without types: they are warnings. */
  const issues = computed<DocumentIssue[]>(() =>
    documents.model.scripts.flatMap(({ name, source }, place) => {
      const known = found.value.get(name);
      if (known === undefined || known.errors.length === 0 || !isSame(source, known.source)) return [];
      return known.errors.map(({ line, column, message }) => ({
        severity: 'warning' as const,
        code: 'script-type',
        pointer: `/scripts/${place}/source`,
        message,
        remedy: text('problems.type'),
        script: { name, line, column },
      }));
    }),
  );

  return { set, issues };
});
