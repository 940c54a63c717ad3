/** Every slip, switched on in the engine, makes a check fail that holds without it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventMutations } from './mutations';

/** The first import of the engine, for which nothing is in a cache, may take long where others work on the machine. */
const IMPORT_MS = 60_000;

afterEach(() => {
  vi.resetModules();
});

describe('without a slip', () => {
  it.each([...new Set(eventMutations.map(({ killedBy }) => killedBy))])(
    '%s holds',
    async (name) => {
      const { checks } = await import('./checks');
      expect(checks[name]).not.toThrow();
    },
    IMPORT_MS,
  );
});

describe.each(eventMutations)('$slip', ({ name, module, killedBy }) => {
  it(
    `breaks ${killedBy}`,
    async () => {
      vi.resetModules();
      vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
      const { checks } = await import('./checks');
      expect(checks[killedBy]).toThrow();
      vi.doUnmock(module);
    },
    IMPORT_MS,
  );
});
