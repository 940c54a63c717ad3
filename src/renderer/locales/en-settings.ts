/** English texts of the settings and their dialog. */
import type { SettingKey } from '@contract/settings';

export interface SettingText {
  readonly title: string;
  readonly help: string;
  /** words of the options of a choice */
  readonly options?: Readonly<Record<string, string>>;
}

/** Settings that the dialog shows with words of their own. */
export type ShownSetting = Exclude<SettingKey, `window.${string}` | 'keyboard.bindings'>;

/** Names and explanations of the settings. */
export const settingWords = {
  'appearance.language': {
    title: 'Language',
    help: 'Language of the window. Titles of elements, help pages and messages of the engine are English.',
    options: { system: 'Follow the system', en: 'English', de: 'Deutsch', fr: 'Français' },
  },
  'appearance.theme': {
    title: 'Theme',
    help: 'Colours of the window and its plots.',
    options: { system: 'Follow the system', light: 'Light', dark: 'Dark' },
  },
  'appearance.zoom': {
    title: 'Zoom',
    help: 'Size of everything in the window, plots and scripts included.',
  },
  'appearance.density': {
    title: 'Density',
    help: 'Compact controls leave more room for the model and its plots.',
    options: { comfortable: 'Comfortable', compact: 'Compact' },
  },
  'appearance.motion': {
    title: 'Motion of controls',
    help: 'Reduced motion shows changes at once. In either case, animations of a run play only when you start them.',
    options: { system: 'Follow the system', reduced: 'Reduced' },
  },
  'appearance.digits': {
    title: 'Significant digits',
    help: 'Digits of values beside formulas, cursors and axes. Exports and tables of data keep all digits.',
  },
  'editor.fontSize': { title: 'Font size', help: 'Size of scripts and of the text of the model.' },
  'editor.wordWrap': {
    title: 'Wrap long lines',
    help: 'Continues a long line of scripts and texts on the next one.',
  },
  'editor.minimap': {
    title: 'Overview of the text',
    help: 'Shows a small overview of the whole script or text on the right.',
  },
  'editor.shortcutHints': {
    title: 'Shortcuts in tooltips',
    help: 'Shows the keys of a command when you hover over its button.',
  },
  'editor.format': {
    title: 'Format scripts',
    help: 'When to format scripts. A script that cannot be parsed is left unchanged.',
    options: {
      command: 'On command',
      paste: 'On command and after pasting',
      save: 'On command and when saving',
    },
  },
  'runs.live': {
    title: 'Run again while a slider moves',
    help: 'After the first run, the model runs again at each new value of a parameter. New windows start with this choice.',
  },
  'runs.askAboveMillionSteps': {
    title: 'Ask before long runs, million steps',
    help: 'Asks before starting a run with more steps than this. 0 never asks.',
  },
  'runs.atOnce': {
    title: 'Runs computed at the same time',
    help: 'Further runs wait in a queue. 0 uses one per core.',
  },
  'runs.diskLimit': {
    title: 'Disk space for saved runs',
    help: 'Above this limit, the oldest runs that are neither pinned nor part of an open model are removed. 0 sets no limit.',
  },
  'files.onStart': {
    title: 'On start, show',
    help: 'What a new window shows. A browser cannot reopen files by itself and shows the start page instead.',
    options: { example: 'An example', start: 'Start page', last: 'The files last open' },
  },
  'files.autosaveInterval': {
    title: 'Journal of edits every',
    help: 'How often unsaved edits are written to a journal. After a crash you can recover them.',
  },
  'files.backup': {
    title: 'Keep a backup when saving',
    help: 'Keeps the previous version beside the file, with “.bak” appended to its name.',
  },
} as const satisfies Readonly<Record<ShownSetting, SettingText>>;

export const enSettings = {
  settings: {
    title: 'Settings',
    description: 'Changes take effect at once, in all windows.',
    search: 'Search settings',
    found: '{number} setting found | {number} settings found',
    none: 'No such setting.',
    changed: 'Changed from {value}',
    reset: 'Reset to {value}',
    resetAll: 'Reset all…',
    resetAllTitle: 'Reset all settings?',
    resetAllMessage:
      'Settings and shortcuts return to their defaults. Models and runs are not affected. Export the settings first if you may want them back.',
    resetAllAnswer: 'Reset all',
    export: 'Export…',
    import: 'Import…',
    imported: 'Settings imported: {number}.',
    importTitle: 'These settings cannot be imported',
    notSettings: 'The file is not a settings file: it needs an object “values” with settings by name.',
    notJson: 'The file is not valid JSON.',
    notJsonRemedy: 'Choose a file written by “Export…” in the settings.',
    unknown:
      'There is no setting {key}. Remove it from the file, or import it with the version that wrote it.',
    invalid: '{key}: {problem}',
    outOfRange: 'Enter a number from {min} to {max}.',
    on: 'on',
    off: 'off',
    sections: {
      appearance: 'Appearance',
      editor: 'Editor',
      runs: 'Runs',
      files: 'Files',
      keyboard: 'Keyboard',
    },
  },
  keys: {
    search: 'Search commands or keys',
    command: 'Command',
    shortcuts: 'Shortcuts',
    add: 'Add a shortcut to {command}',
    remove: 'Remove {shortcut} from {command}',
    reset: 'Reset the shortcuts of {command}',
    resetAll: 'Reset all shortcuts',
    press: 'Press the keys for “{command}”. Escape cancels.',
    recording: 'Press keys…',
    taken: '{shortcut} is used by “{command}”.',
    takeOver: 'Use it here instead',
    browser: 'The browser reserves {shortcut}. Choose other keys; in the desktop window it is available.',
    typing: '{shortcut} is needed for typing. Combine it with Ctrl or Alt, or use a function key.',
    refused: 'Choose other keys, or press Escape.',
    none: 'No such command.',
    noKeys: 'none',
    context: { graph: 'in the graph', editor: 'in the script' },
    gestures: 'Mouse and other keys',
  },
};
