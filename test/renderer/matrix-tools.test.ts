import { describe, expect, it } from 'vitest';
import { equationsWithValues, valueLatex } from '@renderer/document/equation-values';
import { applyTool, pastedCells, pasteCells, toolsFor } from '@renderer/document/matrix-tools';
import { useCatalogueStore } from '@renderer/stores/catalogue';
import { openCamFollower } from './setup';

describe('cells of a spreadsheet', () => {
  it('are read with tabs, line ends of any system and decimal commas', () => {
    expect(pastedCells('1,5\t-2\r\n\t2*k\r\n')).toEqual([
      [1.5, -2],
      [0, '2*k'],
    ]);
    expect(pastedCells('2*k')).toBeNull();
  });

  it('go into the matrix from the cell on, or are refused whole', () => {
    const rows = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    expect(pasteCells(rows, [[7], [8]], 0, 1)).toEqual({
      ok: true,
      rows: [
        [1, 7, 3],
        [4, 8, 6],
      ],
    });
    expect(pasteCells(rows, [[7, 8]], 1, 2)).toMatchObject({ ok: false, columns: 2, freeColumns: 1 });
    expect(pasteCells(rows, [[7, 8], [9]], 0, 0).ok).toBe(false);
  });
});

describe('tools of a matrix', () => {
  it('transpose, symmetrise, and set identity or zero', () => {
    const rows = [
      [1, 2],
      ['k', 4],
    ];
    expect(applyTool(rows, 'transpose')).toEqual([
      [1, 'k'],
      [2, 4],
    ]);
    expect(applyTool(rows, 'symmetrise')).toEqual([
      [1, '(2 + k)/2'],
      ['(2 + k)/2', 4],
    ]);
    expect(applyTool(rows, 'identity')).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(toolsFor([[1, 2]])).toEqual(['zero']);
  });
});

describe('equations with values', () => {
  it('have the values of the element in the place of its symbols', async () => {
    await openCamFollower();
    const definition = useCatalogueStore().definition('systems', 'LagrangianLinearTI');
    if (definition === undefined) throw new Error('the catalogue has linear systems');
    const [motion, start] = equationsWithValues(definition.equations, definition.fields, {
      type: 'LagrangianLinearTI',
      mass: [['m']],
      stiffness: [
        [2, -1],
        [-1, 2],
      ],
      q0: [0.5],
    });
    expect(motion?.startsWith('{m} \\ddot q')).toBe(true);
    expect(motion).toContain('{\\begin{bmatrix} 2 & -1 \\\\ -1 & 2 \\end{bmatrix}} q');
    // What is not given keeps its symbol.
    expect(motion).toContain('C \\dot q');
    expect(start).toContain('q(t_0) = {0.5}');
  });

  it('have further quantities, but not in the place of a function of their name', () => {
    const equations = ['h^2 F + p', '0 \\le h\\!\\left(q\\right), v = \\tfrac{q}{2h}'];
    const [motion, law] = equationsWithValues(equations, [], { type: 'SchatzmanPaoli' }, [
      { symbol: 'h', value: 0.001 },
    ]);
    expect(motion).toContain('{0.001}^2');
    expect(law).toContain('\\le h\\!\\left');
    expect(law).toContain('{2{0.001}}');
  });

  it('leave what is too large or a function as it is, and put sums in parentheses', () => {
    expect(valueLatex(Array.from({ length: 9 }, () => 1))).toBeNull();
    expect(valueLatex({ function: 'f' })).toBeNull();
    expect(valueLatex('a+b')).toBe('\\left(a+b\\right)');
    expect(valueLatex(-2)).toBe('\\left(-2\\right)');
    expect(valueLatex(1.5e-7)).toBe('1.5 \\cdot 10^{-7}');
  });
});
