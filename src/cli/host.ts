/** The engine host of a command. */
import type { EngineHost } from '@main/host/host';
import { startEngine } from '@main/host/thread';
import type { CliContext } from './command';

/**
 * A host for a command that computes: its thread loads the engine while the host itself is loaded. The entry
 * of the program begins it, for commands that are named there.
 */
export async function openHost({
  place,
  engineThread = startEngine(place.host.engineWorkerUrl),
}: CliContext): Promise<EngineHost> {
  const { EngineHost } = await import('@main/host/host');
  return new EngineHost({ ...place.host, door: 'command-line', engineThread });
}
