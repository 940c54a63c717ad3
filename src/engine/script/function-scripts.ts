/**
 * The scripts of a document, in two stages. Read: transpiled and inspected without being executed, which is
 * all that the live report needs; building a model on them also tells which derivatives it asks for, and
 * which of them are unavailable. Loaded: evaluated in a sandbox together with those derivatives, for a run of
 * the model that was built.
 */
import type {
  DerivativeFunction,
  DerivativeLookup,
  DocumentDerivativeRequest,
} from '../document/derivatives';
import type { AnalyticLookup, FunctionCheck, FunctionLookup } from '../document/field-values';
import type { Derivatives, DocumentIssue, ModelDocument, SimulationDocument } from '../document/types';
import type { FieldPlace, GeneratedFunction } from '../document/timed';
import { EngineError, type EngineErrorDetails, type ScriptPlace } from '../errors';
import { type ConditionTrace, traceBy, traceLike } from '../model/conditions';
import { LateFunction, type ScriptFunction, describeCall, failedCallOf } from '../model/plugin';
import { PLUGIN_SIGNATURES } from '../model/plugin-signatures';
import { recognise } from './analytic/recognise';
import { PluginShapes, type ShapeDefect } from './checks/plugin-shape';
import { generatedName, generatedScript } from './generated';
import { type DerivativeDefect, differentiate } from './differentiate/differentiate';
import { centralDifferences } from './differentiate/finite-differences';
import type { ScriptSources } from './link';
import type { ScriptSandbox } from './sandbox';
import { type FunctionScript, ScriptReadings } from './script-readings';
import { exportPlace, traceCall } from './trace';
import { type TranspiledScript, placeIn } from './transpile';

/** Functions of loaded scripts, and their derivatives. */
export interface LoadedFunctions {
  readonly functions: (name: string) => ((...args: never[]) => unknown) | null;
  readonly derivatives: (
    request: DocumentDerivativeRequest,
  ) =>
    | { readonly ok: true; readonly call: DerivativeFunction; readonly isExact?: boolean }
    | { readonly ok: false; readonly issue: DocumentIssue };
}

type Call = (...args: never[]) => unknown;

export interface FunctionScriptOptions {
  /**
   * whether outcomes of conditions in functions can be held, as the event-driven scheme does; no when absent
   */
  readonly holdsConditions?: boolean;
  /** of the same document and the same choice, where it has been read already */
  readonly readings?: ScriptReadings | undefined;
}

const keyOf = ({ function: name, argument, result }: DocumentDerivativeRequest): string =>
  `${argument}:${result}:${name}`;

export class FunctionScripts {
  /** defects of scripts that cannot be read, builders included */
  readonly issues: readonly DocumentIssue[];
  readonly sources: ScriptSources;
  /** for further models of the document, of which one is in use at a time */
  readonly readings: ScriptReadings;
  /** exported names of each script that can be read, by its name */
  readonly exports: Readonly<Record<string, string[]>>;
  /** names of all plug-in functions */
  readonly functionNames: readonly string[];

  readonly #scripts: FunctionScript[];
  readonly #given: GeneratedFunction[] = [];
  /** generated functions by their source, without its name */
  readonly #generated = new Map<string, { readonly name: string; readonly fields: FieldPlace[] }>();
  /** script of each function; of two functions of one name the later counts */
  readonly #owner = new Map<string, FunctionScript>();
  /** what has been asked for before it is loaded */
  readonly #lateFunctions = new Map<string, LateFunction>();
  readonly #lateDerivatives = new Map<string, { request: DocumentDerivativeRequest; late: LateFunction }>();
  /** conditions of the functions, where they are held */
  readonly #trace: ConditionTrace;
  readonly #mode: Derivatives;
  /** whether all imports of scripts lead somewhere */
  readonly #isLinked: boolean;

  constructor(
    private readonly document: Pick<ModelDocument, 'scripts' | 'simulation'> &
      Partial<Pick<ModelDocument, 'parameters'>>,
    { holdsConditions = false, readings }: FunctionScriptOptions = {},
  ) {
    // A document with defects is reported on, too: of that any section may be missing.
    const section: unknown = document.scripts;
    this.readings =
      readings ?? new ScriptReadings(Array.isArray(section) ? document.scripts : [], holdsConditions);
    this.readings.begin();
    const { sources, trace, scripts, owners } = this.readings;
    this.sources = sources;
    this.#trace = trace;
    this.#scripts = [...scripts];
    for (const [name, owner] of owners) this.#owner.set(name, owner);
    this.issues = sources.issues;
    this.#isLinked = sources.links.issues.length === 0;
    this.exports = Object.fromEntries(sources.read.map(({ script }) => [script.name, script.exports]));
    this.functionNames = [...this.#owner.keys()];
    const simulation = document.simulation as SimulationDocument | undefined;
    this.#mode = simulation?.derivatives ?? 'automatic';
  }

  /**
   * A function of expressions, beside those of the scripts. Fields that say the same share one.
   * @returns its name, which no script exports
   */
  readonly generate = (given: GeneratedFunction): string => {
    const { code } = generatedScript('', given);
    this.#given.push(given);
    const known = this.#generated.get(code);
    if (known !== undefined) {
      known.fields.push(given.place);
      return known.name;
    }
    let name = generatedName(given.place);
    while (this.#owner.has(name)) name += '$';
    const fields = [given.place];
    const script = this.readings.generated(generatedScript(name, given), fields);
    this.#scripts.push(script);
    this.#owner.set(name, script);
    this.#generated.set(code, { name, fields });
    return name;
  };

  /** Whether nothing is to be loaded: no script has functions, and none are generated. */
  get isEmpty(): boolean {
    return this.#scripts.length === 0;
  }

  /** The same scripts, with conditions that can be held. */
  holdingConditions(): FunctionScripts {
    const held = new FunctionScripts(this.document, { readings: this.readings.holdingConditions() });
    for (const given of this.#given) held.generate(given);
    return held;
  }

  /** Whether conditions are held in some function: it has some, and it was asked for. */
  get haveHeld(): boolean {
    return this.#scripts.some(({ held }) => held !== null);
  }

  /**
   * Says of every function whether it exists, and gives it as one that `load` loads. While a script cannot be
   * read all may exist: that is one defect, not many.
   */
  readonly functions: FunctionLookup = (name) =>
    this.issues.length > 0 || this.#owner.has(name) ? this.#lateFunction(name) : null;

  /**
   * What is wrong with a function as one of a kind: it would fill nothing, or return nothing. Executes
   * nothing.
   */
  readonly check: FunctionCheck = (name, kind) => {
    const owner = this.#owner.get(name);
    if (owner === undefined || owner.fields !== undefined || this.issues.length > 0) return null;
    owner.shapes ??= new PluginShapes(owner.script.code, parameterNames(this.document.parameters));
    const key = `${kind}:${name}`;
    let defect = owner.defects.get(key);
    if (defect === undefined) {
      defect = owner.shapes.defect(name, PLUGIN_SIGNATURES[kind]);
      owner.defects.set(key, defect);
    }
    if (defect === null) return null;
    return issueOf({ ...defect, column: columnOf(defect, owner.script) }, owner);
  };

  /** What the source of a function says of it; nothing while a script cannot be read. Executes nothing. */
  readonly analytic: AnalyticLookup = (name, length, parameters, takesState) => {
    const owner = this.#owner.get(name);
    if (owner === undefined || this.issues.length > 0) return null;
    const recognition = recognise(owner.script, name, length, parameters, takesState);
    return recognition.ok ? recognition.entries : null;
  };

  /** Says of every derivative whether it can be had, and gives it as one that `load` loads. */
  readonly request: DerivativeLookup = (request) => {
    const owner = this.#owner.get(request.function);
    if (owner === undefined || !this.#isLinked) return { ok: true, call: new LateFunction() };
    if (this.#mode === 'finite-differences') return { ok: true, call: this.#lateDerivative(owner, request) };
    const key = keyOf(request);
    if (!owner.derivatives.has(key) && !owner.refused.has(key) && !owner.differenced.has(key))
      this.#differentiate(owner, request, key);
    if (owner.differenced.has(key)) return { ok: true, call: this.#lateDerivative(owner, request) };
    const issue = owner.refused.get(key);
    if (issue !== undefined) return { ok: false, issue: { ...issue } };
    return { ok: true, call: this.#lateDerivative(owner, request), isExact: true };
  };

  #lateFunction(name: string): LateFunction {
    const known = this.#lateFunctions.get(name);
    if (known !== undefined) return known;
    const late = this.#late(this.#owner.get(name));
    this.#lateFunctions.set(name, late);
    return late;
  }

  #lateDerivative(owner: FunctionScript, request: DocumentDerivativeRequest): LateFunction {
    const key = keyOf(request);
    const known = this.#lateDerivatives.get(key);
    if (known !== undefined) return known.late;
    const late = this.#late(owner);
    this.#lateDerivatives.set(key, { request, late });
    return late;
  }

  #late(owner: FunctionScript | undefined): LateFunction {
    const late = new LateFunction();
    if (owner !== undefined && owner.held !== null) traceBy(late, this.#trace);
    return late;
  }

  /** Where conditions are held, the derivative is that of the function with its conditions held. */
  #differentiate(owner: FunctionScript, request: DocumentDerivativeRequest, key: string): void {
    const { held, script } = owner;
    const derivative = differentiate(held?.script ?? script, request);
    if (derivative.ok) {
      owner.derivatives.set(key, derivative);
      return;
    }
    const plain = held === null ? derivative : differentiate(script, request);
    if (plain.ok) owner.differenced.set(key, request);
    else owner.refused.set(key, issueOf(plain.defect, owner));
  }

  /**
   * Evaluates the scripts with the derivatives that have been asked for.
   * @throws {EngineError} for a script that cannot be read or that fails while it is evaluated
   */
  evaluate(sandbox: ScriptSandbox): LoadedFunctions {
    const [defect] = this.issues;
    if (defect !== undefined) throw errorOf(defect);
    const functions = new Map<string, Call>();
    const derivatives = new Map<string, DerivativeFunction>();
    const trace = this.#trace;
    for (const [one, exported] of this.readings.evaluate(this.#scripts, sandbox)) {
      const { script, derivatives: wanted, differenced, held } = one;
      const mark = (call: object): void => {
        if (held !== null) traceBy(call, trace);
      };
      for (const name of script.exports) {
        const value = exported[name];
        if (typeof value !== 'function' || this.#owner.get(name)?.script !== script) continue;
        functions.set(name, value as Call);
        mark(value);
      }
      for (const [key, { name }] of wanted) {
        const call = exported[name] as DerivativeFunction;
        derivatives.set(key, call);
        mark(call);
      }
      for (const [key, request] of differenced) {
        const call = centralDifferences(functions.get(request.function) as DerivativeFunction, request);
        derivatives.set(key, call);
        mark(call);
      }
    }
    return {
      functions: (name) => functions.get(name) ?? null,
      derivatives: (request) => this.#loaded(request, functions, derivatives),
    };
  }

  /**
   * Evaluates the scripts and loads all functions and derivatives that have been asked for, so that a model
   * built on them can run.
   * @param observe puts functions in the place of those of the scripts
   * @throws {EngineError} as `evaluate`
   */
  load(
    sandbox: ScriptSandbox,
    observe = (functions: LoadedFunctions): LoadedFunctions => functions,
  ): LoadedFunctions {
    const loaded = observe(this.evaluate(sandbox));
    for (const [name, late] of this.#lateFunctions)
      late.load(loaded.functions(name) as ScriptFunction | null);
    for (const { request, late } of this.#lateDerivatives.values()) {
      const derivative = loaded.derivatives(request);
      late.load(derivative.ok ? derivative.call : null);
    }
    return loaded;
  }

  /** Where a function is exported; null where no script exports it. */
  placeOf(name: string): ScriptPlace | null {
    const owner = this.#owner.get(name);
    return owner === undefined || owner.fields !== undefined ? null : exportPlace(owner.script, name);
  }

  /** Lines of the script that exports a function; none where no script does. */
  sourceOf(name: string): string | undefined {
    const script = this.#owner.get(name)?.script;
    return script?.source ?? script?.code;
  }

  /**
   * What is said of a failure, with the call it happened in: its values, the variables of the function, and
   * the first statement that went wrong. For that the call is made once more.
   * @param step that failed, from 1
   */
  explain(
    error: unknown,
    details: EngineErrorDetails,
    sandbox: ScriptSandbox,
    step?: number,
  ): EngineErrorDetails {
    const failed = failedCallOf(error);
    if (failed === null) return details;
    const owner = this.#owner.get(failed.function);
    const call = describeCall(failed, this.sourceOf(failed.function));
    if (step !== undefined) call.step = step;
    if (owner === undefined) return { ...details, call };
    const field = owner.fields?.find(({ element }) => element === failed.element) ?? owner.fields?.[0];
    if (field !== undefined) return { ...details, call: { ...call, function: field.label } };
    const trace = traceCall(owner.script, failed.function, failed, sandbox);
    // The sandbox knows the script by what it told of the call, from now on.
    this.readings.forgetFunctions();
    for (const { name, value } of trace?.locals ?? []) call.values.push({ name, kind: 'local', value });
    const statement = trace?.statement ?? null;
    if (statement !== null) call.statement = statement;
    const place = details.script ?? trace?.place ?? this.placeOf(failed.function);
    const reach = trace?.reach ?? null;
    return {
      ...details,
      call,
      ...(place === null ? {} : { script: place }),
      ...(reach === null ? {} : { message: `${details.message.replace(/\.$/, '')}: ${reach}.` }),
    };
  }

  #loaded(
    request: DocumentDerivativeRequest,
    functions: ReadonlyMap<string, Call>,
    derivatives: ReadonlyMap<string, DerivativeFunction>,
  ): ReturnType<LoadedFunctions['derivatives']> {
    const key = keyOf(request);
    if (this.#mode === 'finite-differences') {
      const original = functions.get(request.function) as DerivativeFunction;
      const call = centralDifferences(original, request);
      traceLike(call, original);
      return { ok: true, call };
    }
    const issue = this.#owner.get(request.function)?.refused.get(key);
    if (issue !== undefined) return { ok: false, issue };
    const call = derivatives.get(key);
    if (call === undefined) throw new Error(`the derivative ${key} was not asked for before loading`);
    const isExact = this.#owner.get(request.function)?.differenced.has(key) !== true;
    return { ok: true, call, isExact };
  }
}

/** Null where the document has no list of them: with defects it is reported on, too. */
function parameterNames(parameters: unknown): string[] | null {
  if (!Array.isArray(parameters)) return null;
  return parameters
    .map((one: { name?: unknown } | null) => one?.name)
    .filter((name) => typeof name === 'string');
}

/** Lengths of texts by which a place is found in a line, in characters. */
const FOUND_BY = [40, 16, 6, 2];

/** Column in what the user wrote: types are gone from the code, and its first line begins with more. */
function columnOf({ line, offset }: ShapeDefect, { code, source }: TranspiledScript): number {
  const written = (source ?? code).split('\n')[line - 1] ?? '';
  const [text] = code.slice(offset, offset + FOUND_BY[0]).split('\n');
  const found = FOUND_BY.map((length) => written.indexOf(text.slice(0, length))).find((place) => place >= 0);
  return (found ?? 0) + 1;
}

function issueOf(
  { code, message, remedy, line, column }: DerivativeDefect | ShapeDefect,
  owner: FunctionScript,
): DocumentIssue {
  const [field] = owner.fields ?? [];
  if (field !== undefined)
    return { severity: 'error', code, pointer: field.pointer, element: field.element, message, remedy };
  const place = placeIn(owner.script, line, column);
  const index = owner.script.parts?.find(({ name }) => name === place.name)?.index ?? owner.index;
  return {
    severity: 'error',
    code,
    pointer: `/scripts/${index}/source/${Math.max(0, place.line - 1)}`,
    element: place.name,
    message,
    remedy,
    script: place,
  };
}

function errorOf({ code, message, remedy, element, script }: DocumentIssue): EngineError {
  return new EngineError({
    code,
    message,
    remedy,
    ...(element === undefined ? {} : { where: element }),
    ...(script === undefined ? {} : { script }),
  });
}
