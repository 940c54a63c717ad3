/** What serves this window: the engine host behind a transport, and the shell around the page. */
import type { Dispatcher } from '@contract/methods';
import type { Shell } from '@contract/shell';

/** State of the line to the engine host. `refused`: the server did not accept this page. */
export type ConnectionState = 'connecting' | 'online' | 'lost' | 'refused';

export interface HostConnection {
  state(): ConnectionState;
  /** @returns a function that ends the subscription */
  onChange(listener: (state: ConnectionState) => void): () => void;
}

/** What only some doors have; the window hides what is missing. */
interface ShellFeatures {
  recentFiles: boolean;
  /** the menu bar belongs to the operating system's window, not to the page */
  nativeMenu: boolean;
  /** a saved file keeps a handle, so that Save writes to it instead of downloading a copy */
  savesInPlace: boolean;
}

export interface Host {
  door: 'desktop' | 'browser';
  dispatcher: Dispatcher;
  shell: Shell;
  features: ShellFeatures;
  connection: HostConnection;
}

let installed: Host | null = null;

/** Makes `host` the one that `useHost` returns; called once before the app is mounted, and by tests. */
export function installHost(host: Host): void {
  installed = host;
}

/**
 * The host that serves this window.
 * @throws {Error} before `installHost`
 */
export function useHost(): Host {
  if (installed === null) throw new Error('no host has been installed');
  return installed;
}

/** A line that never breaks: the desktop's bridge. */
export const steadyConnection: HostConnection = { state: () => 'online', onChange: () => () => undefined };
