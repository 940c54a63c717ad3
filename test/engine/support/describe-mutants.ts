/**
 * What tests of mutants do: the checks hold for the engine as it is, and each slip makes the one fail that it
 * names.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { part } from '../../support/prove';

interface Slip {
  readonly name: string;
  readonly module: string;
  readonly killedBy: string;
}

/** Slips of a list that are tried in an ordinary run: for each the engine is evaluated once more. */
const TRIED = 4;

/**
 * @param slips changes of the engine's own code
 * @param title of a slip
 * @param load evaluates the checks, and with them the engine, where it is not there already
 */
export function describeMutants<T extends Slip>(
  slips: readonly T[],
  title: (slip: T) => string,
  load: () => Promise<{ checks: Readonly<Record<string, () => void>> }>,
): void {
  describe('the engine as it is', () => {
    it.each([...new Set(slips.map(({ killedBy }) => killedBy))])('%s holds', async (name) => {
      const { checks } = await load();
      expect(checks[name]).not.toThrow();
    });
  });

  describe.each(part(slips, TRIED).map((slip) => ({ slip, title: title(slip) })))('$title', ({ slip }) => {
    const { name, module, killedBy } = slip;
    afterEach(() => {
      vi.doUnmock(module);
      vi.resetModules();
    });

    it(`breaks ${killedBy}`, async () => {
      vi.resetModules();
      vi.doMock(module, () => import(/* @vite-ignore */ `${module}?mutant=${name}`));
      const { checks } = await load();
      let seen: unknown = null;
      try {
        checks[killedBy]();
      } catch (error) {
        seen = error;
      }
      expect(seen).not.toBeNull();
      // What scripts run in is not evaluated twice: that is no slip that was seen.
      expect(String(seen)).not.toMatch(/sandbox|SES_/);
    });
  });
}
