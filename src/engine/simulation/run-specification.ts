/** What a run is asked for. */
import type { Expression, ModelDocument, SchemeName } from '../document/types';
import type { LoopChoice } from './setup';

/** New values from a moment of a run on; with these a run can be computed again exactly. */
export interface RunChange {
  /** moves before it: steps, or events of the event-driven scheme */
  readonly move: number;
  /** s */
  readonly time: number;
  readonly set: Record<string, Expression>;
}

export interface RunSpecification {
  document: ModelDocument;
  /** parameter values in place of the document's */
  set?: Record<string, Expression> | undefined;
  /** s */
  h?: number | undefined;
  /** s */
  tEnd?: number | undefined;
  /** in place of the document's */
  scheme?: SchemeName | undefined;
  /** names of the recorded signals; absent means the document's choice */
  signals?: string[] | undefined;
  /** only every n-th step is recorded; absent means the document's choice */
  every?: number | undefined;
  loop?: LoopChoice | undefined;
  /** whether the initial state is moved onto the joints first */
  project?: boolean | undefined;
  /** how many times it is made finer than the document says, to measure the error of the run itself */
  refinement?: number | undefined;
  /** parameters that change on the way, earliest first */
  changes?: readonly RunChange[] | undefined;
}
