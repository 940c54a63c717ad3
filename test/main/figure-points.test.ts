/**
 * Many points in drawings: none is lost where they are written with few digits, and those at one place are
 * written once.
 */
import { wholeCircles } from '@figures/svg-circles';
import { pngOfSvg } from '@main/export/figures/png';
import { drawSvg } from '@main/export/figures/svg';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, it } from 'vitest';

const [WIDTH, HEIGHT] = [700, 200];
const PLACES = 97;
/** So often each point is visited: many enough for the library to write all of them as one path. */
const VISITS = 60;
const SCALE = 2;
/** Places that fall on all fractions of a pixel. */
const place = (k: number): [number, number] => [10 + 7 * k + k / PLACES, 20 + 1.37 * k];

const drawPoints = (): Promise<string> =>
  drawSvg(
    {
      animation: false,
      grid: { left: 0, right: 0, top: 0, bottom: 0 },
      xAxis: { type: 'value', min: 0, max: WIDTH, show: false },
      yAxis: { type: 'value', min: 0, max: HEIGHT, show: false },
      series: {
        type: 'scatter',
        data: Float64Array.from({ length: 2 * PLACES * VISITS }, (_, i) => {
          const [x, y] = place(Math.floor(i / 2 / VISITS));
          return i % 2 === 0 ? x : HEIGHT - y;
        }),
        dimensions: ['x', 'y'],
        symbolSize: 1.8,
        large: true,
        largeThreshold: 5000,
        progressive: 0,
        itemStyle: { color: '#ff0000' },
      },
      legend: { show: true, borderWidth: 0, top: 150, data: [{ name: 'x', icon: 'rect' }] },
    },
    WIDTH,
    HEIGHT,
  );

it('each of them is seen in the picture', async () => {
  const canvas = createCanvas(WIDTH * SCALE, HEIGHT * SCALE);
  const context = canvas.getContext('2d');
  context.drawImage(await loadImage(await pngOfSvg(await drawPoints(), WIDTH, HEIGHT, SCALE)), 0, 0);
  const missing = Array.from({ length: PLACES }, (_, k) => place(k)).filter(([x, y]) => {
    const [red, , , alpha] = context.getImageData(Math.round(x * SCALE), Math.round(y * SCALE), 1, 1).data;
    return red < 150 || alpha < 150;
  });
  expect(missing).toEqual([]);
});

it('each of them is written once, as two halves that have their length', async () => {
  const svg = await drawPoints();
  const arcs = [...svg.matchAll(/M([\d.]+) ([\d.]+)A[\d.]+ [\d.]+ 0 1 1 ([\d.]+) ([\d.]+)A/g)];
  expect(arcs).toHaveLength(PLACES);
  for (const [, x, y, left, same] of arcs) {
    expect(Number(x) - Number(left)).toBeCloseTo(1.8, 6);
    expect(same).toBe(y);
  }
});

it('what is no circle stays as it is', () => {
  const svg = '<path d="M1 2L3 4A1 1 0 0 1 5 6" d2="M1 1"></path><path fill="none" d="M0 0h5v5Z"></path>';
  expect(wholeCircles(svg)).toBe(svg);
});

it('lines of no width are not drawn, which a canvas makes one pixel wide', async () => {
  expect(await drawPoints()).not.toMatch(/<[^>]*\sstroke="[^>]*\sstroke-width="0"/);
});
