/** The way to Redis, or Valkey. The only file that knows the client. */
import { Redis, type RedisOptions } from 'ioredis';
import { MoreauError } from '@contract/errors';
import type { QueueAddress } from './address';

/** Longest wait before another attempt to connect, ms. */
const LONGEST_PAUSE_MS = 2000;

/** Follows whether the connection is there. */
export interface ConnectionListener {
  lost(): void;
  found(): void;
}

/**
 * Connects, and makes sure that somebody is there who lets us in.
 * @throws {MoreauError} `queue-unreachable`, `queue-refused`, `queue-not-trusted`
 */
export async function checkQueue(address: QueueAddress): Promise<void> {
  let first: Error | null = null;
  const client = new Redis(address.url.href, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  });
  client.on('error', (error: Error) => (first ??= error));
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw unusable(address, first ?? (error as Error));
  } finally {
    client.disconnect();
  }
}

/** A connection that comes back after it was lost; commands wait for it. */
export function openConnection(address: QueueAddress, listener?: ConnectionListener): Redis {
  const options: RedisOptions = {
    // What is asked for waits for as long as it takes.
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(100 * attempt, LONGEST_PAUSE_MS),
  };
  const client = new Redis(address.url.href, options);
  let isLost = false;
  // Told by what follows.
  client.on('error', () => undefined);
  client.on('close', () => {
    if (!isLost) listener?.lost();
    isLost = true;
  });
  client.on('ready', () => {
    if (isLost) listener?.found();
    isLost = false;
  });
  return client;
}

/** Groups of commands are not sent again when the connection is lost under them: who has sent them does. */
export const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error && /connection|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND/i.test(error.message);

function unusable(address: QueueAddress, { message }: Error): MoreauError {
  if (/NOAUTH|WRONGPASS|NOPERM|invalid (username|password)/i.test(message))
    return new MoreauError({
      code: 'queue-refused',
      message: `The queue at ${address.toString()} refused the connection.`,
      where: address.toString(),
      remedy:
        'Write user and password into the address, redis://USER:PASSWORD@HOST:PORT, or set MOREAU_QUEUE_PASSWORD.',
    });
  if (/certificate/i.test(message))
    return new MoreauError({
      code: 'queue-not-trusted',
      message: `The certificate of the queue at ${address.toString()} is not trusted: ${message}.`,
      where: address.toString(),
      remedy: 'If it is your own, name the file of its authority in NODE_EXTRA_CA_CERTS.',
    });
  return new MoreauError({
    code: 'queue-unreachable',
    message: `There is no Redis or Valkey at ${address.toString()}: ${message}.`,
    where: address.toString(),
    remedy: 'Start one there, or correct the address; a firewall may be blocking it.',
  });
}
