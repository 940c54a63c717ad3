/**
 * Parquet: one column of DOUBLE for each signal, in row groups of one or several blocks. The key `moreau` of
 * the file's metadata has names, units and what made the table, as JSON.
 */
import { MoreauError } from '@contract/errors';
import { allColumns, blockRows, blocksOf } from './table-source';
import type { TableFile, TableFormat } from './table-format';

/** Room for the headers of pages of a column in a group, bytes. */
const PAGE_HEADS = 512;
/**
 * The metadata has an entry for each column of each row group, about a kibibyte until the file is complete:
 * groups are made larger so that there are about this many.
 */
const USUAL_ENTRIES = 2 ** 15;
/** Values of the largest row group, which is in memory twice while it is written: 64 MiB. */
const MOST_VALUES = 2 ** 23;
/**
 * Entries that are held at most, about a hundred mebibytes, unless a single group has more; what needs more
 * is refused.
 */
const MOST_ENTRIES = 2 ** 16;

/**
 * Blocks in a row group: few enough to fit in memory, enough to keep the metadata small.
 * @param rows of a block
 * @throws {MoreauError} `table-too-long`
 */
export function blocksPerGroup(rows: number, table: { rows: number; columns: number }): number {
  const groups = Math.max(1, Math.floor(USUAL_ENTRIES / Math.max(1, table.columns)));
  const wanted = Math.ceil(table.rows / groups / rows);
  const most = Math.max(1, Math.floor(MOST_VALUES / Math.max(1, rows * table.columns)));
  const blocks = Math.max(1, Math.min(wanted, most));
  const mostGroups = Math.max(1, Math.floor(MOST_ENTRIES / Math.max(1, table.columns)));
  if (Math.ceil(table.rows / (blocks * rows)) <= mostGroups) return blocks;
  const longest = mostGroups * most * rows;
  throw new MoreauError({
    code: 'table-too-long',
    message: `A Parquet file of ${table.columns} columns holds at most ${longest} rows; there are ${table.rows}.`,
    remedy: 'Export to HDF5 (.h5), fewer signals, or only every n-th row.',
  });
}

export const parquetFormat: TableFormat = {
  extension: '.parquet',
  title: 'Parquet',
  help: 'One column per signal; units are in the metadata. For pandas, Arrow, DuckDB.',
  async write(source, file, advance) {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
    const { columns, provenance } = source;
    const signals = columns.map(({ name, unit, description }) => ({ name, unit, description }));
    const names = columns.map(({ name }) => name);
    if (new Set(names).size < names.length)
      throw new MoreauError({
        code: 'duplicate-names',
        message: 'Two columns have the same name.',
        remedy: 'Export them to another format.',
      });
    const rows = blockRows(columns.length);
    const groupRows = Math.min(
      source.rows,
      rows * blocksPerGroup(rows, { rows: source.rows, columns: columns.length }),
    );
    // A group fits without the writer doubling its room.
    const gathered = new ByteWriter(
      columns.length * (groupRows * Float64Array.BYTES_PER_ELEMENT + PAGE_HEADS),
    );
    const writer = new ParquetWriter({
      writer: gathered,
      schema: [
        { name: 'root', num_children: columns.length },
        ...names.map((name) => ({ name, type: 'DOUBLE' as const, repetition_type: 'REQUIRED' as const })),
      ],
      codec: 'UNCOMPRESSED',
      statistics: false,
      createdBy: 'Moreau',
      kvMetadata: [{ key: 'moreau', value: JSON.stringify({ signals, provenance }) }],
    });
    const group = names.map(() => new Float64Array(groupRows));
    let filled = 0;
    const writeGroup = async (): Promise<void> => {
      await writer.write({
        columnData: group.map((values, k) => ({
          name: names[k],
          // The writer copies it: the same arrays take the next group.
          data: values.subarray(0, filled),
          type: 'DOUBLE',
          encoding: 'PLAIN',
          // Pages are found without it, and it would be held until the end.
          offsetIndex: false,
        })),
        rowGroupSize: filled,
      });
      filled = 0;
      await take(gathered, file);
    };
    for await (const block of blocksOf(source, allColumns(source))) {
      block.forEach((values, k) => group[k].set(values, filled));
      filled += block[0]?.length ?? 0;
      if (filled === groupRows) await writeGroup();
      advance((block[0]?.length ?? 0) * block.length);
    }
    if (filled > 0) await writeGroup();
    await writer.finish();
    await take(gathered, file);
  },
};

/** Hands over what has been gathered. */
async function take(gathered: { getBytes(): Uint8Array; index: number }, file: TableFile): Promise<void> {
  await file.write(gathered.getBytes());
  gathered.index = 0;
}
