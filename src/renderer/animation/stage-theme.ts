/** Colours of the animation, from the tokens of the theme. */

import type { Scene } from '@engine/scene/scene';

/** CSS colours, `#rrggbb`. */
export interface StageTheme {
  readonly background: string;
  readonly ground: string;
  readonly grid: string;
  readonly gridStrong: string;
  readonly fixed: string;
  readonly text: string;
  readonly textHalo: string;
  readonly selection: string;
  readonly contact: string;
  readonly force: string;
  readonly cone: string;
  readonly joint: string;
  /** of x, y and z */
  readonly axes: readonly [string, string, string];
  /** of bodies, distinguishable with any common colour-vision deficiency */
  readonly bodies: readonly string[];
}

/** How many colours bodies have. */
export const BODY_COLOURS = 7;

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

/** FNV-1a, as the hashes of similar names must differ; http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(id)) hash = Math.imul(hash ^ byte, 0x01000193);
  // The low bits of FNV are its weakest; folding mixes the high ones in.
  return (hash >>> 16) ^ (hash & 0xffff);
}

/**
 * Colours of bodies by their ids, so that a body keeps its own when others come and go. Where its colour is taken by one before it, it takes
 * the next that is free: few bodies all differ.
 */
export function bodyColours(theme: StageTheme, ids: readonly string[]): string[] {
  const free = new Set(theme.bodies.keys());
  return ids.map((id) => {
    const count = theme.bodies.length;
    let place = hashOf(id) % count;
    if (free.size > 0) while (!free.has(place)) place = (place + 1) % count;
    free.delete(place);
    return theme.bodies[place];
  });
}

/** Colours of all bodies of a scene: what does not move has one of its own. */
export function sceneColours(theme: StageTheme, scene: Scene): string[] {
  const moving = scene.bodies.flatMap(({ id, motion }) => (motion === null ? [] : [id]));
  const colours = bodyColours(theme, moving).values();
  return scene.bodies.map(({ motion }) =>
    motion === null ? theme.fixed : (colours.next().value ?? theme.fixed),
  );
}
