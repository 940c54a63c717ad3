/** The pictures of a film, gathered into an archive. */
import { MoreauError } from '@contract/errors';
import { MAX_EXPORT_BYTES } from '@contract/shell';
import {
  type FilmPlan,
  MOST_PICTURES,
  pictureCount,
  pictureName,
  pictureTime,
} from '@figures/animation/film-plan';
import { type ArchiveFile, archiveBytes, storedZip } from './zip';

export interface FilmMaker {
  /** draws the picture of a time and gives it as PNG */
  picture(time: number): Promise<Uint8Array<ArrayBuffer>>;
  /** number of finished pictures */
  progress(done: number, count: number): void;
  readonly signal: AbortSignal;
}

/**
 * Makes a film as an archive of numbered pictures.
 * @returns null when it was given up
 * @throws {MoreauError} `film-too-long`, `export-too-large`
 */
export async function makeFilm(plan: FilmPlan, maker: FilmMaker): Promise<Uint8Array<ArrayBuffer> | null> {
  const count = pictureCount(plan);
  if (count > MOST_PICTURES) {
    throw new MoreauError({
      code: 'film-too-long',
      message: `The film would have ${count} pictures, more than ${MOST_PICTURES}.`,
      remedy: 'Choose a shorter part, a higher speed or fewer pictures per second.',
    });
  }
  const files: ArchiveFile[] = [];
  let bytes = archiveBytes([]);
  for (let i = 0; i < count; i++) {
    const data = await maker.picture(pictureTime(plan, i));
    if (maker.signal.aborted) return null;
    const file = { name: pictureName(i, count), data };
    files.push(file);
    bytes += archiveBytes([file]) - archiveBytes([]);
    if (bytes > MAX_EXPORT_BYTES) {
      throw new MoreauError({
        code: 'export-too-large',
        message: `The first ${i + 1} of ${count} pictures have more than ${MAX_EXPORT_BYTES / 2 ** 20} MiB, the most that can be saved at once.`,
        remedy: 'Choose smaller or fewer pictures, or save the film in parts.',
      });
    }
    maker.progress(i + 1, count);
  }
  return storedZip(files);
}
