/** The scripts of a document as files: names, order, copies. Each is one undoable edit. */
import type { ScriptDocument } from '@engine/document/types';
import { text } from '../i18n';
import { freshName } from '../document/factory';
import { useDocumentStore } from '../stores/document';
import { useWorkspaceStore } from '../stores/workspace';

/** The same as the schema of the document asks for. */
const NAME = /^[A-Za-z0-9_-]+\.ts$/;

/** Why a script cannot have a name; null when it can. */
export function nameProblem(name: string, others: readonly string[]): string | null {
  if (!NAME.test(name)) return text('scripting.nameInvalid');
  return others.includes(name) ? text('scripting.nameTaken') : null;
}

const edit = (label: string, recipe: (scripts: ScriptDocument[]) => void): void =>
  useDocumentStore().edit(label, (draft) => recipe(draft.scripts));

/** Renames a script; the imports of others follow. */
export function renameScriptFile(from: string, to: string): void {
  const bare = (name: string): string => name.replace(/\.ts$/, '');
  const path = new RegExp(`(\\bfrom\\s*['"]\\./)${bare(from)}(?=(?:\\.ts)?['"])`);
  edit(text('edit.rename', { from, to }), (scripts) => {
    for (const script of scripts) {
      if (script.name === from) script.name = to;
      script.source.forEach((line, i) => {
        if (path.test(line)) script.source[i] = line.replace(path, `$1${bare(to)}`);
      });
    }
  });
}

/** @returns name of the copy */
export function duplicateScript(name: string): string {
  const taken = useDocumentStore().model.scripts.map((script) => script.name.replace(/\.ts$/, ''));
  const copy = `${freshName(name.replace(/\.ts$/, ''), taken)}.ts`;
  edit(text('scripting.duplicated', { name }), (scripts) => {
    const at = scripts.findIndex((script) => script.name === name);
    const original = scripts[at];
    if (original !== undefined)
      scripts.splice(at + 1, 0, { ...original, name: copy, source: [...original.source] });
  });
  useWorkspaceStore().showScript(copy);
  return copy;
}

/** Moves a script by a number of places; at either end it stays. */
export function moveScript(name: string, by: number): void {
  edit(text('scripting.moved', { name }), (scripts) => {
    const at = scripts.findIndex((script) => script.name === name);
    const to = Math.min(Math.max(at + by, 0), scripts.length - 1);
    const [moved] = scripts.splice(at, 1);
    if (moved !== undefined) scripts.splice(to, 0, moved);
  });
}

export function setRole(name: string, role: ScriptDocument['role']): void {
  edit(text('scripting.role', { name }), (scripts) => {
    const script = scripts.find((candidate) => candidate.name === name);
    if (script !== undefined) script.role = role;
  });
}
