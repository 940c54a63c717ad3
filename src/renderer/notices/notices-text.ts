import type { Notice } from '../stores/notices';

/** Messages as text, for a report of what went wrong. */
export function noticesText(notices: readonly Notice[]): string {
  return notices
    .map(({ time, level, message, remedy, details, count }) => {
      const times = count > 1 ? ` (${count} times)` : '';
      const lines = [`${new Date(time).toISOString()} ${level}${times}: ${message}`, remedy, details];
      return lines.filter(Boolean).join('\n  ');
    })
    .join('\n');
}
