/** Handles of files: the window holds these and never a path, so it can write only what its user has chosen. */
import { randomUUID } from 'node:crypto';
import { MoreauError } from '@contract/errors';

export class FileHandles {
  readonly #paths = new Map<string, string>();
  readonly #handles = new Map<string, string>();

  /** Handle of a path the user has chosen; the same for the same path. */
  give(path: string): string {
    const known = this.#handles.get(path);
    if (known !== undefined) return known;
    const handle = randomUUID();
    this.#handles.set(path, handle);
    this.#paths.set(handle, path);
    return handle;
  }

  /** @throws {MoreauError} `unknown-handle` */
  path(handle: string): string {
    const path = this.#paths.get(handle);
    if (path !== undefined) return path;
    throw new MoreauError({
      code: 'unknown-handle',
      message: 'The window asked for a file that it was not given in this session.',
      remedy: 'Open the file again, or use Save As.',
    });
  }
}
