/** Colours of animations: which there are, and which body has which. */
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

/** The light theme of the window, for pictures without one. */
export const LIGHT_STAGE: StageTheme = {
  background: '#f4f6f9',
  ground: '#dfe5ec',
  grid: '#ccd4de',
  gridStrong: '#aeb9c6',
  fixed: '#a9b3bf',
  text: '#1a2029',
  textHalo: '#f4f6f9',
  selection: '#12202f',
  contact: '#b3261e',
  force: '#7a2a8f',
  cone: '#a06a00',
  joint: '#a5500a',
  axes: ['#c4372b', '#1d7f4f', '#1b5fb4'],
  bodies: ['#0072b2', '#e0762b', '#1f9f77', '#c678ab', '#d9a521', '#58b4e5', '#7d6bbf'],
};

/** FNV-1a, as the hashes of similar names must differ; http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(id)) hash = Math.imul(hash ^ byte, 0x01000193);
  // The low bits of FNV are its weakest; folding mixes the high ones in.
  return (hash >>> 16) ^ (hash & 0xffff);
}

/**
 * Colours of bodies by their ids, so that a body keeps its own when others come and go. Where its colour is
 * taken by one before it, it takes the next that is free: few bodies all differ.
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
