/** The models that come with the program: a folder of `NAME.moreau.json`. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { ExampleInfo } from '@contract/methods';
import { checkDocumentSize } from './document-size';

const SUFFIX = '.moreau.json';

/** What a list says of a file, and which state of the file that was. */
interface Described {
  readonly stamp: string;
  readonly info: ExampleInfo;
}

export class Examples {
  readonly #folder: string;
  readonly #described = new Map<string, Described>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * All of them by name. A file is read once, and again when it changes, so authors of examples see their
   * edits.
   */
  async list(): Promise<ExampleInfo[]> {
    const names = await this.#names();
    return Promise.all(names.map((name) => this.#describe(name)));
  }

  /** @throws {MoreauError} `unknown-example` with the names there are */
  async read(name: string): Promise<string> {
    const path = this.#path(name);
    const size = await stat(path).then(
      (found) => found.size,
      () => null,
    );
    if (size === null) {
      throw new MoreauError({
        code: 'unknown-example',
        message: `There is no example named ${name}.`,
        where: name,
        remedy: `The examples are: ${(await this.#names()).join(', ')}.`,
      });
    }
    checkDocumentSize(size, name);
    return readFile(path, 'utf8');
  }

  async #names(): Promise<string[]> {
    const files = await readdir(this.#folder);
    return files
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length))
      .sort();
  }

  /** The contract's pattern for names admits no separator, so a name cannot leave the folder. */
  #path(name: string): string {
    return join(this.#folder, name + SUFFIX);
  }

  async #describe(name: string): Promise<ExampleInfo> {
    const text = (member: unknown): string => (typeof member === 'string' ? member : '');
    try {
      const { mtimeMs, size } = await stat(this.#path(name));
      const stamp = `${mtimeMs} ${size}`;
      const known = this.#described.get(name);
      if (known?.stamp === stamp) return known.info;
      const document: unknown = JSON.parse(await this.read(name));
      const { title, description, references } = document as Partial<Record<keyof ExampleInfo, unknown>>;
      const list: unknown[] = Array.isArray(references) ? references : [];
      const cited = list.filter((reference): reference is string => typeof reference === 'string');
      const info = { name, title: text(title) || name, description: text(description), references: cited };
      this.#described.set(name, { stamp, info });
      return info;
    } catch {
      // One unreadable file must not hide the others; opening it says what is wrong.
      return { name, title: name, description: '', references: [] };
    }
  }
}
