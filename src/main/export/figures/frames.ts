/**
 * The pictures of a film as files, one after the other: a film of any length takes the memory of one picture.
 */
import { mkdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { MoreauError } from '@contract/errors';
import type { Dispatcher, RunInfo } from '@contract/methods';
import type { AnimationView } from '@engine/document/types';
import { type FilmPlan, pictureCount, pictureName, pictureTime } from '@figures/animation/film-plan';
import { saveAtomically } from '../../files/atomic';
import { motionSvg } from './animation';
import { figureFormat, type FigureLook, fileOfDrawing, themeOf } from './figure-file';
import { Motion } from './motion';

/** Files of one film: more are a mistake in the rate. */
const MOST_FRAMES = 100_000;

/** `%d` or `%04d`: the number of a picture, counted from 1, padded to that many digits. */
const NUMBER = /%(0(\d))?d/;

/** How the files of a film are called. */
export interface FrameNames {
  readonly format: ReturnType<typeof figureFormat>;
  /** path of a picture */
  of(index: number, count: number): string;
}

/**
 * Names for the pictures of a film.
 * @param out a folder; or a file with an ending, in whose name `%04d` stands for the number of the picture,
 *   or which gets one at its end
 * @throws {MoreauError} `unknown-format`
 */
export function frameNames(out: string): FrameNames {
  const ending = extname(out);
  if (ending === '') return { format: '.png', of: (index, count) => join(out, pictureName(index, count)) };
  const format = figureFormat(out);
  const folder = dirname(out);
  const name = basename(out, ending);
  const pattern = NUMBER.test(name) ? name : `${name}-%04d`;
  return {
    format,
    of: (index) => {
      const numbered = pattern.replace(NUMBER, (_, _zeros, digits: string | undefined) =>
        String(index + 1).padStart(Number(digits ?? 1), '0'),
      );
      return join(folder, `${numbered}${ending}`);
    },
  };
}

/** What is wrong with a film. @throws {MoreauError} `film-too-long` */
function checkFilm(plan: FilmPlan): number {
  const count = pictureCount(plan);
  if (count <= MOST_FRAMES) return count;
  throw new MoreauError({
    code: 'film-too-long',
    message: `The film would have ${count} pictures, more than ${MOST_FRAMES}.`,
    where: '--frames',
    remedy: 'Choose a shorter part or fewer pictures per second.',
  });
}

export interface Film {
  readonly view: AnimationView;
  readonly plan: FilmPlan;
  readonly names: FrameNames;
  readonly look: FigureLook;
  /** px */
  readonly width: number;
  readonly height: number;
}

/**
 * Draws and writes a film picture by picture.
 * @param progress called behind each of them with its path
 * @throws {MoreauError} `no-bodies`, `film-too-long`, what reading the run and writing files say
 */
export async function writeFrames(
  dispatcher: Dispatcher,
  run: RunInfo,
  { view, plan, names, look, width, height }: Film,
  progress: (path: string, done: number, count: number) => void,
): Promise<void> {
  const count = checkFilm(plan);
  const motion = await Motion.of(dispatcher, run);
  const theme = themeOf(look);
  await mkdir(dirname(names.of(0, count)), { recursive: true });
  for (let index = 0; index < count; index++) {
    const svg = await motionSvg(motion, view, pictureTime(plan, index), { theme, width, height });
    const bytes = await fileOfDrawing({ svg, width, height }, run.title, names.format, look.dpi);
    const path = names.of(index, count);
    await saveAtomically(path, bytes, { backup: false });
    progress(path, index + 1, count);
  }
}
