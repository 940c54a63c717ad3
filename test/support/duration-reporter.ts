/** Keeps how long each test file took here the last time, s, for `scripts/check-changed.mjs`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Reporter, TestModule } from 'vitest/node';

const DURATIONS_FILE = fileURLToPath(new URL('../../out/test-results/durations.json', import.meta.url));

export default class DurationReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const durations = existsSync(DURATIONS_FILE)
      ? (JSON.parse(readFileSync(DURATIONS_FILE, 'utf8')) as Record<string, number>)
      : {};
    for (const module of modules) {
      // One that was cut short says nothing.
      if (module.state() !== 'passed') continue;
      const { duration, collectDuration } = module.diagnostic();
      durations[module.relativeModuleId] = Math.round(duration + collectDuration) / 1000;
    }
    mkdirSync(dirname(DURATIONS_FILE), { recursive: true });
    writeFileSync(DURATIONS_FILE, JSON.stringify(durations));
  }
}
