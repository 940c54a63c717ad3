/** Runs documents as the host does, into memory. */
import type { ModelDocument } from '@engine/document/types';
import type { EngineErrorDetails } from '@engine/errors';
import { MemoryChunks } from '@engine/recording/chunks';
import { TrajectoryReader } from '@engine/recording/reading';
import type { ScriptSandbox } from '@engine/script/sandbox';
import { prepareRun, type RunSession, type RunSpecification } from '@engine/run/session';

export interface Run {
  session: RunSession;
  /** Recorded values of a signal, the initial one first. @throws when the run has no such signal */
  column(name: string): Float64Array;
}

export type RunOptions = Omit<RunSpecification, 'document'> & {
  /** `createSandbox` for documents with scripts: importing it is left to the tests that need it */
  sandbox?: () => ScriptSandbox;
};

const noSandbox = (): ScriptSandbox => {
  throw new Error('this test gives no sandbox, but its model has scripts');
};

/** Prepares a run. @throws when the document is refused */
export function start(document: ModelDocument, options: RunOptions = {}): Run {
  const { sandbox = noSandbox, ...specification } = options;
  const sink = new MemoryChunks();
  const prepared = prepareRun({ document, ...specification }, { sandbox, sink });
  if (!prepared.ok) throw new Error(`${prepared.error.code}: ${prepared.error.message}`);
  const { session } = prepared;
  const reader = new TrajectoryReader(sink);
  return {
    session,
    column: (name) => {
      const index = session.signals.findIndex((signal) => signal.name === name);
      if (index < 0)
        throw new Error(`no signal ${name} among ${session.signals.map((s) => s.name).join(', ')}`);
      return reader.rows([index], 0, session.rows).columns[0];
    },
  };
}

/** Runs to the end. @throws when the document is refused or the run fails */
export function run(document: ModelDocument, options: RunOptions = {}): Run {
  const started = start(document, options);
  if (started.session.advance(Number.MAX_SAFE_INTEGER) !== 'done')
    throw new Error(started.session.error?.message);
  return started;
}

/** Why a document is refused. @throws when it is not */
export function refusal(document: ModelDocument, options: RunOptions = {}): EngineErrorDetails {
  const { sandbox = noSandbox, ...specification } = options;
  const prepared = prepareRun({ document, ...specification }, { sandbox, sink: new MemoryChunks() });
  if (prepared.ok) throw new Error('the document was accepted');
  return prepared.error;
}

/** The error a run ends with. @throws when it does not fail */
export function runFailure(
  document: ModelDocument,
  options: RunOptions = {},
): Run & { error: EngineErrorDetails } {
  const started = start(document, options);
  const state = started.session.advance(Number.MAX_SAFE_INTEGER);
  if (state !== 'failed' || started.session.error === null) throw new Error(`the run ended as ${state}`);
  return { ...started, error: started.session.error };
}
