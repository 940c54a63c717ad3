/**
 * A document that is looked at from several sides: its scripts are read once, its model is built once, and
 * where something is to be executed, the scripts are loaded once, into that same model.
 */
import type { DerivedJacobian, GivenJacobian } from '../document/derivatives';
import { type CheckedStructure, checkStructure } from '../document/structure';
import type { ModelDocument, SimulationDocument } from '../document/types';
import type { BuiltElements } from '../script/builder';
import { FunctionScripts } from '../script/function-scripts';
import type { ScriptSandbox } from '../script/sandbox';
import { type Preparation, type PreparedModel, prepare } from './prepare';

/** What is about to be executed: it is to be named when it does not return. */
export interface ScriptCall {
  /** script function; null while the scripts are loaded, which executes what stands outside functions */
  readonly function: string | null;
  /** whether a run is begun, which calls what it needs */
  readonly isStart?: true;
  /** id of the element whose Jacobian is compared; empty where it is none's */
  readonly element: string;
  /** JSON pointer to the field of that Jacobian */
  readonly pointer: string;
}

export interface ScriptEnvironment {
  /** called only when scripts are to be executed */
  sandbox(): ScriptSandbox;
  /**
   * Told before each call into the scripts.
   * @returns false when no more may be executed; the rest stays unchecked
   */
  begin(call: ScriptCall): boolean;
}

export class Examination {
  readonly structure: CheckedStructure;
  readonly scripts: FunctionScripts;
  readonly preparation: Preparation;
  /** Jacobians that the model gives and that could be derived, and those that are derived */
  readonly given: GivenJacobian[] = [];
  readonly derived: DerivedJacobian[] = [];
  /** script functions by name: as they are loaded, and before that those that do nothing */
  functions: (name: string) => unknown;
  #sandbox: ScriptSandbox | null = null;
  #failure: { error: unknown } | null = null;

  /** Executes nothing. @param built elements its builder script produced, when that has been run */
  constructor(
    readonly document: ModelDocument,
    readonly built: BuiltElements | undefined,
  ) {
    // As a run reads them, whose start is looked at, too.
    const holdsConditions =
      (document.simulation as SimulationDocument | undefined)?.scheme === 'event-driven';
    this.scripts = new FunctionScripts(document, { holdsConditions });
    this.structure = checkStructure(document);
    this.functions = this.scripts.functions;
    this.preparation = prepare(document, {
      structure: this.structure,
      functions: this.scripts.functions,
      functionNames: this.scripts.functionNames,
      generate: this.scripts.generate,
      check: this.scripts.check,
      derivatives: this.scripts.request,
      analytic: this.scripts.analytic,
      built,
      givenJacobians: this.given,
      derivedJacobians: this.derived,
    });
  }

  /** The model, whose script functions do nothing before `load`; null where it or its scripts have errors. */
  get prepared(): PreparedModel | null {
    const { prepared, issues } = this.preparation;
    return this.scripts.issues.length > 0 || issues.some(({ severity }) => severity === 'error')
      ? null
      : prepared;
  }

  /** What the scripts have been loaded into; null before that. */
  get sandbox(): ScriptSandbox | null {
    return this.#sandbox;
  }

  /**
   * The model with its script functions loaded; null where it has errors, or nothing may be executed.
   * @param call what they are loaded for
   * @throws what a script throws while it is loaded, each time
   */
  load(call: ScriptCall, environment: ScriptEnvironment): PreparedModel | null {
    if (this.prepared === null) return null;
    if (this.#failure !== null) throw this.#failure.error;
    if (this.scripts.isEmpty || this.#sandbox !== null) return this.prepared;
    if (!environment.begin(call)) return null;
    this.#sandbox = environment.sandbox();
    try {
      this.functions = this.scripts.load(this.#sandbox).functions;
      if (this.preparation.prepared !== null) this.preparation.checkLoaded();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
    return this.prepared;
  }
}
