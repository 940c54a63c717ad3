import { request } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { decodeFrame, encodeFrame } from '@contract/frames';
import type { HostEvent, ReadResult, RunInfo } from '@contract/methods';
import type { EngineHost } from '@main/host/host';
import { Connection } from '@main/server/connection';
import { type BrowserDoor, openBrowserDoor } from '@main/server/server';
import { bouncingBall } from './models';
import { createHost, failure, isOver, runWhen, temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
let host: EngineHost;
let door: BrowserDoor;

beforeAll(async () => {
  folder = temporaryFolder();
  const renderer = join(folder.path, 'renderer');
  mkdirSync(join(renderer, 'assets'), { recursive: true });
  writeFileSync(join(renderer, 'index.html'), '<!doctype html><title>Moreau</title>');
  writeFileSync(join(renderer, 'assets', 'index-1a2b.js'), 'export {};');
  writeFileSync(join(renderer, '.hidden'), 'no');
  writeFileSync(join(folder.path, 'secret.txt'), 'no');
  host = createHost();
  door = await openBrowserDoor({
    dispatcher: host,
    rendererDirectory: renderer,
    port: 0,
    exports: {
      file: (ticket) => host.exportedFile(ticket),
      drop: (ticket) => void host.dispatch('data.dropExport', { ticket }),
    },
  });
});
afterAll(async () => {
  await door.close();
  await host.dispose();
  await folder.remove();
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** A request with exactly this path and Host: `fetch` would tidy both up. */
function get(path: string, options: { host?: string; method?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: options.host ?? `127.0.0.1:${door.port}` };
    const call = request(
      { host: '127.0.0.1', port: door.port, path, method: options.method ?? 'GET', headers },
      (response) => {
        let body = '';
        response.on('data', (part: Buffer) => (body += part.toString()));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    call.on('error', reject);
    call.end();
  });
}

interface Attempt {
  token?: string;
  path?: string;
  host?: string;
  origin?: string | undefined;
  protocols?: string[];
}

/** Opens a WebSocket; resolves to the status of a refusal, or to the socket. */
function connect(attempt: Attempt = {}): Promise<WebSocket | number> {
  const own = `127.0.0.1:${door.port}`;
  const token = attempt.token ?? door.token;
  const query = token === '' ? '' : `?token=${token}`;
  const origin = 'origin' in attempt ? attempt.origin : `http://${own}`;
  const socket = new WebSocket(`ws://${own}${attempt.path ?? '/socket'}${query}`, attempt.protocols ?? [], {
    headers: { host: attempt.host ?? own, ...(origin === undefined ? {} : { origin }) },
  });
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

async function open(attempt: Attempt = {}): Promise<WebSocket> {
  const socket = await connect(attempt);
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  return socket;
}

/** Frames received, and the next one that fits. */
function inbox(socket: WebSocket) {
  const waiting: { fits: (frame: unknown) => boolean; resolve: (frame: unknown) => void }[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = decodeFrame(new Uint8Array(data));
    const at = waiting.findIndex(({ fits }) => fits(frame));
    if (at >= 0) waiting.splice(at, 1)[0].resolve(frame);
  });
  const next = (fits: (frame: unknown) => boolean): Promise<unknown> =>
    new Promise((resolve) => waiting.push({ fits, resolve }));
  let id = 0;
  const call = async (
    method: string,
    params: unknown,
  ): Promise<{ result?: unknown; error?: { code: string } }> => {
    const mine = id++;
    const reply = next((frame) => (frame as { id?: number }).id === mine);
    socket.send(encodeFrame({ id: mine, method, params }));
    return (await reply) as { result?: unknown; error?: { code: string } };
  };
  return { next, call };
}

describe('the files of the window', () => {
  it('are served with a strict policy', async () => {
    const page = await get(`/?token=${door.token}`);
    expect(page.status).toBe(200);
    expect(page.body).toContain('Moreau');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.headers['cache-control']).toBe('no-store');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe-eval');
    const asset = await get('/assets/index-1a2b.js');
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(asset.headers['cache-control']).toContain('immutable');
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/.hidden',
    '/%',
    '/index.html%00.js',
    '//etc/passwd',
    '/assets',
    '/nothing.js',
  ])('do not include %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('no\n');
  });

  it('are refused to a foreign host name', async () => {
    for (const name of [
      'evil.example',
      `evil.example:${door.port}`,
      '127.0.0.1',
      `127.0.0.1:${door.port + 1}`,
    ]) {
      expect((await get('/', { host: name })).status).toBe(403);
    }
    expect((await get('/', { host: `localhost:${door.port}` })).status).toBe(200);
  });

  it('are only read', async () => {
    expect((await get('/', { method: 'POST' })).status).toBe(405);
    const head = await get('/', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });
});

describe('data files', () => {
  it('are downloads for the holder of the ticket, as long as they are there', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ tEnd: 0.01 }) });
    await runWhen(host, runId, isOver);
    const exportId = '00000000-0000-4000-8000-000000000001';
    const told: number[] = [];
    host.onEvent((event) => {
      if (event.event === 'data.progress') told.push(event.data.part);
    });
    const file = await host.dispatch('data.export', { exportId, runId, format: '.csv', signals: ['t'] });
    expect(file.rows).toBe(11);
    expect(told).toEqual([1]);
    const answer = await get(`/exports/${file.ticket}`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-disposition': 'attachment',
      'content-length': String(file.bytes),
      'x-content-type-options': 'nosniff',
    });
    expect(answer.body.split('\r\n').slice(0, 2)).toEqual(['t [s]', '0']);
    // Once: what has been taken away is not kept.
    await expect.poll(async () => (await get(`/exports/${file.ticket}`)).status).toBe(404);
    const other = await host.dispatch('data.export', { exportId, runId, format: '.csv', signals: ['t'] });
    expect((await get(`/exports/${'x'.repeat(32)}`)).status).toBe(404);
    expect((await get(`/exports/${other.ticket}`, { host: 'evil.example' })).status).toBe(404);
    expect((await get(`/exports/${other.ticket}`, { method: 'DELETE' })).status).toBe(404);
    await host.dispatch('data.dropExport', { ticket: other.ticket });
    expect((await get(`/exports/${other.ticket}`)).status).toBe(404);
  });

  it('stop when they are no longer wanted', async () => {
    const { runId } = await host.dispatch('run.start', { document: bouncingBall({ h: 1e-5, tEnd: 4 }) });
    await runWhen(host, runId, isOver);
    const exportId = '00000000-0000-4000-8000-000000000002';
    const off = host.onEvent((event) => {
      if (event.event === 'data.progress') void host.dispatch('data.cancelExport', { exportId });
    });
    const details = await failure(host.dispatch('data.export', { exportId, runId, format: '.json' }));
    off();
    expect(details.code).toBe('export-cancelled');
    const unknown = await failure(
      host.dispatch('data.export', { exportId, runId, format: '.json', signals: ['boll.q'] }),
    );
    expect(unknown.code).toBe('unknown-signal');
    const other = await failure(host.dispatch('data.export', { exportId, runId, format: '.xlsx' }));
    expect(other.code).toBe('unknown-format');
    const formats = await host.dispatch('data.formats', {});
    expect(formats.map(({ extension }) => extension)).toContain('.parquet');
    for (const { title, help } of formats) expect(`${title}: ${help}`).toMatch(/^.+: .+\.$/);
  });
});

describe('the WebSocket', () => {
  it.each<[string, Attempt, number]>([
    ['without a token', { token: '' }, 401],
    ['with a wrong token', { token: 'A'.repeat(32) }, 401],
    ['with the beginning of the token', { token: 'cut' }, 401],
    ['of a page from elsewhere', { origin: 'https://evil.example' }, 403],
    ['of another local server', { origin: 'http://127.0.0.1:1' }, 403],
    ['without an origin', { origin: undefined }, 403],
    ['under a foreign host name', { host: 'evil.example' }, 403],
    ['at another path', { path: '/other' }, 404],
  ])('is refused %s', async (_what, attempt, status) => {
    const token = attempt.token === 'cut' ? door.token.slice(0, -1) : attempt.token;
    expect(await connect({ ...attempt, ...(token === undefined ? {} : { token }) })).toBe(status);
  });

  it('takes the token as a subprotocol as well', async () => {
    const socket = await open({ token: '', protocols: ['moreau', door.token] });
    expect(socket.protocol).toBe('moreau');
    socket.terminate();
  });

  it('answers calls, with numbers as arrays, and forwards events', async () => {
    const socket = await open();
    const { call, next } = inbox(socket);
    const done = next((frame) => {
      const { event, data } = frame as HostEvent;
      return event === 'run.progress' && data.run.state === 'done';
    });
    const started = await call('run.start', { document: bouncingBall() });
    const { runId } = started.result as RunInfo;
    await done;
    const read = (await call('run.read', { runId, signals: ['ball.q'], buckets: 10 })).result as ReadResult;
    expect(read.rows).toBe(2001);
    expect(read.signals[0].y).toBeInstanceOf(Float64Array);
    expect(read.signals[0].y[0]).toBe(1);
    expect((await call('nope', {})).error?.code).toBe('unknown-method');
    expect((await call('run.get', {})).error?.code).toBe('invalid-params');
    socket.terminate();
  });

  it('is closed when what comes is no frame', async () => {
    for (const data of [new Uint8Array([1, 2, 3]), 'text', encodeFrame({ method: 'app.info' })]) {
      const socket = await open();
      const code = new Promise<number>((resolve) => socket.on('close', resolve));
      socket.send(data);
      expect([1003, 1008]).toContain(await code);
    }
  });
});

describe('the port', () => {
  it('may be taken', async () => {
    const options = { dispatcher: host, rendererDirectory: folder.path, port: door.port };
    expect((await failure(openBrowserDoor(options))).code).toBe('port-in-use');
  });
});

describe('a slow line', () => {
  it('holds progress back and sends the newest when it is free again', () => {
    const sent: unknown[] = [];
    const leaving: (() => void)[] = [];
    const socket = {
      bufferedAmount: 0,
      send: (frame: Uint8Array, left: () => void) => {
        sent.push(decodeFrame(frame));
        leaving.push(left);
      },
      close: () => undefined,
    };
    let emit: (event: HostEvent) => void = () => undefined;
    const connection = new Connection(socket, {
      dispatch: () => Promise.reject(new Error('not called')),
      onEvent: (listener) => {
        emit = listener;
        return () => undefined;
      },
    });
    const progress = (steps: number): HostEvent => ({
      event: 'run.progress',
      data: { run: { runId: 'run-1', statistics: { steps } } as unknown as RunInfo },
    });
    emit(progress(1));
    socket.bufferedAmount = 2 ** 21;
    emit(progress(2));
    emit(progress(3));
    emit({
      event: 'run.console',
      data: { runId: 'run-1', script: 'a.ts', level: 'log', text: 'said', line: 1, time: null },
    });
    expect(sent).toHaveLength(2);
    socket.bufferedAmount = 0;
    leaving.forEach((left) => left());
    const steps = sent
      .map((frame) => (frame as HostEvent).data)
      .map((data) => ('run' in data ? data.run.statistics.steps : 'said'));
    expect(steps).toEqual([1, 'said', 3]);
    connection.end();
    emit(progress(4));
    expect(sent).toHaveLength(3);
  });
});
