/** A document that is open in the window: its content with its history, and the file it belongs to. */
import type { ModelDocument } from '@engine/document/types';
import { EditHistory } from './history';

/** The file a document came from or went to; `handle` is null where there is none to write to. */
export interface DocumentFile {
  handle: string | null;
  name: string;
  /** identity of the content that the file had when it was last read or written here */
  stamp?: string;
}

const clock = (): number => performance.now();

export class OpenDocument {
  readonly session: number;
  /** name of its journal; a recovered document goes on under a new one */
  readonly journal: string;
  readonly history: EditHistory<ModelDocument>;
  file: DocumentFile | null;
  /** identity of the present content among all contents of all documents */
  version: number;
  /** counts undos and redos: a change that came from the history, not from a hand */
  travels = 0;

  /** what it is known by while it has no file, such as the example it came from */
  readonly identity: string | null;

  /** opened by the window of its own accord: it gives way to the first document that its user opens */
  provisional = false;

  constructor(
    session: number,
    version: number,
    content: ModelDocument,
    file: DocumentFile | null,
    identity: string | null = null,
  ) {
    this.session = session;
    this.version = version;
    this.journal = crypto.randomUUID();
    this.history = new EditHistory(content, clock);
    this.file = file;
    this.identity = identity;
  }

  get model(): ModelDocument {
    return this.history.state;
  }

  /**
   * By what its runs are found, from one session to the next: the first is its own, the others lead to it
   * after a crash.
   */
  get keys(): string[] {
    const journal = `journal:${this.journal}`;
    const { file, identity } = this;
    if (file === null) return identity === null ? [journal] : [identity, journal];
    // A page of the browser door does not know where a file lies.
    return [file.handle === null ? `name:${file.name}` : `file:${file.handle}`, journal];
  }

  get dirty(): boolean {
    return this.history.dirty;
  }

  /** True if the window opened it by itself and it is unchanged. */
  get givesWay(): boolean {
    return this.provisional && this.file === null && !this.dirty && this.travels === 0;
  }
}
