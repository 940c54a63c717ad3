/** Patterns of matrices, as squares to draw. Larger ones are drawn in cells of several entries. */

/** Rows of blocks: those of row i stand in columns[rowStart[i]] … columns[rowStart[i + 1] − 1]. */
export interface Pattern {
  readonly rowStart: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
}

/** Cells along a side: finer ones could not be seen. */
export const MAX_CELLS = 120;

export interface Drawing {
  /** cells along the sides */
  readonly rows: number;
  readonly columns: number;
  /** entries along the sides of a cell */
  readonly rowScale: number;
  readonly columnScale: number;
  /** SVG paths in units of cells, in the colours of the key */
  readonly interaction: string;
  readonly accent: string;
}

export type Colour = 'interaction' | 'accent';

/** A matrix of blocks, those on the diagonal in the first colour. */
export function drawPattern({ rowStart, columns }: Pattern): Drawing {
  const size = rowStart.length - 1;
  const canvas = new Canvas(size, size);
  for (let row = 0; row < size; row++)
    for (let k = rowStart[row] ?? 0; k < (rowStart[row + 1] ?? 0); k++)
      canvas.fill(row, columns[k] ?? 0, 'accent');
  return canvas.drawing((row, column) => (row === column ? 'interaction' : 'accent'));
}

/** A matrix in which each row has a colour. */
export function drawLinks(
  links: readonly { readonly columns: readonly number[]; readonly colour: Colour }[],
  width: number,
): Drawing {
  const canvas = new Canvas(links.length, width);
  links.forEach(({ columns, colour }, row) => columns.forEach((column) => canvas.fill(row, column, colour)));
  return canvas.drawing((_row, _column, colour) => colour);
}

const square = (row: number, column: number): string => `M${column} ${row}h1v1h-1z`;

class Canvas {
  readonly #rows: number;
  readonly #columns: number;
  readonly #rowScale: number;
  readonly #columnScale: number;
  /** by cell; what is filled last counts */
  readonly #cells: (Colour | undefined)[];

  constructor(rows: number, columns: number) {
    this.#rowScale = Math.max(1, Math.ceil(rows / MAX_CELLS));
    this.#columnScale = Math.max(1, Math.ceil(columns / MAX_CELLS));
    this.#rows = Math.ceil(rows / this.#rowScale);
    this.#columns = Math.ceil(columns / this.#columnScale);
    this.#cells = new Array<Colour | undefined>(this.#rows * this.#columns);
  }

  fill(row: number, column: number, colour: Colour): void {
    this.#cells[Math.floor(row / this.#rowScale) * this.#columns + Math.floor(column / this.#columnScale)] =
      colour;
  }

  /** @param colourOf of a cell that is filled */
  drawing(colourOf: (row: number, column: number, filled: Colour) => Colour): Drawing {
    const paths: Record<Colour, string[]> = { interaction: [], accent: [] };
    for (let row = 0; row < this.#rows; row++)
      for (let column = 0; column < this.#columns; column++) {
        const filled = this.#cells[row * this.#columns + column];
        if (filled !== undefined) paths[colourOf(row, column, filled)].push(square(row, column));
      }
    return {
      rows: this.#rows,
      columns: this.#columns,
      rowScale: this.#rowScale,
      columnScale: this.#columnScale,
      interaction: paths.interaction.join(''),
      accent: paths.accent.join(''),
    };
  }
}
