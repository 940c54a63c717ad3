/** Bundles the engine with one of its modules changed, for a thread that judges runs with it. */
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

export const FOLDER = path('out/faults');
export const ENGINE = path('src/engine');

/** Another text of one module of the engine. */
export interface Change {
  /** as imports name it: @engine/… */
  readonly module: string;
  readonly change: (source: string) => string;
}

export const sourceOf = (module: string): string => `${path(module.replace('@engine/', 'src/engine/'))}.ts`;

/** @param entry what the thread executes @returns path of the bundle, and its text */
export async function bundle(
  name: string,
  changes: readonly Change[],
  entry = 'judge.worker.ts',
): Promise<{ file: string; text: string }> {
  const files = new Map(changes.map(({ module, change }) => [sourceOf(module), change]));
  const plugin: Plugin = {
    name: 'faults',
    enforce: 'pre',
    load(id) {
      const change = files.get(id);
      return change === undefined ? null : change(readFileSync(id, 'utf8'));
    },
  };
  mkdirSync(FOLDER, { recursive: true });
  await build({
    configFile: false,
    root: path('.'),
    logLevel: 'error',
    plugins: [plugin],
    resolve: { alias: { '@engine': path('src/engine'), '@contract': path('src/contract') } },
    ssr: { noExternal: ['@sveltejs/acorn-typescript', 'acorn', 'mathjs', 'sucrase', 'zod'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: FOLDER,
      emptyOutDir: false,
      sourcemap: false,
      minify: false,
      rolldownOptions: {
        input: { [name]: path(`test/engine/faults/${entry}`) },
        output: { entryFileNames: '[name].mjs', format: 'es' },
      },
    },
  });
  const file = `${FOLDER}/${name}.mjs`;
  return { file, text: readFileSync(file, 'utf8') };
}
