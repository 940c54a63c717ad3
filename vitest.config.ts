import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import { BUILT_ENGINE } from './test/support/build-engine';
import { mutantPlugin } from './test/support/mutant-plugin';
import { PATIENCE } from './test/support/patience';
import { filesThatSay, FREEZES, MOCKS, MUTATES, OWNS_PROCESS } from './test/support/own-realm';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const alias = {
  '@engine': path('src/engine'),
  '@oracles': path('test/engine/oracles'),
  '@contract': path('src/contract'),
  '@figures': path('src/figures'),
  '@views': path('src/views'),
  '@main': path('src/main'),
  '@cli': path('src/cli'),
  '@renderer': path('src/renderer'),
};

/** Who watches files, or measures which lines are run, wants the sources. */
const wantsSources =
  process.argv.includes('--coverage') ||
  (process.argv[1].endsWith('vitest.mjs') && !process.argv.includes('run'));
/** Settings of projects that leave the engine as it is. */
const builtEngine = wantsSources
  ? { config: {}, test: { globalSetup: [] } }
  : {
      config: { resolve: { alias: { '@engine': BUILT_ENGINE } } },
      test: {
        globalSetup: ['test/support/build-engine.ts'],
        server: { deps: { external: [/\/out\/test-engine\//] } },
      },
    };
const globalSetup = (...more: string[]): string[] => [...builtEngine.test.globalSetup, ...more];

/** A test that hangs is ended; one that computes for seconds is not, on a machine with other work. */
const TIMEOUT_MS = 180_000;
/** Comparisons run thousands of steps in a Python process first. */
const PEER_TIMEOUT_MS = 300_000;

const mutated = filesThatSay(path('.'), 'test/engine', MUTATES);
const frozen = filesThatSay(path('.'), 'test/engine', FREEZES).filter((file) => !mutated.includes(file));
const ownModules = filesThatSay(path('.'), 'test/renderer', MOCKS);
const ownProcess = ['test/main', 'test/cli'].flatMap((folder) =>
  filesThatSay(path('.'), folder, OWNS_PROCESS),
);

export default defineConfig({
  resolve: { alias },
  test: {
    reporters: [
      'default',
      './test/support/comparison-reporter.ts',
      './test/support/duration-reporter.ts',
      './test/support/count-reporter.ts',
    ],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: PATIENCE },
    // Tests make much that is garbage at once: with room for it, a third of their time is not spent on collecting it.
    execArgv: ['--max-semi-space-size=64'],
    // Vitest would leave one core of two idle.
    maxWorkers: availableParallelism(),
    coverage: { provider: 'v8', include: ['src/**'], reportsDirectory: 'coverage' },
    projects: [
      {
        extends: true,
        ...builtEngine.config,
        plugins: [mutantPlugin()],
        test: {
          ...builtEngine.test,
          name: 'engine',
          environment: 'node',
          pool: 'forks',
          isolate: false,
          include: ['test/engine/**/*.test.ts'],
          exclude: [...mutated, ...frozen],
        },
      },
      {
        extends: true,
        ...builtEngine.config,
        test: {
          ...builtEngine.test,
          name: 'engine-frozen',
          environment: 'node',
          pool: 'forks',
          isolate: false,
          setupFiles: ['test/engine/before-freezing.ts'],
          include: frozen,
        },
      },
      {
        extends: true,
        plugins: [mutantPlugin()],
        test: { name: 'engine-mutants', environment: 'node', pool: 'forks', include: mutated },
      },
      {
        extends: true,
        ...builtEngine.config,
        test: {
          ...builtEngine.test,
          name: 'main',
          environment: 'node',
          pool: 'forks',
          isolate: false,
          include: ['test/main/**/*.test.ts', 'test/cli/**/*.test.ts'],
          exclude: ownProcess,
          globalSetup: globalSetup('test/support/bundle-workers.ts'),
        },
      },
      {
        extends: true,
        ...builtEngine.config,
        test: {
          ...builtEngine.test,
          name: 'main-realms',
          environment: 'node',
          pool: 'forks',
          include: ownProcess,
          globalSetup: globalSetup('test/support/bundle-workers.ts'),
        },
      },
      {
        extends: true,
        ...builtEngine.config,
        plugins: [vue()],
        test: {
          ...builtEngine.test,
          name: 'renderer',
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['test/renderer/own-document.ts'],
          include: ['test/renderer/**/*.test.ts'],
          exclude: ownModules,
        },
      },
      {
        extends: true,
        ...builtEngine.config,
        plugins: [vue()],
        test: {
          ...builtEngine.test,
          name: 'renderer-realms',
          environment: 'happy-dom',
          setupFiles: ['test/renderer/own-document.ts'],
          include: ownModules,
        },
      },
      {
        extends: true,
        ...builtEngine.config,
        test: {
          ...builtEngine.test,
          name: 'peer',
          environment: 'node',
          pool: 'forks',
          include: ['test/peer/**/*.test.ts'],
          testTimeout: PEER_TIMEOUT_MS,
          hookTimeout: PEER_TIMEOUT_MS,
        },
      },
    ],
  },
});
