/**
 * The settings of a user: one table, from which validation, defaults and the settings dialog come. Their
 * texts stand in the window's locale, under the same section and name. What the window remembers without
 * being asked (sizes of panes, commands used lately) is kept beside them, in the section `window`, which no
 * dialog shows.
 */
import { FIGURE_FORMATS, FIGURE_STYLES, MOST_FIGURE_DPI, MOST_FIGURE_MM } from './figures';
import { z } from './schemas';

// Before the first schema: the content security policy of the window forbids compiled ones.
z.config({ jitless: true });

export type SettingSection = 'appearance' | 'editor' | 'runs' | 'files' | 'keyboard' | 'window';

/** Languages of the window. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a setting is asked for. */
export type SettingControl =
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'switch' }
  | { kind: 'number'; min: number; max: number; step: number; unit?: string }
  /** has an editor of its own, or none */
  | { kind: 'own' };

export interface SettingDefinition<T> {
  section: SettingSection;
  schema: z.ZodType<T>;
  default: T;
  control: SettingControl;
}

/** One shortcut a command has got from the user, in place of its own; an empty list takes all away. */
const keyBindings = z.record(z.string().max(100), z.array(z.string().min(1).max(40)).max(8));
/** Sizes of the panes of a splitter, in percent, by the splitter's name. */
const paneSizes = z.record(z.string().max(60), z.array(z.number().min(0).max(100)).max(8));

export const DOCK_PANES = ['side', 'model', 'lower', 'plots'] as const;
export type DockPane = (typeof DOCK_PANES)[number];

const dockLayout = z.object({
  /** where the lower pane stands: under the model, under everything, or as a column of its own */
  lowerAt: z.enum(['model', 'bottom', 'right']),
  /** the side column stands left or right */
  sideAt: z.enum(['left', 'right']),
  hidden: z.array(z.enum(DOCK_PANES)).max(DOCK_PANES.length),
});
export type DockLayout = z.infer<typeof dockLayout>;

/** mm */
const figureSize = z.object({
  width: z.number().positive().max(MOST_FIGURE_MM),
  height: z.number().positive().max(MOST_FIGURE_MM),
});
const figureChoice = z.object({
  format: z.enum(FIGURE_FORMATS),
  style: z.enum(FIGURE_STYLES),
  /** dots to the inch */
  dpi: z.number().positive().max(MOST_FIGURE_DPI),
  plot: figureSize,
  dashboard: figureSize,
});
export type FigureChoice = z.infer<typeof figureChoice>;

const choice = <const T extends string>(
  section: SettingSection,
  options: readonly [T, ...T[]],
  preset: NoInfer<T>,
): SettingDefinition<T> => ({
  section,
  schema: z.enum(options),
  default: preset,
  control: { kind: 'choice', options },
});

const onOff = (section: SettingSection, preset: boolean): SettingDefinition<boolean> => ({
  section,
  schema: z.boolean(),
  default: preset,
  control: { kind: 'switch' },
});

const number = (
  section: SettingSection,
  preset: number,
  range: { min: number; max: number; step?: number; unit?: string; whole?: boolean },
): SettingDefinition<number> => {
  const { min, max, step = 1, unit, whole = true } = range;
  const base = whole ? z.number().int() : z.number();
  return {
    section,
    schema: base.min(min).max(max),
    default: preset,
    control: { kind: 'number', min, max, step, ...(unit === undefined ? {} : { unit }) },
  };
};

const own = <T>(section: SettingSection, schema: z.ZodType<T>, preset: T): SettingDefinition<T> => ({
  section,
  schema,
  default: preset,
  control: { kind: 'own' },
});

/** Every setting, in the order in which the dialog shows them. The part before the dot is its section. */
export const settingDefinitions = {
  /** of the window’s texts; `system`: that of the browser or operating system, where it is one of these */
  'appearance.language': choice('appearance', ['system', ...LANGUAGES], 'system'),
  'appearance.theme': choice('appearance', ['system', 'light', 'dark'], 'system'),
  /** percent of the ordinary size */
  'appearance.zoom': number('appearance', 100, { min: 50, max: 250, step: 10, unit: '%' }),
  'appearance.density': choice('appearance', ['comfortable', 'compact'], 'comfortable'),
  'appearance.motion': choice('appearance', ['system', 'reduced'], 'system'),
  'appearance.digits': number('appearance', 6, { min: 3, max: 12 }),
  'editor.fontSize': number('editor', 13, { min: 9, max: 32, unit: 'px' }),
  'editor.wordWrap': onOff('editor', false),
  'editor.minimap': onOff('editor', false),
  'editor.shortcutHints': onOff('editor', true),
  /** when scripts are formatted: by the command alone, or also after a paste, or before a save */
  'editor.format': choice('editor', ['command', 'paste', 'save'], 'command'),
  /** runs a fast model again while a slider moves */
  'runs.live': onOff('runs', true),
  /** steps above which a run is asked about first, millions; 0: never */
  'runs.askAboveMillionSteps': number('runs', 200, { min: 0, max: 100_000, step: 10 }),
  /** runs that compute at a time, others wait; 0: as many as there are cores */
  'runs.atOnce': number('runs', 0, { min: 0, max: 64, step: 1 }),
  /** what kept runs may take on the disk, GiB; 0: no limit */
  'runs.diskLimit': number('runs', 20, { min: 0, max: 100_000, step: 1, unit: 'GiB', whole: false }),
  /** what a window opens on */
  'files.onStart': choice('files', ['start', 'example', 'last'], 'start'),
  /** pause between two entries of the journal that a recovery reads, s */
  'files.autosaveInterval': number('files', 2, { min: 1, max: 300, unit: 's' }),
  /** keeps the state before as `NAME.bak` when a file is saved */
  'files.backup': onOff('files', true),
  'keyboard.bindings': own('keyboard', keyBindings, {}),
  'window.paneSizes': own('window', paneSizes, {}),
  'window.docks': own<DockLayout>('window', dockLayout, { lowerAt: 'model', sideAt: 'left', hidden: [] }),
  'window.favourites': own('window', z.array(z.string().max(200)).max(1000), []),
  'window.recentCommands': own('window', z.array(z.string().max(200)).max(50), []),
  'window.graphLive': own('window', z.boolean(), true),
  'window.graphLegend': own('window', z.boolean(), false),
  /** types of elements that the palette of the graph shows first, as `system:Type` or `relation:Type` */
  'window.paletteFavourites': own('window', z.array(z.string().max(100)).max(200), []),
  'window.paletteRecent': own('window', z.array(z.string().max(100)).max(12), []),
  /** handles of the files that were open last */
  'window.lastFiles': own('window', z.array(z.string().max(100)).max(50), []),
  /** how a figure was exported last; plots and dashboards have sizes of their own */
  'window.figure': own<FigureChoice>('window', figureChoice, {
    format: '.pdf',
    style: 'publication',
    dpi: 300,
    plot: { width: 160, height: 80 },
    dashboard: { width: 160, height: 120 },
  }),
  'window.eventMarkers': own('window', z.boolean(), false),
  'window.linkedTimeAxes': own('window', z.boolean(), true),
} as const satisfies Record<string, SettingDefinition<never> | SettingDefinition<unknown>>;

export type SettingKey = keyof typeof settingDefinitions;
export type SettingValue<K extends SettingKey> =
  (typeof settingDefinitions)[K] extends SettingDefinition<infer T> ? T : never;
export type Settings = { [K in SettingKey]: SettingValue<K> };
/** Settings that differ from their defaults. */
export type ChangedSettings = Partial<Settings>;

/** Version of the settings file. */
export const SETTINGS_VERSION = 1;

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingDefinitions, key);

/** The definition of a setting, of whatever type its value is. */
export const settingDefinition = (key: SettingKey): SettingDefinition<unknown> => settingDefinitions[key];

/** What is wrong with a value of a setting, as a sentence; null when it is valid. */
export function settingProblem(key: SettingKey, value: unknown): string | null {
  const checked = settingDefinition(key).schema.safeParse(value);
  return checked.success ? null : (checked.error.issues[0]?.message ?? 'The value is not valid.');
}

/** All settings: those given, and the defaults of the others. */
export function completeUserSettings(changed: ChangedSettings): Settings {
  const defaults = Object.fromEntries(
    Object.entries(settingDefinitions).map(([key, definition]) => [key, definition.default]),
  );
  return { ...defaults, ...changed } as Settings;
}

/**
 * Sorts stored values: valid ones of settings that are known, known ones with a value that is not valid, and
 * names this version does not know, which a newer one may have written.
 */
export function sortSettings(stored: Readonly<Record<string, unknown>>): {
  changed: ChangedSettings;
  invalid: { key: SettingKey; problem: string }[];
  unknown: string[];
} {
  const changed: Record<string, unknown> = {};
  const invalid: { key: SettingKey; problem: string }[] = [];
  const unknown: string[] = [];
  for (const [key, value] of Object.entries(stored)) {
    if (!isSettingKey(key)) {
      unknown.push(key);
      continue;
    }
    const problem = settingProblem(key, value);
    if (problem === null) changed[key] = value;
    else invalid.push({ key, problem });
  }
  return { changed, invalid, unknown };
}
