import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { app, dialog, type FileFilter } from 'electron';
import { MoreauError } from '@contract/errors';
import { MAX_EXPORT_BYTES, type OpenedFile } from '@contract/shell';
import { copyAtomically, saveAtomically } from '../../files/atomic';
import { readDocumentFile } from '../../files/document-file';
import { checkDocumentSize } from '../../host/document-size';
import { stampOf } from '../watched-files';
import type { ShellContext, ShellHandlers } from './context';

const MODEL_SUFFIX = '.moreau.json';
const MODEL_FILTERS: FileFilter[] = [
  { name: 'Moreau model', extensions: ['json'] },
  { name: 'All files', extensions: ['*'] },
];

/** Methods on files: dialogs, opening, saving. */
export const fileMethods: ShellHandlers<
  | 'shell.open'
  | 'shell.openRecent'
  | 'shell.recent'
  | 'shell.clearRecent'
  | 'shell.save'
  | 'shell.saveAs'
  | 'shell.watchFiles'
  | 'shell.exportFile'
  | 'shell.takeExport'
> = {
  'shell.open': async (context) => {
    const chosen = await dialog.showOpenDialog(context.window(), {
      title: 'Open model',
      properties: ['openFile'],
      filters: MODEL_FILTERS,
    });
    return chosen.canceled ? null : openModel(context, chosen.filePaths[0]);
  },
  'shell.openRecent': async (context, { handle }) => {
    const path = context.handles.path(handle);
    try {
      return await openModel(context, path);
    } catch (error) {
      if (error instanceof MoreauError && error.details.code === 'file-missing') {
        await context.recent.remove(path);
      }
      throw error;
    }
  },
  'shell.recent': (context) => context.recent.list(),
  'shell.clearRecent': async (context) => {
    app.clearRecentDocuments();
    await context.recent.clear();
    return {};
  },
  'shell.save': async (context, { handle, text, stamp }) => {
    const path = context.handles.path(handle);
    // A file that is gone is rewritten: nothing of another program is lost by that.
    const present = stamp === undefined ? null : await readFile(path).then(stampOf, () => null);
    if (present !== null && present !== stamp) return { conflict: true };
    return { stamp: await saveModel(context, path, text) };
  },
  'shell.watchFiles': (context, { handles }) => {
    context.watched.watch(handles.map((handle) => context.handles.path(handle)));
    return {};
  },
  'shell.saveAs': async (context, { suggestedName, text }) => {
    const chosen = await dialog.showSaveDialog(context.window(), {
      title: 'Save model as',
      defaultPath: plainName(suggestedName),
      filters: MODEL_FILTERS,
    });
    if (chosen.canceled) return null;
    const path = extname(chosen.filePath) === '' ? chosen.filePath + MODEL_SUFFIX : chosen.filePath;
    const stamp = await saveModel(context, path, text);
    return { handle: context.handles.give(path), name: basename(path), stamp };
  },
  'shell.exportFile': async (context, { suggestedName, data }) => {
    if (data.byteLength > MAX_EXPORT_BYTES) {
      throw new MoreauError({
        code: 'export-too-large',
        message: `The export has ${Math.round(data.byteLength / 2 ** 20)} MiB, more than can be saved at once.`,
        remedy: 'Choose a lower resolution, or export data with the command line.',
      });
    }
    const name = plainName(suggestedName);
    const extension = extname(name).slice(1);
    const chosen = await dialog.showSaveDialog(context.window(), {
      title: 'Export',
      defaultPath: name,
      filters: extension === '' ? [] : [{ name: extension.toUpperCase(), extensions: [extension] }],
    });
    if (chosen.canceled) return null;
    await saveAtomically(chosen.filePath, data, { backup: false });
    return { name: basename(chosen.filePath) };
  },
  'shell.takeExport': async (context, { ticket, suggestedName }) => {
    const source = context.exportedFile(ticket);
    if (source === null) throw noSuchExport();
    const name = plainName(suggestedName);
    const extension = extname(name).slice(1);
    const chosen = await dialog.showSaveDialog(context.window(), {
      title: 'Export data',
      defaultPath: name,
      filters: extension === '' ? [] : [{ name: extension.toUpperCase(), extensions: [extension] }],
    });
    if (chosen.canceled) return null;
    await copyAtomically(source, chosen.filePath);
    return { name: basename(chosen.filePath) };
  },
};

const noSuchExport = (): MoreauError =>
  new MoreauError({
    code: 'unknown-export',
    message: 'The data file no longer exists.',
    remedy: 'Export the data again.',
  });

/**
 * Opens a model the user or the operating system has named.
 * @throws {MoreauError} why it cannot be read
 */
export async function openModel(
  context: Pick<ShellContext, 'handles' | 'recent' | 'watched'>,
  path: string,
): Promise<OpenedFile> {
  const text = await readDocumentFile(path);
  const stamp = stampOf(text);
  context.watched.know(path, stamp);
  noteRecent(context, path);
  return { handle: context.handles.give(path), name: basename(path), text, stamp };
}

/** @returns identity of what the file holds now */
async function saveModel(context: ShellContext, path: string, text: string): Promise<string> {
  checkDocumentSize(Buffer.byteLength(text), basename(path));
  const stamp = stampOf(text);
  await context.watched.whileWriting(path, stamp, () =>
    saveAtomically(path, text, { backup: context.keepsBackup() }),
  );
  noteRecent(context, path);
  return stamp;
}

function noteRecent(context: Pick<ShellContext, 'recent'>, path: string): void {
  app.addRecentDocument(path);
  // Written in the background: the user waits for the model, not for this list.
  void context.recent.add(path);
}

/** A suggested name may contain what a title contains; separators would name another folder. */
const plainName = (name: string): string => name.replace(/[/\\:*?"<>|\p{Cc}]/gu, '-') || 'untitled';
