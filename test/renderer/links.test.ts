/** What links and sizes change in the matrices of a relation. */
import { describe, expect, it } from 'vitest';
import type { InteractionDocument, ModelDocument } from '@engine/document/types';
import { catalogue } from '@engine/model/registry';
import { emptyDocument } from '@renderer/document/factory';
import {
  link,
  linkPartners,
  linkRefusal,
  removeElements,
  resizeLinks,
  unlink,
} from '@renderer/document/links';
import { renameElement, renameParameter, renameSignals } from '@renderer/document/rename';

const definitions = catalogue();

/** Systems a (2 states) and b (1 state), and a relation on them with two outputs. */
function circuit(relation: Record<string, unknown>): ModelDocument & { interactions: [InteractionDocument] } {
  const document = emptyDocument(definitions, 3, 'circuit');
  const systems = [
    { id: 'a', type: 'FirstOrderLinear', n: 2, x0: [0, 0] },
    { id: 'b', type: 'FirstOrderLinear', n: 1, x0: [0] },
  ];
  const interaction = {
    id: 'r',
    systems: ['a', 'b'],
    relation: { type: 'FirstOrderLinearTI', ...relation },
    law: { type: 'Complementarity' },
  };
  return { ...document, systems, interactions: [interaction] };
}

const C = [
  [1, 2, 3],
  [4, 5, 6],
];
const B = [
  [1, 2],
  [3, 4],
  [5, 6],
];
const fresh = (): Parameters<typeof circuit>[0] =>
  structuredClone({
    C,
    B,
    D: [
      [7, 8],
      [9, 10],
    ],
  });

describe('matrices over the linked systems', () => {
  it('lose the rows and columns of a system that is taken out', () => {
    const document = circuit(fresh());
    unlink(document, definitions, 'r', 'a');
    expect(document.interactions[0].relation).toMatchObject({
      C: [[3], [6]],
      B: [[5, 6]],
      D: [
        [7, 8],
        [9, 10],
      ],
    });
  });

  it('gain zeros for a system that is added', () => {
    const document = circuit(fresh());
    document.systems.push({ id: 'c', type: 'FirstOrderLinear', n: 1, x0: [0] });
    link(document, definitions, 'c', 'r');
    expect(document.interactions[0].systems).toEqual(['a', 'b', 'c']);
    expect(document.interactions[0].relation).toMatchObject({
      C: [
        [1, 2, 3, 0],
        [4, 5, 6, 0],
      ],
      B: [...B, [0, 0]],
    });
  });

  it('follow a system that grows or shrinks, inside the others', () => {
    const document = circuit(fresh());
    Object.assign(document.systems[0] ?? {}, { n: 3 });
    resizeLinks(document, definitions, 'a', 2);
    expect(document.interactions[0].relation).toMatchObject({
      C: [
        [1, 2, 0, 3],
        [4, 5, 0, 6],
      ],
      B: [
        [1, 2],
        [3, 4],
        [0, 0],
        [5, 6],
      ],
    });
    Object.assign(document.systems[0] ?? {}, { n: 1 });
    resizeLinks(document, definitions, 'a', 3);
    expect(document.interactions[0].relation).toMatchObject({
      C: [
        [1, 3],
        [4, 6],
      ],
      B: [
        [1, 2],
        [5, 6],
      ],
    });
  });

  it('keep their entries in sparse form', () => {
    const document = circuit({
      C: {
        rows: 2,
        entries: [
          [0, 0, 1],
          [1, 2, 'k'],
        ],
      },
      B: {
        rows: 3,
        entries: [
          [1, 0, 2],
          [2, 1, 3],
        ],
      },
    });
    unlink(document, definitions, 'r', 'a');
    expect(document.interactions[0].relation).toMatchObject({
      C: { rows: 2, entries: [[1, 0, 'k']] },
      B: { rows: 1, entries: [[0, 1, 3]] },
    });
  });

  it('are left alone where they have not the size they should', () => {
    const document = circuit({ C: [[1, 2]], B });
    unlink(document, definitions, 'r', 'b');
    expect(document.interactions[0].relation['C']).toEqual([[1, 2]]);
  });
});

describe('integrators that name systems', () => {
  it('follow a rename, and lose what is removed', () => {
    const document = circuit(fresh());
    document.simulation.integrators = [
      { type: 'EulerMoreau', systems: ['a'] },
      { type: 'ZeroOrderHold', systems: ['b'] },
    ];
    renameElement(document, 'a', 'tank');
    expect(document.simulation.integrators[0]?.systems).toEqual(['tank']);
    removeElements(document, definitions, ['tank']);
    expect(document.simulation.integrators).toEqual([{ type: 'ZeroOrderHold', systems: ['b'] }]);
  });

  it('follow what is drawn, and what is inside of instances', () => {
    const document = circuit(fresh());
    document.simulation.integrators = [
      { type: 'MoreauJean', systems: ['m1', 'm12', 'beads[3].m', 'beads'] },
      { type: 'MoreauJean', systems: ['beads[0].m'] },
    ];
    const systems = (): unknown => document.simulation.integrators.map((one) => one.systems);
    renameElement(document, 'm1', 'first');
    renameElement(document, 'beads', 'chain');
    expect(systems()).toEqual([['first', 'm12', 'chain[3].m', 'chain'], ['chain[0].m']]);
    renameSignals(document, 'chain.m', 'chain.mass');
    expect(systems()).toEqual([['first', 'm12', 'chain[3].mass', 'chain'], ['chain[0].mass']]);
    removeElements(document, definitions, ['chain']);
    expect(systems()).toEqual([['first', 'm12']]);
  });

  it('are not touched by a parameter of the same name', () => {
    const document = circuit({ C: { entries: [[0, 0, '2*a']] }, B });
    document.simulation.integrators = [{ type: 'EulerMoreau', theta: 'a', systems: ['a'] }];
    document.simulation.stepControl = { tolerance: 'a', hMin: 1e-6, hMax: 'a' };
    document.parameters = [{ name: 'a', value: 1 }];
    renameParameter(document, 'a', 'alpha');
    expect(document.simulation.integrators).toEqual([
      { type: 'EulerMoreau', theta: 'alpha', systems: ['a'] },
    ]);
    expect(document.simulation.stepControl).toEqual({ tolerance: 'alpha', hMin: 1e-6, hMax: 'alpha' });
    expect(document.interactions[0].relation['C']).toEqual({ entries: [[0, 0, '2*alpha']] });
  });
});

describe('what is offered at the end of a link', () => {
  it.each([
    ['system', 'relation'],
    ['interaction', 'system'],
  ] as const)('is what a link from a %s is not refused to', (from, kind) => {
    const elements = from === 'system' ? definitions.systems : definitions.relations;
    for (const { type } of elements) {
      const document = emptyDocument(definitions, 3, 'one');
      if (from === 'system') document.systems.push({ id: 'a', type });
      else
        document.interactions.push({ id: 'a', systems: [], relation: { type }, law: { type: 'Equality' } });
      const partners = linkPartners(document, definitions, 'a');
      expect(partners?.kind).toBe(kind);
      for (const other of definitions[`${kind}s`]) {
        const both = structuredClone(document);
        if (kind === 'system') both.systems.push({ id: 'b', type: other.type });
        else
          both.interactions.push({
            id: 'b',
            systems: [],
            relation: { type: other.type },
            law: { type: 'Equality' },
          });
        const isRefused = linkRefusal(both, definitions, 'a', 'b') !== null;
        expect([other.type, partners?.types.has(other.type)]).toEqual([other.type, !isRefused]);
      }
    }
  });
});
