import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../main/support';
import { moreau } from './support';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}

const RECTIFIER = 'Rectifier\nV1 in 0 SIN(0 10 50)\nD1 in out DM\nR1 out 0 1k\n.tran 10u 40m\n';
const MODEL = '.model DM D(IS=1e-14)\n';

describe('moreau import DATA.csv', () => {
  const DATA = 't [s];u [V];i (A)\n0;1,5;2\n1;3;x\n2;1;4\n3;2;5\n';
  const target = (): string =>
    file('m.moreau.json', readFileSync('resources/examples/half-wave-rectifier.moreau.json'));
  const tablesIn = (text: string): unknown => (JSON.parse(text) as { tables?: unknown }).tables;

  it('puts columns into a model as tables, and says which rows it leaves out', async () => {
    const model = target();
    const args = ['import', file('scope.csv', DATA), '--into', model, '--out', model];
    const { code, out, notes } = await moreau(args);
    expect([code, out]).toEqual([0, `${model}\n`]);
    expect(notes).toContain('warning: scope.csv:3: The cell of “i (A)” is “x”, which is no number');
    expect(notes).toContain('2 tables of 3 rows: table(scope_u, t), table(scope_i, t)');
    expect(tablesIn(readFileSync(model, 'utf8'))).toEqual([
      { id: 'scope_u', description: 'u of scope.csv', unit: 'V', t: [0, 2, 3], y: [1.5, 1, 2] },
      { id: 'scope_i', description: 'i of scope.csv', unit: 'A', t: [0, 2, 3], y: [2, 4, 5] },
    ]);
    const again = await moreau(args);
    expect([again.code, again.notes]).toEqual([2, expect.stringContaining('let it give way by --replace')]);
    expect((await moreau([...args, '--replace', '--column', 'u'])).code).toBe(0);
    expect(tablesIn(readFileSync(model, 'utf8'))).toHaveLength(3);
  });

  it('takes columns by name or number, a name and a period', async () => {
    const flags = ['--column', 'u', '--name', 'drive', '--periodic', '--into', target()];
    const { code, out } = await moreau(['import', file('scope.csv', DATA), ...flags]);
    expect(code).toBe(0);
    expect(tablesIn(out)).toMatchObject([{ id: 'drive', period: 3, y: [1.5, 3, 1, 2] }]);
    const byNumber = await moreau(['import', file('scope.csv', DATA), '--column', '3', '--into', target()]);
    expect(tablesIn(byNumber.out)).toMatchObject([{ id: 'scope', unit: 'A' }]);
  });

  it.each([
    ['without a model', DATA, [], 'name it by --into MODEL'],
    ['with a column misspelt', DATA, ['--column', 'uu', '--into', ''], 'Did you mean u?'],
    [
      'with times that fall',
      '0,1\n2,1\n1,3\n',
      ['--into', ''],
      'error: scope.csv:3: The time 1 is not after 2',
    ],
    ['of one column', '0\n1\n', ['--into', ''], 'has one column only'],
    ['with a name that is none', DATA, ['--name', '2 u', '--into', ''], '“2 u” is no name'],
  ])('refuses data %s', async (_, text, flags, words) => {
    const args = ['import', file('scope.csv', text), ...flags.map((flag) => flag || target())];
    const { code, out, notes } = await moreau(args);
    expect([code, out]).toEqual([2, '']);
    expect(notes).toContain(words);
  });
});

describe('moreau import', () => {
  it('writes a model of a netlist, and what is left out at its line', async () => {
    const out = join(folder.path, 'rectifier.moreau.json');
    const outcome = await moreau(['import', file('rectifier.cir', RECTIFIER + MODEL), '--out', out]);
    expect([outcome.code, outcome.out]).toEqual([0, `${out}\n`]);
    expect(outcome.notes).toMatch(
      /^warning: rectifier.cir:6:1: Of the model “DM”, IS is not modelled.\n {2}\S/m,
    );
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      title: 'Rectifier',
      components: [{ type: 'SineVoltage' }, { type: 'Diode' }, { type: 'Resistor' }, {}, {}],
    });
  });

  it('leaves no model of a netlist with errors', async () => {
    const { code, out, notes } = await moreau(['import', file('a.cir', `${RECTIFIER}Q1 a b c QM\n`)]);
    expect([code, out]).toEqual([2, '']);
    expect(notes).toContain('error: a.cir:6:1: A bipolar transistor (Q) is not modelled.');
    expect(notes).toContain('The netlist has 2 errors.');
  });

  it('reads no file that a netlist names but those that it is given', async () => {
    const model = file('diodes.lib', MODEL);
    const netlist = file('b.cir', `${RECTIFIER}.include ${model}\n`);
    const { code, notes } = await moreau(['import', netlist]);
    expect(code).toBe(2);
    expect(notes).toContain('error: b.cir:6:1: The netlist asks for the file “diodes.lib”.');
    expect((await moreau(['import', netlist, '--include', model])).code).toBe(0);
  });

  it('reads files in the encodings of other simulators', async () => {
    const text = RECTIFIER.replace('1k', '5µ') + MODEL;
    const resistance = async (bytes: Uint8Array): Promise<unknown> => {
      const { out } = await moreau(['import', file('c.cir', bytes)]);
      return (JSON.parse(out) as { components: { id: string }[] }).components[2];
    };
    const expected = { id: 'R1', type: 'Resistor', resistance: 5e-6 };
    expect(await resistance(Buffer.from(text, 'latin1'))).toEqual(expected);
    expect(await resistance(Buffer.from(`\uFEFF${text}`, 'utf16le'))).toEqual(expected);
    expect(await resistance(Buffer.from(text))).toEqual(expected);
  });
});
