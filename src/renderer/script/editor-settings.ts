/** The user's settings of the script editor. */
import { onBeforeUnmount, watch } from 'vue';
import { useEditorCursorStore } from '../stores/editor-cursor';
import { useSettingsStore } from '../stores/settings';
import type { editor } from './monaco';

/** Line height to font size. */
const LEADING = 1.54;

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
