/** The sandboxed preload: the one bridge between the window and the main process. */
import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { type HostEvent, methodParams } from '@contract/methods';
import { type ShellEvent, shellParams } from '@contract/shell';
import { CHANNEL } from './desktop/channels';
import type { Envelope } from './host/envelope';

/** Only methods of the contract cross; the main process checks again, with their parameters. */
const hostMethods = new Set(Object.keys(methodParams));
const shellMethods = new Set(Object.keys(shellParams));

const refused = (): Promise<Envelope> =>
  Promise.resolve({
    ok: false,
    error: { code: 'unknown-method', message: 'The bridge has no method of that name.' },
  });

function subscribe(channel: string, listener: (event: unknown) => void): () => void {
  const receive = (_event: IpcRendererEvent, data: unknown): void => listener(data);
  ipcRenderer.on(channel, receive);
  return () => void ipcRenderer.removeListener(channel, receive);
}

contextBridge.exposeInMainWorld('moreauBridge', {
  door: 'desktop',
  dispatch: (method: string, params: unknown): Promise<Envelope> =>
    hostMethods.has(method) ? ipcRenderer.invoke(CHANNEL.call, method, params) : refused(),
  shell: (method: string, params: unknown): Promise<Envelope> =>
    shellMethods.has(method) ? ipcRenderer.invoke(CHANNEL.shell, method, params) : refused(),
  onHostEvent: (listener: (event: HostEvent) => void) =>
    subscribe(CHANNEL.hostEvent, (event) => listener(event as HostEvent)),
  onShellEvent: (listener: (event: ShellEvent) => void) => {
    const end = subscribe(CHANNEL.shellEvent, (event) => listener(event as ShellEvent));
    ipcRenderer.send(CHANNEL.listening);
    return end;
  },
});
