/** Failures of the file system in words a user can act on. */
import { basename } from 'node:path';
import { MoreauError } from '@contract/errors';

const REASONS: Record<string, { code: string; reason: string; remedy: string }> = {
  ENOENT: {
    code: 'file-missing',
    reason: 'the file or its folder does not exist',
    remedy: 'It may have been moved or deleted; choose it again.',
  },
  EACCES: {
    code: 'file-permission',
    reason: 'you have no permission',
    remedy: 'Choose another folder, or change the permissions.',
  },
  EPERM: {
    code: 'file-permission',
    reason: 'the system does not allow it',
    remedy: 'Choose another folder, or change the permissions.',
  },
  EROFS: {
    code: 'file-permission',
    reason: 'the disk is read-only',
    remedy: 'Choose a folder on another disk.',
  },
  ENOSPC: {
    code: 'disk-full',
    reason: 'the disk is full',
    remedy: 'Free some space, or choose another disk.',
  },
  EISDIR: { code: 'file-is-folder', reason: 'it is a folder', remedy: 'Choose a file.' },
  ENOTDIR: {
    code: 'file-missing',
    reason: 'part of its path is not a folder',
    remedy: 'Choose the file again.',
  },
};

/**
 * @param action what was being done, e.g. `opened`, `saved`
 * @param error what the file system reported; errors that already are user-facing pass unchanged
 */
export function fileError(path: string, action: string, error: unknown): MoreauError {
  if (error instanceof MoreauError) return error;
  const errno = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = REASONS[errno];
  const reason = known?.reason ?? (error instanceof Error ? error.message : String(error));
  return new MoreauError({
    code: known?.code ?? 'file-failed',
    message: `${basename(path)} could not be ${action}: ${reason}.`,
    where: path,
    remedy: known?.remedy ?? 'Try again, or choose another place.',
  });
}

/** The folder a file is to be written to is not there. */
export const folderMissing = (path: string, folder: string): MoreauError =>
  new MoreauError({
    code: 'folder-missing',
    message: `${basename(path)} could not be written: the folder ${folder} does not exist.`,
    where: path,
    remedy: 'Create that folder first, or choose another one.',
  });

/** A folder, a device or a pipe stands where a file is needed. */
export const notAFile = (path: string, isFolder: boolean): MoreauError =>
  new MoreauError({
    code: isFolder ? 'file-is-folder' : 'not-a-file',
    message: `${path} is ${isFolder ? 'a folder' : 'a device or a pipe'}, not a file.`,
    where: path,
    remedy: 'Choose the name of a file.',
  });
