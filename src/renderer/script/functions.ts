/** Script functions as the document knows them: where one is, and new ones. */
import type { PluginKind } from '@engine/model/definition';
import { freshName } from '../document/factory';
import { text } from '../i18n';
import { useDocumentStore } from '../stores/document';
import { useWorkspaceStore } from '../stores/workspace';
import { functionTemplate, proposedName } from './templates';

/** Name of the script a first function goes into. */
const FIRST_SCRIPT = 'functions.ts';

/** Script and 1-based line where a function is exported; null when no script exports it. */
export function functionPlace(name: string): { script: string; line: number } | null {
  const escaped = name.replace(/[^\w$]/g, '');
  if (escaped === '') return null;
  const declared = new RegExp(`export\\s+(?:const|let|function)\\s+${escaped.replaceAll('$', '\\$')}\\b`);
  for (const script of useDocumentStore().model.scripts) {
    const index = script.source.findIndex((line) => declared.test(line));
    if (index >= 0) return { script: script.name, line: index + 1 };
  }
  return null;
}

/** Appends a function of a kind to a script, and shows it. @returns its name */
export function addFunction(kind: PluginKind, scriptName?: string): string {
  const documents = useDocumentStore();
  const scripts = documents.model.scripts;
  const target =
    scripts.find((script) => script.name === scriptName) ??
    scripts.find((script) => script.role === 'functions');
  const taken = scripts.flatMap((script) =>
    script.source.flatMap((line) => /export\s+(?:const|let|function)\s+([\w$]+)/.exec(line)?.[1] ?? []),
  );
  const name = freshName(proposedName(kind), taken, '');
  const lines = functionTemplate(kind, name);
  const scriptTarget = target?.name ?? FIRST_SCRIPT;
  const start =
    target === undefined || target.source.every((line) => line === '') ? 0 : target.source.length + 1;
  documents.edit(text('edit.add', { name }), (draft) => {
    const script = draft.scripts.find((candidate) => candidate.name === scriptTarget);
    if (script === undefined) draft.scripts.push({ name: scriptTarget, role: 'functions', source: lines });
    else script.source = start === 0 ? lines : [...script.source, '', ...lines];
  });
  useWorkspaceStore().showScript(scriptTarget, start + 2);
  return name;
}

/** Adds an empty script. @returns its name */
export function addScript(role: 'functions' | 'builder'): string {
  const documents = useDocumentStore();
  const base = role === 'builder' ? 'builder' : 'functions';
  const taken = documents.model.scripts.map((script) => script.name.replace(/\.ts$/, ''));
  const name = `${freshName(base, taken)}.ts`;
  documents.edit(
    text('edit.add', { name }),
    (draft) => void draft.scripts.push({ name, role, source: [''] }),
  );
  useWorkspaceStore().showScript(name);
  return name;
}

export function removeScript(name: string): void {
  useDocumentStore().edit(text('edit.delete', { name }), (draft) => {
    draft.scripts = draft.scripts.filter((script) => script.name !== name);
  });
}
