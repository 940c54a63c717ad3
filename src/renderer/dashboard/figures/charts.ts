/** The parts of ECharts the plots use. */
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { DatasetComponent, GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import { wholeCircles } from '@figures/svg-circles';
import { stretchImages } from '@figures/svg-images';
import type { EChartsOption } from 'echarts';
import { pixelRatioOf } from '../../components/page-zoom';

use([
  LineChart,
  ScatterChart,
  CustomChart,
  GridComponent,
  DatasetComponent,
  LegendComponent,
  MarkLineComponent,
  CanvasRenderer,
  SVGRenderer,
]);

export type ChartInstance = EChartsType;

/**
 * Frames without a change after which a chart asks for no further ones. Without a graphics card each costs a
 * painting of the window, and nothing here moves by itself.
 */
const STILL_FRAMES = 1;

/** A chart on the screen. */
export function createChart(element: HTMLElement): ChartInstance {
  const chart = init(element, null, { renderer: 'canvas', devicePixelRatio: pixelRatioOf(element) });
  chart.getZr().setSleepAfterStill(STILL_FRAMES);
  return chart;
}

/**
 * A chart in the size of its element, px: the same one, or where the zoom of the page has changed another
 * one, on which nothing is drawn yet.
 */
export function fitChart(
  chart: ChartInstance,
  element: HTMLElement,
  size: { width: number; height: number },
): ChartInstance {
  const isSharp = chart.getDevicePixelRatio() === pixelRatioOf(element);
  if (!isSharp) chart.dispose();
  const fitting = isSharp ? chart : createChart(element);
  fitting.resize(size);
  return fitting;
}

/** Resolution of exported bitmaps: pixels of the file per pixel of the screen. */
const PIXEL_RATIO = 3;

/** The bytes of an address that holds them. */
export function bytesOfDataUrl(url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(url.slice(url.indexOf(',') + 1));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** The picture of an option as a file. @param width px @param height px */
export function pictureOf(
  option: EChartsOption,
  format: 'png' | 'svg',
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> {
  if (format === 'svg') {
    const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
    chart.setOption(option);
    const svg = wholeCircles(stretchImages(chart.renderToSVGString()));
    chart.dispose();
    return new TextEncoder().encode(svg);
  }
  const holder = document.createElement('div');
  const chart = init(holder, null, { renderer: 'canvas', width, height });
  chart.setOption(option);
  const url = chart.getDataURL({ type: 'png', pixelRatio: PIXEL_RATIO });
  chart.dispose();
  return bytesOfDataUrl(url);
}
