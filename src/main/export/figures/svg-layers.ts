/**
 * Drawings that hold pictures, taken apart into what lies under each picture, the pictures, and what lies
 * above the last one: the canvas that rasterises drawings leaves pictures out. Groups stand in every layer,
 * so that transformations and clips hold there too.
 */

/** A 2×3 matrix [a b c d e f]: x' = a x + c y + e, y' = b x + d y + f. */
type Matrix = readonly [number, number, number, number, number, number];

/** A transformation, or a path that clips. In the order in which they apply, the outermost first. */
type Frame = { readonly matrix: Matrix } | { readonly clip: string };

export interface LayerPicture {
  /** address that holds the bytes */
  readonly href: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
  readonly frames: readonly Frame[];
}

export interface SvgLayers {
  /**
   * drawings without pictures, one more than there are pictures: the k-th picture lies between the k-th and
   * the next one
   */
  readonly drawings: readonly string[];
  readonly pictures: readonly LayerPicture[];
}

const TOKEN = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<[^>]+>|[^<]+/g;
const CLIP_PATH = /<clipPath[^>]*\bid="([^"]+)"[^>]*>\s*<path[^>]*?\sd="([^"]+)"/g;
const STEP = /(translate|scale|rotate|matrix)\(([^)]*)\)/g;
/** Elements that hold others; all others are drawn. */
const GROUPS: ReadonlySet<string> = new Set(['svg', 'g', 'defs']);

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

function stepMatrix(kind: string, [a = 0, b, c, d, e, f]: number[]): Matrix {
  switch (kind) {
    case 'translate':
      return [1, 0, 0, 1, a, b ?? 0];
    case 'scale':
      return [a, 0, 0, b ?? a, 0, 0];
    case 'rotate': {
      const angle = (a * Math.PI) / 180;
      const [cos, sin, x, y] = [Math.cos(angle), Math.sin(angle), b ?? 0, c ?? 0];
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
    }
    default:
      return [a, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f ?? 0];
  }
}

/** What a tag does to what it holds. */
function framesOf(tag: string, clips: ReadonlyMap<string, string>): Frame[] {
  const frames: Frame[] = [...(attribute(tag, 'transform') ?? '').matchAll(STEP)].map(
    ([, kind, numbers]) => ({
      matrix: stepMatrix(
        kind,
        numbers
          .trim()
          .split(/[\s,]+/)
          .map(Number),
      ),
    }),
  );
  const clip = clips.get(/url\(#([^)]+)\)/.exec(attribute(tag, 'clip-path') ?? '')?.[1] ?? '');
  return clip === undefined ? frames : [...frames, { clip }];
}

/** @param svg of charts, tables and dashboards, whose pictures are addresses that hold their bytes */
export function svgLayers(svg: string): SvgLayers {
  const clips = new Map([...svg.matchAll(CLIP_PATH)].map(([, id, path]) => [id, path]));
  const pictures: LayerPicture[] = [];
  /** pieces of text, each of one layer or of all: −1 */
  const pieces: { text: string; layer: number }[] = [];
  const open: { name: string; frames: Frame[] }[] = [];
  for (const [token] of svg.matchAll(TOKEN)) {
    const [, slash = '', name = ''] = /^<(\/?)([\w:-]+)/.exec(token) ?? [];
    const isInGroup = open.every((one) => GROUPS.has(one.name));
    const isShared = open.some((one) => one.name === 'defs') || (isInGroup && GROUPS.has(name));
    pieces.push({ text: name === 'image' ? '' : token, layer: isShared ? -1 : pictures.length });
    if (name === '') continue;
    if (slash !== '') {
      open.pop();
      continue;
    }
    const frames = framesOf(token, clips);
    if (name === 'image') {
      const number = (key: string, usual = 0): number => Number(attribute(token, key) ?? usual);
      pictures.push({
        href: attribute(token, 'href') ?? attribute(token, 'xlink:href') ?? '',
        x: number('x'),
        y: number('y'),
        width: number('width'),
        height: number('height'),
        opacity: number('opacity', 1),
        frames: [...open.flatMap((one) => one.frames), ...frames],
      });
    }
    if (!token.endsWith('/>')) open.push({ name, frames });
  }
  const drawings = Array.from({ length: pictures.length + 1 }, (_, layer) =>
    pieces.map((piece) => (piece.layer === -1 || piece.layer === layer ? piece.text : '')).join(''),
  );
  return { drawings, pictures };
}
