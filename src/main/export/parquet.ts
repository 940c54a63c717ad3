/**
 * Parquet: one column of DOUBLE for each signal, in row groups of a block. The key `moreau` of the file's metadata has names, units and what made
 * the table, as JSON.
 */
import { MoreauError } from '@contract/errors';
import { allColumns, blocksOf } from './table-source';
import type { TableFile, TableFormat } from './table-format';

/** Bytes that are gathered before they are written. */
const GATHERED = 2 ** 20;

export const parquetFormat: TableFormat = {
  extension: '.parquet',
  title: 'Parquet',
  async write(source, file, advance) {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
    const { columns, provenance } = source;
    const signals = columns.map(({ name, unit, description }) => ({ name, unit, description }));
    const gathered = new ByteWriter(GATHERED);
    const names = columns.map(({ name }) => name);
    if (new Set(names).size < names.length)
      throw new MoreauError({
        code: 'duplicate-names',
        message: 'Two columns have the same name.',
        remedy: 'Export them to another format.',
      });
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
    for await (const block of blocksOf(source, allColumns(source))) {
      const count = block[0]?.length ?? 0;
      await writer.write({
        columnData: block.map((data, k) => ({ name: names[k], data, type: 'DOUBLE', encoding: 'PLAIN' })),
        rowGroupSize: Math.max(1, count),
      });
      await take(gathered, file);
      advance(count * block.length);
    }
    await writer.finish();
    await take(gathered, file);
  },
};

/** Hands over what has been gathered. */
async function take(gathered: { getBytes(): Uint8Array; index: number }, file: TableFile): Promise<void> {
  await file.write(gathered.getBytes());
  gathered.index = 0;
}
