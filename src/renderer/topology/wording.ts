/** Degrees and index sets in words. */
import type { ReportedInteraction, ReportedTopology } from '@engine/inspection/topology-report';
import { text } from '../i18n';

type Component = ReportedTopology['components'][number];
type Degrees = NonNullable<ReportedInteraction['degree']>;
type Degree = Degrees['block']['degree'];

/** Ids beyond this number are counted, not named. */
const NAMED = 6;

function degreeWord(degree: Degree): string {
  if (degree === 'none') return text('topology.none');
  if (degree === 'beyond-limit') return text('topology.beyondLimit');
  return String(degree);
}

/** One degree where all rows have the same, else that of each row. */
export function rowDegrees({ rows }: Degrees): string {
  const words = rows.map(({ degree }) => degreeWord(degree));
  return new Set(words).size === 1 ? (words[0] ?? '') : words.join(', ');
}

/** Rows, counted from 1, on which other multipliers act before their own. */
const undefinedRows = ({ rows }: Degrees): number[] =>
  rows.flatMap(({ scalar }, row) => (scalar === 'undefined' ? [row + 1] : []));

/** Numbers 1, 2, 3, 7 as “1–3, 7”. */
export function ranges(numbers: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const number of numbers) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else spans.push([number, number]);
  }
  return spans.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}

/** How the degrees of single rows and of the block differ from what the row shows; null when they do not. */
export function degreeNote(degrees: Degrees, size: number): string | null {
  const notes: string[] = [];
  const rows = undefinedRows(degrees);
  if (rows.length > 0) notes.push(text('topology.scalarUndefined', { rows: ranges(rows) }));
  const { block } = degrees;
  if (size > 1) {
    const key = block.nonSingular ? 'topology.blockRegular' : 'topology.blockSingular';
    notes.push(text(key, { degree: degreeWord(block.degree), rank: block.rank, size }));
  }
  return notes.length === 0 ? null : notes.join(' ');
}

/** `I0 always, I1 while closed` */
export const membership = ({ rule }: Degrees): string =>
  rule.indexSets.map((when, k) => `I${k} ${text(`topology.${when}`)}`).join(', ');

/** The first of a list of ids and how many more there are. */
export function named(ids: readonly string[], count = ids.length): string {
  const shown = ids.slice(0, NAMED);
  const more = count - shown.length;
  return more > 0 ? `${shown.join(', ')} ${text('topology.more', { count: more })}` : shown.join(', ');
}

/** Rows that respond to multipliers as others do: `a (1–2), b`. */
export function dependentRows({ vector }: Component, sizeOf: (id: string) => number): string | null {
  if (vector === null || vector.rows.length === 0) return null;
  const byInteraction = new Map<string, number[]>();
  for (const { interaction, row } of vector.rows)
    byInteraction.set(interaction, [...(byInteraction.get(interaction) ?? []), row + 1]);
  const words = [...byInteraction].map(([id, rows]) => (sizeOf(id) === 1 ? id : `${id} (${ranges(rows)})`));
  return text('topology.dependent', { rows: named(words) });
}
