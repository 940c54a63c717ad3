import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import type { ModelDocument } from '@engine/document/types';
import { describe, expect, it } from 'vitest';
import { shapeDefect } from '@renderer/document/document-shape';
import { EditHistory } from '@renderer/document/history';
import { changeInto, sameJson } from '@renderer/document/structural-edit';
import { camFollower } from './fake/cam-follower';

/** Applies `after` to a history that holds `before`. */
function changed(before: object, after: object): EditHistory<object> {
  const history = new EditHistory<object>(before, () => 0);
  history.edit('text', (draft) => changeInto<object>(draft, before, after));
  return history;
}

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('', 'a', 'b', 'rpm/60'),
    fc.array(tie('value'), { maxLength: 5 }),
    tie('section'),
  ),
  // Few keys and names, so that lists have entries in common, moved, or of one name.
  section: fc.dictionary(fc.constantFrom('id', 'name', 'x', 'y', 'type'), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
})).section as fc.Arbitrary<object>;

describe('the least change from one document to another', () => {
  it('gives exactly the other one, and undo exactly the first, for any two values of JSON', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const kept = structuredClone(before);
        const history = changed(before, after);
        expect(history.state).toEqual(after);
        history.undo();
        expect(history.state).toEqual(kept);
        history.redo();
        expect(history.state).toEqual(after);
      }),
      { numRuns: 400 },
    );
  });

  it('gives exactly the text after random edits of it', () => {
    const source = JSON.stringify(camFollower());
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.nat(source.length), fc.nat(3), fc.constantFrom('', '1', ',', '"a"', '[]', '{}', 'e')),
        ),
        (edits) => {
          let written = source;
          for (const [at, removed, added] of edits) {
            const next = written.slice(0, at) + added + written.slice(at + removed);
            try {
              if (shapeDefect(JSON.parse(next), 3) === null) written = next;
            } catch {
              // Most random edits leave no JSON, and the text stays what it was.
            }
          }
          const after = JSON.parse(written) as object;
          const history = changed(camFollower(), after);
          expect(history.state).toEqual(after);
          history.undo();
          expect(history.state).toEqual(camFollower());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves everything that is equal as the same object', () => {
    const before = camFollower();
    const after = camFollower();
    after.parameters[0].value = 400;
    const history = changed(before, after);
    const state = history.state as ModelDocument;
    expect(state.systems).toBe(before.systems);
    expect(state.simulation).toBe(before.simulation);
    expect(state.parameters[1]).toBe(before.parameters[1]);
    expect(state.parameters[0]?.value).toBe(400);
  });

  it('knows entries by their names when one is put in or taken out', () => {
    const before = {
      list: [
        { id: 'a', x: 1 },
        { id: 'b', x: 2 },
        { id: 'c', x: 3 },
      ],
    };
    const after = {
      list: [
        { id: 'a', x: 1 },
        { id: 'c', x: 4 },
      ],
    };
    const state = changed(before, after).state as typeof before;
    expect(state).toEqual(after);
    expect(state.list[0]).toBe(before.list[0]);
  });

  it('takes keys in another order for the same', () => {
    expect(sameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(sameJson({ a: 1 }, { a: 1, b: undefined })).toBe(false);
  });
});

describe('the shape of a document', () => {
  it('is that of every example', () => {
    for (const name of readdirSync('resources/examples').filter((file) => file.endsWith('.json'))) {
      const document: unknown = JSON.parse(readFileSync(`resources/examples/${name}`, 'utf8'));
      expect([name, shapeDefect(document, 3)]).toEqual([name, null]);
    }
  });

  it.each([
    ['a list that is none', { parameters: {} }, '/parameters', 'list'],
    ['a dashboard that is none', { dashboards: [null] }, '/dashboards/0', 'object'],
    [
      'a layout without parts',
      { dashboards: [{ id: 'd', layout: { split: 'vertical', children: [{ tabs: ['a'] }, {}] } }] },
      '/dashboards/0/layout/children/1/split',
      'text',
    ],
    ['a dashboard twice', { dashboards: [{ id: 'd' }, { id: 'd' }] }, '/dashboards/1/id', 'taken'],
    [
      'an interaction without systems',
      { interactions: [{ id: 'a', relation: { type: 'R' }, law: { type: 'L' } }] },
      '/interactions/0/systems',
      'list',
    ],
    [
      'a field that is null',
      { systems: [{ id: 's', type: 'T', mass: [[null]] }] },
      '/systems/0/mass/0/0',
      'value',
    ],
    [
      'a name that is taken',
      {
        parameters: [
          { name: 'k', value: 1 },
          { name: 'k', value: 2 },
        ],
      },
      '/parameters/1/name',
      'taken',
    ],
    ['another version', { formatVersion: 1 }, '/formatVersion', 'version'],
    [
      'a source that is one text',
      { scripts: [{ name: 'a.ts', role: 'functions', source: 'x' }] },
      '/scripts/0/source',
      'list',
    ],
  ])('is missing: %s', (_what, change, pointer, expected) => {
    expect(shapeDefect({ ...camFollower(), ...change }, 3)).toEqual({ pointer, expected });
  });

  it('refuses a key that is none in JavaScript', () => {
    const source = JSON.stringify(camFollower()).replace('"layout"', '"__proto__":{},"layout"');
    expect(shapeDefect(JSON.parse(source), 3)).toEqual({ pointer: '/__proto__', expected: 'key' });
  });
});
