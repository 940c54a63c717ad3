/** Libraries: definitions in a file, pinned by the hash of their content, that do no more than a model. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { libraryHash, readLibrary, writeLibrary } from '@engine/document/libraries';
import { readDocument } from '@engine/document/read';
import { sha256 } from '@engine/document/sha256';
import type { ModelDocument, SubmodelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { reportDocument } from '@engine/preparation/report';
import { drawn } from './components/drawn';

const HALF: SubmodelDocument = {
  id: 'Half',
  ports: [
    { name: 'a', wire: 'top' },
    { name: 'b', wire: 'end' },
  ],
  parameters: [{ name: 'R', value: 10, unit: 'Ω' }],
  components: [{ id: 'R1', type: 'Resistor', resistance: 'R/2' }],
  wires: [
    { id: 'top', ends: ['R1.a'] },
    { id: 'end', ends: ['R1.b'] },
  ],
};

function using(change: (document: ModelDocument) => void = () => undefined): ModelDocument {
  const document: ModelDocument = {
    ...drawn([['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }]]),
    instances: [{ id: 'half', of: 'Half' }],
    submodels: [structuredClone(HALF)],
    libraries: [{ name: 'Halves', hash: libraryHash([HALF]), submodels: ['Half'] }],
  };
  document.wires?.forEach(({ ends }, k) => ends.push(`half.${k === 0 ? 'a' : 'b'}`));
  change(document);
  return document;
}

const issuesOf = (document: ModelDocument) =>
  reportDocument(document).issues.map(({ code, pointer }) => [code, pointer]);

it('the hash is SHA-256', () => {
  for (const text of [
    '',
    'abc',
    'Ω'.repeat(40),
    '€😀\ud800é',
    'x'.repeat(55),
    'x'.repeat(56),
    'x'.repeat(1000),
  ])
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

describe('a library', () => {
  it('is read as it was written, whatever the order of its definitions and keys', () => {
    const other: SubmodelDocument = { ...HALF, id: 'Other' };
    const text = writeLibrary('Halves', [other, HALF]);
    const read = readLibrary(text);
    expect(read).toMatchObject({ ok: true, hash: libraryHash([HALF, other]) });
    if (!read.ok) throw new Error(read.message);
    expect(writeLibrary(read.library.title, read.library.submodels)).toBe(text);
    const turned = Object.fromEntries(Object.entries(HALF).reverse()) as unknown as SubmodelDocument;
    expect(libraryHash([turned])).toBe(libraryHash([HALF]));
  });

  it.each<[string, string]>([
    ['that is no JSON', 'nothing'],
    ['that is a model', writeDocument(using())],
    [
      'with a script',
      JSON.stringify({ moreauLibrary: 1, title: 'x', submodels: [HALF], scripts: [{ name: 'a.ts' }] }),
    ],
    ['with a definition twice', writeLibrary('x', [HALF, HALF])],
    [
      'without what it is made of',
      writeLibrary('x', [{ ...HALF, instances: [{ id: 'one', of: 'Missing' }] }]),
    ],
    ['with a name of JavaScript', writeLibrary('x', [HALF]).replaceAll('"R1"', '"__proto__"')],
  ])('%s is refused with a remedy', (_, text) => {
    const read = readLibrary(text);
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.message).toMatch(/\.$/);
    expect(read.remedy).toMatch(/\.$/);
  });

  it.each([
    ...['process.exit(1)', 'fetch("http://x")', 'import("fs")', 'require("fs")', 'eval("1")'],
    ...['globalThis.x', 'this', 'R.constructor.constructor("return process")()', 'R = 5', 'x => x'],
    ...['new Function("return 1")()', '`${1}`', 'R.__proto__', 'console.log(R)'],
  ])('of a stranger cannot do what a script may not: %s', (expression) => {
    const errorsOf = (change: (submodel: SubmodelDocument) => void): string[] => {
      const text = JSON.stringify({ moreauLibrary: 1, title: 'x', submodels: [HALF] });
      const read = readLibrary(text);
      if (!read.ok) throw new Error(read.message);
      const [stranger] = read.library.submodels;
      change(stranger);
      const again = readLibrary(writeLibrary('x', [stranger]));
      if (!again.ok) return [again.message];
      const document = using((draft) => {
        draft.submodels = again.library.submodels;
        draft.libraries = [];
      });
      return reportDocument(document).issues.flatMap(({ severity, pointer }) =>
        severity === 'error' ? [pointer] : [],
      );
    };
    expect(errorsOf((own) => (own.components[0].resistance = expression))).not.toEqual([]);
    expect(errorsOf((own) => (own.parameters[0].value = expression))).not.toEqual([]);
  });

  it('of a stranger brings no script along, whatever it calls it', () => {
    for (const key of ['scripts', 'script', 'builder'])
      for (const value of [
        [{ name: 'a.ts', role: 'builder', source: ['export default () => {};'] }],
        'a.ts',
      ]) {
        const inside = { ...HALF, [key]: value };
        for (const file of [{ submodels: [inside] }, { submodels: [HALF], [key]: value }])
          expect(readLibrary(JSON.stringify({ moreauLibrary: 1, title: 'x', ...file }))).toMatchObject({
            ok: false,
          });
      }
  });
});

describe('a model that uses one', () => {
  it('holds its content, and opens without the file', () => {
    const text = writeDocument(using());
    const { document, issues } = readDocument(text);
    expect(issues).toEqual([]);
    expect(document === null ? '' : writeDocument(document)).toBe(text);
    expect(issuesOf(using())).toEqual([]);
  });

  it('warns where its copy is another, or not there', () => {
    expect(
      issuesOf(using(({ submodels = [] }) => (submodels[0].components[0].resistance = 'R'))),
    ).toContainEqual(['library-changed', '/libraries/0']);
    expect(issuesOf(using(({ libraries = [] }) => libraries[0].submodels.push('Other')))).toContainEqual([
      'library-incomplete',
      '/libraries/0',
    ]);
  });
});
