/** Arrays of sub-models: as many as one wants, joined in a chain, with signals by their places. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument } from '@engine/document/read';
import type { ModelDocument, SubmodelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { flatten } from '@engine/components/flatten';
import { reportDocument } from '@engine/preparation/report';
import { run } from '../support/run';
import { sample } from '../../support/prove';
import { drawn, type Part } from './drawn';

const CELL: SubmodelDocument = {
  id: 'Cell',
  ports: [
    { name: 'a', wire: 'from' },
    { name: 'b', wire: 'to' },
    { name: 'n', wire: 'zero' },
  ],
  parameters: [{ name: 'C', value: 1e-6 }],
  components: [
    { id: 'R1', type: 'Resistor', resistance: 10 },
    { id: 'C1', type: 'Capacitor', capacitance: 'C' },
  ],
  wires: [
    { id: 'from', ends: ['R1.a'] },
    { id: 'to', ends: ['R1.b', 'C1.a'] },
    { id: 'zero', ends: ['C1.b'] },
  ],
};

/** A ladder of cells behind a source, whose capacities grow. */
function ladder(count: number): ModelDocument {
  const document = drawn([['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }]], { h: 1e-6, tEnd: 2e-4 });
  document.wires.find(({ id }) => id === 'in')?.ends.push('cells[0].a');
  const zero = document.wires.find(({ ends }) => ends.includes('ground.p'));
  for (let k = 0; k < count; k++) zero?.ends.push(`cells[${k}].n`);
  return {
    ...document,
    instances: [
      { id: 'cells', of: 'Cell', count, chain: { from: 'b', to: 'a' }, values: { C: '1e-6*(1 + index)' } },
    ],
    submodels: [structuredClone(CELL)],
    observables: [{ name: 'twice', expression: '2*cells[1].C1.v' }],
  };
}

/**
 * The same with a lower rail of resistors from cell to cell, joined by a second pair of pins of its array, or
 * by wires.
 */
function withRail(document: ModelDocument, byWires = false): ModelDocument {
  const [cell] = document.submodels ?? [];
  const [cells] = document.instances ?? [];
  cell.components.push({ id: 'Rn', type: 'Resistor', resistance: 3 });
  cell.wires[2].ends.push('Rn.b');
  cell.wires.push({ id: 'before', ends: ['Rn.a'] });
  cell.ports.push({ name: 'm', wire: 'before' });
  const zero = document.wires?.find(({ ends }) => ends.includes('ground.p'));
  if (zero !== undefined) zero.ends = [...zero.ends.filter((end) => !end.startsWith('cells')), 'cells[0].m'];
  if (byWires)
    for (let k = 1; k < (cells.count ?? 0); k++)
      document.wires?.push({ id: `rail${k}`, ends: [`cells[${k - 1}].n`, `cells[${k}].m`] });
  else
    cells.chain = [
      { from: 'b', to: 'a' },
      { from: 'n', to: 'm' },
    ];
  return document;
}

const writtenOut = (count: number): ModelDocument =>
  drawn(
    [
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }],
      ...Array.from({ length: count }, (_, k): Part[] => [
        [`R${k}`, 'Resistor', [k === 0 ? 'in' : `n${k - 1}`, `n${k}`], { resistance: 10 }],
        [`C${k}`, 'Capacitor', [`n${k}`, '0'], { capacitance: 1e-6 * (1 + k) }],
      ]).flat(),
    ],
    { h: 1e-6, tEnd: 2e-4 },
  );

const plain = (document: ModelDocument) => flatten(document, () => undefined);

describe('an array of a sub-model', () => {
  it('moves as a chain that is written out, with signals by place', () => {
    const [a, b] = [run(ladder(4)), run(writtenOut(4))];
    for (const [mine, theirs] of [
      ['cells[0].C1.v', 'C0.v'],
      ['cells[3].C1.v', 'C3.v'],
      ['cells[2].R1.i', 'R2.i'],
      ['cells[1].to.v', 'n1.v'],
    ] as const) {
      const [x, y] = [a.column(mine), b.column(theirs)];
      const size = Math.max(...y.map(Math.abs));
      expect(size).toBeGreaterThan(1e-3);
      expect(Math.max(...x.map((value, k) => Math.abs(value - y[k]))) / size, mine).toBeLessThan(1e-12);
    }
    expect(a.column('twice').at(-1)).toBe(2 * (a.column('cells[1].C1.v').at(-1) ?? NaN));
  });

  it('may hold laws and gates, and be named by those', () => {
    const document = ladder(4);
    const [cell] = document.submodels ?? [];
    cell.components.push({ id: 'D1', type: 'Diode' }, { id: 'S1', type: 'Switch', gate: 'C1.v > 0.2' });
    cell.wires[1].ends.push('D1.a', 'S1.a');
    cell.wires[2].ends.push('S1.b');
    cell.wires.push({ id: 'out', ends: ['D1.k'] });
    cell.ports.push({ name: 'out', wire: 'out' });
    document.components?.push(
      { id: 'Rs', type: 'Resistor', resistance: 100 },
      { id: 'Sx', type: 'Switch', gate: 'v(cells[2].to) > 1' },
    );
    document.wires?.push({
      id: 'sum',
      ends: ['Rs.a', 'Sx.a', ...[0, 1, 2, 3].map((k) => `cells[${k}].out`)],
    });
    document.wires?.find(({ ends }) => ends.includes('ground.p'))?.ends.push('Rs.b', 'Sx.b');
    const result = run(document);
    expect(Math.max(...result.column('cells[0].D1.i'))).toBeGreaterThan(1e-3);
    expect(Math.max(...result.column('cells[0].S1.i').map(Math.abs))).toBeGreaterThan(1e-3);
  });

  it('may be joined at several pairs of pins', () => {
    const [a, b] = [run(withRail(ladder(5))), run(withRail(ladder(5), true))];
    for (const name of ['cells[4].C1.v', 'cells[4].Rn.i', 'cells[2].R1.i', 'cells[3].zero.v']) {
      const [x, y] = [a.column(name), b.column(name)];
      const size = Math.max(...y.map(Math.abs));
      expect(size, name).toBeGreaterThan(1e-6);
      expect(Math.max(...x.map((value, k) => Math.abs(value - y[k]))) / size, name).toBeLessThan(1e-12);
    }
    const open = reportDocument(withRail(ladder(5))).issues.filter(({ code }) => code === 'open-pin');
    expect(open.map(({ message }) => message)).toEqual([
      'The pin “b” of “cells[4]” is not connected.',
      'The pin “n” of “cells[4]” is not connected.',
    ]);
  });

  it.each([ladder(3), withRail(ladder(3))])('is read and written as it is', (model) => {
    const text = writeDocument(model);
    const { document, issues } = readDocument(text);
    expect(issues).toEqual([]);
    expect(document === null ? '' : writeDocument(document)).toBe(text);
  });

  it.each([1, 2, 3])('of %i is warned of the free pin at the end of its chain', (count) => {
    const document = ladder(count);
    document.observables = [];
    const open = (): string[] =>
      reportDocument(document).issues.flatMap(({ code, message }) => (code === 'open-pin' ? [message] : []));
    expect(open()).toEqual([`The pin “b” of “cells[${count - 1}]” is not connected.`]);
    document.wires?.push({ id: 'end', ends: [`cells[${count - 1}].b`] });
    expect(open()).toEqual([]);
  });

  it('may have thousands of members', () => {
    const { components, wires } = plain(ladder(8000));
    expect(components).toHaveLength(16_002);
    // The source, ground, and one node behind each resistor.
    expect(wires).toHaveLength(8002);
  });

  it.each<[string, (document: ModelDocument) => void, string, string]>([
    [
      'chained at a pin that it has not',
      ({ instances = [] }) => (instances[0].chain = { from: 'q', to: 'a' }),
      'unknown-pin',
      '/instances/0/chain/from',
    ],
    [
      'joined a second time at a pin that it has not',
      ({ instances = [] }) =>
        (instances[0].chain = [
          { from: 'b', to: 'a' },
          { from: 'n', to: 'q' },
        ]),
      'unknown-pin',
      '/instances/0/chain/1/to',
    ],
    [
      'with a wire at a member that it has not',
      ({ wires = [] }) => wires[0].ends.push('cells[7].b'),
      'unknown-component',
      '/wires/0/ends/2',
    ],
    [
      'with a wire at the array itself',
      ({ wires = [] }) => wires[0].ends.push('cells.b'),
      'unknown-component',
      '/wires/0/ends/2',
    ],
  ])('%s is a fault with its place', (_, change, code, pointer) => {
    const document = ladder(3);
    change(document);
    const errors = reportDocument(document).issues.filter(({ severity }) => severity === 'error');
    expect(errors).toContainEqual(expect.objectContaining({ code, pointer }));
  });
});

it('any pairs of pins join what wires between the same pins join', () => {
  const PORTS = ['a', 'b', 'c', 'd'];
  const comb: SubmodelDocument = {
    id: 'Comb',
    ports: PORTS.map((name) => ({ name, wire: name })),
    parameters: [],
    components: PORTS.map((name) => ({ id: `R${name}`, type: 'Resistor', resistance: 1 })),
    wires: [
      ...PORTS.map((name) => ({ id: name, ends: [`R${name}.a`] })),
      { id: 'z', ends: PORTS.map((name) => `R${name}.b`) },
    ],
  };
  const port = fc.constantFrom(...PORTS);
  const nets = (document: ModelDocument): string[] =>
    plain(document)
      .wires.map(({ ends }) => ends.toSorted().join(' '))
      .toSorted();
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.record({ from: port, to: port }), { minLength: 1, maxLength: 6 }),
      (count, chain) => {
        const base = { ...drawn([]), submodels: [comb] };
        const one = { ...base, wires: [], instances: [{ id: 'x', of: 'Comb', count, chain }] };
        // Pins that one wire joins, by merging one pair after the other.
        const groups: string[][] = [];
        for (let k = 1; k < count; k++)
          for (const { from, to } of chain) {
            const pair = [`x[${k - 1}].${from}`, `x[${k}].${to}`];
            const met = groups.filter((group) => pair.some((end) => group.includes(end)));
            const merged = [...new Set([...pair, ...met.flat()])];
            groups.splice(0, groups.length, ...groups.filter((group) => !met.includes(group)), merged);
          }
        const wires = groups.map((ends, k) => ({ id: `w${k}`, ends }));
        const other = { ...base, wires, instances: [{ id: 'x', of: 'Comb', count }] };
        expect(nets(one)).toEqual(nets(other));
        expect(reportDocument(one).issues.filter(({ code }) => code === 'pin-twice')).toEqual([]);
      },
    ),
    { seed: 1, numRuns: sample(60, 2000) },
  );
});
