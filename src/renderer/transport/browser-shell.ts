/** The shell of a browser page: files come in by a file input and go out as downloads. */
import { MoreauError } from '@contract/errors';
import { MAX_DOCUMENT_BYTES } from '@contract/methods';
import type { OpenedFile, Shell, ShellEvent, ShellMethod, ShellParams, ShellResults } from '@contract/shell';

/** Lets the user choose one file. @returns null when the dialog is dismissed */
function chooseFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}

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

/** Shell of the browser door. Recent files and saving in place do not exist here. */
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
        return file === null ? null : readFile(file);
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
      case 'shell.recent':
        return [];
      case 'shell.setDocument':
        document.title = `${params['dirty'] === true ? '● ' : ''}${String(params['name'])} · Moreau`;
        return {};
      case 'shell.setTheme':
      case 'shell.setMenu':
      case 'shell.setZoom':
      case 'shell.clearRecent':
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
  return [...(transfer?.files ?? [])].map(readFile);
}
