/**
 * Builder scripts: a function that adds systems and interactions, or components, instances of sub-models
 * and wires, to the model in a loop. It speaks the language of the document, so what it builds is validated
 * by the same schema and the same rules.
 *
 *     export default (model: ModelBuilder, p: Parameters) => {
 *       model.system({ … });
 *       model.interaction({ … });
 *       model.component({ … });
 *       model.wire({ … });
 *     };
 */
import { EngineError, type EngineErrorDetails, type ScriptPlace } from '../errors';
import { evaluateParameters, type ParameterValues } from '../document/parameters';
import { MAX_ELEMENTS } from '../document/structure';
import type {
  ComponentDocument,
  Expression,
  InstanceDocument,
  InteractionDocument,
  ModelDocument,
  SystemDocument,
  WireDocument,
} from '../document/types';
import { ScriptSources } from './link';
import type { ScriptSandbox } from './sandbox';

/** What one builder script draws. */
interface BuiltDrawing {
  /** its name */
  script: string;
  components: ComponentDocument[];
  instances: InstanceDocument[];
  /** ends of a wire that is there already are added to it */
  wires: WireDocument[];
}

export interface BuiltElements {
  systems: SystemDocument[];
  interactions: InteractionDocument[];
  /** absent where nothing is drawn */
  drawings?: BuiltDrawing[];
  /** the call that added each of them, in the same order; null where that cannot be told */
  origins?: { systems: (ScriptPlace | null)[]; interactions: (ScriptPlace | null)[] };
}

export type BuilderResult = { ok: true; built: BuiltElements } | { ok: false; error: EngineErrorDetails };

/**
 * Plain copy of what a script handed over: data properties only, so that no accessor or prototype of the
 * script's making is ever touched again.
 */
function plainCopy(value: unknown, what: string): Record<string, unknown> {
  const text = JSON.stringify(value) as string | undefined;
  const copy: unknown = text === undefined ? undefined : JSON.parse(text);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) {
    throw new TypeError(`model.${what} expects an object such as the one the document holds`);
  }
  return copy as Record<string, unknown>;
}

/** Elements whose line is looked for: a stack takes some 25 µs, and a report is wanted at every edit. */
const MOST_ORIGINS = 10_000;

/**
 * Runs all builder scripts of the document, in their order. Never throws for what a script does.
 * @param withOrigins tells the line that adds each element, too
 * @param known what has been read of the document already
 */
export function runBuilder(
  document: ModelDocument,
  sandbox: ScriptSandbox,
  overrides: Readonly<Record<string, Expression>> = {},
  withOrigins = false,
  known: { parameters?: ParameterValues; sources?: ScriptSources } = {},
): BuilderResult {
  const origins = { systems: [] as (ScriptPlace | null)[], interactions: [] as (ScriptPlace | null)[] };
  const built: BuiltElements = { systems: [], interactions: [], ...(withOrigins ? { origins } : {}) };
  const { values } = known.parameters ?? evaluateParameters(document.parameters, overrides);
  const sources = known.sources ?? new ScriptSources(document.scripts);
  const parameters = Object.freeze({ ...values });
  const add = (section: 'systems' | 'interactions', what: string, value: unknown): void => {
    const list: object[] = built[section];
    if (list.length >= MAX_ELEMENTS) throw new RangeError(`a model has at most ${MAX_ELEMENTS} ${what}s`);
    list.push(plainCopy(value, what));
    if (!withOrigins) return;
    const isTraced = origins.systems.length + origins.interactions.length < MOST_ORIGINS;
    origins[section].push(isTraced ? (sandbox.placeOf(new Error('here')) ?? null) : null);
  };
  const drawings: BuiltDrawing[] = [];
  let drawnCount = 0;
  const draw = (section: 'components' | 'instances' | 'wires', what: string, value: unknown): void => {
    if (++drawnCount > MAX_ELEMENTS)
      throw new RangeError(`a script draws at most ${MAX_ELEMENTS} components and wires`);
    const own = drawings.at(-1);
    if (own === undefined) throw new TypeError('a builder adds what it builds while it is called');
    const list: object[] = own[section];
    list.push(plainCopy(value, what));
  };
  const model = Object.freeze({
    component: (value: unknown) => {
      draw('components', 'component', value);
    },
    instance: (value: unknown) => {
      draw('instances', 'instance', value);
    },
    wire: (value: unknown) => {
      draw('wires', 'wire', value);
    },
    system: (value: unknown) => {
      add('systems', 'system', value);
    },
    interaction: (value: unknown) => {
      add('interactions', 'interaction', value);
    },
  });
  for (const [i, script] of document.scripts.entries()) {
    if (script.role !== 'builder') continue;
    const ready = sources.readyToRun(i);
    if (!ready.ok) {
      const { code, message, remedy, script: place } = ready.issue;
      return {
        ok: false,
        error: {
          code,
          message,
          remedy,
          where: script.name,
          ...(place === undefined ? {} : { script: place }),
        },
      };
    }
    try {
      const build = sandbox.evaluate(ready.script).default;
      if (typeof build !== 'function') {
        throw new EngineError({
          code: 'builder-without-function',
          message: `The builder script “${script.name}” has no default export.`,
          where: script.name,
          remedy: 'Start it with “export default (model: ModelBuilder, p: Parameters) => { … }”.',
          script: { name: script.name, line: 1, column: 1 },
        });
      }
      drawings.push({ script: script.name, components: [], instances: [], wires: [] });
      (build as (model: object, p: object) => void)(model, parameters);
    } catch (error) {
      return { ok: false, error: sandbox.explain(error, { element: script.name }).details };
    }
  }
  if (drawnCount > 0) built.drawings = drawings;
  return { ok: true, built };
}
