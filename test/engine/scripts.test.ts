/** From the TypeScript of the script pane to what the sandbox evaluates. */
import { describe, expect, it } from 'vitest';
import type { DocumentIssue } from '@engine/document/types';
import { MAX_SCRIPT_LENGTH, transpileScript, type TranspiledScript } from '@engine/script/transpile';
import { expectComplete } from './support/issues';

const script = (...source: string[]): Parameters<typeof transpileScript>[0] => ({
  name: 'forces.ts',
  role: 'functions',
  source,
});

function transpiled(...source: string[]): TranspiledScript {
  const result = transpileScript(script(...source), 0);
  if (!result.ok) throw new Error(result.issue.message);
  return result.script;
}

function defect(...source: string[]): DocumentIssue {
  const result = transpileScript(script(...source), 3);
  if (result.ok) throw new Error('the script was accepted');
  return result.issue;
}

describe('exports', () => {
  it('are found in every form', () => {
    const { exports } = transpiled(
      'export const a: ExternalForce = (t, out) => { out[0] = t; };',
      'export function b(): void {}',
      'const c = 1, d = 2;',
      'export { c, d as e };',
      'export class F {}',
      'export let g = 0;',
    );
    expect([...exports].sort()).toEqual(['F', 'a', 'b', 'c', 'e', 'g']);
  });

  it('of types are none', () => {
    expect(
      transpiled('export type A = number;', 'export interface B { x: A }', 'const x: A = 1;').exports,
    ).toEqual([]);
  });

  it('include the default one', () => {
    expect(transpiled('export default () => {};').exports).toEqual(['default']);
    expect(transpiled('const build = () => {};', 'export default build;').exports).toEqual(['default']);
  });

  it('of nothing are none', () => {
    expect(transpiled('').exports).toEqual([]);
    expect(transpiled('const secret = 3;').exports).toEqual([]);
  });
});

describe('lines', () => {
  it('stay where they are', () => {
    const source = [
      '/** A comment',
      ' * of several lines. */',
      'interface Shape {',
      '  size: number;',
      '}',
      '',
      'export const marker6 = (shape: Shape): number =>',
      '  shape.size as number; // marker7',
      'type Unused =',
      '  | 1',
      '  | 2;',
      'export function marker11<T>(x: T): T { return x!; }',
    ];
    const lines = transpiled(...source).code.split('\n');
    expect(lines).toHaveLength(source.length);
    for (const [at, marker] of [
      [6, 'marker6'],
      [7, 'marker7'],
      [11, 'marker11'],
    ] as const) {
      expect(lines[at]).toContain(marker);
    }
  });

  it('lose their types', () => {
    const { code } = transpiled(
      'const f = (x: number, ...rest: string[]): number => x as unknown as number;',
    );
    expect(code).not.toMatch(/number|string|unknown/);
  });
});

describe('defects', () => {
  it.each<[string, string[], string, number, number]>([
    ['a syntax error', ['const a = 1;', 'const b = = 2;'], 'script-syntax', 2, 11],
    ['an unclosed string', ['const a = "x;'], 'script-syntax', 1, 11],
    ['a dynamic import', ['const a = 1;', '  const b = import("node:fs");'], 'script-dynamic-import', 2, 13],
    ['a dynamic import in a comment', ['// never import ("x")'], 'script-dynamic-import', 1, 10],
    ['a dynamic import in a string', ['const a = "import(x)";'], 'script-dynamic-import', 1, 12],
    ['an import', ['', 'import fs from "node:fs";'], 'script-import', 2, 1],
    ['an import of names', ['import { a } from "x";'], 'script-import', 1, 1],
    ['an import of names without blanks', ['import{a}from"x";'], 'script-import', 1, 1],
    ['an import of everything', ['import * as x from "x";'], 'script-import', 1, 1],
    ['an import for its effects', ['import "x";'], 'script-import', 1, 1],
    ['an import for its effects without a blank', ['import"x";'], 'script-import', 1, 1],
    ['an import over lines', ['import', '  { a }', '  from "x";'], 'script-import', 1, 1],
    ['a passed on export', ['export { a } from "x";'], 'script-import', 1, 1],
    ['a passed on everything', ['export * from "x";'], 'script-import', 1, 1],
    ['an HTML comment', ['let n = 3;', 'while (n --> 0) {}'], 'script-html-comment', 2, 10],
  ])('%s is placed', (_, source, code, line, column) => {
    const issue = defect(...source);
    expect(issue).toMatchObject({
      severity: 'error',
      code,
      pointer: `/scripts/3/source/${line - 1}`,
      element: 'forces.ts',
      script: { name: 'forces.ts', line, column },
    });
    expectComplete([issue]);
  });

  it.each<[string, string[], number]>([
    [
      'a plug-in',
      ['export const f: ExternalForce = (t, out, p) => {', '  out[0] = t;', '  const = 2;', '};'],
      3,
    ],
    [
      'a function with a result type',
      ['const f = (', '  a: number,', '): number => {', '  return a +;', '};'],
      4,
    ],
    ['a function in a function', ['const f = (x) => {', '  return (y) => {', '    y = ;', '  };', '};'], 3],
    ['a function of one argument', ['const f = x => {', '  if x {}', '};'], 2],
    ['an asynchronous function', ['const f = async (x) => {', '  let 3;', '};'], 2],
    ['a builder', ['export default (model) => {', '  for (let i = 0; i < 3; i++ {', '  }', '};'], 2],
    ['the second of two', ['const f = (x) => {', '};', 'const g = (x) => {', '  x = = 1;', '};'], 4],
    ['a function declaration', ['function f(x) {', '  x = = 1;', '}'], 2],
  ])('a syntax error in the body of %s is placed in its line', (_, source, line) => {
    const issue = defect(...source);
    expect(issue).toMatchObject({ code: 'script-syntax', script: { line } });
    expectComplete([issue]);
  });

  it('a body that never ends is placed at its end', () => {
    const issue = defect('export const f: ExternalForce = (t, out, p) => {', '  out[0] = 1;', '');
    expect(issue).toMatchObject({ code: 'script-syntax', script: { line: 3 } });
  });

  it('type imports are none: they leave no trace', () => {
    expect(transpiled('import type { A } from "x";', 'export const a: A = 1;').exports).toEqual(['a']);
  });

  it('names that only begin like an import are none', () => {
    expect(transpiled('const imports = [1];', 'const important = imports[0];').exports).toEqual([]);
  });

  it('a script that is too long is refused', () => {
    const issue = defect(' '.repeat(MAX_SCRIPT_LENGTH + 1));
    expect(issue.code).toBe('script-too-long');
    expectComplete([issue]);
  });
});
