/** Figures that a window asks for: the same files as on the command line. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MethodParams, RunInfo } from '@contract/methods';
import type { EngineHost } from '@main/host/host';
import { moreau } from '../cli/support';
import { bouncingBall } from './models';
import { createHost, failure, nextEvent, temporaryFolder } from './support';

let folder: ReturnType<typeof temporaryFolder>;
let host: EngineHost;
const model = {
  ...bouncingBall({ tEnd: 1 }),
  views: [
    { type: 'time-series' as const, id: 'height', signals: ['ball.q'] },
    { type: 'phase-portrait' as const, id: 'portrait', x: 'ball.q', y: 'ball.v' },
  ],
};
beforeEach(() => {
  folder = temporaryFolder();
  host = createHost();
});
afterEach(async () => {
  await host.dispose();
  await folder.remove();
});

async function runBy(scheme: RunInfo['scheme']): Promise<string> {
  const { runId } = await host.dispatch('run.start', { document: model, scheme });
  await nextEvent(
    host,
    (event) =>
      event.event === 'run.progress' && event.data.run.runId === runId && event.data.run.state === 'done',
  );
  return runId;
}

const look = { width: 88, height: 60, dpi: 192, style: 'publication' as const, spans: {} };

it('are those of the command line to the byte, compared runs and spans of time in them', async () => {
  const runId = await runBy('time-stepping');
  const compared = [await runBy('event-driven')];
  const file = join(folder.path, 'ball.moreau.json');
  writeFileSync(file, JSON.stringify(model));
  const flags = ['--compare', 'event-driven', '--width', '88', '--height', '60', '--dpi', '192'];
  for (const format of ['.svg', '.png'] as const) {
    const out = join(folder.path, `figure${format}`);
    const argv = ['export', file, '--figure', 'height', ...flags, '--from', '0.2', '--until', '0.7'];
    expect((await moreau([...argv, '--out', out])).code).toBe(0);
    const { data } = await host.dispatch('figure.draw', {
      ...{ document: model, figure: 'height', runId, compared, format, ...look },
      spans: { height: { from: 0.2, to: 0.7 } },
    });
    expect(Buffer.from(data).equals(readFileSync(out))).toBe(true);
  }
});

it('keep what single views show of the time', async () => {
  const runId = await runBy('time-stepping');
  const draw = async (figure: string, spans: MethodParams<'figure.draw'>['spans']): Promise<string> => {
    const asked = { document: model, figure, runId, compared: [], format: '.svg' as const, ...look, spans };
    return Buffer.from((await host.dispatch('figure.draw', asked)).data).toString('utf8');
  };
  const spans = { height: { from: 0.25, to: 0.5 } };
  expect(await draw('height', spans)).not.toBe(await draw('height', {}));
  // The portrait of the same dashboard is of all of the run.
  expect(await draw('portrait', spans)).toBe(await draw('portrait', {}));
});

it('of drawings have their fonts, and the size and resolution asked for', async () => {
  const svg =
    '<svg width="100" height="50" xmlns="http://www.w3.org/2000/svg"><text x="5" y="20">q</text></svg>';
  const convert = async (format: '.svg' | '.pdf' | '.png'): Promise<Buffer> =>
    Buffer.from(
      (
        await host.dispatch('figure.convert', {
          title: 'Ball',
          svg,
          width: 100,
          height: 50,
          format,
          dpi: 288,
        })
      ).data,
    );
  expect((await convert('.svg')).toString('utf8')).toContain('@font-face{font-family:"Inter"');
  expect((await convert('.pdf')).toString('latin1')).toMatch(/^%PDF-1\.[^]*\/MediaBox \[0 0 75 37\.5\]/);
  const png = await convert('.png');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([300, 150]);
});

it('say which view is not there', async () => {
  const runId = await runBy('time-stepping');
  const asked = { document: model, figure: 'hight', runId, compared: [], format: '.svg' as const, ...look };
  expect(await failure(host.dispatch('figure.draw', asked))).toMatchObject({ code: 'unknown-view' });
});
