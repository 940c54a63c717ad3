/** Schematics of LTspice keep the places of their elements, and pins stand where wires end. */
import { describe, expect, it } from 'vitest';
import { structuralIssues } from '@engine/document/structure';
import { importSchematic } from '@engine/netlist/schematic';
import { componentTypes } from '@engine/model/components/registry';
import { sample } from '../../support/prove';
import { seeded } from '../support/random';
import { lines } from './lines';

const RECTIFIER = `Version 4
SHEET 1 880 680
WIRE 96 80 0 80
WIRE 256 80 160 80
WIRE 352 80 256 80
WIRE 0 112 0 80
WIRE 256 112 256 80
WIRE 352 112 352 80
WIRE 0 224 0 192
WIRE 256 224 256 176
WIRE 256 224 0 224
WIRE 352 224 352 192
WIRE 352 224 256 224
WIRE 0 240 0 224
FLAG 0 240 0
FLAG 352 80 out
SYMBOL voltage 0 96 R0
SYMATTR InstName V1
SYMATTR Value SINE(0 10 50)
SYMBOL diode 96 96 R270
WINDOW 0 32 32 VTop 2
SYMATTR InstName D1
SYMATTR Value D
SYMBOL cap 240 112 R0
SYMATTR InstName C1
SYMATTR Value 47\u00b5
SYMBOL res 336 96 R0
SYMATTR InstName R1
SYMATTR Value {load}
TEXT 0 280 Left 2 !.tran 0 40m 0 10u
TEXT 0 300 Left 2 !.param load=1k\\n.options plotwinsize=0
TEXT 0 320 Left 2 ;a comment
`;

describe('a schematic of LTspice', () => {
  it('becomes components where they are drawn', () => {
    const { document, issues } = importSchematic(RECTIFIER, 'rectifier.asc');
    expect(issues.map(({ severity, line, message }) => `${severity} ${line} ${message}`)).toEqual([
      'note 31 “.options” is left out.',
    ]);
    if (document === null) throw new Error('no model');
    expect(structuralIssues(document)).toEqual([]);
    expect(document.title).toBe('rectifier');
    expect(lines(document)).toEqual([
      'V1 SineVoltage n=0 p=n001 {amplitude: 10, frequency: 50, offset: 0, phase: 0}',
      'D1 Diode a=n001 k=out {}',
      'C1 Capacitor a=out b=0 {capacitance: 0.000047}',
      'R1 Resistor a=out b=0 {resistance: "load"}',
    ]);
    expect(document.layout.nodes).toEqual({
      V1: { x: 0, y: 190, turns: 1 },
      D1: { x: 160, y: 100 },
      C1: { x: 320, y: 180, turns: 1 },
      R1: { x: 440, y: 190, turns: 1 },
      GND: { x: 0, y: 320 },
    });
  });

  it('has wires that end at its pins, however symbols are turned', () => {
    for (const rotation of ['R0', 'R90', 'R180', 'R270', 'M0', 'M90', 'M180', 'M270'])
      for (const [symbol, value] of [
        ...[
          ['res', '1k'],
          ['cap', '1u'],
          ['ind', '1m'],
          ['voltage', '1'],
          ['current', '1'],
          ['diode', 'D'],
        ],
        ['e', '2'],
      ]) {
        const text = `SYMBOL ${symbol} 160 320 ${rotation}\nSYMATTR InstName ${symbol === 'current' ? 'I' : symbol[0]}9\nSYMATTR Value ${value}\nFLAG 0 0 0\nSYMBOL res -16 -16 R0\nSYMATTR InstName R8\nSYMATTR Value 1\n!.tran 1m\n`;
        const { document, issues } = importSchematic(text, 'a.asc');
        if (document === null) throw new Error(JSON.stringify(issues));
        const [{ id, type }] = document.components ?? [];
        const { x, y, turns = 0, mirrored = false } = document.layout.nodes[id];
        const ends = new Set(
          Object.values(document.layout.wires ?? {})
            .flat()
            .map((line) => JSON.stringify(line.at(-1))),
        );
        for (const pin of componentTypes.get(type)?.definition.pins ?? []) {
          if (pin.domain !== 'electrical') continue;
          let [u, v] = [mirrored ? -pin.x : pin.x, pin.y];
          for (let k = 0; k < turns; k++) [u, v] = [-v, u];
          // Pins of both programs agree where no wire leads from one to the other.
          const agrees = ['cap', 'diode'].includes(symbol);
          if (!agrees)
            expect([...ends], `${symbol} ${rotation} ${pin.name}`).toContain(
              JSON.stringify({ x: x + u, y: y + v }),
            );
        }
      }
  });

  it('says at its line what it does not know', () => {
    const { document, issues } = importSchematic(
      `${RECTIFIER}SYMBOL OpAmps\\\\LT1001 500 96 R0\nSYMATTR InstName U1\n`,
      'a.asc',
    );
    expect(document).toBeNull();
    expect(issues.find(({ severity }) => severity === 'error')).toMatchObject({ line: 33, column: 1 });
  });

  it('ends for any text', () => {
    const random = seeded(43);
    const count = sample(100, 2000);
    for (let n = 0; n < count; n++) {
      let text = RECTIFIER;
      for (let k = random.integer(1, 5); k > 0; k--) {
        const at = random.integer(0, text.length - 1);
        text =
          text.slice(0, at) +
          (random.chance(0.5) ? 'x9 -\n'[random.integer(0, 4)] : '') +
          text.slice(at + random.integer(0, 9));
      }
      const { document } = importSchematic(text, 'a.asc');
      if (document !== null) expect(structuralIssues(document), text).toEqual([]);
    }
  });
});
