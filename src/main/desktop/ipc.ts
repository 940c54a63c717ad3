/** Electron IPC: calls of the window to the engine host and to the shell. */
import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron';
import { MoreauError } from '@contract/errors';
import type { Dispatcher } from '@contract/methods';
import type { ShellEvent } from '@contract/shell';
import { callEnveloped, type Envelope } from '../host/envelope';
import { toRemoteError } from '../host/errors';
import { isAppUrl } from './app-protocol';
import { CHANNEL } from './channels';

export interface IpcOptions {
  dispatcher: Dispatcher;
  /** validates and performs a shell call */
  shell: (method: string, params: unknown) => Promise<unknown>;
  /** the window's contents; null while there is none */
  contents: () => WebContents | null;
  devUrl: string | undefined;
}

/** Sends shell events to the window, keeping those that come before it listens. */
export interface ShellEvents {
  send(event: ShellEvent): void;
  /** whether a page has subscribed and can answer */
  readonly listening: boolean;
  /** the page is gone or reloads: events wait again */
  reset(): void;
}

const foreign: Envelope = {
  ok: false,
  error: { code: 'foreign-sender', message: 'Only the window of the application may call the engine.' },
};

/** Connects the window. Calls from any other page or frame are refused. */
export function connectIpc(options: IpcOptions): ShellEvents {
  const trusted = (event: IpcMainInvokeEvent | IpcMainEvent): boolean => {
    const contents = options.contents();
    const frame = event.senderFrame;
    return (
      contents !== null &&
      event.sender === contents &&
      frame !== null &&
      frame === contents.mainFrame &&
      isAppUrl(frame.url, options.devUrl)
    );
  };
  ipcMain.handle(CHANNEL.call, (event, method: unknown, params: unknown): Envelope | Promise<Envelope> => {
    if (!trusted(event)) return foreign;
    return callEnveloped(options.dispatcher, String(method), params);
  });
  ipcMain.handle(CHANNEL.shell, async (event, method: unknown, params: unknown): Promise<Envelope> => {
    if (!trusted(event)) return foreign;
    try {
      return { ok: true, result: await options.shell(String(method), params) };
    } catch (error) {
      return { ok: false, error: error instanceof MoreauError ? error.details : toRemoteError(error) };
    }
  });
  options.dispatcher.onEvent((event) => {
    const contents = options.contents();
    if (contents !== null && !contents.isDestroyed()) contents.send(CHANNEL.hostEvent, event);
  });
  let listening = false;
  const waiting: ShellEvent[] = [];
  const flush = (): void => {
    const contents = options.contents();
    if (!listening || contents === null || contents.isDestroyed()) return;
    for (const event of waiting.splice(0)) contents.send(CHANNEL.shellEvent, event);
  };
  ipcMain.on(CHANNEL.listening, (event) => {
    if (!trusted(event)) return;
    listening = true;
    flush();
  });
  return {
    get listening() {
      return listening;
    },
    send: (event) => {
      waiting.push(event);
      flush();
    },
    reset: () => {
      listening = false;
    },
  };
}
