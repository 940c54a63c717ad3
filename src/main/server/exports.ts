/**
 * Data files as downloads. The ticket in the address is the secret: 192 random bits, known to the window that
 * asked for the file.
 */
import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from '../security/csp';
import { isOwnHost } from './access';

/** Where data files lie that were written for a window. */
export interface ExportSource {
  /** null for a ticket that is none */
  file(ticket: string): string | null;
  /** it has been taken away */
  drop(ticket: string): void;
}

const PATH = /^\/exports\/([\w-]{32})$/;

/** @returns whether the request was for one; it has been answered then */
export function serveExport(
  exports: ExportSource | undefined,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const ticket = PATH.exec((request.url ?? '').split('?')[0])?.[1];
  if (ticket === undefined) return false;
  const path =
    isOwnHost(request.headers.host, port) && request.method === 'GET' ? exports?.file(ticket) : null;
  if (path === null || path === undefined) {
    response.writeHead(404, SECURITY_HEADERS).end();
    return true;
  }
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': 'attachment',
    'Content-Length': statSync(path).size,
    'Cache-Control': 'no-store',
  });
  response.once('finish', () => exports?.drop(ticket));
  // A reader that disconnects ends the stream; there is no client left to notify.
  createReadStream(path)
    .on('error', () => response.destroy())
    .pipe(response);
  return true;
}
