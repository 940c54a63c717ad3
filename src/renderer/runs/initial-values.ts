/**
 * Initial values of systems for runs side by side: which there are, how they are typed, and the models they
 * make.
 */
import type { Expression, ModelDocument } from '@engine/document/types';
import { parseValues } from './several-values';

/**
 * Most runs of one group: every plot reads and draws each of them, and more overlaid curves cannot be
 * distinguished. Maps of many initial values are a matter of a sweep.
 */
export const MOST_INITIAL = 32;

/** Fields of systems that hold an initial state. */
const FIELDS = ['q0', 'v0', 'x0', 'position', 'orientation', 'velocity', 'spin'] as const;

/** One number of an initial state. */
export interface Component {
  /** as it is written, e.g. `ball.q0[0]` */
  name: string;
  system: string;
  field: string;
  index: number;
}

/** Values of some components, one row a run. */
export interface InitialRows {
  names: string[];
  rows: number[][];
}

/** What is wrong with a table as it was typed. */
export type TableProblem =
  | { code: 'unknown'; name: string }
  | { code: 'columns' | 'number'; line: number }
  | { code: 'empty' | 'many' };

/** Components of the initial states of systems. @param only ids of systems; all of them where it is empty */
export function componentsOf({ systems }: ModelDocument, only: readonly string[]): Component[] {
  const wanted = systems.filter(({ id }) => only.length === 0 || only.includes(id));
  return wanted.flatMap((system) =>
    FIELDS.flatMap((field) => {
      const values: unknown = system[field];
      if (!Array.isArray(values)) return [];
      return values.map((_, index) => ({
        name: `${system.id}.${field}[${index}]`,
        system: system.id,
        field,
        index,
      }));
    }),
  );
}

/** Values of one component: a list, or `from:to:number`; null where it is neither, or too many. */
export function valuesOfOne(name: string, typed: string): InitialRows | null {
  const values = parseValues(typed, MOST_INITIAL);
  return values === null || values.length === 0
    ? null
    : { names: [name], rows: values.map((value) => [value]) };
}

const cells = (line: string): string[] =>
  line
    .trim()
    .split(/[\t,; ]+/)
    .filter((cell) => cell !== '');

/** A table: names of components in the first line, then one line of numbers for each run. */
export function parseTable(typed: string, known: readonly Component[]): InitialRows | TableProblem {
  const lines = typed
    .split('\n')
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '');
  const [header, ...rest] = lines;
  if (header === undefined || rest.length === 0) return { code: 'empty' };
  if (rest.length > MOST_INITIAL) return { code: 'many' };
  const names = cells(header.text);
  const unknown = names.find((name) => !known.some((component) => component.name === name));
  if (unknown !== undefined) return { code: 'unknown', name: unknown };
  const rows: number[][] = [];
  for (const { text, line } of rest) {
    const row = cells(text).map(Number);
    if (row.length !== names.length) return { code: 'columns', line };
    if (!row.every(Number.isFinite)) return { code: 'number', line };
    rows.push(row);
  }
  return { names, rows };
}

/** The model with these initial values. */
export function withInitialValues(
  document: ModelDocument,
  components: readonly Component[],
  { names }: InitialRows,
  row: readonly number[],
): ModelDocument {
  const wanted = names.flatMap((name, column) => {
    const component = components.find((one) => one.name === name);
    return component === undefined ? [] : [{ ...component, value: row[column] }];
  });
  return {
    ...document,
    systems: document.systems.map((system) => {
      const own = wanted.filter((one) => one.system === system.id);
      if (own.length === 0) return system;
      const changed = { ...system };
      for (const { field, index, value } of own) {
        const values = [...(changed[field] as Expression[])];
        values[index] = value ?? NaN;
        changed[field] = values;
      }
      return changed;
    }),
  };
}
