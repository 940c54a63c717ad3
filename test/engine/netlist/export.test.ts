/** Circuits become netlists, which become the same circuits. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { exportNetlist } from '@engine/netlist/export';
import { importNetlist } from '@engine/netlist/import';
import { componentTypes } from '@engine/model/components/registry';
import { lines } from './lines';
import { bodies, netlist } from './netlists';

function imported(text: string): ModelDocument {
  const { document, issues } = importNetlist(text, 'circuit.cir');
  if (document === null) throw new Error(`${JSON.stringify(issues)}\n${text}`);
  return document;
}

function exported(document: ModelDocument): string {
  const result = exportNetlist(document);
  if (!result.ok) throw new Error(result.message);
  return result.text;
}

/** A model of components alone. */
const drawn = (components: ModelDocument['components'], wires: ModelDocument['wires']): ModelDocument => ({
  ...imported(netlist('V1 a 0 1\nR1 a 0 1\n')),
  ...{ parameters: [], components: components ?? [], wires: wires ?? [] },
});

describe('an exported circuit', () => {
  it.each(Object.keys(bodies))('with %s is the same once it is imported', (name) => {
    const first = imported(netlist(bodies[name]));
    const text = exported(first);
    const second = imported(text);
    // What is nearly ideal in ngspice has resistances that are not there in the model.
    const plain = (document: ModelDocument): string[] =>
      lines(document)
        .filter((line) => !line.includes('_off '))
        .map((line) =>
          line
            .replaceAll(/"|\s|\(|\)/g, '')
            .replace(/^r_x/i, 'x')
            .toLowerCase(),
        );
    if (name === 'forward voltage') expect(text).toContain('V_D1_f a D1_f 0.6');
    else if (
      /current of a formula|sums|polynomial|value of|points|exponential|modulation|number|delayed/.test(name)
    )
      expect(lines(second).length).toBe(lines(first).length);
    else expect(plain(second)).toEqual(plain(first));
    // A second time nothing changes any more.
    expect(exported(imported(exported(second)))).toBe(exported(second));
  });

  it('has a line for every type of electrical component', () => {
    const electrical = [...componentTypes.values()].filter(({ definition }) =>
      definition.pins.every(({ domain }) => domain === 'electrical'),
    );
    const missing = electrical.filter(({ definition }) => {
      const fields = Object.fromEntries(
        definition.fields.map(({ key, kind }) => [
          key,
          kind === 'components'
            ? []
            : kind === 'expression'
              ? 't'
              : kind === 'reference'
                ? 'data'
                : kind === 'vector'
                  ? [1, 2]
                  : 1,
        ]),
      );
      const component = { id: 'x', type: definition.type, ...fields };
      const document = drawn([component, { id: 'g', type: 'Ground' }], [{ id: 'w', ends: ['g.p'] }]);
      const tables = [{ id: 'data', t: [0, 1, 1], y: [0, 1, 2] }];
      return !exportNetlist({ ...document, tables }).ok;
    });
    expect(missing.map(({ definition }) => definition.type)).toEqual([]);
  });

  it('says in SPICE what gates and sources say, and names the sources of currents', () => {
    const text = exported(
      drawn(
        [
          { id: 'V1', type: 'VoltageSource', voltage: '5*sin(2*pi*50*t)' },
          { id: 'A1', type: 'Ammeter' },
          { id: 'S1', type: 'Switch', gate: 't mod 1e-3 < 0.4*1e-3' },
          { id: 'S2', type: 'Switch', gate: 'A1.i - 0.5' },
          { id: 'g', type: 'Ground' },
        ],
        [
          { id: 'a', ends: ['V1.p', 'A1.a'] },
          { id: 'b', ends: ['A1.b', 'S1.a', 'S2.a'] },
          { id: 'z', ends: ['V1.n', 'S1.b', 'S2.b', 'g.p'] },
        ],
      ),
    );
    expect(text).toContain('B_V1 a 0 V=(5 * sin((((2 * 3.141592653589793) * 50) * time)))');
    expect(text).toContain('V_S1 S1_gate 0 PULSE(1 0 ');
    expect(text).toContain('V=((i(V_A1) - 0.5) >= 0 ? 1 : 0)');
  });

  const switched = (gate: string): { text: string; warnings: readonly string[] } => {
    const result = exportNetlist(
      drawn(
        [
          { id: 'V1', type: 'VoltageSource', voltage: 5 },
          { id: 'S1', type: 'Switch', gate },
          { id: 'R1', type: 'Resistor', resistance: 1 },
          { id: 'g', type: 'Ground' },
        ],
        [
          { id: 'a', ends: ['V1.p', 'S1.a'] },
          { id: 'b', ends: ['S1.b', 'R1.a'] },
          { id: 'z', ends: ['V1.n', 'R1.b', 'g.p'] },
        ],
      ),
    );
    if (!result.ok) throw new Error(result.message);
    return result;
  };

  it.each([
    ['t mod 1m < 0.3m', [1, 0, 0.3, 0.7]],
    ['0.3m - t mod 1m', [1, 0, 0.3, 0.7]],
    ['t mod 1m >= 0.3m', [0, 1, 0.3, 0.7]],
    ['-(t mod 1m < 0.3m)', [0, 1, 0.3, 0.7]],
    ['0.3m > (t + 0.5m) mod 1m', [0, 1, 0.5, 0.3]],
    ['(t - 0.2m) mod 1m < 0.3m', [0, 1, 0.2, 0.3]],
    ['(t + 2.1m) mod 1m < 0.3m', [1, 0, 0.2, 0.7]],
  ])('has pulses with edges that ngspice knows for the gate %s', (gate, [first, second, delay, width]) => {
    const { text, warnings } = switched(gate);
    const found = /^V_S1 S1_gate 0 PULSE\((.*)\)$/m.exec(text)?.[1].split(' ').map(Number) ?? [];
    expect(found.slice(0, 2)).toEqual([first, second]);
    const [from, edge, , flat, period] = found.slice(2);
    expect((from + edge / 2) * 1e3).toBeCloseTo(delay, 9);
    expect((flat + edge) * 1e3).toBeCloseTo(width, 9);
    expect(period).toBe(1e-3);
    expect(warnings.join(' ')).not.toContain('formula');
  });

  it.each([
    // Two edges in the first quarter, and straight from there on.
    'abs(t mod 1m - 0.1m) < 0.05m',
    'max(t mod 1m, 0.2m) < 0.21m',
    'min(t mod 1m, 0.8m) < 0.5m',
    'abs(t mod 1m - 0.9m) < 0.05m',
    '0.3m/(t mod 1m) > 1',
    't mod 1m < 1e-10',
  ])('has no pulses of two edges a period for the gate %s', (gate) => {
    const { text, warnings } = switched(gate);
    expect(text).not.toContain('PULSE');
    expect(warnings.join(' ')).toContain('“S1” jumps by a formula');
  });

  it('makes short steps where a gate jumps by another formula, and says so', () => {
    const { text, warnings } = switched('min(t mod 1m, 0.2m) < 0.1m + 0.05m*sin(100*t)');
    expect(text).toMatch(/^\.tran 0\.000001 0\.001 0 0\.000001 UIC$/m);
    const fine = switched('(t mod 10u)/10u < 0.5 + 0.1*sin(100*t)');
    expect(fine.text).toMatch(/^\.tran 0\.000001 0\.001 0 1e-8 UIC$/m);
    expect(fine.warnings.join(' ')).toContain('“S1” jumps by a formula');
    expect(warnings.join(' ')).toContain('“S1” jumps by a formula');
  });

  it('is one statement for each element, whatever the texts are', () => {
    const document = {
      ...imported(netlist('V1 a 0 1\nR1 a 0 1\n')),
      title: 'Evil\r\n.include /etc/passwd\u2028.control\nshell rm\n.endc',
    };
    const text = exported(document);
    expect(text.split('\n')).toEqual([
      'Evil .include /etc/passwd .control shell rm .endc',
      ...['V1 a 0 1', 'R1 a 0 1', '.tran 0.000001 0.001 0 0.000001 UIC', '.end', ''],
    ]);
  });

  it('tells names apart that differ in capital letters only', () => {
    const text = exported(
      drawn(
        [
          { id: 'R1', type: 'Resistor', resistance: 1 },
          { id: 'r1', type: 'Resistor', resistance: 2 },
          { id: 'load', type: 'Resistor', resistance: 3 },
          { id: 'g', type: 'Ground' },
        ],
        [
          { id: 'A', ends: ['R1.a', 'r1.a', 'load.a'] },
          { id: 'a', ends: ['R1.b', 'r1.b'] },
          { id: 'gnd', ends: ['load.b', 'g.p'] },
        ],
      ),
    );
    expect(text).toContain('R1 A a_2 1\nr1_2 A a_2 2\nR_load A 0 3\n');
  });

  it('has the components of sub-models by their paths', () => {
    const model: ModelDocument = {
      ...drawn(
        [
          { id: 'g', type: 'Ground' },
          { id: 'V1', type: 'VoltageSource', voltage: 1 },
        ],
        [
          { id: 'a', ends: ['V1.p', 'x.p'] },
          { id: 'z', ends: ['V1.n', 'x.n', 'g.p'] },
        ],
      ),
      submodels: [
        {
          id: 'load',
          ports: [
            { name: 'p', wire: 'in' },
            { name: 'n', wire: 'out' },
          ],
          parameters: [{ name: 'R', value: 5 }],
          components: [
            { id: 'R1', type: 'Resistor', resistance: 'R' },
            { id: 'R2', type: 'Resistor', resistance: '2*R' },
          ],
          wires: [
            { id: 'in', ends: ['R1.a'] },
            { id: 'm', ends: ['R1.b', 'R2.a'] },
            { id: 'out', ends: ['R2.b'] },
          ],
        },
      ],
      instances: [{ id: 'x', of: 'load' }],
    };
    const text = exported(model);
    expect(text).toContain('R_x_R1 a x_m 5\nR_x_R2 x_m 0 10\n');
  });

  it('is refused where a signal drives a source', () => {
    const components = [
      { id: 'V1', type: 'VoltageSource', voltage: 1 },
      { id: 'VM1', type: 'Voltmeter' },
      { id: 'V2', type: 'VoltageSource', voltage: 1 },
      { id: 'g', type: 'Ground' },
    ];
    const wires = [
      { id: 'a', ends: ['V1.p', 'VM1.p'] },
      { id: 'measured', ends: ['VM1.out', 'V2.voltage'] },
      { id: 'zero', ends: ['V1.n', 'VM1.n', 'V2.n', 'g.p'] },
    ];
    expect(exportNetlist(drawn(components, wires))).toMatchObject({ ok: false, where: 'measured' });
  });

  it('is refused where there is no counterpart, by name', () => {
    const components = [
      { id: 'S1', type: 'Switch', gate: 'D1.i' },
      { id: 'D1', type: 'Diode' },
      { id: 'g', type: 'Ground' },
    ];
    expect(exportNetlist(drawn(components, [{ id: 'a', ends: ['S1.a', 'D1.a', 'g.p'] }]))).toMatchObject({
      ok: false,
      where: 'S1',
      message: expect.stringContaining('“D1.i” is not known to a netlist') as string,
    });
    expect(exportNetlist(drawn([], []))).toMatchObject({
      ok: false,
      message: 'The model has no components.',
    });
  });
});
