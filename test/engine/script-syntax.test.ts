/**
 * What scripts import and which types they name is read in their syntax: comments and texts may say anything.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import * as ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { DocumentIssue } from '@engine/document/types';
import { readTyped, unknownType } from '@engine/script/checks/typed-source';
import { MAX_SCRIPT_LENGTH } from '@engine/script/transpile';
import { PLUGIN_SIGNATURES } from '@engine/model/plugin-signatures';
import { reportDocument } from '@engine/preparation/report';
import { model, particle } from './support/models';

const PUSH = 'export const push: ExternalForce = (t, out) => { out[0] = t; };';

/** Defects of a model whose force stands in the last line. */
const issuesOf = (...lines: string[]): DocumentIssue[] => issuesOfAll(lines);

const issuesOfAll = (lines: readonly string[]): DocumentIssue[] =>
  reportDocument({
    ...model([particle('ball', 1, 0, { fExt: { function: 'push' } })], []),
    scripts: [
      { name: 'forces.ts', role: 'functions', source: lines.concat(PUSH) },
      { name: 'other.ts', role: 'functions', source: ['export const f = (x: number) => x;'] },
    ],
  }).issues;

describe('an import is one by its syntax', () => {
  it.each<[string, string[]]>([
    ['a comment of several lines', ['/*', '  import the table from the laboratory', '*/']],
    ['a comment that names a module', ['/*', 'import fs from "fs"', '*/']],
    ['a comment in a line', ['// import * as all from "all"']],
    ['a comment on exports', ['/*', 'export * from "fs"', 'export { f } from "./other"', '*/']],
    ['a text of several lines', ['const text = `', 'import fs from "fs"', '`; text.length;']],
    ['a name of a member', ['const table = {', '  import: 1,', '};', 'table', '.import;']],
    ['an import by name', ["import { f } from './other';", 'f(1);']],
    ['an import over several lines', ['import {', '  f,', "} from './other.ts';", 'f(1);']],
    ['an import behind a statement', ["const a = 1; import { f as g } from './other'; g(a);"]],
    ['an import of types', ["import type { A } from 'anywhere';", "export type { B } from 'anywhere';"]],
  ])('%s is no defect', (_, lines) => {
    expect(issuesOf(...lines)).toEqual([]);
  });

  it.each<[string, number, string[]]>([
    ['a module', 2, ['', "import fs from 'fs';"]],
    ['a module behind a comment', 3, ['/* x', '*/', "/* y */ import fs from 'fs';"]],
    ['a module behind a statement', 1, ["const a = 1; import fs from 'fs'; a;"]],
    ['everything of a script', 1, ["import * as other from './other';"]],
    ['the default of a script', 1, ["import other from './other';"]],
    ['a script for what it does', 1, ["import './other';"]],
    ['a script elsewhere', 2, ['', "import { f } from '../other';"]],
    ['an old form', 1, ["import fs = require('fs');"]],
    ['what is handed on', 1, ["export { f } from './other';"]],
    ['everything that is handed on', 3, ['', '', "export * from './other';"]],
  ])('of %s is refused at its line', (_, line, lines) => {
    expect(issuesOf(...lines)).toMatchObject([
      {
        code: 'script-import',
        pointer: `/scripts/0/source/${line - 1}`,
        script: { name: 'forces.ts', line },
      },
    ]);
  });

  it.each<[string, string]>([
    ['in the middle', "const a = () => import('./other');"],
    ['with a comment', "const a = () => import/* */('./other');"],
  ])('while a script runs is refused: %s', (_, line) => {
    expect(issuesOf('', line)).toMatchObject([{ code: 'script-dynamic-import', script: { line: 2 } }]);
  });

  // Minutes where every line is looked at from every other.
  it.each<[string, string]>([
    ['blank lines', ''],
    ['lines of blanks', '    '],
    ['lines of comments', '// import'],
    ['lines that begin an import in a comment', '/* import { */'],
  ])('is looked for once in as many %s as a script may have', (_, line) => {
    const count = Math.floor((0.9 * MAX_SCRIPT_LENGTH) / (line.length + 1));
    const lines = Array.from({ length: count }, () => line);
    expect(issuesOfAll(lines)).toEqual([]);
  });

  it('is looked for once in a script that cannot be read, too', () => {
    const blank = Array.from({ length: 100_000 }, () => '');
    const [issue] = issuesOfAll(['const f = (a)'].concat(blank, ': number', blank, ' => { return ];'));
    expect(issue.code).toBe('script-syntax');
  });
});

describe('a type that is named', () => {
  it.each<[string, string]>([
    ['a kind of function', 'export const g: Rate = (t, x, out) => { out[0] = x[0]; };'],
    ['one of a system', 'export const g: ExternalForce<"ball"> = (t, out) => { out[0] = t; };'],
    ['parameters', 'const m = (p: Parameters, s: SystemId): number => s.length;'],
    [
      'of the language',
      'const m: ReadonlyMap<string, Float64Array> = new Map(); type P = Partial<Record<keyof Systems, 1>>;',
    ],
    ['declared later', 'const a = (x: Later): Later => x; interface Later { x: number }'],
    ['a class', 'class Table { at(i: number): Table { return this; } }'],
    ['an enumeration', 'enum Mode { up, down } const m: Mode = Mode.up;'],
    [
      'a variable of a type',
      'function first<T extends readonly unknown[]>(list: T): T[number] { return list[0]; }',
    ],
    ['inferred', 'type Inner<T> = T extends (infer U)[] ? U : T;'],
    ['mapped', 'type All<T> = { [K in keyof T]: T[K] };'],
    ['of a value', 'const table = [1, 2]; type Table = typeof table;'],
    ['constant', 'const names = ["a"] as const;'],
    ['imported', "import { type Shape } from './shapes'; const s: Shape | null = null;"],
    ['in a comment', '/* x: Foo */ const text = "x: Foo";'],
    ['a guess of the syntax', 'const a = 1, b = 2, Foo = 3; const c = a < b, d = c ? Foo : b;'],
  ])('is known: %s', (_, line) => {
    const { issues } = reportDocument({
      ...model([particle('ball', 1, 0, { fExt: { function: 'push' } })], []),
      scripts: [
        { name: 'forces.ts', role: 'functions', source: [line, PUSH] },
        { name: 'shapes.ts', role: 'functions', source: ['export interface Shape { x: number }'] },
      ],
    });
    expect(issues).toEqual([]);
  });

  it.each<[string, string]>([
    ['of a variable', 'export const g: ExternaForce = (t, out) => { out[0] = t; };'],
    ['of an argument', 'const g = (list: Flaot64Array) => list.length;'],
    ['of a result', 'function g(): Nubmer { return 1; }'],
    ['inside another', 'const g: Array<Vecktor> = [];'],
    ['that is asserted', 'const g = 1 as Meters;'],
    ['that is extended', 'interface G extends Hidden {}'],
    ['of another space', 'let g: Missing.Inner;'],
    ['of a browser', 'let g: HTMLElement | undefined;'],
  ])('is refused where there is none: %s', (_, line) => {
    const [issue, ...others] = issuesOf('', line);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ severity: 'error', code: 'script-unknown-type', script: { line: 2 } });
    const { column = 0 } = issue.script ?? {};
    expect(issue.message).toContain(/^\w+/.exec(line.slice(column - 1))?.[0]);
    expect(issue.remedy).toContain('Declare it');
  });

  it('is one of the library of TypeScript', () => {
    const folder = dirname(createRequire(import.meta.url).resolve('typescript'));
    const names = new Set<string>();
    for (const file of readdirSync(folder).filter((name) =>
      /^lib\.(?:es|decorators)[\w.]*\.d\.ts$/.test(name),
    )) {
      const source = ts.createSourceFile(
        file,
        readFileSync(`${folder}/${file}`, 'utf8'),
        ts.ScriptTarget.Latest,
      );
      for (const statement of source.statements)
        if (
          ts.isInterfaceDeclaration(statement) ||
          ts.isTypeAliasDeclaration(statement) ||
          (ts.isModuleDeclaration(statement) && statement.name.text !== 'global')
        )
          names.add(statement.name.text);
    }
    expect(names.size).toBeGreaterThan(150);
    const missing = [...names].filter(
      (name) => unknownType([{ name, line: 1, column: 1 }], new Set()) !== null,
    );
    expect(missing).toEqual([]);
  });

  it('is every kind of function', () => {
    for (const { typeName } of Object.values(PLUGIN_SIGNATURES))
      expect(issuesOf(`let f: ${typeName} | undefined;`)).toEqual([]);
  });
});

it('every script of the gallery is read with its types', () => {
  const folder = new URL('../../resources/examples/', import.meta.url);
  const scripts = readdirSync(folder)
    .filter((name) => name.endsWith('.moreau.json'))
    .flatMap((name) => {
      const { scripts: all } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
        scripts: { source: string[] }[];
      };
      return all.map(({ source }) => source.join('\n'));
    });
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((source) => readTyped(source) === null)).toEqual([]);
});
