/** The browser door: the window's files and a WebSocket to the engine host, on this machine only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { MoreauError } from '@contract/errors';
import { MAX_DOCUMENT_BYTES, type Dispatcher } from '@contract/methods';
import { type WebSocket, WebSocketServer } from 'ws';
import { readAsset } from '../assets';
import { SECURITY_HEADERS } from '../security/csp';
import { createToken, isOwnHost, isOwnOrigin, sameToken } from './access';
import { Connection } from './connection';
import { type ExportSource, serveExport } from './exports';

const ADDRESS = '127.0.0.1';
/** Path at which the window opens its WebSocket. */
const SOCKET_PATH = '/socket';
/** A document as JSON inside a frame: escapes can double it. */
const MAX_PAYLOAD_BYTES = 2 * MAX_DOCUMENT_BYTES + 1024 * 1024;
/** Silent connections are probed this often, ms: a laptop that slept leaves half-open ones. */
const PROBE_MS = 30_000;

export interface BrowserDoorOptions {
  dispatcher: Dispatcher;
  /** folder of the built window */
  rendererDirectory: string;
  /** 0 chooses a free one */
  port: number;
  exports?: ExportSource;
}

export interface BrowserDoor {
  port: number;
  /** address with the secret, for the user's browser */
  url: string;
  token: string;
  close(): Promise<void>;
}

/** Opens the door. @throws {MoreauError} `port-in-use` or why it cannot listen */
export async function openBrowserDoor(options: BrowserDoorOptions): Promise<BrowserDoor> {
  const token = createToken();
  const server = createServer((request, response) => {
    if (serveExport(options.exports, portOf(server), request, response)) return;
    void serveAsset(options.rendererDirectory, portOf(server), request, response);
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD_BYTES,
    perMessageDeflate: false,
    // The secret may come as the second subprotocol; it is never echoed.
    handleProtocols: (offered) => (offered.has('moreau') ? 'moreau' : false),
  });
  server.on('upgrade', (request, socket, head) => {
    const refused = refusal(request, portOf(server), token);
    if (refused !== null) {
      refuse(socket, refused);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => connect(ws, options.dispatcher));
  });
  const probe = setInterval(() => probeAll(sockets), PROBE_MS);
  await listen(server, options.port);
  const port = portOf(server);
  return {
    port,
    token,
    url: `http://${ADDRESS}:${port}/?token=${token}`,
    close: async () => {
      clearInterval(probe);
      for (const ws of sockets.clients) ws.terminate();
      sockets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const portOf = (server: Server): number => (server.address() as AddressInfo | null)?.port ?? 0;

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const taken = 'code' in error && error.code === 'EADDRINUSE';
      reject(
        new MoreauError({
          code: taken ? 'port-in-use' : 'port-failed',
          message: taken
            ? `Port ${port} is in use by another program.`
            : `Port ${port} cannot be opened: ${error.message}.`,
          remedy: 'Choose another one with --port, or leave it out to take any free port.',
        }),
      );
    });
    server.listen(port, ADDRESS, () => resolve());
  });
}

async function serveAsset(
  root: string,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = (status: number, text: string): void => {
    response.writeHead(status, { ...SECURITY_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  if (!isOwnHost(request.headers.host, port)) return answer(403, 'This address is not served here.\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'Only GET is answered.\n');
  // Not through the URL class: it would resolve `..` before the check could see it.
  const pathname = (request.url ?? '/').split('?', 1)[0];
  const asset = await readAsset(root, pathname);
  if (asset === null) return answer(404, 'There is nothing here.\n');
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'Content-Type': asset.type,
    'Content-Length': asset.body.byteLength,
    'Cache-Control': asset.immutable ? 'public, max-age=31536000, immutable' : 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : asset.body);
}

/** Why an upgrade is refused, as an HTTP status; null admits it. */
function refusal(request: IncomingMessage, port: number, token: string): string | null {
  if (!isOwnHost(request.headers.host, port)) return '403 Forbidden';
  if (!isOwnOrigin(request.headers.origin, port)) return '403 Forbidden';
  const [path, search] = (request.url ?? '').split('?');
  if (path !== SOCKET_PATH) return '404 Not Found';
  const query = new URLSearchParams(search ?? '');
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim());
  const given = query.get('token') ?? (offered[0] === 'moreau' ? (offered[1] ?? null) : null);
  return sameToken(given, token) ? null : '401 Unauthorized';
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Sockets that have not answered the last probe. */
const unanswered = new WeakSet<WebSocket>();

function connect(ws: WebSocket, dispatcher: Dispatcher): void {
  const connection = new Connection(
    {
      get bufferedAmount() {
        return ws.bufferedAmount;
      },
      // A frame for a socket that has just closed is dropped; its `close` event ends the connection.
      send: (frame, sent) => ws.send(frame, { binary: true }, () => sent()),
      close: (code, reason) => ws.close(code, reason),
    },
    dispatcher,
  );
  ws.on('message', (data, isBinary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data as ArrayBuffer);
    if (isBinary) void connection.receive(bytes);
    else ws.close(1003, 'frames are binary');
  });
  ws.on('pong', () => unanswered.delete(ws));
  ws.on('close', () => connection.end());
  // Errors (an oversized frame, a lost line) are followed by `close`.
  ws.on('error', () => undefined);
}

function probeAll(sockets: WebSocketServer): void {
  for (const ws of sockets.clients) {
    if (unanswered.has(ws)) {
      ws.terminate();
      continue;
    }
    unanswered.add(ws);
    ws.ping();
  }
}
