/**
 * Data formats that tables can be exported to: a new one is a file with its `TableFormat` and one line here.
 */
import { extname } from 'node:path';
import { MoreauError } from '@contract/errors';
import { csvFormat } from './csv';
import { hdf5Format } from './hdf5';
import { jsonFormat } from './json';
import { matFormat } from './mat';
import { netcdfFormat } from './netcdf';
import { npzFormat } from './npz';
import { parquetFormat } from './parquet';
import type { TableFormat } from './table-format';

export const tableFormats: readonly TableFormat[] = [
  csvFormat,
  hdf5Format,
  netcdfFormat,
  npzFormat,
  matFormat,
  parquetFormat,
  jsonFormat,
];

/** Endings of the files of all formats, for help texts. */
export const tableEndings: string = tableFormats.map(({ extension }) => extension).join(', ');

/**
 * Format that a file's name decides.
 * @throws {MoreauError} `unknown-format`
 */
export function formatOf(path: string): TableFormat {
  const extension = extname(path).toLowerCase();
  const format = tableFormats.find((one) => one.extension === extension);
  if (format !== undefined) return format;
  throw new MoreauError({
    code: 'unknown-format',
    message:
      extension === ''
        ? `The file name ${path} has no ending that says the format.`
        : `This version does not write ${extension} files.`,
    where: path,
    remedy: `Let the name end in ${tableFormats.map((one) => `${one.extension} (${one.title})`).join(' or ')}.`,
  });
}
