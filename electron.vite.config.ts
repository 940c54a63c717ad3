import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'electron-vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const alias = {
  '@engine': path('src/engine'),
  '@contract': path('src/contract'),
  '@figures': path('src/figures'),
  '@views': path('src/views'),
  '@main': path('src/main'),
  '@cli': path('src/cli'),
  '@renderer': path('src/renderer'),
};

// Targets are written out: electron-vite would derive them from the Electron version in package.json,
// while the same bundles also run on Node 20 (command line, browser door).
export default defineConfig({
  main: {
    resolve: { alias },
    build: {
      outDir: 'out/main',
      target: 'node20',
      sourcemap: true,
      // Loading a package of hundreds of files takes longer than many runs, and every worker does it again.
      externalizeDeps: {
        exclude: [
          '@noble/hashes',
          '@sveltejs/acorn-typescript',
          'acorn',
          'mathjs',
          'ses',
          'sucrase',
          'yazl',
          'zod',
        ],
      },
      rolldownOptions: {
        input: {
          index: path('src/main/index.ts'),
          serve: path('src/main/serve.ts'),
          cli: path('src/cli/index.ts'),
          engine: path('src/engine/index.ts'),
          'engine-worker': path('src/main/host/engine.worker.ts'),
          'reader-worker': path('src/main/host/reader.worker.ts'),
          'sweep-worker': path('src/main/sweep/sweep.worker.ts'),
          'analysis-worker': path('src/main/analysis/analysis.worker.ts'),
        },
        output: { entryFileNames: '[name].js', format: 'es' },
      },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      outDir: 'out/preload',
      target: 'node20',
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: path('src/main/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: path('src/renderer'),
    resolve: { alias },
    plugins: [vue()],
    worker: { format: 'es' },
    build: {
      outDir: path('out/renderer'),
      target: 'chrome130',
      sourcemap: false,
      // Small fonts would otherwise become data: addresses, which the content security policy refuses.
      assetsInlineLimit: 0,
      rolldownOptions: { input: { index: path('src/renderer/index.html') } },
    },
  },
});
