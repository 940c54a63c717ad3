/**
 * Handles of files: the window holds these and never a path, so it can write only what its user has chosen.
 */
import { randomUUID } from 'node:crypto';
import { MoreauError } from '@contract/errors';
import { z } from 'zod';
import { JsonStore } from '../files/json-store';

/** Handles that are kept from one session to the next: more files than anybody has open. */
const MOST_KEPT = 200;

const schema = z.strictObject({
  files: z.array(z.strictObject({ handle: z.uuid(), path: z.string().min(1) })).max(10 * MOST_KEPT),
});

export class FileHandles {
  readonly #paths = new Map<string, string>();
  readonly #handles = new Map<string, string>();
  readonly #store: JsonStore<z.infer<typeof schema>> | null;

  /**
   * @param path JSON file that keeps them, so that a recovered model still knows its file; none keeps them
   *   for now
   */
  constructor(path?: string) {
    this.#store = path === undefined ? null : new JsonStore(path, schema, { files: [] });
    for (const { handle, path: known } of this.#store?.value.files ?? []) this.#add(handle, known);
  }

  #add(handle: string, path: string): void {
    this.#handles.set(path, handle);
    this.#paths.set(handle, path);
  }

  /** Resolves when they have been written. */
  async settled(): Promise<void> {
    await this.#store?.settled();
  }

  /** Handle of a path the user has chosen; the same for the same path. */
  give(path: string): string {
    const known = this.#handles.get(path);
    if (known !== undefined) return known;
    const handle = randomUUID();
    this.#add(handle, path);
    void this.#store?.update(({ files }) => ({ files: [...files, { handle, path }].slice(-MOST_KEPT) }));
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
