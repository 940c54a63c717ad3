/** The equations of a drawing: matrices with the names of its components, laws by rows, LaTeX. */
import { describe, expect, it } from 'vitest';
import type { ModelDocument } from '@engine/document/types';
import { reportDocument } from '@engine/preparation/report';
import { equationBlocks, equationsLatex } from '@renderer/equations/equations';
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
});
