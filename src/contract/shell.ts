/**
 * What only the desktop shell can do: native dialogs, files, the menu. The browser door implements the same
 * interface in the page with downloads and file inputs, so the window's code knows one `Shell`.
 *
 * The renderer never names a path. A file it may write is an opaque handle that the main process gave out
 * after the user chose the file in a dialog, in the recent list or from the operating system.
 */
import { z } from './schemas';

// Before the first schema: the content security policy of the window forbids compiled ones.
z.config({ jitless: true });

export interface OpenedFile {
  /** opaque; null when the text has no file to be saved to */
  handle: string | null;
  /** file name without folder */
  name: string;
  text: string;
  /** identity of the text, to notice later that the file has another one */
  stamp?: string;
}

export interface RecentFile {
  handle: string;
  name: string;
  folder: string;
}

const handle = z.string().min(1).max(100);
const empty = z.strictObject({});

/** Largest image or data file the window may hand to the shell to be saved, bytes. */
export const MAX_EXPORT_BYTES = 256 * 1024 * 1024;

/** The window's menus: commands of its registry by group, null for a line between them. */
const menuEntry = z.strictObject({
  command: z.string().min(1).max(100),
  label: z.string().min(1).max(200),
  /** in the words of native menus, e.g. `CmdOrCtrl+S`; shown there, handled in the window */
  key: z
    .string()
    .max(60)
    .regex(/^(?:(?:CmdOrCtrl|Alt|Shift)\+)*[\w.,;=/\\`'[\]-]+$/)
    .optional(),
});
const menuSection = z.strictObject({
  group: z.enum(['file', 'edit', 'view', 'run', 'help']),
  label: z.string().min(1).max(60),
  entries: z.array(menuEntry.nullable()).max(200),
});
export type WindowMenuSection = z.infer<typeof menuSection>;

export const shellParams = {
  'shell.open': empty,
  'shell.openRecent': z.strictObject({ handle }),
  'shell.recent': empty,
  'shell.clearRecent': empty,
  /** with a `stamp`, only while the file still has the content of that name */
  'shell.save': z.strictObject({ handle, text: z.string(), stamp: z.string().max(100).optional() }),
  'shell.saveAs': z.strictObject({ suggestedName: z.string().max(200), text: z.string() }),
  /** files to watch for changes by other programs: those of the open documents */
  'shell.watchFiles': z.strictObject({ handles: z.array(handle).max(1000) }),
  'shell.exportFile': z.strictObject({
    suggestedName: z.string().max(200),
    data: z.instanceof(Uint8Array),
  }),
  /** gives the user a data file that the host has written */
  'shell.takeExport': z.strictObject({
    ticket: z.string().regex(/^[\w-]{32}$/),
    suggestedName: z.string().max(200),
  }),
  /** window title and unsaved marker; the shell asks before it closes a dirty window */
  'shell.setDocument': z.strictObject({ name: z.string().max(300), dirty: z.boolean() }),
  'shell.setTheme': z.strictObject({ theme: z.enum(['light', 'dark', 'system']) }),
  'shell.setMenu': z.strictObject({ sections: z.array(menuSection).max(10) }),
  /** size of everything in the window; 1 is the ordinary one */
  'shell.setZoom': z.strictObject({ factor: z.number().min(0.25).max(5) }),
  /** answer to `shell.closeRequested` after the window saved or gave up its changes */
  'shell.closeNow': empty,
} as const satisfies Record<string, z.ZodType>;

export type ShellMethod = keyof typeof shellParams;
export type ShellParams<M extends ShellMethod> = z.infer<(typeof shellParams)[M]>;

/** What came of saving: a conflict leaves the file as another program has written it. */
type SaveResult = { conflict?: false; stamp?: string } | { conflict: true; stamp?: undefined };

export interface ShellResults {
  'shell.open': OpenedFile | null;
  'shell.openRecent': OpenedFile;
  'shell.recent': RecentFile[];
  'shell.clearRecent': Record<string, never>;
  'shell.save': SaveResult;
  /** null: the user cancelled */
  'shell.saveAs': { handle: string | null; name: string; stamp?: string } | null;
  'shell.watchFiles': Record<string, never>;
  'shell.exportFile': { name: string } | null;
  /** null: the user cancelled */
  'shell.takeExport': { name: string } | null;
  'shell.setDocument': Record<string, never>;
  'shell.setTheme': Record<string, never>;
  'shell.setMenu': Record<string, never>;
  'shell.setZoom': Record<string, never>;
  'shell.closeNow': Record<string, never>;
}

interface ShellEvents {
  /** a menu item or accelerator named a command of the window's registry */
  'shell.command': { command: string };
  /** the operating system or the command line asked to open a file */
  'shell.openFile': { file: OpenedFile };
  /** another program has written a file that the window has open; without a stamp the file is gone */
  'shell.fileChanged': { handle: string; stamp: string | null };
  /** the user closes a window with unsaved changes */
  'shell.closeRequested': Record<string, never>;
  /** saving or opening failed outside a call */
  'shell.problem': { message: string };
}

type ShellEventName = keyof ShellEvents;
export type ShellEvent = { [E in ShellEventName]: { event: E; data: ShellEvents[E] } }[ShellEventName];

export interface Shell {
  call<M extends ShellMethod>(method: M, params: ShellParams<M>): Promise<ShellResults[M]>;
  onEvent(listener: (event: ShellEvent) => void): () => void;
}
