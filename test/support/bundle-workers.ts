/**
 * Bundles the engine host's worker threads for the tests: a worker thread of Node 20 does not load
 * TypeScript, and no runner transforms a worker's modules. What is bundled is what the application ships,
 * save for minification.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

const WORKERS = {
  'engine-worker': path('src/main/host/engine.worker.ts'),
  'reader-worker': path('src/main/host/reader.worker.ts'),
  'sweep-worker': path('src/main/sweep/sweep.worker.ts'),
  'analysis-worker': path('src/main/analysis/analysis.worker.ts'),
  // For tests of processes that are killed.
  cli: path('src/cli/index.ts'),
};

/** Folder of the bundled workers, `engine-worker.js` and the others. */
export const WORKER_FOLDER = path('out/test');

/**
 * What a worker is loaded by. Hundreds are, and compiling what they execute is a third of their start: so it
 * is kept. Each has to ask for it, because workers are started with no environment.
 */
const entry = (name: string): string => `import module from 'node:module';
// Node 20 has none.
module.enableCompileCache?.(${JSON.stringify(path('out/compile-cache'))});
await import('./${name}.bundle.js');
`;

/** Two projects ask for the bundles, each with an instance of this module. */
const BUNDLED = Symbol.for('bundled workers');
const process = globalThis as typeof globalThis & { [BUNDLED]?: Promise<void> };

/**
 * Vitest calls this before the first test of each project that needs them.
 * @throws when a worker does not bundle: no test that starts one could tell anything
 */
export default async function bundleWorkersOnce(): Promise<void> {
  await (process[BUNDLED] ??= bundleWorkers());
}

async function bundleWorkers(): Promise<void> {
  const input = Object.fromEntries(Object.entries(WORKERS).filter(([, source]) => existsSync(source)));
  if (Object.keys(input).length === 0) return;
  await build({
    configFile: false,
    root: path('.'),
    logLevel: 'warn',
    resolve: {
      alias: {
        '@engine': path('src/engine'),
        '@contract': path('src/contract'),
        '@figures': path('src/figures'),
        '@views': path('src/views'),
        '@cli': path('src/cli'),
        '@main': path('src/main'),
      },
    },
    // As in the application: the others are left to the runtime.
    ssr: { noExternal: ['@sveltejs/acorn-typescript', 'acorn', 'mathjs', 'ses', 'sucrase', 'yazl', 'zod'] },
    build: {
      // Server builds leave Node's modules to the runtime.
      ssr: true,
      target: 'node20',
      outDir: WORKER_FOLDER,
      emptyOutDir: true,
      sourcemap: true,
      minify: false,
      rolldownOptions: { input, output: { entryFileNames: '[name].bundle.js', format: 'es' } },
    },
  });
  for (const name of Object.keys(input)) writeFileSync(join(WORKER_FOLDER, `${name}.js`), entry(name));
}
