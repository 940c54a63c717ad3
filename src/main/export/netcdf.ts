/**
 * NetCDF-4 (Unidata, NetCDF-4 file format specification; attributes by the CF conventions 1.10): an HDF5 file
 * with creation order, whose datasets are variables over one dimension, a dimension scale of HDF5.
 *
 * The dimension is time where the table has it and it ascends strictly, as CF wants of a coordinate; else, as
 * with the two rows of an event, it is `row`, and time is an auxiliary coordinate. Names that NetCDF does not
 * allow are changed; `signal` of each variable is the name in the model.
 */
import type { Dataset, File, FileOptions } from 'h5wasm/node';
import { createColumn, fillColumns, writeHdf5 } from './hdf5-file';
import type { TableFormat } from './table-format';
import { blocksOf, type TableColumn, type TableSource } from './table-source';

/** Longest name of a variable, bytes. NC_MAX_NAME is 256, of which a zero is the last for some readers. */
const MOST_BYTES = 255;
/** Bytes of a name that are left for a number that makes it unique. */
const SUFFIX_BYTES = 8;
/** Name of a scale that is no variable, by the specification; the length of the dimension follows. */
const NO_VARIABLE = 'This is a netCDF dimension but not a netCDF variable.';
const MODEL = 'model';
const ACCURACY = 'accuracy';
const TIME = 't';
const ROW = 'row';

/**
 * As the NetCDF library writes files: by the format of HDF5 1.8, whose attributes may be longer than 64 KiB.
 */
const OPTIONS: FileOptions = { track_order: true, libver: ['v108', 'v108'] };

const encoder = new TextEncoder();

/** The beginning of a text, at most `most` bytes of UTF-8. */
function beginning(text: string, most: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(most));
  return text.slice(0, read);
}

/** Names that NetCDF allows, each once and none of those taken: `a/b` becomes `a∕b`, `(x)` becomes `_(x)`. */
export function netcdfNames(names: readonly string[], reserved: readonly string[]): string[] {
  const taken = new Set(reserved);
  return names.map((name) => {
    const plain = name
      .normalize('NFC')
      .replaceAll('/', '∕')
      .replaceAll(/[\p{Cc}\u007F]/gu, '_')
      .replace(/ +$/, (spaces) => '_'.repeat(spaces.length));
    const base = /^[\p{L}\p{N}_]/u.test(plain) ? plain : `_${plain}`;
    let unique = beginning(base, MOST_BYTES);
    for (let k = 2; taken.has(unique); k++) unique = `${beginning(base, MOST_BYTES - SUFFIX_BYTES)}_${k}`;
    taken.add(unique);
    return unique;
  });
}

/** An attribute of characters, as readers of every version take them. Nothing is said by an empty one. */
function say(at: Dataset | File, name: string, text: string): void {
  const { length } = encoder.encode(text);
  if (length > 0) at.create_attribute(name, text, [], `S${length}`);
}

/** Place of the column that is the coordinate; −1 if the rows have none. */
async function coordinateOf(source: TableSource, advance: (values: number) => void): Promise<number> {
  const time = source.columns.findIndex(isTime);
  if (time < 0) return -1;
  let before = -Infinity;
  for await (const [values] of blocksOf(source, [time])) {
    // Nothing is written yet, but the export may be cancelled.
    advance(0);
    for (const value of values) {
      // A time that is no number ends the order, too.
      if (!(value > before)) return -1;
      before = value;
    }
  }
  return time;
}

const isTime = ({ name, unit }: TableColumn): boolean => name === TIME && unit === 's';

/** What made the table: a fact is an attribute of the file; the model and what was measured are texts. */
function describeOrigin(out: File, { provenance }: TableSource): void {
  const { title, model, parameters, certificate, verdict, sweep, ...facts } = provenance;
  say(out, '_NCProperties', `version=2,moreau=${provenance.engineVersion}`);
  say(out, 'Conventions', 'CF-1.10');
  say(out, 'title', title);
  say(out, 'source', `Moreau ${provenance.engineVersion}`);
  for (const [key, value] of Object.entries(facts))
    if (typeof value === 'number') out.create_attribute(key, value, [], '<d');
    else say(out, key, value);
  const { accuracy, ...judged } = verdict ?? {};
  say(out, 'parameters', JSON.stringify(parameters));
  say(out, 'certificate', JSON.stringify(certificate));
  if (verdict !== undefined) say(out, 'verdict', JSON.stringify(judged));
  if (sweep !== undefined) say(out, 'sweep', JSON.stringify(sweep));
  out.create_dataset({ name: MODEL, data: JSON.stringify(model) });
  if (accuracy !== undefined) out.create_dataset({ name: ACCURACY, data: JSON.stringify(accuracy) });
}

export const netcdfFormat: TableFormat = {
  extension: '.nc',
  title: 'NetCDF-4',
  help: 'One variable per signal over time, with its unit, by the CF conventions. For xarray, netCDF4, MATLAB, Julia, R; any length.',
  async write(source, file, advance) {
    const { columns, rows } = source;
    const coordinate = await coordinateOf(source, advance);
    const dimension = coordinate < 0 ? ROW : TIME;
    const variables = netcdfNames(
      columns.map(({ name }, k) => (k === coordinate ? TIME : name)),
      [MODEL, ACCURACY, ...(coordinate < 0 ? [ROW] : [])],
    );
    await writeHdf5(file, this.title, OPTIONS, async (out) => {
      const scale = coordinate < 0 ? createColumn(out, ROW, rows) : null;
      scale?.make_scale(`${NO_VARIABLE}${String(rows).padStart(10)}`);
      const datasets = columns.map((_, k) => createColumn(out, variables[k], rows));
      if (coordinate >= 0) datasets[coordinate].make_scale(TIME);
      (scale ?? datasets[coordinate]).create_attribute('_Netcdf4Dimid', 0, [], '<i');
      const auxiliary = coordinate < 0 ? columns.findIndex(isTime) : -1;
      for (const [k, { name, unit, description }] of columns.entries()) {
        const dataset = datasets[k];
        if (k !== coordinate) dataset.attach_scale(0, dimension);
        say(dataset, 'units', unit);
        say(dataset, 'long_name', description === '' ? name : description);
        say(dataset, 'signal', name);
        if (auxiliary >= 0 && k !== auxiliary) say(dataset, 'coordinates', variables[auxiliary]);
      }
      describeOrigin(out, source);
      await fillColumns(out, datasets, source, advance);
    });
  },
};
