/**
 * What is known of the functions of scripts whatever the values of parameters are: their text with conditions
 * that can be held, their derivatives and defects; and the functions themselves, once they are evaluated,
 * where their scripts keep nothing from one call to the next. Models of one document share it, one after the
 * other: they then call the same functions, which the machine's compiler knows already.
 */
import type { DocumentDerivativeRequest } from '../document/derivatives';
import type { FieldPlace } from '../document/timed';
import type { DocumentIssue, ScriptDocument } from '../document/types';
import { type ConditionSite, ConditionTrace } from '../model/conditions';
import type { PluginShapes, ShapeDefect } from './checks/plugin-shape';
import { type HeldScript, holdConditions } from './conditions/instrument';
import { type Derivative, withDerivatives } from './differentiate/differentiate';
import { GENERATED } from './generated';
import { type ReadScript, ScriptSources } from './link';
import { areMemoryless } from './memoryless';
import type { ScriptSandbox } from './sandbox';
import type { TranspiledScript } from './transpile';

type Exported = Readonly<Record<string, unknown>>;

/** A script that exports plug-in functions. */
export interface FunctionScript {
  readonly script: TranspiledScript;
  /** position in the document */
  readonly index: number;
  /** derivatives asked for so far, by request */
  readonly derivatives: Map<string, Derivative>;
  /** what could not be differentiated, by request */
  readonly refused: Map<string, DocumentIssue>;
  /** what can be differentiated only without holding conditions, so that differences are used: by key */
  readonly differenced: Map<string, DocumentDerivativeRequest>;
  /** with conditions that can be held; null where none is to be, or there are none */
  readonly held: HeldScript | null;
  /** what its functions do with their arguments, read when it is asked for */
  shapes?: PluginShapes;
  /** what is wrong with functions as ones of a kind, as far as it has been asked for */
  readonly defects: Map<string, ShapeDefect | null>;
  /** what it exports, and how many derivatives were asked for then; null until it is evaluated */
  evaluated: { readonly exported: Exported; readonly derivatives: number } | null;
  /** of a function that is generated: the fields that use it; absent of those that a user has written */
  readonly fields?: FieldPlace[];
}

/** In the words of expressions. */
const ofField = (site: ConditionSite, { label, element }: FieldPlace): ConditionSite => ({
  ...site,
  text: site.text.replaceAll(/\b(?:p|Math)\./g, ''),
  field: `the expressions of “${label}” of “${element}”`,
});

export class ScriptReadings {
  readonly sources: ScriptSources;
  /** conditions of the functions of the model that is in use, where they are held */
  readonly trace = new ConditionTrace();
  /** scripts of the document that export functions */
  readonly scripts: readonly FunctionScript[];
  /** script of each function; of two functions of one name the later counts */
  readonly owners: ReadonlyMap<string, FunctionScript>;
  readonly #holdsConditions: boolean;
  /** how many conditions are those of scripts of the document */
  readonly #sites: number;
  readonly #unfollowed: number;
  /** generated scripts by where their conditions begin and their source: of the model before, and of this */
  #before = new Map<string, FunctionScript>();
  #generated = new Map<string, FunctionScript>();
  /** where functions have been evaluated, and the same where they may be used again */
  #sandbox: ScriptSandbox | null = null;
  #shared: ScriptSandbox | null = null;
  #areMemoryless: boolean | null = null;
  #holding: ScriptReadings | null = null;

  /**
   * @param section of a document, which may have defects
   * @param holdsConditions whether outcomes of conditions in functions can be held, as the event-driven
   *   scheme does
   */
  constructor(
    section: readonly ScriptDocument[],
    holdsConditions: boolean,
    sources = new ScriptSources(section),
  ) {
    this.sources = sources;
    const { read, links } = sources;
    const own = read.filter(({ index }) => section[index].role === 'functions');
    // Scripts whose imports lead nowhere are not run; each stands for itself.
    const isLinked = links.issues.length === 0;
    const groups = isLinked ? links.groups(own.map(({ script }) => script.name)) : own;
    this.#holdsConditions = holdsConditions && isLinked;
    const scripts = groups.map((group) => this.#script(group));
    const ownerOf = ({ script }: ReadScript): FunctionScript | undefined =>
      scripts.find(
        ({ script: { name, parts } }) =>
          name === script.name || parts?.some((part) => part.name === script.name),
      );
    const owners = new Map<string, FunctionScript>();
    for (const one of own) {
      const owner = ownerOf(one);
      for (const name of one.script.exports)
        if (name !== 'default' && owner !== undefined) owners.set(name, owner);
    }
    this.scripts = scripts;
    this.owners = owners;
    this.#sites = this.trace.sites.length;
    this.#unfollowed = this.trace.unfollowed.length;
  }

  #script(read: Pick<FunctionScript, 'script' | 'index' | 'fields'>): FunctionScript {
    const held = this.#holdsConditions ? holdConditions(read.script, this.trace.sites.length) : null;
    return {
      ...read,
      derivatives: new Map(),
      refused: new Map(),
      differenced: new Map(),
      held: this.#entered(held, read.fields),
      defects: new Map(),
      evaluated: null,
    };
  }

  /** Its conditions are ones of the trace from now on. */
  #entered(held: HeldScript | null, fields: readonly FieldPlace[] | undefined): HeldScript | null {
    if (held === null) return null;
    const field = fields?.at(0);
    const named = (site: ConditionSite): ConditionSite => (field === undefined ? site : ofField(site, field));
    this.trace.sites.push(...held.sites.map(named));
    this.trace.unfollowed.push(...held.unfollowed.map(named));
    return held;
  }

  /** Another model is built: of the one before only what does not depend on it is left. */
  begin(): void {
    this.trace.forget();
    this.trace.sites.length = this.#sites;
    this.trace.unfollowed.length = this.#unfollowed;
    this.#before = this.#generated;
    this.#generated = new Map();
    if (this.#sandbox === null) return;
    this.#areMemoryless ??= areMemoryless(this.sources);
    this.#shared = this.#areMemoryless ? this.#sandbox : null;
  }

  /** Functions are evaluated again for the next model. */
  forgetFunctions(): void {
    this.#sandbox = null;
    this.#shared = null;
  }

  /** Where functions are evaluated already that may be used again; null where a new one is needed. */
  get sandbox(): ScriptSandbox | null {
    return this.#shared;
  }

  /** A script with a function that no user has written. */
  generated(script: TranspiledScript, fields: FieldPlace[]): FunctionScript {
    const key = `${this.trace.sites.length}\n${script.code}`;
    const known = this.#before.get(key);
    const one = known === undefined ? this.#script({ script, index: -1, fields }) : { ...known, fields };
    if (known !== undefined) this.#entered(known.held, fields);
    this.#generated.set(key, one);
    return one;
  }

  /** The same text for a model that is in use beside others, with functions of its own. */
  renewed(): ScriptReadings {
    return new ScriptReadings(this.sources.section, this.#holdsConditions, this.sources);
  }

  /** The same for the same scripts with conditions that can be held. */
  holdingConditions(): ScriptReadings {
    this.#holding ??= new ScriptReadings(this.sources.section, true, this.sources);
    return this.#holding;
  }

  /**
   * What each script exports with its derivatives. A compartment takes a millisecond: generated functions
   * share one.
   * @throws {EngineError} for a script that fails while it is evaluated
   */
  evaluate(
    scripts: readonly FunctionScript[],
    sandbox: ScriptSandbox,
  ): (readonly [FunctionScript, Exported])[] {
    const isShared = sandbox === this.#shared;
    const together: { one: FunctionScript; code: string }[] = [];
    const traces: Record<string, unknown> = {};
    for (const one of scripts) {
      const { script, derivatives, held, fields, evaluated } = one;
      if (isShared && evaluated?.derivatives === derivatives.size) continue;
      const whole = withDerivatives(held?.script ?? script, [...derivatives.values()]);
      const more = held === null ? {} : { [held.trace]: this.trace.functions };
      if (fields === undefined)
        one.evaluated = { exported: sandbox.evaluate(whole, more), derivatives: derivatives.size };
      else {
        together.push({ one, code: whole.code });
        Object.assign(traces, more);
      }
    }
    if (together.length > 0) {
      const code = together.map(
        ({ code: own }, k) => `(function (exports) {${own}\n})(exports.of${k} = {});`,
      );
      const all = sandbox.evaluate({ name: GENERATED, code: code.join('\n'), exports: [] }, traces);
      together.forEach(({ one }, k) => {
        one.evaluated = { exported: all[`of${k}`] as Exported, derivatives: one.derivatives.size };
      });
    }
    this.#sandbox = sandbox;
    return scripts.map((one) => [one, one.evaluated?.exported ?? {}]);
  }
}
