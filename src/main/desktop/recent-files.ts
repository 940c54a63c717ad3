/** Files opened or saved lately, newest first. */
import { basename, dirname } from 'node:path';
import type { RecentFile } from '@contract/shell';
import { z } from 'zod';
import { JsonStore } from '../files/json-store';
import type { FileHandles } from './file-handles';

/** As many as one reads at a glance in a menu. */
const RECENT_FILES_LIMIT = 12;

const schema = z.strictObject({ files: z.array(z.string().min(1)).max(100) });

export class RecentFiles {
  readonly #store: JsonStore<z.infer<typeof schema>>;
  readonly #handles: FileHandles;
  readonly #onChange: () => void;

  /** @param path JSON file the list is kept in */
  constructor(path: string, handles: FileHandles, onChange: () => void) {
    this.#store = new JsonStore(path, schema, { files: [] });
    this.#handles = handles;
    this.#onChange = onChange;
  }

  list(): RecentFile[] {
    return this.#store.value.files.map((path) => ({
      handle: this.#handles.give(path),
      name: basename(path),
      folder: dirname(path),
    }));
  }

  /** Puts a file first. */
  add(path: string): Promise<void> {
    return this.#change((files) =>
      [path, ...files.filter((file) => file !== path)].slice(0, RECENT_FILES_LIMIT),
    );
  }

  /** Takes out a file that is no longer there. */
  remove(path: string): Promise<void> {
    return this.#change((files) => files.filter((file) => file !== path));
  }

  clear(): Promise<void> {
    return this.#change(() => []);
  }

  /** Resolves when the list has been written. */
  settled(): Promise<void> {
    return this.#store.settled();
  }

  async #change(change: (files: string[]) => string[]): Promise<void> {
    const written = this.#store.update(({ files }) => ({ files: change(files) }));
    this.#onChange();
    await written;
  }
}
