/** Whether a run of a document that has been examined begins: found by beginning it. */
import { EngineError, type EngineErrorDetails } from '../errors';
import type { Examination, ScriptEnvironment } from '../preparation/examination';
import { selectSignals } from '../preparation/prepare';
import { MemoryChunks } from '../recording/chunks';
import type { ScriptSandbox } from '../script/sandbox';
import { explain } from './compile-run';
import { RunSession } from './session';

const LOADING = { function: null, element: '', pointer: '/scripts' } as const;
const STARTING = { function: null, isStart: true, element: '', pointer: '/simulation' } as const;

/**
 * What a run is refused for before its first step, where the document itself has no errors; null where it
 * begins, or nothing may be executed. The model is of no use afterwards.
 */
export function startRefusal(
  examination: Examination,
  environment: ScriptEnvironment,
): EngineErrorDetails | null {
  const { document, structure, scripts } = examination;
  try {
    const prepared = examination.load(LOADING, environment);
    const { sandbox, functions, preparation } = examination;
    if (prepared === null || (sandbox !== null && !environment.begin(STARTING))) return null;
    const { selected } = selectSignals(prepared.layout, document.simulation.recording?.signals);
    new RunSession(
      { document },
      {
        ok: true,
        reading: { structure, sources: scripts.sources },
        prepared,
        parameters: preparation.parameters,
        warnings: [],
        selected,
        scripts: sandbox === null ? null : { sandbox, scripts },
        lookup: functions,
      },
      { sandbox: () => sandbox as ScriptSandbox, sink: new MemoryChunks() },
    );
    return null;
  } catch (error) {
    const { sandbox } = examination;
    if (sandbox === null && !(error instanceof EngineError))
      return {
        code: 'start-failed',
        message: `The model does not start: ${error instanceof Error ? error.message : String(error)}.`,
        remedy: 'This is a fault of the program. Please report it, with the model.',
      };
    const labels = examination.prepared?.labels ?? {};
    return explain(error, sandbox === null ? null : { sandbox, scripts }, {}, 0, { document, labels });
  }
}
