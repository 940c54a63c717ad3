/** Views as drawings: charts, and what is drawn without one. */
import { MoreauError } from '@contract/errors';
import type { ViewDocument } from '@engine/document/types';
import { notePicture } from '@figures/note-picture';
import { animationSvg } from './animation';
import type { FigureSources } from './figure-sources';
import { figureOption } from './registry';
import { drawSvg } from './svg';
import { tableSvg } from './table';

/** Of a view that has nothing to draw. */
const NOTHING: ReadonlySet<string> = new Set(['no-bodies', 'no-signals']);

/** @throws {MoreauError} what reading the run says, `no-bodies`, `no-signals` */
export async function viewSvg(view: ViewDocument, sources: FigureSources): Promise<string> {
  if (view.type === 'animation') return animationSvg(view, sources);
  if (view.type === 'table') return tableSvg(view, sources);
  return drawSvg(await figureOption(view, sources), sources.width, sources.height);
}

/**
 * The same among other views: what has nothing to draw says so in its place, and does not keep the others
 * from being drawn.
 */
export async function viewAmongOthers(view: ViewDocument, sources: FigureSources): Promise<string> {
  try {
    return await viewSvg(view, sources);
  } catch (error) {
    if (!(error instanceof MoreauError) || !NOTHING.has(error.details.code)) throw error;
    return notePicture(error.message, sources);
  }
}
