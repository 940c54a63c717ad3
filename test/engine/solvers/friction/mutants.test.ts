/** Every slip, switched on in the engine, makes a check fail that holds without it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { frictionMutations } from './mutations';

afterEach(() => {
  vi.resetModules();
});

describe('without a slip', () => {
  it.each([...new Set(frictionMutations.map(({ killedBy }) => killedBy))])('%s holds', async (name) => {
    const { checks } = await import('./mutant-checks');
    expect(checks[name]).not.toThrow();
  });
});

describe.each(frictionMutations)('$slip', ({ name, module, killedBy }) => {
  it(`breaks ${killedBy}`, async () => {
    vi.resetModules();
    vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
    const { checks } = await import('./mutant-checks');
    expect(checks[killedBy]).toThrow();
    vi.doUnmock(module);
  });
});
