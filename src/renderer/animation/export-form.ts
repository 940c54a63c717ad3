/** What may be entered for an export, and what is wrong with it. */
import { formatCount, formatNumber } from '../components/numbers';
import { counted, text } from '../i18n';
import { type FilmPlan, MOST_PICTURES, pictureCount } from '@figures/animation/film-plan';

export interface ExportedPictureSize {
  width: number;
  height: number;
}

/** What is exported: one picture, or those of a film. */
export type ExportKind = 'picture' | 'film';

export type SizeName = 'panel' | 'hd' | 'uhd' | 'square';

/** Sides of a picture, pixels: larger ones not every graphics card can draw. */
export const LEAST_SIDE = 16;
export const MOST_SIDE = 8192;

/** @param panel size of the picture in the window */
export function exportedSizeOf(name: SizeName, panel: ExportedPictureSize): ExportedPictureSize {
  switch (name) {
    case 'panel':
      return { width: Math.round(panel.width), height: Math.round(panel.height) };
    case 'hd':
      return { width: 1920, height: 1080 };
    case 'uhd':
      return { width: 3840, height: 2160 };
    case 'square':
      return { width: 2000, height: 2000 };
  }
}

const isSide = (value: number): boolean =>
  Number.isInteger(value) && value >= LEAST_SIDE && value <= MOST_SIDE;

/** Why a picture of that size cannot be made; empty where it can. */
export const sizeObstacle = ({ width, height }: ExportedPictureSize): string =>
  isSide(width) && isSide(height) ? '' : text('animation.wrongSize', { least: LEAST_SIDE, most: MOST_SIDE });

/** Why such a film cannot be made; empty where it can. */
export function filmObstacle(plan: FilmPlan): string {
  if (!(plan.to > plan.from) || !(plan.rate > 0)) return text('animation.wrongPart');
  return pictureCount(plan) > MOST_PICTURES
    ? text('animation.tooMany', { count: formatCount(MOST_PICTURES) })
    : '';
}

/** How long a film is, in words. */
export const filmSize = (plan: FilmPlan): string =>
  text('animation.filmSize', {
    count: counted('animation.pictures', pictureCount(plan)),
    seconds: formatNumber((plan.to - plan.from) / plan.speed, 3),
  });
