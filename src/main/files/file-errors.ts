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
  EDQUOT: {
    code: 'disk-full',
    reason: 'your disk quota is exceeded',
    remedy: 'Delete what you no longer need, or choose another disk.',
  },
  EISDIR: { code: 'file-is-folder', reason: 'it is a folder', remedy: 'Choose a file.' },
  ENOTDIR: {
    code: 'file-missing',
    reason: 'part of its path is not a folder',
    remedy: 'Choose the file again.',
  },
};

const errnoOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** What the file system reported, as the end of a sentence. */
export const failureReason = (error: unknown): string =>
  REASONS[errnoOf(error)]?.reason ?? (error instanceof Error ? error.message : String(error));

export const isDiskFull = (error: unknown): boolean => REASONS[errnoOf(error)]?.code === 'disk-full';

/**
 * @param action what was being done, e.g. `opened`, `saved`
 * @param error what the file system reported; errors that already are user-facing pass unchanged
 */
export function fileError(path: string, action: string, error: unknown): MoreauError {
  if (error instanceof MoreauError) return error;
  const known = REASONS[errnoOf(error)];
  return new MoreauError({
    code: known?.code ?? 'file-failed',
    message: `${basename(path)} could not be ${action}: ${failureReason(error)}.`,
    where: path,
    remedy: known?.remedy ?? 'Try again, or choose another place.',
  });
}

/** A full disk that was met anywhere, with the place that the file system named; null for other failures. */
export function diskFullError(error: unknown): MoreauError | null {
  if (!isDiskFull(error) || !(error instanceof Error)) return null;
  return fileError('path' in error ? String(error.path) : 'A file', 'written', error);
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
