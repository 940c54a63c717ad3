/** Each fault of a drawing can be mended by a button: the edit takes the fault away. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentIssue, ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { changeDrawing, drawingOf } from '@renderer/document/drawings';
import { mendDocument } from '@renderer/document/mends';
import { drawn, type Part } from './drawn';
import { CIRCUIT_FAULTS, MECHANISM_FAULTS } from './fault-cases';
import { sample } from '../../support/prove';

const idsOf = ({ components = [], wires = [] }: ModelDocument): string[] =>
  [...components, ...wires].map(({ id }) => id);

const mended = (document: ModelDocument, { mends = [] }: DocumentIssue, choice = 0): ModelDocument => {
  const next = structuredClone(document);
  const { steps, inside } = mends[choice] ?? { steps: [] };
  const at = document.submodels?.findIndex(({ id }) => id === inside) ?? -1;
  if (at < 0) mendDocument(next, steps, () => idsOf(next));
  else {
    const drawing = structuredClone(drawingOf(document, document.submodels?.[at] ?? null));
    mendDocument(drawing, steps, () => idsOf(drawing));
    changeDrawing(next, document, drawing, at);
  }
  return next;
};

const errorsOf = (document: ModelDocument): DocumentIssue[] =>
  reportDocument(document).issues.filter(({ severity }) => severity === 'error');

describe('a button mends', () => {
  it.each([...CIRCUIT_FAULTS, ...MECHANISM_FAULTS].map((fault) => [fault.title, fault] as const))(
    '%s',
    (_, { parts, code, pointer }) => {
      const document = drawn(parts);
      const issue = reportDocument(document).issues.find(
        (one) => one.code === code && one.pointer === pointer,
      );
      const isOwn = (one: DocumentIssue): boolean => one.code === code && one.element === issue?.element;
      expect(issue?.mends?.length, JSON.stringify(issue)).toBeGreaterThan(0);
      issue?.mends?.forEach(({ label }, k) => {
        const next = reportDocument(mended(document, issue, k)).issues;
        expect(next.find(isOwn), label).toBeUndefined();
      });
    },
  );

  it.each([
    ['an end at no component', ['R9.a']],
    ['an end at no pin', ['R1.c']],
    ['a pin of another wire', ['R1.a']],
  ])('%s', (_, ends) => {
    const document = drawn([
      ['V1', 'VoltageSource', ['in', '0'], { voltage: 10 }],
      ['R1', 'Resistor', ['in', '0'], { resistance: 100 }],
    ]);
    document.wires.push({ id: 'more', ends });
    const [issue] = errorsOf(document);
    const next = mended(document, issue);
    expect(errorsOf(next)).toEqual([]);
    expect(next.wires).not.toContainEqual({ id: 'more', ends });
  });

  const NODES = ['0', 'a', 'b', 'c'];
  const node = fc.constantFrom(...NODES);
  const KINDS: readonly (readonly [string, string, number, object])[] = [
    ['R', 'Resistor', 2, { resistance: 10 }],
    ['C', 'Capacitor', 2, { capacitance: 1e-3 }],
    ['L', 'Inductor', 2, { inductance: 1e-3 }],
    ['V', 'SineVoltage', 2, { amplitude: 1, frequency: 50 }],
    ['E', 'VoltageSource', 2, { voltage: 5 }],
    ['I', 'CurrentSource', 2, { current: 1 }],
    ['D', 'Diode', 2, {}],
    ['A', 'Ammeter', 2, {}],
    ['M', 'Voltmeter', 2, {}],
    ['U', 'OpAmp', 3, {}],
  ];
  const drawings = fc
    .array(
      fc.record({ kind: fc.constantFrom(...KINDS), nodes: fc.array(node, { minLength: 3, maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 9,
      },
    )
    .map((list) =>
      list.map(({ kind: [letter, type, pins, fields], nodes }, k): Part => [
        `${letter}${k + 1}`,
        type,
        nodes.slice(0, pins),
        fields,
      ]),
    );

  /** A circuit as a sub-model, one or two of it, with a wire of it led out. */
  function asSubmodel(circuit: ReturnType<typeof drawn>, count: number): ModelDocument {
    const { components, wires, ...rest } = circuit;
    const instances = ['one', 'two'].slice(0, count).map((id) => ({ id, of: 'Part' }));
    const ends = instances.map(({ id }) => `${id}.p`);
    return {
      ...rest,
      components: [{ id: 'R1', type: 'Resistor', resistance: 10 }],
      instances,
      wires: [{ id: 'out', ends: [...ends, 'R1.a'] }],
      submodels: [
        { id: 'Part', parameters: [], ports: [{ name: 'p', wire: wires[0].id }], components, wires },
      ],
    };
  }

  it.each([
    ['circuits', 0],
    ['sub-models', 1],
    ['sub-models that stand twice', 2],
  ])('whatever is wrong with %s drawn at random, one after the other', (_, count) => {
    fc.assert(
      fc.property(drawings, (parts) => {
        const circuit = drawn(parts);
        let document: ModelDocument = count === 0 ? circuit : asSubmodel(circuit, count);
        for (let step = 0; step < 4 * parts.length + 4; step++) {
          const [error] = errorsOf(document);
          if (error === undefined) return;
          if ((error.mends ?? []).length === 0) throw new Error(`no button: ${JSON.stringify(error)}`);
          document = mended(document, error);
        }
        throw new Error(`not mended: ${JSON.stringify(errorsOf(document))}`);
      }),
      { seed: 1, numRuns: sample(count === 0 ? 300 : 100, count === 0 ? 20_000 : 3000) },
    );
  });
});
