/** Tables as text, row by row. */
import { allColumns, blocksOf, type TableSource } from './table-source';
import type { FormatOptions, TableFormat } from './table-format';
import { TextBuffer } from './text-buffer';

/** Bytes of the text buffer at first. */
const TEXT_BYTES = 2 ** 18;
/** Values made into text in one go: a few milliseconds, so that the thread stays free for others. */
const VALUES = 2 ** 15;

/** Produces one file's text. Calls come in the order `begin`, any number of `row`, `end`. */
export interface TextWriter {
  begin(out: TextBuffer): void;
  row(columns: readonly Float64Array[], row: number, out: TextBuffer): void;
  end(out: TextBuffer): void;
}

export const textFormat = (
  extension: string,
  title: string,
  help: string,
  create: (source: TableSource, options: FormatOptions) => TextWriter,
): TableFormat => ({
  extension,
  title,
  help,
  async write(source, file, advance, options) {
    const out = new TextBuffer(TEXT_BYTES);
    const writer = create(source, options);
    writer.begin(out);
    for await (const columns of blocksOf(source, allColumns(source), VALUES)) {
      const count = columns[0]?.length ?? 0;
      for (let row = 0; row < count; row++) writer.row(columns, row, out);
      await file.write(out.take());
      advance(count * columns.length);
    }
    writer.end(out);
    await file.write(out.take());
  },
});
