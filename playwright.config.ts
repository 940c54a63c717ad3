import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

const CHROMIUM = process.env.MOREAU_CHROMIUM ?? '/usr/bin/chromium';

/**
 * What has not come by then never will. What comes is not waited for longer, so that the slowest machine tells how long this is: one
 * that takes five times as long as others while it does other work.
 */
const PATIENCE_MS = 90_000;

// Chromium without its sandbox runs as root in a container; the rest keeps it from calling home.
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  forbidOnly: process.env.CI !== undefined,
  fullyParallel: false,
  // Files side by side, with a server each. Figures are measured alone.
  workers: process.env.CI === undefined ? 1 : Math.min(2, availableParallelism()),
  // On a machine whose other work nobody knows a test may meet a pause; one that fails twice has a reason.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 300_000,
  expect: { timeout: PATIENCE_MS },
  reporter: [['list'], ['json', { outputFile: 'out/test-results/e2e-playwright.json' }]],
  use: {
    screenshot: 'only-on-failure',
    // Tracing takes a fifth of the time: only where there is no second attempt, or at that.
    trace: process.env.CI === undefined ? 'retain-on-failure' : 'on-first-retry',
    actionTimeout: PATIENCE_MS,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  },
  projects: [
    {
      name: 'browser',
      testMatch: 'browser/**/*.spec.ts',
      use: { browserName: 'chromium', launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_FLAGS } },
    },
    // Prints figures; not part of the checks.
    {
      name: 'measure',
      testMatch: 'measure/**/*.spec.ts',
      // A trace walks through the whole page at every action, which would be measured, too.
      use: {
        browserName: 'chromium',
        trace: 'off',
        launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_FLAGS },
      },
    },
    // Takes the pictures of the documentation.
    {
      name: 'pictures',
      testMatch: 'pictures/**/*.spec.ts',
      use: { browserName: 'chromium', launchOptions: { executablePath: CHROMIUM, args: CHROMIUM_FLAGS } },
    },
    { name: 'electron', testMatch: 'electron/**/*.spec.ts' },
  ],
});
