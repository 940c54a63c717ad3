/** Animations without a window: the scene of a run at a time, as vectors. */
import type { AnimationView } from '@engine/document/types';
import { viewCamera } from '@figures/animation/eye';
import { DEFAULT_OVERLAYS, scenePicture } from '@figures/animation/picture';
import { LIGHT_STAGE } from '@figures/animation/stage-theme';
import type { PlotTheme } from '@figures/palette';
import { Motion } from './motion';
import type { FigureSources } from './figure-sources';
import { withFontNames } from './svg';

interface Look {
  readonly theme: PlotTheme;
  /** px */
  readonly width: number;
  readonly height: number;
}

/** The picture of a motion at a time. */
export async function motionSvg(
  motion: Motion,
  view: AnimationView,
  time: number,
  { theme, ...size }: Look,
): Promise<string> {
  const { scene, forms, box } = motion;
  const poses = await motion.posesAt(time);
  return withFontNames(
    scenePicture({
      scene,
      forms,
      poses,
      box,
      camera: viewCamera(view, scene, box, poses, size),
      overlays: view.overlays ?? DEFAULT_OVERLAYS,
      // The ground of the page, so that pictures of animations and of plots are one figure.
      theme: { ...LIGHT_STAGE, background: theme.background, text: theme.text },
      size,
    }),
  );
}

/**
 * A view at the time that is asked for, else at the end of what is seen.
 * @throws {MoreauError} `no-bodies`
 */
export async function animationSvg(
  view: AnimationView,
  { dispatcher, run, to, time = to ?? run.statistics.simulatedTime, ...look }: FigureSources,
): Promise<string> {
  return motionSvg(await Motion.of(dispatcher, run), view, time, look);
}
