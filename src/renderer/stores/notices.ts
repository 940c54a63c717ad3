/** Messages to the user: shown for a while, kept to be read again. */
import { MoreauError, type RemoteError } from '@contract/errors';
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';

export interface Notice {
  id: number;
  level: 'info' | 'error';
  message: string;
  remedy?: string;
  /** still floating over the window */
  shown: boolean;
}

/** How long an informative notice floats, ms; errors stay until they are dismissed. */
const INFO_TIME = 5000;
const MOST_KEPT = 50;

/** The details of any thrown value. */
export function describeError(error: unknown): RemoteError {
  if (error instanceof MoreauError) return error.details;
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}

export const useNoticesStore = defineStore('notices', () => {
  const notices = shallowRef<Notice[]>([]);
  let nextId = 1;

  function add(level: Notice['level'], message: string, remedy?: string): void {
    // The same trouble again does not stack up.
    if (notices.value.some((notice) => notice.shown && notice.message === message)) return;
    const id = nextId++;
    const notice: Notice = { id, level, message, shown: true, ...(remedy === undefined ? {} : { remedy }) };
    notices.value = [...notices.value, notice].slice(-MOST_KEPT);
    if (level === 'info') setTimeout(() => dismiss(id), INFO_TIME);
  }

  function info(message: string): void {
    add('info', message);
  }

  /** Something that is not as it should be, though nothing has failed. */
  function warning(message: string, remedy?: string): void {
    add('error', message, remedy);
  }

  /** Reports a failed call with its remedy. */
  function failure(error: unknown): void {
    const details = describeError(error);
    // The banner already says so, once.
    if (details.code === 'connection-lost') return;
    add('error', details.message, details.remedy);
  }

  function dismiss(id: number): void {
    notices.value = notices.value.map((notice) => (notice.id === id ? { ...notice, shown: false } : notice));
  }

  return { notices, info, warning, failure, dismiss };
});
