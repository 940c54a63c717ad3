/** Trajectories in space: what is drawn of them, and how they are turned. */
import {
  attractorOption,
  boxOf,
  drawAttractor,
  cameraFrame,
  nearestDrawn,
  timeColor,
} from '@views/attractor/drawing';
import type { AttractorInput, Vector } from '@views/attractor/drawing';
import { DARK_PLOT, LIGHT_PLOT } from '@figures/palette';
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils';
import { init } from 'echarts';
import { describe, expect, it, vi } from 'vitest';
import type { AttractorView } from '@engine/document/types';
import AttractorPlot from '@views/attractor/Panel.vue';
import { useDocumentStore } from '@renderer/stores/document';
import { usePlotCursorStore } from '@renderer/stores/plot-cursor';
import { useRunsStore } from '@renderer/stores/runs';
import { openCamFollower } from '../setup';

const curve = {
  rows: 4,
  cells: 0,
  t: Float64Array.of(0, 1, NaN, 3, 4),
  x: Float64Array.of(0, 1, NaN, 1, 0),
  y: Float64Array.of(0, 0, NaN, 2, 2),
  z: Float64Array.of(-1, 1, NaN, 1, -1),
};
const input = (changes: Partial<AttractorInput> = {}): AttractorInput => ({
  curves: [curve],
  names: ['x', 'y', 'z'],
  factors: [1, 1, 1],
  camera: { azimuth: 0, elevation: 0, zoom: 1 },
  byTime: false,
  theme: LIGHT_PLOT,
  width: 400,
  height: 300,
  ...changes,
});
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

describe('the camera', () => {
  it('has three directions at right angles, right-handed', () => {
    for (const [azimuth, elevation] of [
      [35, 22],
      [-120, -80],
      [271, 90],
    ] as const) {
      const { right, up, near } = cameraFrame({ azimuth, elevation, zoom: 1 });
      for (const [a, b] of [
        [right, up],
        [up, near],
        [near, right],
      ] as const) {
        expect(dot(a, b)).toBeCloseTo(0, 14);
        expect(dot(a, a)).toBeCloseTo(1, 14);
      }
      const cross = [
        right[1] * up[2] - right[2] * up[1],
        right[2] * up[0] - right[0] * up[2],
        right[0] * up[1] - right[1] * up[0],
      ];
      cross.forEach((value, k) => expect(value).toBeCloseTo(near[k] ?? NaN, 14));
    }
  });

  it('in front of the y-z plane shows y to the right and z upwards', () => {
    const { place } = drawAttractor(input());
    const [middle, right, above] = [place([0.5, 1, 0]), place([0.5, 2, 0]), place([0.5, 1, 1])];
    expect(middle).toEqual([200, 150]);
    expect(right[0]).toBeGreaterThan(200);
    expect(right[1]).toBeCloseTo(150, 9);
    expect(above[0]).toBeCloseTo(200, 9);
    expect(above[1]).toBeLessThan(150);
    // Nearer or farther makes no difference: the camera is far away.
    expect(place([0, 1, 0])).toEqual(place([1, 1, 0]));
  });
});

describe('what is drawn', () => {
  it('is the curve with its interruptions, and a box with scales', () => {
    const { lines, texts, place } = drawAttractor(input({ camera: { azimuth: 35, elevation: 22, zoom: 1 } }));
    const drawn = lines.at(-1);
    expect([...(drawn?.points.subarray(0, 2) ?? [])]).toEqual(place([0, 0, -1]));
    expect(drawn?.points[4]).toBeNaN();
    expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(['x', 'y', 'z', '0.5', '-1']));
    expect(boxOf(input({ factors: [1000, 1, 1] }))[0].max).toBeCloseTo(1060, 9);
  });

  it('is coloured by time in stretches that join, and behind it what it is compared with', () => {
    const { lines } = drawAttractor(input({ byTime: true, curves: [curve, curve] }));
    const [, , behind, ...stretches] = lines;
    expect(behind?.dash.length).toBeGreaterThan(0);
    expect(stretches[0]?.color).toBe(timeColor(LIGHT_PLOT, 0));
    expect(stretches.at(-1)?.color).toBe(timeColor(LIGHT_PLOT, 1));
    expect(timeColor(DARK_PLOT, 0)).not.toBe(timeColor(DARK_PLOT, 1));
  });

  it('is the same in a file', () => {
    const chart = init(null, null, { renderer: 'svg', ssr: true, width: 400, height: 300 });
    chart.setOption(attractorOption(input()));
    const svg = chart.renderToSVGString();
    chart.dispose();
    const { place } = drawAttractor(input());
    const [x, y] = place([0, 0, -1]);
    expect(svg).toContain(`M${x.toFixed(1)} ${y.toFixed(1)}`);
    expect(svg).toMatch(/>z</);
  });

  it('is found again from a place on the picture', () => {
    const { place } = drawAttractor(input());
    expect(nearestDrawn(curve, place, place([1, 2, 1]))).toEqual({ index: 3, distance: 0 });
    const none = new Float64Array(0);
    expect(nearestDrawn({ rows: 0, cells: 0, t: none, x: none, y: none, z: none }, place, [0, 0])).toBeNull();
  });
});

describe('the panel', () => {
  const stubs = {
    PlotFrame: { template: '<section><slot name="title" /><slot /></section>' },
    SignalPicker: true,
  };

  async function shown(): Promise<{ view: () => AttractorView; panel: VueWrapper }> {
    const host = await openCamFollower();
    const documents = useDocumentStore();
    const names = (await host.dispatcher.dispatch('run.start', { document: documents.model })).signals
      .map(({ name }) => name)
      .slice(1, 4);
    await useRunsStore().start();
    host.advance(1);
    await flushPromises();
    const [x = '', y = '', z = ''] = names;
    documents.edit('views', (draft) => {
      draft.views = [{ type: 'attractor', id: 'space', x, y, z }];
    });
    const view = () => documents.model.views[0] as AttractorView;
    const panel = mount(AttractorPlot, { props: { view: view() }, global: { stubs } }) as VueWrapper;
    await flushPromises();
    return { view, panel };
  }

  it('is turned by keys, which is one step of the document, and back', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { view, panel } = await shown();
      const space = panel.get('[data-camera]');
      for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp', '+']) await space.trigger('keydown', { key });
      expect(space.attributes('data-camera')).toBe('45.0 17.0 1.15');
      expect(view().azimuth).toBeUndefined();
      vi.runAllTimers();
      expect(view()).toMatchObject({ azimuth: 45, elevation: 17, zoom: 1.15 });
      useDocumentStore().undo();
      expect(view().azimuth).toBeUndefined();
      await panel.setProps({ view: { ...view(), azimuth: 10 } });
      expect(space.attributes('data-camera')).toBe('10.0 22.0 1.00');
      panel.unmount();
    } finally {
      vi.useRealTimers();
    }
  });

  it('marks the cursor where the run was then', async () => {
    const { panel } = await shown();
    expect(panel.find('[data-testid=attractor-mark]').exists()).toBe(false);
    usePlotCursorStore().moveTo(0.01);
    await flushPromises();
    expect(panel.get('[data-testid=attractor-mark]').text()).toBe('t = 0.01 s');
    panel.unmount();
  });
});
