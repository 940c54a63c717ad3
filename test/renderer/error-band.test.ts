/** Errors of signals as bands around curves, in the window and in files by the same code. */
import type { Accuracy, ReadResult } from '@contract/methods';
import { type ErrorBand, outlineOf, shownErrorBand } from '@figures/error-band';
import { LIGHT_PLOT } from '@figures/palette';
import type { Range } from '@figures/ranges';
import { timeSeriesOption, timeSeriesRanges } from '@views/time-series/drawing';
import { axisGroups } from '@figures/vertical-axes';
import { init } from 'echarts';
import { describe, expect, it } from 'vitest';

const ACCURACY: Accuracy = {
  order: 1,
  until: 2,
  parts: true,
  signals: [
    { name: 'ball.q', unit: 'm', error: 0.25, limit: 0.01, time: 1 },
    { name: 'ball.v', unit: 'm/s', error: 0.1, limit: 0.01, time: null },
  ],
  impacts: [],
};
const WORDS = { error: '± error', noDigits: (time: string) => `no digits after t = ${time}` };
const t = Float64Array.of(0, 1, 3);
const current = {
  runId: 'a',
  rowsPerBucket: 1,
  signals: [
    { name: 'ball.q', t, y: Float64Array.of(1, 2, 4) },
    { name: 'ball.v', t, y: Float64Array.of(0, 1, 1) },
  ],
} as unknown as ReadResult;
const infos = (['position', 'velocity'] as const).map((kind, k) => ({
  name: k === 0 ? 'ball.q' : 'ball.v',
  unit: k === 0 ? 'm' : 'm/s',
  kind,
  description: '',
}));

function drawn(accuracy: Accuracy | null, legend: 'above' | 'none' = 'above'): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 600, height: 300 });
  const band = accuracy === null ? null : shownErrorBand(accuracy, new Map(), 1, WORDS);
  chart.setOption(
    timeSeriesOption({
      signals: ['ball.q', 'ball.v'],
      infos,
      current,
      compared: [],
      x: { min: 0, max: 3 },
      y: [],
      theme: LIGHT_PLOT,
      width: 600,
      height: 300,
      legend,
      band,
    }),
  );
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

describe('the band of an error', () => {
  it('lies within the vertical range, but for ends that are given', () => {
    const groups = axisGroups(['ball.q', 'ball.v'], infos);
    const band = shownErrorBand({ ...ACCURACY, until: 3 }, new Map(), 1, WORDS);
    const of = (shown: ErrorBand | null, of = groups): Range[] =>
      timeSeriesRanges(of, { current, compared: [], band: shown });
    const [plain, banded] = [of(null), of(band)];
    expect(plain[0]?.max).toBeLessThan(4.25);
    expect(banded[0]?.min).toBeLessThan(0.75);
    expect(banded[0]?.max).toBeGreaterThan(4.25);
    // Nothing is known of the other one, nor of either behind the end of the band.
    expect(banded[1]).toEqual(plain[1]);
    expect(of({ ...band, until: 1 })[0]?.max).toBeLessThan(4.25);
    const fixed = axisGroups(['ball.q'], infos, [{ signals: ['ball.q'], min: 0, max: 4 }]);
    expect(of(band, fixed)).toEqual([{ min: 0, max: 4 }]);
  });

  it('follows its curve, with the corners of steps, and ends where it is known to', () => {
    const y = Float64Array.of(1, 2, 4);
    expect(outlineOf({ t, y, jumps: false }, 2)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(outlineOf({ t, y, jumps: true }, 2)).toEqual([
      [0, 1],
      [0, 2],
      [1, 2],
      [1, 4],
      [2, 4],
    ]);
    expect(outlineOf({ t, y, jumps: false }, 5)).toHaveLength(3);
  });

  it('is in the units shown, and of signals that were compared', () => {
    const band = shownErrorBand(ACCURACY, new Map([['ball.q', 1000]]), 60, WORDS);
    expect([...band.errors]).toEqual([['ball.q', 250]]);
    expect(band.until).toBe(120);
  });

  it('is named in the legend, and says in words from where no digit is known', () => {
    const [none, parts, whole] = [
      drawn(null),
      drawn(ACCURACY),
      drawn({ ...ACCURACY, until: 3, parts: false }),
    ];
    const polygons = (svg: string): number => svg.match(/fill-opacity="0\.22"|opacity="0\.22"/g)?.length ?? 0;
    expect([none, parts, whole].map(polygons).map((count) => count > 0)).toEqual([false, true, true]);
    expect([none, parts, whole].map((svg) => svg.includes('± error'))).toEqual([false, true, true]);
    expect([none, parts, whole].map((svg) => svg.includes('no digits after t = 2 s'))).toEqual([
      false,
      true,
      false,
    ]);
    expect(drawn(ACCURACY, 'none')).not.toContain('± error');
  });
});
