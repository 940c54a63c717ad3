/**
 * HDF5: one dataset of float64 for each signal, under its name, with the attributes `unit` and `description`;
 * what made the table is in attributes of the file.
 */
import { createColumn, datasetName, fillColumns, writeHdf5 } from './hdf5-file';
import type { TableFormat } from './table-format';

export const hdf5Format: TableFormat = {
  extension: '.h5',
  title: 'HDF5',
  help: 'One dataset per signal, with its unit as an attribute. For h5py, MATLAB, Julia; any length.',
  write(source, file, advance) {
    const { columns, rows, provenance } = source;
    return writeHdf5(file, this.title, {}, async (out) => {
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
        const dataset = createColumn(out, datasetName(name), rows);
        dataset.create_attribute('unit', unit);
        dataset.create_attribute('description', description);
        return dataset;
      });
      await fillColumns(out, datasets, source, advance);
    });
  },
};
