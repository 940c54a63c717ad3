/** Whether a run of a document that has been examined begins, and where it ends: found by beginning it. */
import { EngineError, type EngineErrorDetails } from '../errors';
import type { Examination, ScriptEnvironment } from '../preparation/examination';
import { selectSignals } from '../preparation/prepare';
import { MemoryChunks } from '../recording/chunks';
import type { ScriptSandbox } from '../script/sandbox';
import { explain } from './compile-run';
import { countSteps, endWarnings } from './schemes/scheme';
import { RunSession } from './session';

const LOADING = { function: null, element: '', pointer: '/scripts' } as const;
const STARTING = { function: null, isStart: true, element: '', pointer: '/simulation' } as const;

interface Beginning {
  /** what a run is refused for before its first step; null where it begins */
  readonly error: EngineErrorDetails | null;
  /** that it would end elsewhere than it should */
  readonly end: readonly string[];
}

const UNKNOWN: Beginning = { error: null, end: [] };

/**
 * How a run begins, where the document itself has no errors and its scripts may be executed. The model is of
 * no use afterwards.
 */
export function beginningOf(examination: Examination, environment: ScriptEnvironment): Beginning {
  const { document, structure, scripts } = examination;
  try {
    const prepared = examination.load(LOADING, environment);
    const { sandbox, functions, preparation } = examination;
    if (prepared === null || (sandbox !== null && !environment.begin(STARTING))) return UNKNOWN;
    const { selected } = selectSignals(prepared.layout, document.simulation.recording?.signals);
    const { warnings } = new RunSession(
      { document },
      {
        ok: true,
        reading: { structure, scripts: scripts.readings },
        prepared,
        parameters: preparation.parameters,
        warnings: [],
        selected,
        scripts: sandbox === null ? null : { sandbox, scripts },
        lookup: functions,
      },
      { sandbox: () => sandbox as ScriptSandbox, sink: new MemoryChunks() },
    );
    const { settings } = prepared;
    const end = endWarnings(settings, countSteps(settings)).filter((words) => warnings.includes(words));
    return { error: null, end };
  } catch (error) {
    const { sandbox } = examination;
    if (sandbox === null && !(error instanceof EngineError))
      return refused({
        code: 'start-failed',
        message: `The model does not start: ${error instanceof Error ? error.message : String(error)}.`,
        remedy: 'This is a fault of the program. Please report it, with the model.',
      });
    const labels = examination.prepared?.labels ?? {};
    return refused(
      explain(error, sandbox === null ? null : { sandbox, scripts }, {}, 0, { document, labels }),
    );
  }
}

const refused = (error: EngineErrorDetails): Beginning => ({ error, end: [] });
