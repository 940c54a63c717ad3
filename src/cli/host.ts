/** The engine host of a command. */
import type { EngineHost } from '@main/host/host';
import { startEngine } from '@main/host/thread';
import type { CliContext } from './command';

/** A host for a command that computes: its thread loads the engine while the host itself is loaded. */
export async function openHost({ place }: CliContext): Promise<EngineHost> {
  const engineThread = startEngine(place.host.engineWorkerUrl);
  // Until the host has it, a thread is no reason for the program to go on.
  engineThread.unref();
  const { EngineHost } = await import('@main/host/host');
  return new EngineHost({ ...place.host, door: 'command-line', engineThread });
}
