/**
 * Tables of data in the document, as `table(name, t)` reads them: straight from point to point, constant
 * before the first and behind the last, or with a period. Two points at one abscissa are a jump, whose value
 * is that of the second. `slope(name, t)` is the slope of the piece that begins at t.
 */
import { ExpressionError } from './expression-error';
import type { DocumentIssue, TableDocument } from './types';

/** A table as it is read: with a period its last point is one period behind the first. */
export interface Table {
  readonly id: string;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** 0: none */
  readonly period: number;
}

/** Tables of a model by name; `unread` where a text is looked at and not computed. */
export type Tables = ReadonlyMap<string, Table> | 'unread';

const UNREAD: Table = { id: '', x: new Float64Array(2), y: new Float64Array(2), period: 0 };

/** The points, closed to a period where there is one. */
function tableOf({ id, t, y, period = 0 }: TableDocument): Table {
  const last = t.length - 1;
  const isOpen = period > 0 && t[last] < t[0] + period;
  return {
    id,
    x: Float64Array.from(isOpen ? [...t, t[0] + period] : t),
    y: Float64Array.from(isOpen ? [...y, y[0]] : y),
    period,
  };
}

/** The tables of a document. One with a defect, which `tableIssues` reports, is zero. */
export function tablesOf(tables: readonly TableDocument[] = []): ReadonlyMap<string, Table> {
  return new Map(
    tables.map((table) => [
      table.id,
      defectOf(table) === null ? tableOf(table) : { ...UNREAD, id: table.id },
    ]),
  );
}

/** @throws {ExpressionError} where there is none of that name */
export function tableNamed(name: string, tables: Tables | undefined): Table {
  if (tables === 'unread') return UNREAD;
  if (tables === undefined)
    throw new ExpressionError(
      `the table “${name}” cannot be read here`,
      'Give an observable the expression with the table, and name that observable here.',
    );
  const found = tables.get(name);
  if (found !== undefined) return found;
  const known = [...tables.keys()];
  throw new ExpressionError(
    known.length === 0
      ? `“${name}” is no table; the model has none`
      : `“${name}” is no table of this model; known are ${known.slice(0, 12).join(', ')}`,
    'Name a table of the model, or import one from a CSV file.',
  );
}

/** Where in the list of points a piece begins that holds u; −1 before the first, the last behind it. */
export function pieceAt({ x }: Table, u: number): number {
  if (!(u >= x[0])) return -1;
  let low = 0;
  let high = x.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (u < x[middle]) high = middle;
    else low = middle;
  }
  return low;
}

/** Abscissa within the first period. The generated source (`script/generated.ts`) computes the same bits. */
function wrapped({ x, period }: Table, u: number): number {
  if (period === 0) return u;
  const since = u - x[0];
  return x[0] + (since - period * Math.floor(since / period));
}

/** Value at u. */
export function tableValue(table: Table, u: number): number {
  const { x, y } = table;
  const w = wrapped(table, u);
  const k = pieceAt(table, w);
  if (k < 0) return Number.isNaN(w) ? w : y[0];
  if (k === x.length - 1) return y[k];
  return y[k] + ((w - x[k]) / (x[k + 1] - x[k])) * (y[k + 1] - y[k]);
}

/** Slope of the piece that begins at or holds u. */
export function tableSlope(table: Table, u: number): number {
  const { x, y } = table;
  const w = wrapped(table, u);
  const k = pieceAt(table, w);
  if (k < 0) return Number.isNaN(w) ? w : 0;
  return k === x.length - 1 ? 0 : (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
}

/** Whether its value jumps somewhere. */
export const tableJumps = ({ x, y, period }: Table): boolean =>
  x.some((one, k) => k > 0 && one === x[k - 1] && y[k] !== y[k - 1]) ||
  (period > 0 && y[0] !== y[y.length - 1]);

interface Defect {
  /** way to it below the table */
  readonly way: string;
  readonly message: string;
  readonly remedy: string;
}

/** The first defect of a table whose structure is sound; null of one without. */
function defectOf({ id, t, y, period }: TableDocument): Defect | null {
  if (t.length !== y.length)
    return {
      way: '/y',
      message: `The table “${id}” has ${t.length} abscissae and ${y.length} values.`,
      remedy: 'Give each abscissa one value.',
    };
  const back = t.findIndex((one, k) => k > 0 && one < t[k - 1]);
  if (back >= 0)
    return {
      way: `/t/${back}`,
      message: `The abscissae of the table “${id}” must rise, and ${t[back]} follows ${t[back - 1]}.`,
      remedy: 'Put the points into the order of their abscissae.',
    };
  const third = t.findIndex((one, k) => k > 1 && one === t[k - 2]);
  if (third >= 0)
    return {
      way: `/t/${third}`,
      message: `The table “${id}” has three points at ${t[third]}.`,
      remedy: 'Leave two of them: the value before the jump and the one behind it.',
    };
  const last = t.length - 1;
  if (period !== undefined && period < t[last] - t[0])
    return {
      way: '/period',
      message: `The period ${period} of the table “${id}” is shorter than its points, which span ${t[last] - t[0]}.`,
      remedy: 'Give the span or more, or leave the period out.',
    };
  return null;
}

/** What is wrong with the tables of a document whose structure is sound. */
export function tableIssues(tables: readonly TableDocument[] = []): DocumentIssue[] {
  return tables.flatMap((table, k): DocumentIssue[] => {
    const issue = (code: string, { way, message, remedy }: Defect): DocumentIssue => ({
      ...{ severity: 'error', code, pointer: `/tables/${k}${way}`, element: table.id, message, remedy },
    });
    const defect = defectOf(table);
    const isTwice = tables.findIndex(({ id }) => id === table.id) < k;
    return [
      ...(defect === null ? [] : [issue('table-points', defect)]),
      ...(isTwice
        ? [
            issue('duplicate-id', {
              way: '/id',
              message: `There are two tables “${table.id}”.`,
              remedy: 'Rename one of them.',
            }),
          ]
        : []),
    ];
  });
}

/** A call that reads a table, up to its name. */
const READING = /(?<![\w.])((?:table|slope)\s*\(\s*\(?\s*)([A-Za-z]\w*)/g;

/** Names of the tables that a text reads. */
export const tablesIn = (text: string): string[] => [...text.matchAll(READING)].map(([, , name]) => name);
