/** What the shell's methods work with. */
import type { BrowserWindow } from 'electron';
import type { ShellMethod, ShellParams, ShellResults, WindowMenuSection } from '@contract/shell';
import type { FileHandles } from '../file-handles';
import type { RecentFiles } from '../recent-files';
import type { WatchedFiles } from '../watched-files';

export interface ShellContext {
  readonly handles: FileHandles;
  readonly recent: RecentFiles;
  readonly watched: WatchedFiles;
  /** @throws {MoreauError} when there is no window */
  window(): BrowserWindow;
  setDocument(name: string, dirty: boolean): void;
  /** whether the state before a save is kept beside the file */
  keepsBackup(): boolean;
  /** where a data file lies that was written for the window; null for a ticket that is none */
  exportedFile(ticket: string): string | null;
  /** the window's part of the application menu */
  setMenu(sections: readonly WindowMenuSection[]): void;
  /** closes the window without asking again */
  closeNow(): void;
}

/** Implementation of one shell method; its parameters have passed the contract's schema. */
export type ShellHandler<M extends ShellMethod> = (
  context: ShellContext,
  params: ShellParams<M>,
) => ShellResults[M] | Promise<ShellResults[M]>;

export type ShellHandlers<M extends ShellMethod> = { readonly [K in M]: ShellHandler<K> };
