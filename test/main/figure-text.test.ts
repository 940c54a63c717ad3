/** Texts of drawings without a window: where they stand, and the room they have. */
import { drawSvg, withFontNames } from '@main/export/figures/svg';
import { textMeasure } from '@main/export/figures/text-width';
import { describe, expect, it } from 'vitest';

describe('texts of figures', () => {
  it('stand at a place that readers without baselines know, beside another one, too', () => {
    const text = '<text dominant-baseline="central" style="font-size:20px;" x="30" y="1.5">lift</text>';
    const drawn = withFontNames(text);
    expect(drawn).not.toMatch(/dominant-baseline|dy=/);
    expect(drawn).toContain(' y="8.5"');
    expect(withFontNames('<text dominant-baseline="central">lift</text>')).toContain(' y="4.2"');
    expect(withFontNames('<text y="3">lift</text>')).toContain(' y="3"');
  });

  it('say their font in words that every reader knows', () => {
    const short = `<text dominant-baseline="central" style="font: italic 600 20px 'Inter Variable', serif" y="1">z</text>`;
    const drawn = withFontNames(short);
    expect(drawn).toContain('style="font-size:20px;font-style:italic;font-weight:600;"');
    expect(drawn).toContain('font-family="Inter"');
    expect(drawn).not.toMatch(/font:|Variable/);
    expect(drawn).toContain(' y="8"');
    expect(withFontNames('<text style="font: 10.5px sans-serif">z</text>')).toContain(
      'style="font-size:10.5px;"',
    );
  });

  it('have the width of their font', async () => {
    const measure = await textMeasure();
    const width = (text: string, font: string): number => measure(text, font).width;
    expect(width('Time-stepping', '24px sans-serif')).toBeCloseTo(
      2 * width('Time-stepping', '12px Inter'),
      0,
    );
    expect(width('mmmm', '12px x')).toBeGreaterThan(2 * width('iiii', '12px x'));
  });

  it('leave each other room in a legend', async () => {
    const names = ['mmmmmmmmmmmmmmmm', 'wwwwwwwwwwwwwwww', 'q'];
    const series = names.map((name) => ({ type: 'line' as const, name, data: [[0, 1]] }));
    const option = { animation: false, legend: {}, xAxis: {}, yAxis: {}, series };
    const svg = await drawSvg(option, 900, 300);
    const places = names.map((name) =>
      Number(new RegExp(`translate\\(([\\d.]+) [\\d.]+\\)"[^>]*>${name}</text>`).exec(svg)?.[1]),
    );
    const measure = await textMeasure();
    for (const k of [0, 1])
      // Behind the mark of an entry, 30 px, its text, then the next one.
      expect(places[k + 1] - places[k]).toBeGreaterThan(30 + measure(names[k], '12px Inter').width);
  });
});
