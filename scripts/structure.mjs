/**
 * `npm run structure`: figures of how the code is laid out and written, by which a change of plan is judged.
 * They are counts and no verdicts. `--json` prints them for a script.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { citationsOf, readReferences, textsBelow, wideComments, WIDTH } from '../test/support/writing.ts';
import { root, toolNode } from './paths.mjs';

const LAYERS = ['engine', 'contract', 'figures', 'views', 'main', 'cli', 'renderer'].map(
  (name) => `src/${name}`,
);
/** lines of a file that may be a fragment of another */
const SHORT = 60;
/** files in a folder from which on it is searched and not seen */
const CROWDED = 15;
/**
 * lines from which on a stretch that stands twice counts; blank ones, comments, imports and lone brackets
 * apart
 */
const STRETCH = 6;
/** words that read as translated; the pattern is what is searched for */
const WORDS = {
  'every so-many-th': /\b\w+-many-th\b/gi,
  'cannot be had': /\bcannot be had\b/gi,
  'is told': /\b(?:is|are|was|were) told\b/gi,
  anew: /\banew\b/gi,
  'so many': /\bso many\b/gi,
  nobody: /\bnobody\b/gi,
  whoever: /\bwhoever\b/gi,
};

const texts = textsBelow(root, ['src', 'test', 'docs'], /\.(?:ts|vue|md)$/);
const read = (file) => readFileSync(join(root, file), 'utf8');
const isCode = (file) => /\.(?:ts|vue)$/.test(file);
const below = (folder) => [...texts.keys()].filter((file) => file.startsWith(`${folder}/`) && isCode(file));
const linesOf = (file) => texts.get(file).split('\n').length - 1;
const matches = (files, pattern) =>
  files.reduce((sum, file) => sum + (texts.get(file).match(pattern)?.length ?? 0), 0);

function sizes(folder) {
  const lines = below(folder)
    .map(linesOf)
    .sort((a, b) => a - b);
  return {
    files: lines.length,
    median: lines[Math.floor(lines.length / 2)] ?? 0,
    short: lines.filter((count) => count <= SHORT).length,
  };
}

/**
 * Folders with more files than `CROWDED`; a registry's entries, which have its line each, are many by nature.
 */
function crowded() {
  const counts = new Map();
  for (const file of below('src')) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > CROWDED).sort(([, a], [, b]) => b - a);
}

/**
 * Exported names that more than one file of a layer declares. Entries of a registry all have `definition` and
 * `build`.
 */
function namesTwice() {
  const DECLARED = /^export (?:abstract )?(?:class|function\*?|const|let|interface|type|enum) (\w+)/gm;
  const ENTRY = new Set(['definition', 'build', 'type', 'kind', 'createLaw']);
  // The parts of a kind of view all have its name.
  const place = (file) => file.replace(/^(src\/views\/[^/]+)\/.*/, '$1');
  const files = new Map();
  for (const file of below('src'))
    for (const [, name] of texts.get(file).matchAll(DECLARED))
      if (!ENTRY.has(name)) files.set(name, [...(files.get(name) ?? []), file]);
  return [...files].filter(([, where]) => new Set(where.map(place)).size > 1);
}

/** Citations that name no source of `docs/theory/references.md`. */
const unresolvedCitations = () => {
  const page = 'docs/theory/references.md';
  const apart = [page, 'docs/reference/document.md', 'test/support/writing.ts'];
  const citing = [...texts].filter(([file]) => !apart.includes(file) && !file.includes('/repository/'));
  return citationsOf(new Map(citing), readReferences(texts.get(page))).unresolved.length;
};

function tool(script, args) {
  const { stdout } = spawnSync(toolNode, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return stdout;
}

/** Stretches of `STRETCH` lines or more that stand twice or more, each pair of places counted once. */
function duplicates(folder) {
  const seen = new Map();
  let count = 0;
  for (const file of below(folder)) {
    const lines = texts
      .get(file)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !/^$|^[\])}>;,]+$|^(?:\*|\/\*|\/\/|import |export \{|<\/?template|<\/)/.test(line));
    let last = '';
    for (let k = 0; k + STRETCH <= lines.length; k++) {
      const key = lines.slice(k, k + STRETCH).join('\n');
      const before = seen.get(key);
      // A stretch that goes on is one stretch.
      if (before !== undefined && before.file !== last) count += 1;
      last = before === undefined ? '' : before.file;
      if (before === undefined) seen.set(key, { file });
    }
  }
  return count;
}

function unusedExports() {
  const { issues } = JSON.parse(
    tool('knip/bin/knip.js', ['--include', 'exports,types', '--reporter', 'json', '--no-exit-code']),
  );
  return issues.reduce((sum, { exports, types }) => sum + exports.length + types.length, 0);
}

const all = [...texts.keys()];
const found = {
  layers: Object.fromEntries(['src', ...LAYERS, 'test'].map((folder) => [folder, sizes(folder)])),
  crowded: crowded(),
  duplicates: { src: duplicates('src'), 'src/renderer/dashboard': duplicates('src/renderer/dashboard') },
  unusedExports: unusedExports(),
  namesTwice: namesTwice(),
  wideComments: wideComments(new Map([...texts].filter(([file]) => isCode(file)))).length,
  unresolvedCitations: unresolvedCitations(),
  words: Object.fromEntries(Object.entries(WORDS).map(([word, pattern]) => [word, matches(all, pattern)])),
  architecture: read('ARCHITECTURE.md').split('\n').length - 1,
};

if (process.argv.includes('--json')) console.log(JSON.stringify(found, null, 2));
else {
  const row = (name, value) => console.log(`${String(name).padEnd(44)} ${value}`);
  row('', `files  median  ≤ ${SHORT} lines`);
  for (const [folder, { files, median, short }] of Object.entries(found.layers))
    row(folder, `${String(files).padStart(5)}  ${String(median).padStart(6)}  ${String(short).padStart(10)}`);
  row(`folders with more than ${CROWDED} files`, found.crowded.length);
  for (const [folder, count] of found.crowded) row(`  ${folder}`, count);
  for (const [folder, count] of Object.entries(found.duplicates))
    row(`stretches that stand twice in ${basename(folder)}`, count);
  row('exports that nothing uses', found.unusedExports);
  row('exported names that stand twice', found.namesTwice.length);
  row(`lines of comments over ${WIDTH} columns`, found.wideComments);
  row('citations that do not resolve', found.unresolvedCitations);
  for (const [word, count] of Object.entries(found.words)) row(`“${word}”`, count);
  row('lines of ARCHITECTURE.md', found.architecture);
}
