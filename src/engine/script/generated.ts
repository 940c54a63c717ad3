/**
 * Functions that no user has written: expressions of a field, as the source of a script function. From there
 * on they are script functions as any other: derivatives, exact forms and conditions come from their source.
 * Users meet the field, never the function.
 */
import { javascriptOf } from '../document/expressions';
import {
  type FieldPlace,
  type GeneratedFunction,
  TIME_NAME,
  type TimedProgram,
  compileTimed,
  timedEntries,
} from '../document/timed';
import { type Table, tablesOf } from '../document/tables';
import type { ModelDocument, TypedElement } from '../document/types';
import type { Dimension, FieldDefinition } from '../model/definition';
import { PLUGIN_SIGNATURES } from '../model/plugin-signatures';
import { definitionsByKey } from '../model/registry';
import type { TranspiledScript } from './transpile';

/** Coordinates, which expressions of compiled components name: no parameter is called so. */
const COORDINATE = /^q\[\d+\]$/;

/** Statements that fill `out`. */
function body({ entries }: Pick<GeneratedFunction, 'entries'>): string[] {
  const lines: string[] = [];
  let kept = 0;
  const keep = (value: string): string => {
    const name = `k${kept++}`;
    lines.push(`  const ${name} = ${value};`);
    return name;
  };
  for (const [index, { program, names }] of entries) {
    const slots = names.map((name) => (name === TIME_NAME || COORDINATE.test(name) ? name : `p.${name}`));
    const value = javascriptOf(program, slots, keep);
    lines.push(`  out[${index}] = ${value};`);
  }
  return lines;
}

/** Tables that functions read, as functions of their own with the bits of `document/tables.ts`. */
function tableLines(programs: readonly TimedProgram[]): string[] {
  const tables = new Map(programs.flatMap(({ program }) => program.tables ?? []).map((one) => [one.id, one]));
  return [...tables.values()].flatMap(tableSource);
}

/** The way to a piece is one of comparisons, whose outcomes can be held. */
function tableSource({ id, x, y, period }: Table): string[] {
  const [first, last] = [String(x[0]), x.length - 1];
  const [xs, ys] = [`table_${id}_x`, `table_${id}_y`];
  const wrap = `${first} + (u - ${first} - ${period} * Math.floor((u - ${first}) / ${period}))`;
  const piece = (before: string, behind: string, value: string): string[] => [
    ...(period === 0 ? ['  const w = u;'] : [`  const w = ${wrap};`]),
    `  if (w < ${first}) return ${before};`,
    '  let low = 0;',
    `  let high = ${x.length};`,
    '  while (high - low > 1) {',
    '    const middle = (low + high) >> 1;',
    `    if (w < ${xs}[middle]) high = middle;`,
    '    else low = middle;',
    '  }',
    `  if (low === ${last}) return ${behind};`,
    `  return ${value};`,
    '};',
  ];
  const step = (of: string): string => `(${of}[low + 1] - ${of}[low])`;
  const value = `${ys}[low] + ((w - ${xs}[low]) / ${step(xs)}) * ${step(ys)}`;
  return [
    `const ${xs} = [${x.join(', ')}];`,
    `const ${ys} = [${y.join(', ')}];`,
    `const table_${id} = (u) => {`,
    ...piece(String(y[0]), String(y[last]), value),
    `const slope_${id} = (u) => {`,
    ...piece('0', '0', `${step(ys)} / ${step(xs)}`),
  ];
}

/** Name of scripts with generated functions: none of the document’s, which end in .ts. */
export const GENERATED = 'expressions';

/** The source under a name that is free. */
export function generatedScript(name: string, given: GeneratedFunction): TranspiledScript {
  const { parameters } = PLUGIN_SIGNATURES[given.kind];
  const lines = [
    ...tableLines(given.entries.map(([, program]) => program)),
    `const ${name} = (${parameters.join(', ')}) => {`,
    ...body(given),
    `}; exports.${name} = ${name};`,
  ];
  return { name: GENERATED, code: lines.join('\n'), exports: [name] };
}

/** Whether a name is that of a generated function: those that fields may name have no $. */
export const isGenerated = (name: string): boolean => name.startsWith('$');

/** A name for the function of a field, of letters that names may have. */
export const generatedName = ({ pointer }: FieldPlace): string =>
  `$${pointer.replace(/^\//, '').replaceAll(/[^A-Za-z0-9]/g, '_')}`;

/* The same as scripts that a user could have written. */

const sizeOf = (element: TypedElement, size: Dimension): number =>
  typeof size === 'number' ? size : Number(element[size]);

/** Lines of a script function that says what a field does; null where it is none of expressions. */
function functionOf(
  element: TypedElement,
  field: FieldDefinition,
  name: string,
  tables: ReadonlyMap<string, Table>,
): { readonly lines: string[]; readonly programs: TimedProgram[] } | null {
  const timed = timedEntries(field, element[field.key]);
  if (timed === null || !('plugin' in field)) return null;
  const columns = field.kind === 'matrixOrFunction' ? sizeOf(element, field.columns) : 1;
  const entries = timed.entries
    .filter(({ text }) => text !== 0)
    .map(
      ({ row, column, text }) =>
        [
          row * columns + column,
          compileTimed(String(text), () => undefined, { isName: () => false, tables }),
        ] as const,
    );
  const { typeName, parameters } = PLUGIN_SIGNATURES[field.plugin];
  const head = `export const ${name}: ${typeName} = (${parameters.join(', ')}) => {`;
  return { lines: [head, ...body({ entries }), '};'], programs: entries.map(([, program]) => program) };
}

/**
 * The model with script functions in place of expressions of the time, for what knows no others. It must be
 * sound.
 */
export function withScriptFunctions(document: ModelDocument): ModelDocument {
  const all = document.scripts.flatMap(({ source }) => source).join('\n');
  const taken = new Set(all.match(/[\w$]+/g));
  const source: string[] = [];
  const programs: TimedProgram[] = [];
  const tables = tablesOf(document.tables);
  const rewritten = <E extends TypedElement>(element: E, id: string, key: string): E => {
    const definition = definitionsByKey.get(key)?.find(({ type }) => type === element.type);
    const changed: TypedElement = { ...element };
    for (const field of definition?.fields ?? []) {
      let name = `${id}_${field.key}`;
      while (taken.has(name)) name += '_';
      const made = functionOf(element, field, name, tables);
      if (made === null) continue;
      taken.add(name);
      source.push(...made.lines);
      programs.push(...made.programs);
      changed[field.key] = { function: name };
    }
    return changed as E;
  };
  const systems = document.systems.map((system) => rewritten(system, system.id, 'systems'));
  const interactions = document.interactions.map((interaction) => ({
    ...interaction,
    relation: rewritten(interaction.relation, interaction.id, 'relation'),
  }));
  if (source.length === 0) return document;
  const names = new Set(document.scripts.map(({ name }) => name));
  let name = 'of-time.ts';
  while (names.has(name)) name = `x${name}`;
  const scripts = [
    ...document.scripts,
    { name, role: 'functions' as const, source: [...tableLines(programs), ...source] },
  ];
  return { ...document, systems, interactions, scripts };
}
