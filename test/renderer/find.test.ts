import { describe, expect, it } from 'vitest';
import { asOperand, namesInExpression, replaceName } from '@renderer/document/expression-names';
import { findText } from '@renderer/document/find-text';
import { parameterUses } from '@renderer/document/parameter-uses';
import { scriptReplacement, scriptUses } from '@renderer/document/script-parameters';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { useDocumentStore } from '@renderer/stores/document';
import { useFindStore } from '@renderer/stores/find';
import { camFollower } from './fake/cam-follower';
import { openCamFollower } from './setup';

describe('names in an expression', () => {
  it('are neither members nor parts of numbers and other names', () => {
    expect(namesInExpression('2e3*e + ball.e - e1/2e-1').map(({ name }) => name)).toEqual([
      'e',
      'ball',
      'e1',
    ]);
  });

  it('are replaced after every operator, also without blanks', () => {
    expect(replaceName('1-e*2e+e', 'e', 'r')).toBe('1-r*2r+r');
    expect(replaceName('(1-mu)/mu', 'mu', 'x')).toBe('(1-x)/x');
  });

  it('give way to a value in parentheses where it needs them', () => {
    expect([asOperand('a + b'), asOperand('-2'), asOperand('2.5e-3'), asOperand(' k ')]).toEqual([
      '(a + b)',
      '(-2)',
      '2.5e-3',
      'k',
    ]);
  });
});

describe('uses of a parameter in a script', () => {
  const script = [
    'function angle(t: number, p: Parameters): number { return p.rpm * t; }',
    "export const gap: TimeGap = (t, q, par) => q[0] - par.rpm + other.rpm + par['rpm'];",
    'export const lift = (q: Float64Array, { rpm, k }: Parameters): number => rpm * k;',
    'const rpm = 3; // p.rpm',
  ].join('\n');

  it('are found by what the object is, whatever it is called', async () => {
    await openCamFollower();
    const { catalogue } = useCatalogueStore();
    const kind = Object.values(catalogue?.plugins ?? {}).find(({ parameters }) => parameters.length === 3);
    const place = kind?.parameters.indexOf('p') ?? 0;
    const names = ['a', 'b', 'c'].with(place, 'par');
    const typed = script.replace(
      'gap: TimeGap = (t, q, par)',
      `gap: ${kind?.typeName} = (${names.join(', ')})`,
    );
    const uses = scriptUses(typed, 'rpm', catalogue, false);
    const written = uses.map((use) => [typed.slice(use.start, use.end), use.form, use.isSure]);
    expect(written).toEqual([
      ['rpm', 'plain', true],
      ['rpm', 'plain', true],
      ['rpm', 'plain', false],
      ["'rpm'", 'quoted', true],
      ['rpm', 'shorthand', true],
    ]);
    expect(uses.map((use) => scriptReplacement(use, 'rpm', 'n')).at(-1)).toBe('n: rpm');
  });

  it('in a builder script are in the expressions of what it builds, too', () => {
    const builder =
      "export default ((m, p) => { m.system({ id: 'm', mass: [['m']], fExt: ['-m*g'] }); p.m; }) satisfies Builder;";
    const uses = scriptUses(builder, 'm', null, true);
    expect(uses.map(({ start, isSure }) => [builder.slice(start - 1, start + 2), isSure])).toEqual([
      ["'m'", false],
      ["'m'", false],
      ['-m*', true],
      ['.m;', true],
    ]);
  });

  it('in a script that is no program yet are for the hand to decide', () => {
    expect(scriptUses('export const f = (p => p.rpm', 'rpm', null, false)).toEqual([
      { start: 25, end: 28, form: 'plain', isSure: false },
    ]);
  });
});

describe('replacing a parameter', () => {
  async function opened(): Promise<ReturnType<typeof useFindStore>> {
    await openCamFollower();
    useDocumentStore().edit('prepare', (draft) => {
      draft.parameters.push({ name: 'omega', value: '2*pi*rpm/60' });
      draft.simulation.h = '1/rpm';
      draft.scripts.push({
        name: 'more.ts',
        role: 'functions',
        source: ['const f = (p: Parameters) => p.rpm;'],
      });
    });
    const store = useFindStore();
    store.showUses('rpm');
    return store;
  }

  it('lists every use, and renames those that are ticked with the parameter as one step', async () => {
    const store = await opened();
    const documents = useDocumentStore();
    const before = JSON.stringify(documents.model);
    const places = store.found.map(({ pointer }) => pointer);
    expect(places).toEqual(expect.arrayContaining(['/parameters/4/value', '/simulation/h', '/scripts/1']));
    store.by = 'speed';
    expect(store.change).toBe('rename');
    store.replace();
    expect(documents.model.parameters.map(({ name }) => name)).toContain('speed');
    expect(documents.model.parameters[4]?.value).toBe('2*pi*speed/60');
    expect(documents.model.scripts[1]?.source).toEqual(['const f = (p: Parameters) => p.speed;']);
    documents.undo();
    expect(JSON.stringify(documents.model)).toBe(before);
  });

  it('puts a value in its place, in parentheses where they are needed, and leaves what is not ticked', async () => {
    const store = await opened();
    const documents = useDocumentStore();
    const h = store.found.find(({ pointer }) => pointer === '/simulation/h');
    if (h === undefined) throw new Error('h uses rpm');
    store.by = '-60';
    expect(store.change).toBe('value');
    store.tick(store.found.find(({ key }) => key === h.key) ?? h);
    store.replace();
    expect(documents.model.parameters[4]?.value).toBe('2*pi*(-60)/60');
    expect(documents.model.simulation.h).toBe('1/rpm');
    expect(documents.model.scripts[1]?.source).toEqual(['const f = (p: Parameters) => (-60);']);
    expect(documents.model.parameters[0]?.name).toBe('rpm');
  });

  it('refuses a name that an element has', async () => {
    const store = await opened();
    store.by = 'follower';
    expect([store.change, store.canReplace]).toEqual(['refused', false]);
  });

  it('does not take a unit for a use', () => {
    const document = camFollower();
    const [system] = document.systems;
    if (system !== undefined) system['coordinateUnit'] = 'm';
    const catalogue = useCatalogueStore().catalogue;
    const places = parameterUses(document, catalogue, 'm').map(({ pointer }) => pointer);
    expect(places).toEqual(['/systems/0/mass/0/0']);
  });
});

describe('words in the model', () => {
  it('are found in names, expressions, scripts and texts, and names are replaced with what refers to them', async () => {
    await openCamFollower();
    const documents = useDocumentStore();
    const store = useFindStore();
    store.showText();
    store.query = 'follower';
    const kinds = new Set(
      findText(documents.model, null, 'follower', { matchCase: false }, 100).map(({ kind }) => kind),
    );
    expect([...kinds]).toEqual(expect.arrayContaining(['name', 'expression']));
    store.by = 'rocker';
    store.replace();
    expect(documents.model.systems[0]?.id).toBe('rocker');
    expect(documents.model.interactions[0]?.systems).toEqual(['rocker']);
    expect(documents.model.observables[0]?.expression).toContain('rocker.q');
    documents.undo();
    expect(documents.model.systems[0]?.id).toBe('follower');
    store.query = 'CAM';
    store.matchCase = true;
    expect(store.found.filter(({ text }) => !text.includes('CAM'))).toEqual([]);
  });
});
