/** What a data format is: text made of a run block by block, so that no run is too long to be exported. */
import type { RunInfo } from '@contract/methods';
import type { SignalInfo } from '@engine/document/types';
import type { TextBuffer } from './text-buffer';

export interface TableFormat {
  /** ending of the file name, with the dot */
  extension: string;
  title: string;
  /** @param signals columns, in the order the blocks have them */
  create(run: RunInfo, signals: readonly SignalInfo[]): TableWriter;
}

/** Produces one file's text. Calls come in the order `begin`, any number of `rows`, `end`. */
export interface TableWriter {
  begin(out: TextBuffer): void;
  /** @param columns one array a signal, all equally long */
  rows(columns: readonly Float64Array[], out: TextBuffer): void;
  end(out: TextBuffer): void;
}
