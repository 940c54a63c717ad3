/** Return maps: what they ask of a run, and their figures. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunInfo } from '@contract/methods';
import type { EngineHost } from '@main/host/host';
import { returnMap } from '@views/return-map/chart';
import { bouncingBall } from './models';
import { createHost, nextEvent } from './support';

const RESTITUTION = 0.9;
const ball = bouncingBall({ tEnd: 6 });
const view = { type: 'return-map' as const, id: 'returns', section: 'hits', x: 'ball.v' };
const model = {
  ...ball,
  simulation: {
    ...ball.simulation,
    sections: [{ id: 'hits', type: 'impact', contact: 'table', state: 'after' }],
  },
  views: [view],
};

let host: EngineHost;
let run: RunInfo;
beforeEach(async () => {
  host = createHost();
  const { runId } = await host.dispatch('run.start', { document: model, scheme: 'event-driven' });
  const ended = await nextEvent(
    host,
    (event) =>
      event.event === 'run.progress' && event.data.run.runId === runId && event.data.run.state === 'done',
  );
  if (ended.event !== 'run.progress') throw new Error('the run has not ended');
  run = ended.data.run;
});
afterEach(() => host.dispose());

const asked = { buckets: 1, cells: { width: 100, height: 100 }, isFile: true };

it('draw each velocity after an impact over the one before: a line of the slope e through the origin', async () => {
  const { x, y } = await returnMap.ask(view, { ...asked, run }, host);
  expect(x.length).toBe(run.sections[0].points - 1);
  expect(x.length).toBeGreaterThan(4);
  expect([...y.subarray(0, -1)]).toEqual([...x.subarray(1)]);
  for (const [n, before] of x.entries()) expect(y[n] / before).toBeCloseTo(RESTITUTION, 6);
});

it('have no points of a section that no run has crossed twice', async () => {
  const once = { ...run, sections: [{ ...run.sections[0], points: 1 }] };
  expect((await returnMap.ask(view, { ...asked, run: once }, host)).x).toHaveLength(0);
  const never = { ...run, sections: [{ ...run.sections[0], points: 0 }] };
  expect((await returnMap.ask(view, { ...asked, run: never }, host)).x).toHaveLength(0);
});

it('are figures with the diagonal, the same on a page and as pixels', async () => {
  const look = { width: 80, height: 80, dpi: 96, style: 'publication' as const, spans: {} };
  const draw = async (format: '.svg' | '.pdf' | '.png'): Promise<Buffer> => {
    const question = { document: model, figure: 'returns', runId: run.runId, compared: [], format, ...look };
    return Buffer.from((await host.dispatch('figure.draw', question)).data);
  };
  const svg = (await draw('.svg')).toString('utf8');
  expect(svg).toContain('ball.v (n)');
  expect(svg).toContain('ball.v (n+1)');
  // Both axes show the same range of a square picture, so that the diagonal goes up from left to right.
  const dashed = /<path d="M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)"[^>]*stroke-dasharray/.exec(svg);
  const [x0, y0, x1, y1] = (dashed ?? []).slice(1).map(Number);
  expect(x1 - x0).toBeGreaterThan(0);
  expect(y1 - y0).toBeLessThan(0);
  expect((await draw('.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await draw('.png')).subarray(1, 4).toString()).toBe('PNG');
});

it('lead through the returns as a cobweb: across to the diagonal and up or down to the next', async () => {
  const look = { width: 80, height: 80, dpi: 96, style: 'publication' as const, spans: {} };
  const corners = async (cobweb: boolean): Promise<number> => {
    const document = { ...model, views: [{ ...view, cobweb }] };
    const question = { document, figure: 'returns', runId: run.runId, compared: [], format: '.svg' as const };
    const svg = Buffer.from((await host.dispatch('figure.draw', { ...question, ...look })).data).toString(
      'utf8',
    );
    const paths = [...svg.matchAll(/ d="([^"]*)"/g)].map(([, path = '']) => path.match(/L/g)?.length ?? 0);
    return Math.max(...paths);
  };
  const returns = run.sections[0].points - 1;
  expect(await corners(true)).toBe(2 * returns);
  expect(await corners(false)).toBeLessThan(returns);
});
