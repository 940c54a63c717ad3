/**
 * Ends a Vitest run with one line, `N passed, N failed, N skipped`, and leaves the counts for
 * `scripts/check.mjs`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

const COUNTS_FILE = fileURLToPath(new URL('../../out/test-results/unit.json', import.meta.url));

/**
 * Counts tests by their final state. A file that does not load and an error outside any test count as
 * failures.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    const reasons = new Map<string, number>();
    const failed = unhandledErrors.map(({ message }) => `outside of any test: ${message}`);
    for (const module of modules) {
      if (module.errors().length > 0) {
        counts.failed += 1;
        failed.push(`${module.relativeModuleId}, as it was loaded`);
      }
      for (const test of module.children.allTests()) {
        const result = test.result();
        const { state } = result;
        // A test still pending when the run ends was never decided: the run was cut short.
        counts[state === 'pending' ? 'failed' : state] += 1;
        if (state === 'failed' || state === 'pending')
          failed.push(`${module.relativeModuleId} > ${test.fullName}`);
        const reason = result.state === 'skipped' ? result.note : undefined;
        if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length === 0) continue;
        counts.failed += 1;
        failed.push(`${module.relativeModuleId} > ${suite.fullName}, before or after its tests`);
      }
    }
    mkdirSync(dirname(COUNTS_FILE), { recursive: true });
    // The names come again at the end of a long log, where a reader looks first.
    writeFileSync(COUNTS_FILE, JSON.stringify({ ...counts, names: failed }));
    const { passed, skipped } = counts;
    // After the summary of the default reporter, which is written in the same hook.
    setImmediate(() => {
      for (const [reason, tests] of reasons) console.log(`Tests skipped: ${tests}. Reason: ${reason}.`);
      console.log(`${passed} passed, ${counts.failed} failed, ${skipped} skipped`);
    });
  }
}
