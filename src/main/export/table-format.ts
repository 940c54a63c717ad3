/**
 * What a data format is: bytes made of a table block by block, so that no table is too long to be exported.
 */
import type { TableSource } from './table-source';

/** The file that is being written. It appears complete or not at all. */
export interface TableFile {
  /** under which it is written, for libraries that write files themselves */
  readonly temporary: string;
  /** @throws {MoreauError} when the disk does not take it */
  write(data: string | Uint8Array): Promise<void>;
}

/** What a format may be asked for besides. */
export interface FormatOptions {
  /** whether what made the table stands above it; of CSV, whose readers do not expect that by themselves */
  readonly comments?: boolean | undefined;
}

export interface TableFormat {
  /** ending of the file name, with the dot */
  readonly extension: string;
  readonly title: string;
  /** what a file holds and who reads it, a sentence or two, for the dialog of an export */
  readonly help: string;
  /**
   * @param advance receives the number of values written; throws if the export was cancelled
   * @throws {MoreauError} when the format cannot hold the table, or it cannot be read or written
   */
  write(
    source: TableSource,
    file: TableFile,
    advance: (values: number) => void,
    options: FormatOptions,
  ): Promise<void>;
}
