/** The host's private folder for recordings: fresh for each host, gone with it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Workspace {
  readonly directory: string;
  readonly #onExit = (): void => this.remove();

  /** @param parent folder to create it in; the system's folder for temporary files when absent */
  constructor(parent?: string) {
    if (parent !== undefined) mkdirSync(parent, { recursive: true });
    this.directory = mkdtempSync(join(parent ?? tmpdir(), 'moreau-'));
    // A process that ends without disposing of the host must not leave gigabytes behind.
    process.once('exit', this.#onExit);
  }

  /** Path of a run's recording. */
  recording(runId: string): string {
    return join(this.directory, `${runId}.rows`);
  }

  removeRecording(runId: string): void {
    rmSync(this.recording(runId), { force: true });
  }

  remove(): void {
    process.removeListener('exit', this.#onExit);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
