/**
 * Fonts of figures: Inter for what it has of Latin text, DejaVu Sans for every other character. They come
 * with the program and are embedded in every file.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const packages = createRequire(import.meta.url);

export const PLAIN = 'Inter';
export const OTHER = 'DejaVu Sans';

const FILES = {
  [PLAIN]: '@fontsource/inter/files/inter-latin-400-normal.woff',
  [OTHER]: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
} as const;
export type FontName = keyof typeof FILES;

export const fontPath = (name: FontName): string => packages.resolve(FILES[name]);

const read = new Map<FontName, Buffer>();

export function fontBytes(name: FontName): Buffer {
  const known = read.get(name);
  if (known !== undefined) return known;
  const bytes = readFileSync(fontPath(name));
  read.set(name, bytes);
  return bytes;
}

/** Characters that the Latin file of Inter has. */
const LATIN = /^[\u0020-\u007e\u00a0-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212]*$/;

/** The font that has every character of a text. */
export const fontFor = (text: string): FontName => (LATIN.test(text) ? PLAIN : OTHER);

/** Makes both known to a canvas, once for a process. */
export function registerFonts(known: {
  has(name: string): boolean;
  registerFromPath(path: string, name: string): unknown;
}): void {
  for (const name of [PLAIN, OTHER] as const)
    if (!known.has(name)) known.registerFromPath(fontPath(name), name);
}
