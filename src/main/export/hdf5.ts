/**
 * HDF5: one dataset of float64 for each signal, under its name, with the attributes `unit` and `description`;
 * what made the table is in attributes of the file. The library writes to the disk itself, so that only a
 * block at a time is in memory.
 */
import { MoreauError } from '@contract/errors';
import { allColumns, blocksOf } from './table-source';
import type { TableFormat } from './table-format';

/** Rows of a chunk of a dataset. */
const CHUNK = 16_384;
/** Blocks between two flushes: what the library holds back is bounded. */
const FLUSH_EVERY = 16;

/** Bytes that a disk with space takes. */
const PROBE = 65_536;

/** A slash would begin a group. */
const datasetName = (name: string): string => name.replaceAll('/', '∕');

export const hdf5Format: TableFormat = {
  extension: '.h5',
  title: 'HDF5',
  async write(source, file, advance) {
    // Loaded when it is wanted: it is a library of several mebibytes.
    const { default: hdf5 } = await import('h5wasm/node');
    await hdf5.ready;
    const { columns, rows, provenance } = source;
    const out = new hdf5.File(file.temporary, 'w');
    let isOpen = true;
    try {
      const { model, parameters, certificate, verdict, sweep, ...plain } = provenance;
      out.create_attribute('program', 'Moreau');
      for (const [key, value] of Object.entries(plain)) out.create_attribute(key, value);
      out.create_attribute('parameters', JSON.stringify(parameters));
      out.create_attribute('certificate', JSON.stringify(certificate));
      const { accuracy, ...judged } = verdict ?? {};
      if (verdict !== undefined) out.create_attribute('verdict', JSON.stringify(judged));
      if (sweep !== undefined) out.create_attribute('sweep', JSON.stringify(sweep));
      out.create_attribute(
        'signals',
        columns.map(({ name }) => datasetName(name)),
      );
      // Attributes hold at most 64 KiB; models may be longer.
      out.create_dataset({ name: 'model', data: JSON.stringify(model) });
      if (accuracy !== undefined) out.create_dataset({ name: 'accuracy', data: JSON.stringify(accuracy) });
      const datasets = columns.map(({ name, unit, description }) => {
        const dataset = out.create_dataset({
          name: datasetName(name),
          data: new Float64Array(0),
          shape: [0],
          maxshape: [null],
          chunks: [Math.max(1, Math.min(CHUNK, rows))],
          dtype: '<d',
        });
        dataset.resize([rows]);
        dataset.create_attribute('unit', unit);
        dataset.create_attribute('description', description);
        return dataset;
      });
      let firstRow = 0;
      let blocks = 0;
      for await (const block of blocksOf(source, allColumns(source))) {
        const count = block[0]?.length ?? 0;
        block.forEach((values, k) => datasets[k].write_slice([[firstRow, firstRow + count]], values));
        firstRow += count;
        if (++blocks % FLUSH_EVERY === 0) out.flush();
        advance(count * block.length);
      }
      out.flush();
      isOpen = false;
      // Closing is where a full disk shows.
      if (out.close() < 0) throw new Error('it could not be completed');
    } catch (error) {
      if (isOpen) out.close();
      if (error instanceof MoreauError) throw error;
      // The library does not say why the disk has refused: the disk does.
      await file.write(new Uint8Array(PROBE));
      throw new MoreauError({
        code: 'export-failed',
        message: `The HDF5 file could not be written: ${error instanceof Error ? error.message : String(error)}.`,
        remedy: 'Free space on that disk, or choose another folder.',
      });
    }
  },
};
