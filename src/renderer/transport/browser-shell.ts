/** The shell of a browser page: files come in by a file input and go out as downloads. */
import { MoreauError } from '@contract/errors';
import { MAX_DOCUMENT_BYTES } from '@contract/methods';
import { chooseFile } from '../components/choose-file';
import type { OpenedFile, Shell, ShellEvent, ShellMethod, ShellParams, ShellResults } from '@contract/shell';

function download(name: string, data: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started when click() returns; the object may be released in the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}

const MEDIA_TYPES: Record<string, string> = { png: 'image/png', svg: 'image/svg+xml', csv: 'text/csv' };

const MEBIBYTE = 1024 * 1024;

/** @throws {MoreauError} for a file no model document is as large as, before it is read */
async function readFile(file: File): Promise<OpenedFile> {
  if (file.size > MAX_DOCUMENT_BYTES) {
    throw new MoreauError({
      code: 'file-too-large',
      message: `${file.name} is too large to be a model: ${Math.round(file.size / MEBIBYTE)} MiB.`,
      where: file.name,
      remedy: `Models are up to ${MAX_DOCUMENT_BYTES / MEBIBYTE} MiB. Build a large one in a loop with a builder script.`,
    });
  }
  return { handle: null, name: file.name, text: await file.text() };
}

/** Reads a file that its user has chosen, and keeps it in mind. */
async function readRecent(file: File): Promise<OpenedFile> {
  const opened = await readFile(file);
  noteRecent(file);
  return opened;
}

/** As many as one reads at a glance in a menu. */
const MOST_RECENT = 12;

/**
 * Files that this page has opened, newest first: a page may read them again as long as they are what they
 * were.
 */
const recentFiles: { handle: string; file: File }[] = [];
let given = 0;

function noteRecent(file: File): void {
  const known = recentFiles.findIndex(({ file: other }) => other.name === file.name);
  if (known >= 0) recentFiles.splice(known, 1);
  recentFiles.unshift({ handle: `page:${++given}`, file });
  recentFiles.splice(MOST_RECENT);
}

async function openAgain(handle: string): Promise<OpenedFile> {
  const found = recentFiles.find((one) => one.handle === handle);
  try {
    if (found !== undefined) return await readFile(found.file);
  } catch (error) {
    if (error instanceof MoreauError) throw error;
  }
  if (found !== undefined) recentFiles.splice(recentFiles.indexOf(found), 1);
  throw new MoreauError({
    code: 'file-changed',
    message: `${found?.file.name ?? 'The file'} has been changed or moved since it was opened, and a web page may not read it again.`,
    remedy: 'Choose it with Open.',
  });
}

/** Shell of the browser door. Recent files are those of the page, and saving in place does not exist here. */
export class BrowserShell implements Shell {
  readonly #listeners = new Set<(event: ShellEvent) => void>();

  async call<M extends ShellMethod>(method: M, params: ShellParams<M>): Promise<ShellResults[M]> {
    return (await this.#answer(method, params)) as ShellResults[M];
  }

  onEvent(listener: (event: ShellEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #answer(method: ShellMethod, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case 'shell.open': {
        const file = await chooseFile('.json,application/json');
        return file === null ? null : readRecent(file);
      }
      case 'shell.saveAs': {
        const name = String(params['suggestedName']);
        download(name, String(params['text']), 'application/json');
        return { handle: null, name };
      }
      case 'shell.exportFile': {
        const name = String(params['suggestedName']);
        const type = MEDIA_TYPES[name.split('.').pop() ?? ''] ?? 'application/octet-stream';
        download(name, params['data'] as Uint8Array<ArrayBuffer>, type);
        return { name };
      }
      case 'shell.takeExport': {
        const name = String(params['suggestedName']);
        const link = document.createElement('a');
        link.href = `/exports/${String(params['ticket'])}`;
        link.download = name;
        link.click();
        return { name };
      }
      case 'shell.recent':
        return recentFiles.map(({ handle, file: { name } }) => ({ handle, name, folder: '' }));
      case 'shell.openRecent':
        return openAgain(String(params['handle']));
      case 'shell.clearRecent':
        recentFiles.length = 0;
        return {};
      case 'shell.setDocument':
        document.title = `${params['dirty'] === true ? '● ' : ''}${String(params['name'])} · Moreau`;
        return {};
      case 'shell.setTheme':
      case 'shell.setMenu':
      case 'shell.setZoom':
      case 'shell.watchFiles':
      case 'shell.closeNow':
        return {};
      default:
        throw new MoreauError({
          code: 'not-in-browser',
          message: 'A web page cannot write to files it did not create.',
          remedy: 'Use Save As: the browser downloads a copy.',
        });
    }
  }
}

/** Reads the files that were dropped on the window. */
export function readDroppedFiles(transfer: DataTransfer | null): Promise<OpenedFile>[] {
  return [...(transfer?.files ?? [])].map(readRecent);
}
