/** A table that can be written to a file: its columns, where it comes from, and its rows a part at a time. */
import type { Accuracy } from '@contract/methods';
import type { SignalInfo } from '@engine/document/types';
import type { Completeness } from '@engine/run/schemes/scheme';

export type TableColumn = Pick<SignalInfo, 'name' | 'unit' | 'description'>;

/** What a motion is worth. */
export interface TableVerdict {
  readonly solved: boolean;
  readonly complete?: Completeness | undefined;
  /** absent if not measured; null if unknown, as for motions that diverge */
  readonly accurate?: boolean | null | undefined;
  /** what was measured */
  readonly accuracy?: Accuracy | undefined;
}

/** What made a table: enough to make it again. */
export interface Provenance {
  readonly title: string;
  /** name of the run */
  readonly run: string;
  readonly status: string;
  readonly engineVersion: string;
  readonly scheme: string;
  /** s */
  readonly h: number;
  readonly t0: number;
  readonly tEnd: number;
  /** ISO 8601; absent of tables whose bytes follow from what was asked for alone */
  readonly startedAt?: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** worst violations, as the run reports them */
  readonly certificate: object;
  /**
   * of a run or a single motion: whether it is solved, complete and accurate; absent where rows say it, or
   * nothing is known
   */
  readonly verdict?: TableVerdict | undefined;
  /** of a sweep that is no analysis of the model: what was asked for */
  readonly sweep?: object;
  /** of points of a section, its id */
  readonly section?: string;
  /** the model document as it was computed */
  readonly model: object;
}

export interface TableSource {
  readonly columns: readonly TableColumn[];
  readonly rows: number;
  readonly provenance: Provenance;
  /**
   * @param columns places of the wanted ones
   * @returns one array for each of them, `count` long
   * @throws {MoreauError} when the recording cannot be read
   */
  read(columns: readonly number[], firstRow: number, count: number): Promise<Float64Array[]>;
}

/** Values read at once, whatever the number of columns: a few mebibytes. */
const BLOCK_VALUES = 2 ** 19;

/** Rows of a block, by its number of columns. */
export const blockRows = (columns: number, values = BLOCK_VALUES): number =>
  Math.max(1, Math.floor(values / Math.max(1, columns)));

/** Reads columns block by block. @param values of a block */
export async function* blocksOf(
  source: TableSource,
  columns: readonly number[],
  values = BLOCK_VALUES,
): AsyncGenerator<Float64Array[]> {
  const most = blockRows(columns.length, values);
  for (let row = 0; row < source.rows; row += most)
    yield await source.read(columns, row, Math.min(most, source.rows - row));
}

/** Places of all columns. */
export const allColumns = ({ columns }: TableSource): number[] => columns.map((_, k) => k);
