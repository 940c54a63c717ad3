/** The browser door as a program: opens it, says where it is, ends with the process's signals. */
import { EngineHost } from '../host/host';
import type { Installation } from '../installation';
import { stateDirectory } from '../state-directory';
import { openBrowserDoor } from './server';

/**
 * Serves until SIGINT or SIGTERM.
 * @param port 0 chooses a free one
 * @throws {MoreauError} `port-in-use` or why it cannot listen
 */
export async function runBrowserDoor(place: Installation, port: number): Promise<void> {
  const host = new EngineHost({ ...place.host, door: 'browser', stateDirectory: stateDirectory() });
  try {
    const door = await openBrowserDoor({
      dispatcher: host,
      rendererDirectory: place.rendererDirectory,
      port,
      exports: {
        file: (ticket) => host.exportedFile(ticket),
        drop: (ticket) => void host.dispatch('data.dropExport', { ticket }).catch(() => undefined),
      },
    });
    process.stdout.write(`Moreau is at ${door.url}\n`);
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve());
      process.once('SIGTERM', () => resolve());
    });
    await door.close();
  } finally {
    await host.dispose();
  }
}
