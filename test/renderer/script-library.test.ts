import { describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { languageLibrary } from '@renderer/script/library';
import ts from 'typescript';

const folder = dirname(ts.getDefaultLibFilePath({}));
const libraryFiles = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.startsWith('lib.') && name.endsWith('.d.ts'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);

/** Messages of the compiler for a script under the editor's library and the given declarations. */
function messages(script: string, declarations: string): string[] {
  const files: Record<string, string> = {
    '/ecmascript.d.ts': languageLibrary(libraryFiles),
    '/moreau.d.ts': declarations,
    '/script.ts': script,
  };
  const options: ts.CompilerOptions = {
    noLib: true,
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2020,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  host.getSourceFile = (name) =>
    files[name] === undefined ? undefined : ts.createSourceFile(name, files[name], ts.ScriptTarget.ES2020);
  host.fileExists = (name) => name in files;
  const program = ts.createProgram(Object.keys(files), options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('library of the script editor', () => {
  const declarations = 'interface Parameters { readonly rpm: number }';

  it('lets Parameters be the values of the model', () => {
    const script = 'export const f = (t: number, p: Parameters): number => Math.floor(t * p.rpm) + Math.PI;';
    expect(messages(script, declarations)).toEqual([]);
  });

  it('still finds mistakes', () => {
    const script = 'export const f = (p: Parameters): number => p.speed;';
    expect(messages(script, declarations).join()).toContain('speed');
  });

  it('has what the sandbox has, and not the page', () => {
    expect(
      messages(
        'export const a = new Float64Array(3).fill(1); export const m = new Map([[1, 2]]);',
        declarations,
      ),
    ).toEqual([]);
    expect(messages('export const w = window;', declarations)).not.toEqual([]);
  });
});

describe('declarations of a model', () => {
  const folderOf = join(import.meta.dirname, '../../resources/examples');
  const example = (name: string): ModelDocument =>
    JSON.parse(readFileSync(join(folderOf, `${name}.moreau.json`), 'utf8')) as ModelDocument;
  const check = (document: ModelDocument, ...lines: string[]): string[] =>
    messages(lines.join('\n'), reportDocument(document).typings);

  it('let the scripts of the examples be', () => {
    for (const name of ['box-stack', 'watch-escapement', 'impacting-bar', 'two-link-manipulator']) {
      const document = example(name);
      const { typings } = reportDocument(document);
      for (const { source } of document.scripts) expect(messages(source.join('\n'), typings)).toEqual([]);
    }
  });

  it('know types of elements, ids, and how long vectors are', () => {
    const arm = example('two-link-manipulator');
    const [id] = arm.systems.map((system) => system.id);
    const force = `export const f: InternalForce<'${id}'> = (t, q, v, out) => {`;
    expect(check(arm, force, '  out[1] = q[0] + v[1];', '};')).toEqual([]);
    expect(check(arm, force, '  out[0] = q[2];', '};').join()).toContain("no element at index '2'");
    expect(check(arm, `export const f: InternalForce<'absent'> = () => {};`).join()).toContain('absent');
    const build = (type: string): string =>
      `export default (model: ModelBuilder) => { model.system({ id: 'a', type: '${type}', mass: [[1]] }); };`;
    expect(check(arm, build('LagrangianLinearTI'))).toEqual([]);
    expect(check(arm, build('Lagrangian')).join()).toContain('"Lagrangian"');
  });
});
