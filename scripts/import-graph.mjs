/**
 * Who imports whom, read from the texts of the sources and tests: in a second, and near enough to choose what
 * a change touches.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from './paths.mjs';

const FOLDERS = ['src', 'test'];
const ENDINGS = ['', '.ts', '.vue', '/index.ts', '.mjs'];
/** Gone when the code runs. */
const TYPE_IMPORT = /(?:import|export) type [^;]+;/g;
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;
/** A test that names a file of the repository reads or starts it. */
const NAMED = /['"`]((?:src|test|resources|docs|scripts)\/[\w./-]*)/g;
/**
 * Files started by an address that cannot be resolved here: the workers, bundled for the tests that start
 * them.
 */
const STARTED = { 'test/main/support.ts': ['test/support/bundle-workers.ts'] };

const isCode = (name) => /\.(?:ts|vue|mjs)$/.test(name);

/** @returns {string | undefined} the file of these that an import means; none for packages */
function resolveImport(known, file, path) {
  const [plain] = path.split('?');
  if (/^@(?:engine|contract|figures|main|cli|renderer)\//.test(plain))
    return found(`src/${plain.slice(1)}`, known);
  return plain.startsWith('.') ? found(posix.join(dirname(file), plain), known) : undefined;
}

const found = (target, known) => ENDINGS.map((ending) => target + ending).find((name) => known.has(name));

/**
 * @returns {{ files: string[], importers: Map<string, Set<string>>, typed: Map<string, Set<string>>, named:
 *   Map<string, Set<string>> }} by file, who imports it, that and who uses its types; and by path of a file
 *   or folder, who names it
 */
export function importGraph() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      posix.join(folder, name),
    ),
  ).filter(isCode);
  const known = new Set(files);
  const importers = new Map();
  const typed = new Map();
  const named = new Map();
  const add = (map, key, file) => {
    if (!map.has(key)) map.set(key, new Set());
    map.get(key).add(file);
  };
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const read = (source, map) => {
      for (const [, path] of source.matchAll(IMPORT)) {
        const target = resolveImport(known, file, path);
        if (target !== undefined) add(map, target, file);
      }
    };
    read(text, typed);
    read(text.replace(TYPE_IMPORT, ''), importers);
    for (const target of STARTED[file] ?? []) add(importers, target, file);
    if (file.startsWith('test/')) {
      for (const [, path] of text.matchAll(NAMED)) {
        if (isCode(path)) add(importers, path, file);
        else add(named, path.replace(/\/$/, ''), file);
      }
    }
  }
  return { files, importers, typed, named };
}

/**
 * @param {Iterable<string>} from files
 * @param {Map<string, Set<string>>} importers of each
 * @returns {Map<string, number>} how many imports away each file is that comes to one of them; those
 *   themselves: 0. The nearest come first
 */
export function distances(from, importers) {
  const found = new Map([...from].map((file) => [file, 0]));
  for (const [file, distance] of found)
    for (const importer of importers.get(file) ?? [])
      if (!found.has(importer)) found.set(importer, distance + 1);
  return found;
}
