/** Draws the figures of docs/figures.md from documents of the gallery, with the built command line. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'docs/figures';
/** Step of the published simulations, s. */
const H = ['--h', '1e-4'];
const SERIES = ['--figure', 'series', '--height', '55'];
const PORTRAIT = ['--figure', 'portrait', '--width', '80', '--height', '60'];
const MAP = ['--width', '110', '--height', '75'];

/** Name of the file, example, flags. */
const FIGURES = [
  [
    'time-series-358',
    'cam-follower-358',
    [...SERIES, ...H, '--t-end', '20', '--compare', 'event-driven', '--from', '18.5', '--until', '20'],
  ],
  ['time-series-660', 'cam-follower-660', [...SERIES, ...H, '--t-end', '2.2', '--compare', 'event-driven']],
  [
    'time-series-700',
    'cam-follower-700',
    [...SERIES, ...H, '--t-end', '10', '--compare', 'event-driven', '--from', '9', '--until', '10'],
  ],
  ...[358, 660, 700].flatMap((rpm) =>
    ['event-driven', 'time-stepping'].map((scheme) => [
      `state-space-${rpm}-${scheme}`,
      `cam-follower-${rpm}`,
      [...PORTRAIT, '--scheme', scheme, ...H, '--t-end', '20', '--from', '15'],
    ]),
  ),
  ...['impact', 'strobe'].flatMap((map) => [
    [`map-660-${map}-event-driven`, 'cam-follower-maps-660', ['--figure', map, ...MAP]],
    [
      `map-660-${map}-time-stepping`,
      'cam-follower-maps-660',
      ['--figure', map, ...MAP, '--scheme', 'time-stepping', ...H],
    ],
  ]),
];

await mkdir(`${ROOT}${FOLDER}`, { recursive: true });
for (const [name, example, flags] of FIGURES) {
  const out = `${FOLDER}/${name}.png`;
  const began = performance.now();
  await run(
    process.execPath,
    ['bin/moreau.mjs', 'export', `example:${example}`, ...flags, '--dpi', '150', '--out', out],
    { cwd: ROOT },
  );
  console.log(`${out}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
