/**
 * What the editors of scripts and of the text have in common: how they look, and the user's settings of them.
 */
import { onBeforeUnmount, watch } from 'vue';
import { useEditorCursorStore } from '../stores/editor-cursor';
import { useSettingsStore } from '../stores/settings';
import { useWorkspaceStore } from '../stores/workspace';
import { editor } from './monaco';

/** Line height to font size. */
const LEADING = 1.54;

/** How an editor begins. @param label its name for screen readers */
export const editorOptions = (label: string): editor.IStandaloneEditorConstructionOptions => ({
  automaticLayout: true,
  fontFamily: "'JetBrains Mono Variable', monospace",
  fontSize: 13,
  lineHeight: Math.round(LEADING * 13),
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  padding: { top: 8, bottom: 8 },
  tabSize: 2,
  fixedOverflowWidgets: true,
  theme: `moreau-${useWorkspaceStore().theme}`,
  ariaLabel: label,
  accessibilitySupport: 'auto',
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
});

/** Keeps the colours of editors as the window's, for as long as the calling component lives. */
export function followTheme(): void {
  const workspace = useWorkspaceStore();
  watch(
    () => workspace.theme,
    (theme) => editor.setTheme(`moreau-${theme}`),
  );
}

/** Keeps an editor as the settings say, for as long as the calling component lives. */
export function followEditorSettings(instance: () => editor.IStandaloneCodeEditor | null): void {
  const settings = useSettingsStore();
  watch(
    () => {
      const { values } = settings;
      const fontSize = values['editor.fontSize'];
      const options: editor.IEditorOptions = {
        fontSize,
        lineHeight: Math.round(LEADING * fontSize),
        wordWrap: values['editor.wordWrap'] ? 'on' : 'off',
        minimap: { enabled: values['editor.minimap'] },
      };
      return [instance(), options] as const;
    },
    ([made, options]) => made?.updateOptions(options),
    { immediate: true },
  );
}

/** Tells the status bar where the caret of an editor stands, for as long as the calling component lives. */
export function followCaret(instance: () => editor.IStandaloneCodeEditor | null): void {
  const cursor = useEditorCursorStore();
  watch(instance, (made) => {
    made?.onDidChangeCursorPosition(({ position }) => {
      cursor.place = { line: position.lineNumber, column: position.column };
    });
  });
  onBeforeUnmount(() => (cursor.place = null));
}
