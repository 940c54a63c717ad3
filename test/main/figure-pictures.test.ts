/**
 * Pictures of cells in drawings: they fill the rectangle of the plane that they stand for, whatever shape
 * their cells have.
 */
import { densitySeries } from '@figures/density';
import { pngOfSvg } from '@main/export/figures/png';
import { pngDataUrl } from '@main/export/figures/png-pixels';
import { drawSvg } from '@main/export/figures/svg';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, it } from 'vitest';

const [WIDTH, HEIGHT] = [400, 100];
/** Red on the left, blue on the right: as high as it is wide, in a rectangle four times as wide. */
const CELLS = pngDataUrl(
  Uint8ClampedArray.from([255, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0, 255, 0, 0, 255, 255]),
  2,
  2,
);

/** Colour at a place of a rasterised drawing. */
async function colours(
  svg: string,
  [width, height]: [number, number],
  scale: number,
): Promise<(x: number, y: number) => number[]> {
  const canvas = createCanvas(width * scale, height * scale);
  const context = canvas.getContext('2d');
  context.drawImage(await loadImage(await pngOfSvg(svg, width, height, scale)), 0, 0);
  return (x, y) => [...context.getImageData(x * scale, y * scale, 1, 1).data];
}

const RED = [255, 0, 0, 255];
const BLUE = [0, 0, 255, 255];
const GREEN = [0, 255, 0, 255];
const WHITE = [255, 255, 255, 255];

it('pictures reach to the corners of their rectangle', async () => {
  const svg = await drawSvg(
    {
      animation: false,
      grid: { left: 0, right: 0, top: 0, bottom: 0 },
      xAxis: { type: 'value', min: 0, max: 1, show: false },
      yAxis: { type: 'value', min: 0, max: 1, show: false },
      series: densitySeries({ xMin: 0, xMax: 1, yMin: 0, yMax: 1 }, CELLS),
    },
    WIDTH,
    HEIGHT,
  );
  const at = await colours(svg, [WIDTH, HEIGHT], 1);
  for (const y of [2, HEIGHT - 3]) {
    expect(at(2, y)).toEqual(RED);
    expect(at(WIDTH - 3, y)).toEqual(BLUE);
  }
});

it.each([
  ['translate(10 10)', 'matrix(1,0,0,1,0,0)'],
  ['matrix(2,0,0,2,10,10)', 'scale(0.5)'],
  ['translate(20 20)', 'rotate(180) translate(-10 -10) rotate(180 10 10)'],
])(
  'pictures stand where groups put them (%s %s), clipped, and what is drawn later lies above them',
  async (outer, inner) => {
    const image = `<image preserveAspectRatio="none" href="${CELLS}" x="0" y="0" width="20" height="20"></image>`;
    const at = await colours(
      `<svg width="40" height="40" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">
      <defs><style><![CDATA[rect{stroke:none}]]></style></defs>
      <rect width="40" height="40" fill="#ffffff"/>
      <rect x="0" y="20" width="40" height="20" fill="#00ff00"></rect>
      <g transform="${outer}"><g transform="${inner}"><g clip-path="url(#c0)">${image}</g></g></g>
      <!-- above --><g transform="translate(15 15)"><rect width="4" height="4" fill="#00ff00"></rect></g>
      <defs><clipPath id="c0"><path d="M0 0h20v15h-20Z" fill="#000"></path></clipPath></defs>
    </svg>`,
      [40, 40],
      3,
    );
    expect(at(12, 12)).toEqual(RED);
    expect(at(28, 12)).toEqual(BLUE);
    // Under it, where it is not clipped away.
    expect(at(12, 22)).toEqual(RED);
    expect(at(12, 27)).toEqual(GREEN);
    expect(at(17, 17)).toEqual(GREEN);
    expect(at(5, 5)).toEqual(WHITE);
  },
);
