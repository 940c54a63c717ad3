/** One window connected over a WebSocket: calls in, replies and events out. */
import { decodeFrame, encodeFrame, type ReplyFrame, requestSchema } from '@contract/frames';
import type { Dispatcher, HostEvent } from '@contract/methods';
import { z } from 'zod';
import { callEnveloped } from '../host/envelope';
import { toRemoteError } from '../host/errors';

/**
 * Bytes waiting in the socket above which progress is held back, so that a slow line carries answers, not
 * news that are out of date when they arrive.
 */
const HIGH_WATER_BYTES = 1024 * 1024;

const pageSchema = z.object({ page: z.string() });

/**
 * The connection that each page has: the one before it may be noticed to have ended later than the next one
 * begins.
 */
const connections = new Map<string, Connection>();

/** What the connection needs of a WebSocket. */
export interface FrameSocket {
  readonly bufferedAmount: number;
  /** @param sent called when the frame has left the buffer */
  send(frame: Uint8Array, sent: () => void): void;
  close(code: number, reason: string): void;
}

export class Connection {
  readonly #socket: FrameSocket;
  readonly #dispatcher: Dispatcher;
  readonly #unsubscribe: () => void;
  /** newest progress of each run that was held back */
  readonly #held = new Map<string, HostEvent>();
  /** the page behind it, as it says itself */
  #page: string | null = null;
  #open = true;

  constructor(socket: FrameSocket, dispatcher: Dispatcher) {
    this.#socket = socket;
    this.#dispatcher = dispatcher;
    this.#unsubscribe = dispatcher.onEvent((event) => this.#forward(event));
  }

  /** Handles one frame from the window. */
  async receive(frame: Uint8Array): Promise<void> {
    let request;
    try {
      request = requestSchema.parse(decodeFrame(frame));
    } catch {
      this.#socket.close(1008, 'not a frame of this protocol');
      return;
    }
    const { id, method, params } = request;
    if (method === 'journal.attend') this.#belongTo(params);
    const envelope = await callEnveloped(this.#dispatcher, method, params);
    this.#send(envelope.ok ? { id, result: envelope.result } : { id, error: envelope.error });
  }

  /** The socket has closed. Runs continue; the window finds them again when it reconnects. */
  end(): void {
    this.#open = false;
    this.#unsubscribe();
    this.#held.clear();
    // What it has not saved may be recovered elsewhere, unless it connects again.
    const page = this.#page;
    if (page === null || connections.get(page) !== this) return;
    connections.delete(page);
    void this.#dispatcher.dispatch('journal.leave', { page }).catch(() => undefined);
  }

  #belongTo(params: unknown): void {
    const said = pageSchema.safeParse(params);
    if (!this.#open || !said.success) return;
    this.#page = said.data.page;
    connections.set(this.#page, this);
  }

  #forward(event: HostEvent): void {
    if (event.event === 'run.progress' && this.#socket.bufferedAmount > HIGH_WATER_BYTES) {
      this.#held.set(event.data.run.runId, event);
      return;
    }
    if (event.event === 'run.progress') this.#held.delete(event.data.run.runId);
    this.#send(event);
  }

  #send(message: ReplyFrame): void {
    if (!this.#open) return;
    let frame: Uint8Array;
    try {
      frame = encodeFrame(message);
    } catch (error) {
      if (!('id' in message)) return;
      frame = encodeFrame({ id: message.id, error: toRemoteError(error) });
    }
    this.#socket.send(frame, () => this.#drained());
  }

  #drained(): void {
    if (this.#held.size === 0 || this.#socket.bufferedAmount > HIGH_WATER_BYTES) return;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const event of held) this.#forward(event);
  }
}
