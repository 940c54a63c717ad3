/**
 * Files of the renderer's tests share a process. What one leaves behind is taken away: its components after
 * each test, all else when it ends, also what still waits for its time, which would find no window then, or
 * that of the next file.
 */
import { disableAutoUnmount, enableAutoUnmount } from '@vue/test-utils';
import { disposePinia, getActivePinia, setActivePinia } from 'pinia';
import { afterAll, afterEach, vi } from 'vitest';

// The typesetter looks once, when it is loaded, whether the page is in quirks mode, which is what the DOM of
// the tests says of itself, and would refuse to work.
Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat', configurable: true });

const real = { setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval };
const timers = new Set<NodeJS.Timeout>();
let hasEnded = false;

/** Timers as the file begins them: none once it has ended. */
function ofFile<T extends typeof setTimeout | typeof setInterval>(begin: T): T {
  const begun = (...given: Parameters<typeof setInterval>): NodeJS.Timeout => {
    const timer = begin(...given);
    if (hasEnded) clearTimeout(timer);
    else timers.add(timer);
    return timer;
  };
  return Object.assign(begun, begin);
}

globalThis.setTimeout = ofFile(real.setTimeout);
globalThis.setInterval = ofFile(real.setInterval);

afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  hasEnded = true;
  timers.forEach((timer) => clearTimeout(timer));
  // What messages go on with, and not the time.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  const stores = getActivePinia();
  if (stores !== undefined) disposePinia(stores);
  setActivePinia(undefined);
  document.body.replaceChildren();
  await navigator.clipboard.writeText('');
  localStorage.clear();
  sessionStorage.clear();
  Object.assign(globalThis, real);
});

disableAutoUnmount();
enableAutoUnmount(afterEach);
