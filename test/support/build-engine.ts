/**
 * The engine as modules that the runtime loads itself, for tests that do not change it. Run by the test
 * runner, each name that a module imports is looked up at every use, which takes a third of the time of a
 * simulation, and each process would have all modules transformed for it again.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

const SOURCE = path('src/engine');
/** Folder of the modules, by the names of their sources. */
export const BUILT_ENGINE = path('out/test-engine');
const STAMP = join(BUILT_ENGINE, 'stamp');

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();

/** Views, whose documents the engine's schema is put together of. */
const VIEWS = path('src/views');

/** What tells one state of the sources from another. */
const stampOf = (files: readonly string[]): string =>
  files
    .map((file) => {
      const { mtimeMs, size } = statSync(file);
      return `${file} ${mtimeMs} ${size}`;
    })
    .join('\n');

/** Several projects ask for it, each with an instance of this module. */
const BUILT = Symbol.for('built engine');
const shared = globalThis as typeof globalThis & { [BUILT]?: Promise<void> };

/** Vitest calls this before the first test of each project. @throws when a module does not build */
export default async function buildEngineOnce(): Promise<void> {
  await (shared[BUILT] ??= buildEngine());
}

async function buildEngine(): Promise<void> {
  const names = sources(SOURCE);
  const stamp = stampOf(
    [SOURCE, VIEWS].flatMap((folder) => sources(folder).map((name) => join(folder, name))),
  );
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  // Another run may be reading the modules of now: they are exchanged when all others are there.
  const fresh = `${BUILT_ENGINE}-${process.pid}`;
  await build({
    configFile: false,
    root: path('.'),
    logLevel: 'warn',
    resolve: { alias: { '@engine': SOURCE } },
    build: {
      // Server builds leave packages to the runtime.
      ssr: true,
      target: 'node20',
      outDir: fresh,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name.replace(/\.ts$/, ''), join(SOURCE, name)])),
        treeshake: false,
        output: {
          format: 'es',
          preserveModules: true,
          preserveModulesRoot: SOURCE,
          entryFileNames: '[name].js',
        },
      },
    },
  });
  writeFileSync(join(fresh, 'stamp'), stamp);
  mkdirSync(BUILT_ENGINE, { recursive: true });
  rmSync(BUILT_ENGINE, { recursive: true });
  renameSync(fresh, BUILT_ENGINE);
}
