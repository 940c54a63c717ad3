import { describe, expect, it } from 'vitest';
import { reactive } from 'vue';
import { MoreauError } from '@contract/errors';
import { decodeFrame, encodeFrame, type RequestFrame } from '@contract/frames';
import type { HostEvent } from '@contract/methods';
import { BridgeDispatcher, type MoreauBridge } from '@renderer/transport/bridge';
import { takeToken } from '@renderer/transport/connect';
import { plain } from '@renderer/transport/plain';
import { SocketDispatcher, type SocketLike } from '@renderer/transport/socket';

class TestSocket implements SocketLike {
  binaryType = '';
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  sent: RequestFrame[] = [];
  send(data: Uint8Array): void {
    this.sent.push(decodeFrame(data) as RequestFrame);
  }
  close(): void {
    this.onclose?.({} as CloseEvent);
  }
  open(): void {
    this.onopen?.({} as Event);
  }
  receive(message: unknown): void {
    const bytes = encodeFrame(message);
    const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    this.onmessage?.({ data } as MessageEvent);
  }
}

function line(): {
  dispatcher: SocketDispatcher;
  sockets: TestSocket[];
  waits: { action: () => void; delay: number }[];
} {
  const sockets: TestSocket[] = [];
  const waits: { action: () => void; delay: number }[] = [];
  const dispatcher = new SocketDispatcher({
    connect: () => {
      const socket = new TestSocket();
      sockets.push(socket);
      return socket;
    },
    schedule: (action, delay) => void waits.push({ action, delay }),
  });
  return { dispatcher, sockets, waits };
}

const only = (sockets: TestSocket[]): TestSocket => sockets.at(-1) as TestSocket;

describe('socket dispatcher', () => {
  it('sends what was asked before the line stood, and answers by id', async () => {
    const { dispatcher, sockets } = line();
    const first = dispatcher.dispatch('app.info', {});
    const second = dispatcher.dispatch('run.list', {});
    expect(only(sockets).sent).toHaveLength(0);
    only(sockets).open();
    const [a, b] = only(sockets).sent;
    only(sockets).receive({ id: b?.id, result: [] });
    only(sockets).receive({ id: a?.id, result: { version: '1' } });
    expect(await second).toEqual([]);
    expect(await first).toEqual({ version: '1' });
  });

  it('carries typed arrays', async () => {
    const { dispatcher, sockets } = line();
    only(sockets).open();
    const reading = dispatcher.dispatch('run.rows', { runId: 'r', signals: ['a'], firstRow: 0, count: 3 });
    only(sockets).receive({ id: 0, result: { firstRow: 0, columns: [Float64Array.of(1, NaN, 3)] } });
    expect((await reading).columns[0]).toEqual(Float64Array.of(1, NaN, 3));
  });

  it('rejects with the words of the host', async () => {
    const { dispatcher, sockets } = line();
    only(sockets).open();
    const call = dispatcher.dispatch('run.get', { runId: 'x' });
    only(sockets).receive({ id: 0, error: { code: 'unknown-run', message: 'There is no run x.' } });
    await expect(call).rejects.toMatchObject({ details: { code: 'unknown-run' } });
  });

  it('rejects pending calls when the line breaks, then reconnects with growing waits', async () => {
    const { dispatcher, sockets, waits } = line();
    const states: string[] = [];
    dispatcher.onChange((state) => states.push(state));
    only(sockets).open();
    const call = dispatcher.dispatch('app.info', {});
    only(sockets).close();
    await expect(call).rejects.toBeInstanceOf(MoreauError);
    await expect(dispatcher.dispatch('app.info', {})).rejects.toMatchObject({
      details: { code: 'connection-lost' },
    });
    waits[0]?.action();
    only(sockets).close();
    expect((waits[1]?.delay ?? 0) > (waits[0]?.delay ?? 0)).toBe(true);
    waits[1]?.action();
    only(sockets).open();
    expect(states).toEqual(['online', 'lost', 'online']);
    const again = dispatcher.dispatch('run.list', {});
    only(sockets).receive({ id: only(sockets).sent[0]?.id, result: [] });
    expect(await again).toEqual([]);
  });

  it('says refused when the server never let it in', () => {
    const { dispatcher, sockets } = line();
    only(sockets).close();
    expect(dispatcher.state()).toBe('refused');
  });

  it('passes events on until the subscription ends', () => {
    const { dispatcher, sockets } = line();
    only(sockets).open();
    const events: HostEvent[] = [];
    const end = dispatcher.onEvent((event) => events.push(event));
    only(sockets).receive({ event: 'run.console', data: { runId: 'r', script: 's', text: 'x' } });
    end();
    only(sockets).receive({ event: 'run.console', data: { runId: 'r', script: 's', text: 'y' } });
    expect(events).toHaveLength(1);
  });
});

describe('bridge dispatcher', () => {
  const bridge = (dispatch: MoreauBridge['dispatch']): MoreauBridge => ({
    door: 'desktop',
    dispatch,
    shell: () => Promise.resolve({ ok: true, result: null }),
    onHostEvent: () => () => undefined,
    onShellEvent: () => () => undefined,
  });

  it('sends data that can be cloned, without proxies', async () => {
    let sent: unknown;
    const dispatcher = new BridgeDispatcher(
      bridge((_method, params) => {
        sent = structuredClone(params);
        return Promise.resolve({ ok: true, result: { text: '' } });
      }),
    );
    await dispatcher.dispatch('document.write', { document: reactive({ title: 'x', systems: [] }) as never });
    expect(sent).toEqual({ document: { title: 'x', systems: [] } });
  });

  it('throws the error of the envelope', async () => {
    const error = { code: 'unknown-run', message: 'There is no run x.', remedy: 'Choose another.' };
    const dispatcher = new BridgeDispatcher(bridge(() => Promise.resolve({ ok: false, error })));
    await expect(dispatcher.dispatch('run.get', { runId: 'x' })).rejects.toMatchObject({ details: error });
  });
});

describe('what crosses the border', () => {
  it('loses proxies, undefined members and functions, not arrays of numbers', () => {
    const array = Float64Array.of(1, 2);
    const value = reactive({ a: { b: [1, { c: 2 }] }, none: undefined, act: () => 1 });
    const copy = plain({ value, array }) as { value: unknown; array: unknown };
    expect(copy.value).toEqual({ a: { b: [1, { c: 2 }] } });
    expect(Object.keys(copy.value as object)).toEqual(['a']);
    expect(copy.array).toBe(array);
  });
});

describe('token of the browser door', () => {
  it('leaves the address bar and survives a reload', () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (k: string) => stored.get(k) ?? null,
      setItem: (k: string, v: string) => void stored.set(k, v),
    };
    const shown: string[] = [];
    const history = { replaceState: (_s: unknown, _t: string, url: string) => void shown.push(url) };
    const at = (search: string): Location => ({ search, pathname: '/', hash: '#x' }) as Location;
    expect(takeToken(at('?token=abc&a=1'), history as unknown as History, storage as Storage)).toBe('abc');
    expect(shown).toEqual(['/?a=1#x']);
    expect(takeToken(at('?a=1'), history as unknown as History, storage as Storage)).toBe('abc');
  });
});
