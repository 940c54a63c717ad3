/** Files of the renderer's tests share a process and its document: what one leaves behind is taken away when it ends,
 * its components after each test. */
import { disableAutoUnmount, enableAutoUnmount } from '@vue/test-utils';
import { afterAll, afterEach, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

// What a file asks for once, each file asks for.
disableAutoUnmount();
enableAutoUnmount(afterEach);
