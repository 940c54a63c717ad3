/** The browser door's line to the engine host: binary frames over one WebSocket, reopened when it breaks. */
import { MoreauError, type RemoteError } from '@contract/errors';
import { decodeFrame, encodeFrame, replySchema } from '@contract/frames';
import type { Dispatcher, HostEvent, MethodName, MethodParams, MethodResult } from '@contract/methods';
import type { HostConnection, ConnectionState } from './host';
import { plain } from './plain';

/** The part of a WebSocket this file uses; tests hand in their own. */
export interface SocketLike {
  binaryType: string;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

export interface SocketOptions {
  connect: () => SocketLike;
  /** calls `action` after `delay` milliseconds */
  schedule: (action: () => void, delay: number) => void;
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: MoreauError) => void;
}

/** First wait before a reconnection, ms; doubled at each failure up to the longest. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;

const LOST: RemoteError = {
  code: 'connection-lost',
  message: 'The connection to the engine is lost.',
  remedy: 'The window reconnects by itself while the server runs. Your model is kept in this page.',
};

/**
 * Dispatcher over a WebSocket. Calls made before the first opening wait for it; calls while it is lost
 * reject.
 */
export class SocketDispatcher implements Dispatcher, HostConnection {
  readonly #options: SocketOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Set<(event: HostEvent) => void>();
  readonly #watchers = new Set<(state: ConnectionState) => void>();
  #waiting: Uint8Array<ArrayBuffer>[] = [];
  #socket: SocketLike | null = null;
  #state: ConnectionState = 'connecting';
  #nextId = 0;
  #wait = FIRST_WAIT;
  #everOpen = false;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#open();
  }

  state(): ConnectionState {
    return this.#state;
  }

  onChange(listener: (state: ConnectionState) => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  onEvent(listener: (event: HostEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispatch<M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodResult<M>> {
    if (this.#state === 'lost' || this.#state === 'refused') return Promise.reject(new MoreauError(LOST));
    const id = this.#nextId++;
    const frame = encodeFrame({ id, method, params: plain(params) }) as Uint8Array<ArrayBuffer>;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: (result) => resolve(result as MethodResult<M>), reject });
      if (this.#state === 'online') this.#socket?.send(frame);
      else this.#waiting.push(frame);
    });
  }

  #open(): void {
    const socket = this.#options.connect();
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.#everOpen = true;
      this.#wait = FIRST_WAIT;
      this.#become('online');
      for (const frame of this.#waiting.splice(0)) socket.send(frame);
    };
    socket.onmessage = (message) => this.#receive(message.data);
    socket.onclose = () => this.#closed();
    this.#socket = socket;
  }

  #closed(): void {
    this.#socket = null;
    this.#waiting = [];
    for (const call of this.#pending.values()) call.reject(new MoreauError(LOST));
    this.#pending.clear();
    // A server that never let this page in will not change its mind: most likely the token is missing or old.
    this.#become(this.#everOpen ? 'lost' : 'refused');
    this.#options.schedule(() => this.#open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  #receive(data: unknown): void {
    if (!(data instanceof ArrayBuffer)) return;
    const reply = replySchema.safeParse(decodeFrame(new Uint8Array(data)));
    if (!reply.success) return;
    const message = reply.data;
    if ('event' in message) {
      for (const listener of this.#listeners) listener(message as HostEvent);
      return;
    }
    const call = this.#pending.get(message.id);
    if (call === undefined) return;
    this.#pending.delete(message.id);
    if ('error' in message) call.reject(new MoreauError(message.error));
    else call.resolve(message.result);
  }

  #become(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const watcher of this.#watchers) watcher(state);
  }
}
