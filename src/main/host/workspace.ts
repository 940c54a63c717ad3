/** The host's private folder for recordings: fresh for each host, gone with it. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import { failureReason, isDiskFull } from '../files/file-errors';
import { indexPath } from './chunk-index';
import { sectionFile } from './section-files';

/**
 * Beginning of the folder's name; the id of the process follows. The machine belongs to it because containers
 * and machines that share a folder do not know each other's processes.
 */
const PREFIX = `moreau-${hostname().replace(/[^A-Za-z0-9]/g, '')}-`;
/** What follows the prefix: process id, and six characters of `mkdtemp`. */
const OWNER = /^(\d+)-[A-Za-z0-9]{6}$/;

export class Workspace {
  readonly directory: string;
  readonly #onExit = (): void => this.remove();

  /**
   * @param parent folder to create it in; the system's folder for temporary files when absent
   * @throws {MoreauError} `no-workspace` or `disk-full` when the disk refuses
   */
  constructor(parent: string = tmpdir()) {
    try {
      mkdirSync(parent, { recursive: true });
      sweep(parent);
      this.directory = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
    } catch (error) {
      throw new MoreauError({
        code: isDiskFull(error) ? 'disk-full' : 'no-workspace',
        message: `No folder for recordings could be created in ${parent}: ${failureReason(error)}.`,
        where: parent,
        remedy: 'Free space there, or name another folder for temporary files (TMPDIR).',
      });
    }
    // A process that ends without disposing of the host must not leave gigabytes behind.
    process.once('exit', this.#onExit);
  }

  /** Path of a run's recording. */
  recording(runId: string): string {
    return join(this.directory, `${runId}.rows`);
  }

  /** @param sections how many the run has taken */
  removeRecording(runId: string, sections: number): void {
    const recording = this.recording(runId);
    const files = [recording, ...Array.from({ length: sections }, (_, k) => sectionFile(recording, k))];
    for (const path of files.flatMap((file) => [file, indexPath(file)])) rmSync(path, { force: true });
  }

  remove(): void {
    process.removeListener('exit', this.#onExit);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** Removes the folders of processes that were killed before they could do it themselves. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const owner = OWNER.exec(name.slice(PREFIX.length));
    if (owner === null || isAlive(Number(owner[1]))) continue;
    const path = join(parent, name);
    try {
      if (lstatSync(path).isDirectory()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another user's, or another process has just swept it.
    }
  }
}

/** Whether a process of this machine is there. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 is not delivered: it only asks whether the process is there.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
