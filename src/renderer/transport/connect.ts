import { BrowserShell } from './browser-shell';
import { desktopHost } from './bridge';
import type { Host } from './host';
import { SocketDispatcher, type SocketLike } from './socket';

const TOKEN_KEY = 'moreau.token';

/**
 * The access token of the browser door: from the address on first load, then from the tab's storage, so that
 * it does not stay in the address bar and a reload still works.
 */
export function takeToken(location: Location, history: History, storage: Storage): string {
  const query = new URLSearchParams(location.search);
  const given = query.get('token');
  if (given === null) return storage.getItem(TOKEN_KEY) ?? '';
  storage.setItem(TOKEN_KEY, given);
  query.delete('token');
  const rest = query.toString();
  history.replaceState(null, '', location.pathname + (rest === '' ? '' : `?${rest}`) + location.hash);
  return given;
}

function browserHost(): Host {
  const token = takeToken(window.location, window.history, window.sessionStorage);
  const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
  const address = `${scheme}://${window.location.host}/socket?token=${encodeURIComponent(token)}`;
  const socket = new SocketDispatcher({
    connect: (): SocketLike => new WebSocket(address),
    schedule: (action, delay) => setTimeout(action, delay),
  });
  return {
    door: 'browser',
    dispatcher: socket,
    shell: new BrowserShell(),
    features: { recentFiles: false, nativeMenu: false, savesInPlace: false },
    connection: socket,
  };
}

/** The host of this page: the Electron bridge where there is one, else the server the page came from. */
export function connectHost(): Host {
  return window.moreauBridge === undefined ? browserHost() : desktopHost(window.moreauBridge);
}
