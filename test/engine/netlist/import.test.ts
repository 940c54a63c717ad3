/** Netlists become models; what is wrong with them is said at its place. */
import { describe, expect, it } from 'vitest';
import { structuralIssues } from '@engine/document/structure';
import type { ModelDocument } from '@engine/document/types';
import { importNetlist } from '@engine/netlist/import';
import { numberOf } from '@engine/netlist/statements';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { lines } from './lines';
import { bodies, netlist } from './netlists';

const imported = (text: string, files = {}): ReturnType<typeof importNetlist> =>
  importNetlist(text, 'circuit.cir', files);

function model(text: string): ModelDocument {
  const { document, issues } = imported(text);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (document === null) throw new Error('no model');
  return document;
}

const said = (text: string): string[] =>
  imported(text).issues.map(
    ({ severity, line, column, code, message }) => `${severity} ${line}:${column} ${code}: ${message}`,
  );

describe('a netlist', () => {
  it.each(Object.keys(bodies))('with %s becomes components', (name) => {
    const document = model(netlist(bodies[name]));
    expect(structuralIssues(document)).toEqual([]);
    expect(lines(document)).toMatchSnapshot();
  });

  it('has a title, comments, continued lines, and words in any case', () => {
    const text = [
      'Divider',
      '* a comment',
      'v1 IN 0 dc 5 ; behind a line',
      'R1 in Out $ behind another',
      '* between',
      '+ 1K',
      'r2 out 0 2k // third',
      '.TRAN 1u 2m UIC',
      '.END',
      'nothing of this is read',
    ].join('\r\n');
    const document = model(text);
    expect(lines(document)).toEqual([
      'v1 VoltageSource n=0 p=in {voltage: 5}',
      'R1 Resistor a=in b=out {resistance: 1000}',
      'r2 Resistor a=out b=0 {resistance: 2000}',
    ]);
    expect(document.title).toBe('Divider');
    expect(document.simulation).toMatchObject({ tEnd: 2e-3, h: 1e-6 });
    expect(document.views).toMatchObject([
      { signals: ['in.v', 'out.v'] },
      { signals: ['v1.i', 'R1.i', 'r2.i'] },
    ]);
  });

  it('keeps its parameters, and those of sub-circuits as formulas of them', () => {
    const text = netlist(
      '.param rl=1k k=2\nV1 a 0 {k}\nX1 a 0 load R={rl*k}\n.subckt load p n R=1 G={1/R}\nR1 p m {R}\nR2 m n {1/G + k}\n.ends\n',
    );
    const document = model(text);
    expect(document.parameters).toEqual([
      { name: 'rl', value: 1000 },
      { name: 'k', value: 2 },
    ]);
    expect(lines(document).slice(1)).toEqual([
      'X1_R1 Resistor a=a b=x1_m {resistance: "rl*k"}',
      'X1_R2 Resistor a=x1_m b=0 {resistance: "(1/(1/(rl*k))) + k"}',
    ]);
  });

  it('reads numbers with suffixes as they are written', () => {
    const numbers = [
      '47u',
      '4.7k',
      '1meg',
      '1MEGohm',
      '2mil',
      '100nF',
      '1e3',
      '1e-3k',
      '.5',
      '5.',
      '-3m',
      '10V',
      '1F',
    ];
    expect(numbers.map(numberOf)).toEqual([
      ...[47e-6, 4700, 1e6, 1e6, 50.8e-6, 100e-9, 1000, 1, 0.5, 5, -3e-3, 10, 1e-15],
    ]);
    expect(['4k7', 'abc', '1.2.3', '', '1e'].map(numberOf)).toEqual([null, null, null, null, 1]);
  });

  it('takes included files that it is given, and asks for the others', () => {
    const text = netlist(
      'V1 a 0 1\nR1 a b 1\nD1 b 0 DM\n.include "C:\\models\\diodes.lib"\n.lib other.lib TT\n',
    );
    const first = imported(text);
    expect(first.document).toBeNull();
    expect(first.wanted).toEqual([
      { name: 'diodes.lib', file: 'circuit.cir', line: 5, column: 1 },
      { name: 'other.lib', file: 'circuit.cir', line: 6, column: 1 },
    ]);
    const files = {
      'diodes.lib': '.model DM D(RS=0.5)\n',
      'other.lib': '.lib FF\n.param x=1\n.endl\n.lib TT\n.param x=2\n.endl\n',
    };
    const { document } = imported(text, files);
    expect(document?.components?.find(({ id }) => id === 'D1')).toMatchObject({ onResistance: 0.5 });
    expect(document?.parameters).toEqual([{ name: 'x', value: 2 }]);
  });

  it('includes itself only for a while', () => {
    const { issues } = imported(netlist('.include a.lib\n'), { 'a.lib': '.include a.lib\n' });
    expect(issues.map(({ code }) => code)).toContain('netlist-include-circle');
  });

  it('says at its place what is left out', () => {
    const text =
      'Title\nV1 a 0 DC 1 AC 1\nD1 a b DM\nR1 b 0 1\nC1 b 0 1u\n.model DM D(IS=1p\n+ CJO=2p)\n.control\nrun\n.endc\n.save all\n.foo\n';
    expect(said(text)).toMatchSnapshot();
  });

  it.each([
    ['E1 b 0 a 0 TABLE {V(a)} = (0,0) (1,1)', '“TABLE” of a controlled source is not modelled.', 1],
    ['G1 b 0 LAPLACE {V(a)} = {1/(1+s)}', '“LAPLACE” of a controlled source is not modelled.', 1],
    ['M1 a b c d NM', 'A MOSFET (M) is not modelled.', 1],
    ['Q1 a b c QM', 'A bipolar transistor (Q) is not modelled.', 1],
    ['J1 a b c JM', 'A junction transistor (J) is not modelled.', 1],
    ['Z1 a b c ZM', 'A MESFET or IGBT (Z) is not modelled.', 1],
    ['T1 a 0 b 0 Z0=50', 'A transmission line (T) is not modelled.', 1],
    ['R9 a 0', '“R9” has no value.', 1],
    ['R9 a 0 4k7', '“4k7” is no number.', 8],
    ['R9 a 0 1k 5', '“R9” is complete before this.', 11],
    ['R9 a 0 1k m=2', '“m” is not known here.', 11],
    ['R9 a 0 {2*q}', 'There is no parameter “q”.', 11],
    ['R9 a 0 {v(a)}', 'This value changes with time, or with voltages and currents.', 8],
    ['R9 a 0 {1+', 'This cannot be read: the end of the line stands where', 11],
    ['B9 a 0 V=v(a)*v(a)', 'This formula is not linear in voltages and currents.', 1],
    ['B9 a 0 V=foo(time)', 'The function “foo” is not known.', 10],
    ['D9 a 0 DX', 'There is no model “DX”.', 8],
    ['S9 a 0 a 0 DM', 'The model “DM” is one of type D, not SW.', 12],
    ['F9 a 0 V9 2', 'There is no element “v9”.', 1],
    ['K9 L1 L9 1', 'There is no element “l1”.', 1],
    ['X9 a 0 none', 'There is no sub-circuit “none”.', 8],
    ['X9 a one', 'The sub-circuit “one” has 2 nodes, and “X9” gives 1.', 1],
    ['X9 a 0 self', 'The sub-circuit “self” contains itself.', 1],
    ['R1 a 0 5', '“R1” stands twice in the netlist.', 1],
    ['V9 a 0 TRNOISE(1 1)', 'The source function “trnoise” is not modelled.', 8],
    ['V9 a 0 PWL(0 0 1)', 'PWL takes pairs of a time and a value; the last time has none.', 8],
    ['V9 a 0 PWL(0 0 2 1 1 1)', 'The times of PWL must rise, and 1 follows 2.', 8],
    ['.ends', 'No sub-circuit ends here.', 1],
    ['.subckt open a', 'The sub-circuit “open” does not end.', 1],
    ['.param y={2*z} z={y}', 'The parameter “y” depends on itself.', 8],
    ['ä a 0 1', 'No element is called “ä”: its first letter says what it is.', 1],
  ])('refuses %s', (line, message, column) => {
    const body = `V1 a 0 1\nR1 a 0 1\n.model DM D\n.subckt one p q R=1\nR1 p q {R}\n.ends\n.subckt self p q\nX1 p q self\n.ends\n${line}\n`;
    const { document, issues } = imported(netlist(body));
    expect(document).toBeNull();
    const found = issues.find((one) => one.message.startsWith(message));
    expect(found, JSON.stringify(issues)).toBeDefined();
    if (!line.startsWith('X9 a 0 self')) expect([found?.line, found?.column]).toEqual([11, column]);
    expect(found?.remedy).not.toBe('');
  });

  it('ends for any text', () => {
    const texts = Object.values(bodies).map(netlist);
    const random = seeded(41);
    const count = sample(400, 10_000);
    const pick = (text: string): string => text[random.integer(0, text.length - 1)];
    for (let n = 0; n < count; n++) {
      let text = texts[random.integer(0, texts.length - 1)];
      for (let k = random.integer(1, 6); k > 0; k--) {
        const at = random.integer(0, text.length - 1);
        const to = random.integer(at, Math.min(text.length, at + 12));
        const piece = random.chance(0.5)
          ? pick('(){}\'"=,+-*/^?:;$.\n\t 0aXvK\uFFFD')
          : pick(texts[random.integer(0, texts.length - 1)]).repeat(random.integer(0, 3));
        text = random.chance(0.3)
          ? text.slice(0, at) + text.slice(to)
          : text.slice(0, at) + piece + text.slice(at);
      }
      const { document, issues } = imported(text);
      expect(document === null, text).toBe(issues.some(({ severity }) => severity === 'error'));
      if (document !== null) expect(structuralIssues(document), text).toEqual([]);
      for (const { line, column } of issues) expect(line >= 1 && column >= 1).toBe(true);
    }
  });

  it.each([
    ['brackets', `R1 a 0 {${'('.repeat(5000)}1${')'.repeat(5000)}}`],
    ['signs', `R1 a 0 {${'-'.repeat(5000)}1}`],
    ['powers', `R1 a 0 {${'2^'.repeat(5000)}1}`],
    ['sums', `R1 a 0 {${'x+'.repeat(5000)}1}`],
    ['groups', `V1 a 0 SIN${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['words', `R1 a 0 1 ${'x '.repeat(20_000)}`],
    ['a long line', `R1 ${'a'.repeat(2_000_000)} 0 1`],
  ])('refuses %s without end', (_name, line) => {
    expect(imported(netlist(`V1 a 0 1\n${line}\n`)).document).toBeNull();
  });

  it('grows no larger by sub-circuits of sub-circuits than a document may', () => {
    const levels = Array.from(
      { length: 12 },
      (_, k) =>
        `.subckt s${k} a b\n${Array.from({ length: 8 }, (_, j) => `X${j} a b s${k + 1}`).join('\n')}\n.ends\n`,
    ).join('');
    const { issues } = imported(netlist(`V1 a 0 1\nX1 a 0 s0\n${levels}.subckt s12 a b\nR1 a b 1\n.ends\n`));
    expect(issues.map(({ code }) => code)).toContain('netlist-large');
  });
});
