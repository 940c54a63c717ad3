/** Messages to the user: shown for a while, kept to be read again. */
import { MoreauError, type RemoteError } from '@contract/errors';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';

export type NoticeLevel = 'info' | 'warning' | 'error';

/** Something to do about a notice. */
export interface NoticeAction {
  label: string;
  run: () => unknown;
}

export interface NoticeContent {
  message: string;
  remedy?: string | undefined;
  /** place and code, for a report of the error */
  details?: string | undefined;
  actions?: readonly NoticeAction[] | undefined;
}

export interface Notice extends NoticeContent {
  id: number;
  level: NoticeLevel;
  /** when it came last, ms since 1970 */
  time: number;
  /** how often it came */
  count: number;
  /** still floating over the window */
  shown: boolean;
  /** has been looked at in the list, or dismissed */
  read: boolean;
}

/** How long an informative notice floats, ms; others stay until they are dismissed. */
const INFO_TIME = 5000;
const MOST_KEPT = 100;

/** The details of any thrown value. */
export function describeError(error: unknown): RemoteError {
  if (error instanceof MoreauError) return error.details;
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
}

export const useNoticesStore = defineStore('notices', () => {
  const notices = shallowRef<Notice[]>([]);
  let nextId = 1;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();

  /** Unread warnings and errors. */
  const unread = computed(() => notices.value.filter(({ level, read }) => level !== 'info' && !read).length);

  function change(id: number, difference: Partial<Notice>): void {
    notices.value = notices.value.map((notice) => (notice.id === id ? { ...notice, ...difference } : notice));
  }

  function float(id: number, level: NoticeLevel): void {
    clearTimeout(timers.get(id));
    if (level !== 'info') return;
    const hide = (): void => {
      timers.delete(id);
      change(id, { shown: false });
    };
    timers.set(id, setTimeout(hide, INFO_TIME));
  }

  /** Shows a notice. The same one again is counted instead of being repeated. */
  function add(level: NoticeLevel, content: NoticeContent): void {
    const same = notices.value.find(
      (notice) =>
        notice.level === level && notice.message === content.message && notice.remedy === content.remedy,
    );
    const id = same?.id ?? nextId++;
    const notice: Notice = {
      ...content,
      id,
      level,
      time: Date.now(),
      count: (same?.count ?? 0) + 1,
      shown: true,
      read: false,
    };
    notices.value = [...notices.value.filter((other) => other.id !== id), notice].slice(-MOST_KEPT);
    float(id, level);
  }

  function info(message: string, actions?: readonly NoticeAction[]): void {
    add('info', { message, actions });
  }

  /** Something that is not as it should be, though nothing has failed. */
  function warning(message: string, remedy?: string, actions?: readonly NoticeAction[]): void {
    add('warning', { message, remedy, actions });
  }

  /** Reports a failed call with its remedy. */
  function failure(error: unknown, actions?: readonly NoticeAction[]): void {
    const { code, message, remedy, where } = describeError(error);
    // The banner already says so, once.
    if (code === 'connection-lost') return;
    add('error', { message, remedy, actions, details: [code, where].filter(Boolean).join(' · ') });
  }

  function dismiss(id: number): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    change(id, { shown: false, read: true });
  }

  /** Takes one out of the list. */
  function forget(id: number): void {
    dismiss(id);
    notices.value = notices.value.filter((notice) => notice.id !== id);
  }

  function clear(): void {
    for (const { id } of notices.value) forget(id);
  }

  function markRead(): void {
    notices.value = notices.value.map((notice) => ({ ...notice, read: true, shown: false }));
  }

  return { notices, unread, add, info, warning, failure, dismiss, forget, clear, markRead };
});
