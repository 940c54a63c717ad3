/** Functions of scripts and the elements that use them: found, assigned, renamed, created. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createMissing } from '@renderer/script/lens-actions';
import { lensesOf } from '@renderer/script/lenses';
import { functionsOf } from '@renderer/script/outline';
import { replaceRanges } from '@renderer/document/expression-names';
import { renameName, renameProblem } from '@renderer/script/rename-function';
import { duplicateScript, moveScript, nameProblem, renameScriptFile } from '@renderer/script/script-files';
import { fieldsFor, functionUses, missingFunctions, useFunction } from '@renderer/script/usages';
import { usesNow } from '@renderer/script/uses';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { openCamFollower } from '../setup';

const PUSH = 'export const push: ExternalForce = (t, out, p) => { out[0] = push.length; };';

function addScript(name: string, ...source: string[]): void {
  useDocumentStore().edit('add', (draft) => void draft.scripts.push({ name, role: 'functions', source }));
}

const use = (name: string): void =>
  useDocumentStore().edit('use', (draft) => {
    const [system] = draft.systems;
    if (system !== undefined) system['fExt'] = { function: name };
  });

const usesOf = (name: string): string[] =>
  (usesNow().get(name) ?? []).map(({ element, field }) => `${element}: ${field}`);

const catalogue = (): NonNullable<ReturnType<typeof useCatalogueStore>['catalogue']> => {
  const { catalogue: known } = useCatalogueStore();
  if (known === null) throw new Error('no catalogue');
  return known;
};

beforeEach(async () => {
  await openCamFollower();
  addScript('more.ts', PUSH);
});

describe('uses of functions', () => {
  it('name the element and the field, and follow the document', () => {
    expect(usesOf('push')).toEqual([]);
    use('push');
    expect(usesOf('push')).toEqual(['follower: External force']);
    useDocumentStore().undo();
    expect(usesOf('push')).toEqual([]);
  });

  it('are found in elements a builder made, and by observables', () => {
    const { model } = useDocumentStore();
    const document = { ...model, observables: [{ name: 'top', function: 'height', system: 'follower' }] };
    const built = {
      systems: [{ id: 'made', type: 'LagrangianLinearTI', fExt: { function: 'push' } }],
      interactions: [],
    };
    const uses = functionUses(document, built, catalogue());
    expect(uses.get('push')).toEqual([{ element: 'made', field: 'External force', isObservable: false }]);
    expect(uses.get('height')).toEqual([{ element: 'top', field: '', isObservable: true }]);
  });

  it('can be given to a function that has none', () => {
    const documents = useDocumentStore();
    const [field] = fieldsFor('externalForce', documents.model, catalogue());
    expect(field).toMatchObject({ element: 'follower', key: 'fExt' });
    if (field !== undefined) documents.edit('use', (draft) => useFunction(draft, field, 'push'));
    expect(usesOf('push')).toEqual(['follower: External force']);
  });

  it('of a function that no script has lead to its creation', () => {
    const documents = useDocumentStore();
    use('pull');
    const exported = new Set(functionsOf(documents.model.scripts).map(({ name }) => name));
    expect(missingFunctions(documents.model, exported, catalogue())).toContain('pull');
    createMissing('pull', 'more.ts');
    const made = functionsOf(documents.model.scripts).find(({ name }) => name === 'pull');
    expect(made).toMatchObject({ script: 'more.ts', typeName: 'ExternalForce' });
  });
});

describe('lenses', () => {
  it('say who uses a function, that nothing does, and what it costs', () => {
    const script = { name: 'more.ts', role: 'functions' as const, source: ['', PUSH] };
    const unused = lensesOf(script, new Map(), [], null);
    expect(unused.map(({ line, command }) => [line, command?.id])).toEqual([
      [2, undefined],
      [2, 'assign'],
    ]);
    use('push');
    const cost = {
      function: 'push',
      isDerivative: false,
      nanoseconds: 38.2,
      callsPerStep: 4,
      calls: 2.1e6,
      share: 0.12,
    };
    const [used, measured] = lensesOf(script, usesNow(), [], { runId: 'r', steps: 10, functions: [cost] });
    expect(used).toMatchObject({ title: 'Used by follower (External force)', command: { id: 'select' } });
    expect(measured?.title).toMatch(/^38 ns per call · 4 per step · .* calls · 12 % of the run$/);
  });

  it('count what they cannot name, and leave builders alone', () => {
    const uses = Array.from({ length: 7 }, (_, i) => ({ element: `e${i}`, field: 'F', isObservable: false }));
    const script = { name: 'more.ts', role: 'functions' as const, source: [PUSH] };
    expect(lensesOf(script, new Map([['push', uses]]), [], null)[0]?.title).toMatch(/e3 \(F\) and 3 more$/);
    expect(lensesOf({ ...script, role: 'builder' }, new Map(), ['x'], null)).toEqual([]);
    const written = {
      ...script,
      source: Array.from({ length: 5000 }, (_, k) => `export function f${k}(): void {}`),
    };
    const [lens, ...others] = lensesOf(written, new Map([['f7', uses]]), [], null);
    expect(lens).toMatchObject({ line: 8, command: { argument: 'f7' } });
    expect(others).toEqual([]);
  });
});

describe('a new name of a function', () => {
  it('is that of its uses, in one step', () => {
    const documents = useDocumentStore();
    use('push');
    const at = PUSH.indexOf('push');
    const again = PUSH.lastIndexOf('push');
    addScript('user.ts', "import { push } from './more';");
    renameName(
      'more.ts',
      'push',
      'shove',
      new Map([
        [
          'more.ts',
          [
            [at, at + 4],
            [again, again + 4],
          ],
        ],
        ['user.ts', [[9, 13]]],
      ]),
    );
    expect(documents.model.scripts.slice(1).map(({ source }) => source)).toEqual([
      [PUSH.replaceAll('push', 'shove')],
      ["import { shove } from './more';"],
    ]);
    expect(usesOf('shove')).toEqual(['follower: External force']);
    documents.undo();
    expect(documents.model.scripts.at(-1)?.source).toEqual(["import { push } from './more';"]);
    expect(usesOf('push')).toEqual(['follower: External force']);
  });

  it('must be a name, and free', () => {
    expect(renameProblem('push', '2push')).toContain('“2push”');
    expect(renameProblem('camGap', 'push')).toContain('already');
    expect(renameProblem('push', 'shove')).toBeNull();
  });

  it('replaces ranges from the end', () => {
    expect(
      replaceRanges('a + a', [
        { start: 0, end: 1, by: 'long' },
        { start: 4, end: 5, by: 'long' },
      ]),
    ).toBe('long + long');
  });
});

describe('scripts as files', () => {
  const names = (): string[] => useDocumentStore().model.scripts.map(({ name }) => name);

  it('are renamed, copied and moved, each undoable', () => {
    const first = names()[0] ?? '';
    renameScriptFile('more.ts', 'forces.ts');
    expect(names()).toEqual([first, 'forces.ts']);
    expect(duplicateScript('forces.ts')).toBe('forces-2.ts');
    moveScript('forces-2.ts', -2);
    expect(names()).toEqual(['forces-2.ts', first, 'forces.ts']);
    moveScript('forces-2.ts', -1);
    expect(names()[0]).toBe('forces-2.ts');
    useDocumentStore().undo();
    useDocumentStore().undo();
    useDocumentStore().undo();
    expect(names()).toEqual([first, 'more.ts']);
  });

  it('are followed by the imports of others', () => {
    addScript('user.ts', 'import {', '  push', "} from './more';", "import { a } from './more-2';");
    renameScriptFile('more.ts', 'forces.ts');
    expect(useDocumentStore().model.scripts.at(-1)?.source.slice(2)).toEqual([
      "} from './forces';",
      "import { a } from './more-2';",
    ]);
  });

  it('have names that the document allows', () => {
    expect(nameProblem('a b.ts', [])).not.toBeNull();
    expect(nameProblem('a.ts', ['a.ts'])).not.toBeNull();
    expect(nameProblem('a.ts', ['b.ts'])).toBeNull();
  });
});
