/** What a test of the renderer leaves behind is taken away: its components after each test, all else when its file ends. */
import { disableAutoUnmount, enableAutoUnmount } from '@vue/test-utils';
import { afterAll, afterEach, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
});

disableAutoUnmount();
enableAutoUnmount(afterEach);
