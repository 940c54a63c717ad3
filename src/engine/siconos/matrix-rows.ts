/** Rows of matrices of a document, dense or by entries. */
import type { FieldValue } from '../document/types';

export function rowCount(value: FieldValue | undefined): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || !('entries' in value)) return 0;
  const { rows, entries } = value as { rows?: number; entries: [number, number, unknown][] };
  return rows ?? Math.max(0, ...entries.map(([row]) => row + 1));
}

/** The part of a Python list or array that holds some rows; nothing where it is all of them. */
export const slice = ({ from, to }: { from: number; to: number }, all: number): string =>
  from === 0 && to === all ? '' : `[${from}:${to}]`;
