/** Every printed misprint of the sources, switched on in the engine, makes a check fail that holds without it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mutations } from './mutations';

afterEach(() => {
  vi.doUnmock('@engine/integrators/euler-moreau');
  vi.resetModules();
});

describe('without a misprint', () => {
  it.each([...new Set(mutations.map(({ killedBy }) => killedBy))])('%s holds', async (name) => {
    const { checks } = await import('./checks');
    expect(checks[name]).not.toThrow();
  });
});

describe.each(mutations)('$misprint', ({ name, module, killedBy }) => {
  it(`breaks ${killedBy}`, async () => {
    vi.resetModules();
    vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
    const { checks } = await import('./checks');
    expect(checks[killedBy]).toThrow();
    vi.doUnmock(module);
  });
});
