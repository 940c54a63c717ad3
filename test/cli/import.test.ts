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
