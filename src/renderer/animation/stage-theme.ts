/** Colours of the animation, from the tokens of the theme. */
import type { StageTheme } from '@figures/animation/stage-theme';

/** How many colours bodies have. */
const BODY_COLOURS = 7;

/** @param style computed style of an element of the window */
export function readStageTheme(style: Pick<CSSStyleDeclaration, 'getPropertyValue'>): StageTheme {
  const token = (name: string): string => style.getPropertyValue(`--stage-${name}`).trim() || '#808080';
  return {
    background: token('background'),
    ground: token('ground'),
    grid: token('grid'),
    gridStrong: token('grid-strong'),
    fixed: token('fixed'),
    text: token('text'),
    textHalo: token('background'),
    selection: token('selection'),
    contact: token('contact'),
    force: token('force'),
    cone: token('cone'),
    joint: token('joint'),
    axes: [token('axis-x'), token('axis-y'), token('axis-z')],
    bodies: Array.from({ length: BODY_COLOURS }, (_, i) => token(`body-${i + 1}`)),
  };
}
