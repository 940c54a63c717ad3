/** Tables of data in the document: who reads them, and under another name. */
import type { ModelDocument, TableDocument } from '@engine/document/types';

/** A call that reads a table, up to its name. */
const READING = /(?<![\w.])((?:table|slope)\s*\(\s*\(?\s*)([A-Za-z_]\w*)/g;

/** Sections with texts that are no expressions. */
const WORDS: ReadonlySet<string> = new Set([
  'description',
  'title',
  'references',
  'scripts',
  'tables',
  'layout',
]);

type Holder = Record<string, unknown> | unknown[];

/** Visits each text; what `change` returns stands in its place. */
function visit(
  holder: Holder,
  owner: string,
  change: (text: string, key: string, owner: string) => string,
): void {
  const { id, name } = holder as { id?: unknown; name?: unknown };
  const own = typeof id === 'string' ? id : typeof name === 'string' ? name : owner;
  for (const key of Object.keys(holder)) {
    const value = (holder as Record<string, unknown>)[key];
    if (WORDS.has(key)) continue;
    if (typeof value === 'string') {
      const changed = change(value, key, own);
      if (changed !== value) (holder as Record<string, unknown>)[key] = changed;
    } else if (typeof value === 'object' && value !== null) visit(value as Holder, own, change);
  }
}

/** Names of what reads a table: components, observables and others. */
export function tableUses(model: ModelDocument, table: string): string[] {
  const found = new Set<string>();
  visit(model as unknown as Holder, '', (text, key, owner) => {
    const isRead = [...text.matchAll(READING)].some(([, , name]) => name === table);
    if (isRead || (key === 'table' && text === table)) found.add(owner);
    return text;
  });
  return [...found];
}

export function renameTable(draft: ModelDocument, from: string, to: string): void {
  for (const table of draft.tables ?? []) if (table.id === from) table.id = to;
  visit(draft as unknown as Holder, '', (text, key) => {
    if (key === 'table' && text === from) return to;
    return text.replaceAll(READING, (whole, before: string, name: string) =>
      name === from ? before + to : whole,
    );
  });
}

/** Columns of a small plot, each with the least and the largest value that fall into it. */
const COLUMNS = 160;

/** The points in a box of 160 × 40, from the upper left, as the path of an SVG; no spike is lost. */
export function tablePath({ t, y }: Pick<TableDocument, 't' | 'y'>): string {
  const [first, last] = [t[0], t[t.length - 1]];
  const low = y.reduce((least, one) => Math.min(least, one), Infinity);
  const high = y.reduce((most, one) => Math.max(most, one), -Infinity);
  const x = (one: number): number => (last > first ? ((one - first) / (last - first)) * COLUMNS : 0);
  const place = (k: number): string => {
    const height = high > low ? ((high - y[k]) / (high - low)) * 36 + 2 : 20;
    return `${x(t[k]).toFixed(1)} ${height.toFixed(1)}`;
  };
  const kept = t.length <= 4 * COLUMNS ? [...t.keys()] : extremes(t, y, x);
  return `M${kept.map(place).join('L')}`;
}

function extremes(t: readonly number[], y: readonly number[], x: (one: number) => number): number[] {
  const kept: number[] = [];
  let from = 0;
  while (from < t.length) {
    const column = Math.floor(x(t[from]));
    let [least, most, to] = [from, from, from];
    for (; to < t.length && Math.floor(x(t[to])) === column; to++) {
      if (y[to] < y[least]) least = to;
      if (y[to] > y[most]) most = to;
    }
    kept.push(...new Set([from, Math.min(least, most), Math.max(least, most), to - 1]));
    from = to;
  }
  return kept;
}
