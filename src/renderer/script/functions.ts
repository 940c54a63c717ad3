/** Script functions as the document knows them: where one is, and new ones. */
import type { ModelDocument, ScriptDocument } from '@engine/document/types';
import type { Catalogue, PluginKind } from '@engine/model/definition';
import { freshName } from '../document/factory';
import { text } from '../i18n';
import { useCatalogueStore } from '../stores/catalogue';
import { useDocumentStore } from '../stores/document';
import { useWorkspaceStore } from '../stores/workspace';
import { BUILDER_TEMPLATE, functionTemplate, proposedName } from './templates';

/** Name of the script a first function goes into, without its ending. */
const FIRST_SCRIPT = 'functions';

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

const exportedNames = (scripts: readonly ScriptDocument[]): string[] =>
  scripts.flatMap((script) =>
    script.source.flatMap((line) => /export\s+(?:const|let|function)\s+([\w$]+)/.exec(line)?.[1] ?? []),
  );

/** What a new function was called, and where it stands. */
export interface NewFunction {
  name: string;
  script: string;
  /** 1-based line of its first statement's head */
  line: number;
}

/**
 * Appends a function of a kind to a script of the document, which must be a draft.
 * @param scriptName script it goes into; the first one of functions, or a new one, when it is not given or
 *   builds
 * @param wanted its name, as long as no other function has it
 */
export function appendFunction(
  document: Pick<ModelDocument, 'scripts'>,
  catalogue: Catalogue,
  kind: PluginKind,
  scriptName?: string,
  wanted = proposedName(catalogue, kind),
): NewFunction {
  const { scripts } = document;
  const name = freshName(wanted, exportedNames(scripts), '');
  const lines = functionTemplate(catalogue, kind, name);
  const target =
    scripts.find((script) => script.name === scriptName && script.role === 'functions') ??
    scripts.find((script) => script.role === 'functions');
  if (target === undefined) {
    const script = `${freshName(
      FIRST_SCRIPT,
      scripts.map((other) => other.name.replace(/\.ts$/, '')),
    )}.ts`;
    scripts.push({ name: script, role: 'functions', source: lines });
    return { name, script, line: 2 };
  }
  const isEmpty = target.source.every((line) => line === '');
  target.source = isEmpty ? lines : [...target.source, '', ...lines];
  return { name, script: target.name, line: target.source.length - lines.length + 2 };
}

/**
 * Appends a function of a kind to a script, and shows it.
 * @returns its name; null before the catalogue is known
 */
export function addFunction(kind: PluginKind, scriptName?: string, wanted?: string): string | null {
  const documents = useDocumentStore();
  const { catalogue } = useCatalogueStore();
  if (catalogue === null) return null;
  let made: NewFunction | null = null;
  const base = wanted ?? proposedName(catalogue, kind);
  const name = freshName(base, exportedNames(documents.model.scripts), '');
  documents.edit(text('edit.add', { name }), (draft) => {
    made = appendFunction(draft, catalogue, kind, scriptName, base);
  });
  const { script, line } = made as unknown as NewFunction;
  useWorkspaceStore().showScript(script, line);
  return name;
}

/**
 * Adds a script: of functions an empty one, a builder with a row of elements to begin with.
 * @returns its name
 */
export function addScript(role: 'functions' | 'builder'): string {
  const documents = useDocumentStore();
  const base = role === 'builder' ? 'builder' : 'functions';
  const taken = documents.model.scripts.map((script) => script.name.replace(/\.ts$/, ''));
  const name = `${freshName(base, taken)}.ts`;
  const source = role === 'builder' ? BUILDER_TEMPLATE : [''];
  documents.edit(
    text('edit.add', { name }),
    (draft) => void draft.scripts.push({ name, role, source: [...source] }),
  );
  useWorkspaceStore().showScript(name);
  return name;
}

export function removeScript(name: string): void {
  useDocumentStore().edit(text('edit.delete', { name }), (draft) => {
    draft.scripts = draft.scripts.filter((script) => script.name !== name);
  });
}
