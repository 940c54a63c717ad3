import type { editor } from 'monaco-editor';

/** The element of a text editor that keys are typed into; null while there is none. */
export function writtenInto(instance: editor.ICodeEditor | null): HTMLElement | null {
  return (
    instance?.getDomNode()?.querySelector<HTMLElement>('.native-edit-context, textarea.inputarea') ?? null
  );
}
