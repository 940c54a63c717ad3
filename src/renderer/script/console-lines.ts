/** Which lines of a console are shown, and how they are copied. */
import type { ConsoleEntry } from '../stores/console';
import { formatNumber } from '../components/numbers';

/** Least level that is shown. */
export type LevelFilter = 'all' | 'warn' | 'error';

const RANK = { log: 0, info: 0, warn: 1, error: 2 } as const;
const LEAST = { all: 0, warn: 1, error: 2 } as const;

/** Lines of at least a level whose text or place has the words. */
export function filterLines(
  entries: readonly ConsoleEntry[],
  level: LevelFilter,
  words: string,
): readonly ConsoleEntry[] {
  const wanted = words.trim().toLowerCase();
  if (level === 'all' && wanted === '') return entries;
  return entries.filter(
    (entry) =>
      RANK[entry.level] >= LEAST[level] &&
      (wanted === '' || `${entry.text} ${placeText(entry)}`.toLowerCase().includes(wanted)),
  );
}

/** `forces.ts:3` */
export const placeText = ({ script, line }: ConsoleEntry): string =>
  line === null ? script : `${script}:${line}`;

export const timeText = ({ time }: ConsoleEntry): string => (time === null ? '' : formatNumber(time));

/** Tab-separated: time, level, count, place, text. */
export const linesText = (entries: readonly ConsoleEntry[]): string =>
  entries
    .map((entry) => [timeText(entry), entry.level, entry.count, placeText(entry), entry.text].join('\t'))
    .join('\n');
