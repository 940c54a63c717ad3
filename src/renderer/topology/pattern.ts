/** The block pattern of the one-step matrix, as squares to draw. Larger ones are drawn in cells of several blocks. */
import type { ReportedTopology } from '@engine/simulation/topology-report';

type Pattern = NonNullable<ReportedTopology['pattern']>;

/** Cells along a side: finer ones could not be seen. */
export const MAX_CELLS = 120;

export interface DrawnPattern {
  /** cells along a side */
  readonly cells: number;
  /** blocks along the side of a cell */
  readonly scale: number;
  /** SVG paths in units of cells: blocks on the diagonal, and the others */
  readonly diagonal: string;
  readonly others: string;
}

const square = (row: number, column: number): string => `M${column} ${row}h1v1h-1z`;

export function drawPattern({ rowStart, columns }: Pattern): DrawnPattern {
  const size = rowStart.length - 1;
  const scale = Math.max(1, Math.ceil(size / MAX_CELLS));
  const cells = Math.ceil(size / scale);
  const filled = new Uint8Array(cells * cells);
  for (let row = 0; row < size; row++)
    for (const column of columns.slice(rowStart[row], rowStart[row + 1]))
      filled[Math.floor(row / scale) * cells + Math.floor(column / scale)] = 1;
  const diagonal: string[] = [];
  const others: string[] = [];
  for (let row = 0; row < cells; row++)
    for (let column = 0; column < cells; column++)
      if (filled[row * cells + column] === 1) (row === column ? diagonal : others).push(square(row, column));
  return { cells, scale, diagonal: diagonal.join(''), others: others.join('') };
}
