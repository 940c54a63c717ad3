/** What a run computes beside the present document. */
import type { ModelDocument, SchemeName } from '@engine/document/types';

/** What a run takes in place of what the document says. */
export interface RunOverrides {
  scheme?: SchemeName;
  /** s */
  h?: number;
  /** s */
  tEnd?: number;
  /** only every n-th step is recorded */
  every?: number;
  /** names of the recorded ones */
  signals?: string[];
  /** values of parameters */
  set?: Record<string, number>;
  /** whether it waits at its start */
  paused?: boolean;
  name?: string;
  /** common name of runs that are started together */
  group?: string;
  /** whether it follows a slider */
  live?: boolean;
}

/** What a run computes, where that is not the present document to the letter. */
export interface ComputedDocument {
  session: number;
  /** state of the document it was made from */
  origin: ModelDocument;
  document: ModelDocument;
}

/** The scheme that is not the given one. */
export const OTHER_SCHEME: Readonly<Record<SchemeName, SchemeName>> = {
  'time-stepping': 'event-driven',
  'event-driven': 'time-stepping',
};
