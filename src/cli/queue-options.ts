/** The queue of sweeps, as commands name it. */
import { QueueAddress } from '@main/sweep/queue/address';
import type { CommandArguments, FlagDefinition } from './command';

export const QUEUE: FlagDefinition = {
  type: 'string',
  value: 'URL',
  help: 'redis://HOST:PORT, or rediss://USER:PASSWORD@HOST:PORT where it is encrypted',
};

/** A password on the command line is seen by everybody on the machine. */
const PASSWORD_VARIABLE = 'MOREAU_QUEUE_PASSWORD';

export const QUEUE_NOTE = `The queue is a Redis or Valkey. Its password is taken from ${PASSWORD_VARIABLE} where the URL has none.`;

/** @returns null where none is asked for @throws {MoreauError} */
export function queueAddress(args: CommandArguments): QueueAddress | null {
  const text = args.text('queue');
  return text === undefined ? null : QueueAddress.read(text, process.env[PASSWORD_VARIABLE]);
}
