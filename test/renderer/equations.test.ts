/** The equations of a drawing: matrices with the names of its components, laws by rows, LaTeX. */
import { flushPromises, mount } from '@vue/test-utils';
import { describe, expect, it, vi } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { writeDocument } from '@engine/document/write';
import { plainDocument } from '@engine/preparation/plain';
import { reportDocument } from '@engine/preparation/report';
import EquationsPane from '@renderer/equations/EquationsPane.vue';
import { equationBlocks, equationsLatex } from '@renderer/equations/equations';
import { turnPlain } from '@renderer/equations/turn-plain';
import { useDocumentStore } from '@renderer/stores/document';
import { useReportStore } from '@renderer/stores/report';
import { useWorkspaceStore } from '@renderer/stores/workspace';
import { openCamFollower } from './setup';
import { readFileSync } from 'node:fs';
import { emptyDocument } from '@renderer/document/factory';

const example = (name: string): ModelDocument =>
  JSON.parse(readFileSync(`resources/examples/${name}.moreau.json`, 'utf8')) as ModelDocument;

const blocksOf = (document: ModelDocument): ReturnType<typeof equationBlocks> =>
  equationBlocks(reportDocument(document).drawn!);

describe('the equations of a drawing', () => {
  it('have the names of its components', () => {
    const [system, junctions] = blocksOf(example('half-wave-rectifier'));
    expect(system.id).toBe('circuit');
    const a = system.matrices.find(({ symbol }) => symbol === 'A')!;
    expect(a.columns).toEqual(['C1.v']);
    expect(a.entries[0][2]).toBeCloseTo(-1 / (1000 * 1e-4), 9);
    expect(junctions.laws).toEqual([{ name: 'D1', law: 'Complementarity', condition: '' }]);
    expect(junctions.matrices.find(({ symbol }) => symbol === 'F')?.columns).toEqual(['V1']);
  });

  it('say when a switch is closed', () => {
    const blocks = blocksOf(example('buck-discontinuous'));
    const laws = blocks.flatMap((block) => block.laws);
    expect(laws.some(({ condition }) => condition !== '')).toBe(true);
    const states = blocks[0].matrices.find(({ symbol }) => symbol === 'A')!.columns;
    expect([...states].sort()).toEqual(['C1.v', 'L1.i']);
  });

  it('of a mechanism have those of its masses', () => {
    const document: ModelDocument = {
      ...emptyDocument(null, 3, 'Mass'),
      components: [
        { id: 'm', type: 'Mass', mass: 2 },
        { id: 'k', type: 'Spring', stiffness: 8 },
        { id: 'w', type: 'Wall' },
        { id: 's', type: 'Stop', gap: 1 },
      ],
      wires: [
        { id: 'n', ends: ['m.a', 'k.b', 's.b'] },
        { id: 'g', ends: ['w.a', 'k.a', 's.a'] },
      ],
    };
    const [system, stop] = blocksOf(document);
    expect(system.matrices.find(({ symbol }) => symbol === 'K')).toMatchObject({
      rows: ['m.x'],
      entries: [[0, 0, 8]],
    });
    expect(stop.id).toBe('s');
    expect(stop.laws[0]?.name).toBe('s');
  });

  it('go into a paper', () => {
    const latex = equationsLatex(blocksOf(example('half-wave-rectifier')));
    expect(latex).toContain('\\dot x = A x');
    expect(latex).toContain('\\begin{bmatrix}');
    expect(latex).toContain('% D1: Complementarity');
    expect(latex.split('\\begin{').length).toBe(latex.split('\\end{').length);
  });

  it('stand in their panel, which turns the drawing into plain elements by one edit', async () => {
    const { dispatcher } = await openCamFollower();
    const dispatch = dispatcher.dispatch.bind(dispatcher) as (method: string, params: unknown) => unknown;
    // Of these two the engine itself answers.
    const answer = (method: string, params: { document: ModelDocument }): unknown => {
      if (method === 'document.report') return Promise.resolve(reportDocument(params.document));
      if (method !== 'document.export') return dispatch(method, params);
      return Promise.resolve({ text: writeDocument(plainDocument(params.document)), warnings: [] });
    };
    vi.spyOn(dispatcher, 'dispatch').mockImplementation(answer as typeof dispatcher.dispatch);
    const documents = useDocumentStore();
    documents.load(example('half-wave-rectifier'), null);
    await useReportStore().refresh();
    useWorkspaceStore().lowerTab = 'equations';
    const pane = mount(EquationsPane);
    await flushPromises();
    expect(pane.findAll('th').map((cell) => cell.text())).toEqual(
      expect.arrayContaining(['C1.v', 'V1', 'D1']),
    );
    await turnPlain();
    expect(documents.model.components).toBeUndefined();
    expect(documents.model.systems.map(({ id }) => id)).toEqual(['circuit']);
    expect(documents.model.observables.map(({ name }) => name)).toContain('out_v');
    documents.undo();
    expect(documents.model.components).toHaveLength(5);
    expect(documents.model.systems).toEqual([]);
    pane.unmount();
  });
});
