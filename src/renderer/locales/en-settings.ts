import type { SettingKey } from '@contract/settings';

interface Words {
  title: string;
  help: string;
  /** words of the options of a choice */
  options?: Readonly<Record<string, string>>;
}

/** Settings that the dialog shows with words of their own. */
export type ShownSetting = Exclude<SettingKey, `window.${string}` | 'keyboard.bindings'>;

/** Names and explanations of the settings. */
export const settingWords: Readonly<Record<ShownSetting, Words>> = {
  'appearance.theme': {
    title: 'Theme',
    help: 'Colours of the window and its plots. The theme of the system changes with it.',
    options: { system: 'As the system', light: 'Light', dark: 'Dark' },
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
    help: 'Reduced motion shows changes at once. Animations of a run play only when you start them, in either case.',
    options: { system: 'As the system', reduced: 'Reduced' },
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
    help: 'Shows the whole script or text in small at its right.',
  },
  'editor.shortcutHints': {
    title: 'Shortcuts in tooltips',
    help: 'Shows the keys of a command when you point at its button.',
  },
  'editor.format': {
    title: 'Format scripts',
    help: 'When scripts are brought into one style. One that cannot be read stays as it is.',
    options: {
      command: 'On command',
      paste: 'On command and after pasting',
      save: 'On command and when saving',
    },
  },
  'runs.live': {
    title: 'Run again while a slider moves',
    help: 'The model runs anew with each value of a parameter, once it has run. Windows start with this choice.',
  },
  'runs.askAboveMillionSteps': {
    title: 'Ask before long runs, million steps',
    help: 'A run with more steps than these millions is started only after a question. 0 never asks.',
  },
  'runs.atOnce': {
    title: 'Runs that compute at a time',
    help: 'Further runs wait for their turn. 0 takes as many as there are cores.',
  },
  'runs.diskLimit': {
    title: 'Disk space for kept runs',
    help: 'Beyond it the oldest runs are removed that are neither pinned nor of an open model. 0 sets no limit.',
  },
  'files.onStart': {
    title: 'On start, show',
    help: 'What a new window opens on. In the browser, files cannot be opened again by themselves: the start page is shown instead of them.',
    options: { example: 'An example', start: 'Start page', last: 'The files open last' },
  },
  'files.autosaveInterval': {
    title: 'Journal of edits every',
    help: 'Unsaved edits are written to a journal that often. After a crash they are offered again.',
  },
  'files.backup': {
    title: 'Keep a backup when saving',
    help: 'The state before stays beside the file, with “.bak” after its name.',
  },
};

export const enSettings = {
  settings: {
    title: 'Settings',
    description: 'They take effect at once, and in all windows.',
    search: 'Search settings',
    found: '{number} setting found | {number} settings found',
    none: 'No such setting.',
    changed: 'Changed from {value}',
    reset: 'Reset to {value}',
    resetAll: 'Reset all…',
    resetAllTitle: 'Reset all settings?',
    resetAllMessage:
      'Settings and shortcuts go back to what they were at first. Models and runs are not touched. Export the settings first if you may want them again.',
    resetAllAnswer: 'Reset all',
    export: 'Export…',
    import: 'Import…',
    imported: 'Settings imported: {number}.',
    importTitle: 'These settings cannot be imported',
    notSettings: 'The file is not a settings file: it needs an object “values” with settings by name.',
    notJson: 'The file is not valid JSON.',
    notJsonRemedy: 'Choose a file that was written by “Export…” in the settings.',
    unknown:
      'There is no setting {key}. Take it out of the file, or import it with the version that wrote it.',
    invalid: '{key}: {problem}',
    outOfRange: 'A number from {min} to {max} is expected.',
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
    taken: '{shortcut} is taken by “{command}”.',
    takeOver: 'Use it here instead',
    browser: 'Browsers keep {shortcut} for themselves. Choose other keys; in the desktop window it is free.',
    typing: '{shortcut} is needed for typing. Hold Ctrl or Alt with it, or use a function key.',
    refused: 'Choose other keys, or press Escape.',
    none: 'No such command.',
    noKeys: 'none',
    context: { graph: 'in the graph', editor: 'in the script' },
    gestures: 'Mouse and other keys',
  },
};
