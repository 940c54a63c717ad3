/**
 * Draws a small picture of each example from a run of it: the curves of its first plot. `node
 * scripts/write-thumbnails.mjs [NAME …]` writes resources/examples/thumbnails/NAME.svg; without names, all of
 * them. Needs a build.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createSandbox,
  MemoryChunks,
  prepareRun,
  readDocument,
  TrajectoryReader,
} from '../out/main/engine.js';

const FOLDER = fileURLToPath(new URL('../resources/examples', import.meta.url));
const WIDTH = 240;
const HEIGHT = 96;
const MARGIN = 8;
/** Points of a curve: one for every second pixel and no more. */
const BUCKETS = 110;
/** Points of a phase portrait. */
const PORTRAIT_POINTS = 900;
/** Those of portraits that go round so often that they would show corners. */
const FINER = { lorenz: 2400 };
const SECTION_POINTS = 1200;
/** Steps of a picture: what an example is about shows early. */
const MOST_STEPS = 20_000;
/** Legible on white and apart for all eyes; the window's own palette. */
const COLOURS = ['#2f6fb2', '#b4690e', '#2e8b57', '#a23b72', '#6b5bb5', '#7a7a7a'];

/** Examples whose phase portrait says more than their curves over time. */
const PORTRAITS = new Set([
  'buck-bifurcation',
  'cam-follower-bifurcation',
  'grazing-oscillator',
  'hard-excitation',
  'lorenz',
  'impact-oscillator-basins',
  ...['ball-in-groove', 'billiards', 'brick-shaken', 'double-pendulum'],
  ...[
    'filippov-spiral',
    'four-bar-web-cutter',
    'friction-belt',
    'gene-network',
    'heavy-top',
    'relay-oscillator',
    'sweeping-process',
  ],
  ...['twisting-controller', 'watch-escapement', 'woodpecker'],
]);
/** Examples of which a later plot over time shows the point: its place among them. */
const LATER = { 'ball-chain': 1, 'three-balls': 1, 'four-bar-clearance': 1, 'magnet-chain': 1 };

const SUFFIX = '.moreau.json';
const given = process.argv.slice(2);
const names =
  given.length > 0
    ? given
    : (await readdir(FOLDER))
        .filter((file) => file.endsWith(SUFFIX))
        .map((file) => file.slice(0, -SUFFIX.length))
        .sort();

function runOf(document) {
  const sink = new MemoryChunks();
  const sections = [];
  const run = prepareRun(
    { document },
    {
      sandbox: () => createSandbox(() => undefined),
      sink,
      sectionSinks: (k) => (sections[k] = new MemoryChunks()),
    },
  );
  if (!run.ok) throw new Error(run.error.message);
  run.session.advance(MOST_STEPS);
  return { session: run.session, reader: new TrajectoryReader(sink), sink, sections };
}

/** Points of a section, each by itself. */
function pointsOf(view, { session, sections }) {
  const chunks = sections[session.sections.findIndex(({ id }) => id === view.section)];
  const columns = [view.x, view.y].map((name) => session.signals.findIndex((signal) => signal.name === name));
  const { columns: values } = new TrajectoryReader(chunks).rows(columns, 0, SECTION_POINTS);
  return [...values[0]].map((x, i) => [x, values[1][i]]);
}

/** Curves of a view as lists of points. */
function curvesOf(view, { session, reader, sink }, most = PORTRAIT_POINTS) {
  const place = (name) => session.signals.findIndex((signal) => signal.name === name);
  const read = (columns) => reader.window(columns, undefined, undefined, BUCKETS).series;
  if (view.type === 'phase-portrait') {
    const [x, y] = [place(view.x), place(view.y)];
    if (x < 0 || y < 0) return [];
    const rows = sink.rows();
    const { rowsPerChunk } = sink.layout;
    const at = (column, row) => sink.column(Math.floor(row / rowsPerChunk), column)[row % rowsPerChunk];
    const every = Math.max(1, Math.ceil(rows / most));
    return [Array.from({ length: Math.floor(rows / every) }, (_, i) => [at(x, i * every), at(y, i * every)])];
  }
  const columns = view.signals
    .map(place)
    .filter((column) => column >= 0)
    .slice(0, COLOURS.length);
  return read(columns).map(({ t, y }) => Array.from(t, (time, i) => [time, y[i]]));
}

function drawn(curves, title, isSet) {
  const all = curves.flat().filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  const range = (k) => {
    let [low, high] = [Infinity, -Infinity];
    for (const point of all) [low, high] = [Math.min(low, point[k]), Math.max(high, point[k])];
    return high > low ? [low, high] : [low - 1, low + 1];
  };
  const [[x0, x1], [y0, y1]] = [range(0), range(1)];
  const px = (x) => (MARGIN + ((x - x0) / (x1 - x0)) * (WIDTH - 2 * MARGIN)).toFixed(1);
  const py = (y) => (HEIGHT - MARGIN - ((y - y0) / (y1 - y0)) * (HEIGHT - 2 * MARGIN)).toFixed(1);
  const paths = curves.map((points, k) => {
    if (isSet) {
      const dots = points.map(([x, y]) => `M${px(x)} ${py(y)}h0`).join('');
      return `<path d="${dots}" fill="none" stroke="${COLOURS[k]}" stroke-width="1.6" stroke-linecap="round"/>`;
    }
    const steps = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${px(x)} ${py(y)}`).join('');
    return `<path d="${steps}" fill="none" stroke="${COLOURS[k]}" stroke-width="1.5" stroke-linejoin="round"/>`;
  });
  const zero = y0 < 0 && y1 > 0 ? `<path d="M${MARGIN} ${py(0)}H${WIDTH - MARGIN}" stroke="#c9d0d9"/>` : '';
  const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"><title>${escaped}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>${zero}${paths.join('')}</svg>\n`;
}

await mkdir(join(FOLDER, 'thumbnails'), { recursive: true });
for (const name of names) {
  const { document } = readDocument(await readFile(join(FOLDER, name + SUFFIX), 'utf8'));
  const plots = document.views.filter(({ type }) => type !== 'animation');
  const series = plots.filter(({ type }) => type === 'time-series');
  const portrait = PORTRAITS.has(name) ? plots.find(({ type }) => type === 'phase-portrait') : undefined;
  const view = portrait ?? series[LATER[name] ?? 0] ?? plots[0];
  const run = runOf(document);
  const isSet = view.type === 'section';
  const curves = isSet ? [pointsOf(view, run)] : curvesOf(view, run, FINER[name]);
  const text = drawn(curves, document.title, isSet);
  await writeFile(join(FOLDER, 'thumbnails', `${name}.svg`), text);
  console.log(`${name}: ${curves.length} curves, ${text.length} bytes`);
}
