/**
 * Which integrator advances which system. An integrator that names systems takes those; one that names none
 * takes every system of its order that no other names; what is left gets the default of its order, which with
 * joints is that by half steps.
 */
import type { ElementDefinition, Order } from '../model/definition';
import { advances, integratorDefinitions } from '../model/registry';
import { eulerMoreau, moreauHalfStep, moreauJean } from '../model/settings/integrators';
import { type ElementSettings, readSettings } from './element-settings';
import { type EvaluationContext, FieldValues } from './field-values';
import type { IntegratorDocument } from './types';

export interface IntegratorAssignment extends ElementSettings {
  /** positions of its systems in the model, ascending */
  readonly systems: readonly number[];
}

interface Entry {
  readonly definition: ElementDefinition;
  readonly document: IntegratorDocument;
  readonly pointer: string;
  readonly systems: number[];
}

/** What a system is called where it is named: by its id, or by the first of the components that it is. */
const shownName = ({ id, names = [] }: IntegratedSystem): string => names.at(0) ?? id;

/** Words for an order of equations of motion. */
export const ORDER_WORDS: Readonly<Record<Order, string>> = {
  1: 'first-order',
  2: 'Lagrangian',
  body: 'spatial',
  signal: 'sampled',
};

/** What systems an integrator advances, in words. */
const wordsOf = ({ order = 1, advances: orders = [order] }: ElementDefinition): string =>
  orders.map((one) => ORDER_WORDS[one]).join(' and ');

/** Settings of an integrator for one system. */
export interface IntegratedSystem {
  readonly id: string;
  readonly type: string;
  readonly order: Order;
  /** whether it is of first order and linear */
  readonly isLinear: boolean;
  /** whether it hangs together with a joint, whose motion half steps keep to order 2; false where absent */
  readonly isJointed?: boolean;
  /** of one that is drawn: paths of the components that move in it, and of the instances around them */
  readonly names?: readonly string[] | undefined;
}

class Assignment {
  /** entry of each system that has one */
  readonly #taken = new Map<number, Entry>();
  readonly #entries: Entry[];
  /** positions of systems by their ids, and by what is drawn of them */
  readonly #index = new Map<string, number[]>();

  /** @param areAll whether the model has no other systems: a drawing with faults has none yet */
  constructor(
    documents: readonly IntegratorDocument[],
    private readonly systems: readonly IntegratedSystem[],
    private readonly areAll: boolean,
    private readonly context: EvaluationContext,
  ) {
    systems.forEach(({ id, names = [] }, position) => {
      for (const name of [id, ...names]) {
        const own = this.#index.get(name);
        if (own === undefined) this.#index.set(name, [position]);
        else own.push(position);
      }
    });
    this.#entries = documents.map((document, i) => ({
      definition: definitionOf(document.type),
      document,
      pointer: `/simulation/integrators/${i}`,
      systems: [],
    }));
  }

  assign(): IntegratorAssignment[] {
    for (const entry of this.#entries) this.#takeNamed(entry);
    for (const entry of this.#entries) if (entry.document.systems === undefined) this.#takeRest(entry);
    for (const entry of this.#entries) this.#warnOfIdle(entry);
    const entries = [...this.#entries, ...DEFAULTS.map((definition) => this.#default(definition))];
    return entries
      .map((entry) => ({ ...this.#settings(entry), systems: entry.systems.sort((a, b) => a - b) }))
      .filter(({ systems }) => systems.length > 0);
  }

  /** An integrator that was chosen and advances nothing. Those that are taken anyhow may stand in reserve. */
  #warnOfIdle({ definition, document, pointer, systems }: Entry): void {
    if (document.systems !== undefined || systems.length > 0 || this.systems.length === 0) return;
    if (DEFAULTS.includes(definition) || this.systems.some(({ order }) => advances(definition, order)))
      return;
    this.context.issues.push({
      severity: 'warning',
      code: 'integrator-idle',
      pointer,
      message: `${definition.type} advances ${wordsOf(definition)} systems, and this model has none: it has no effect.`,
      remedy: 'Leave it out, or choose an integrator for the systems of this model.',
    });
  }

  #report(pointer: string, code: string, message: string, remedy: string): void {
    this.context.issues.push({ severity: 'error', code, pointer, message, remedy });
  }

  #take(entry: Entry, position: number): void {
    this.#taken.set(position, entry);
    entry.systems.push(position);
  }

  #takeNamed(entry: Entry): void {
    const seen = new Set<string>();
    entry.document.systems?.forEach((name, k) => {
      const pointer = `${entry.pointer}/systems/${k}`;
      const positions = this.#index.get(name);
      if (positions === undefined) {
        if (this.areAll) this.#reportUnknown(entry, name, pointer);
        return;
      }
      for (const position of positions) {
        const other = this.#taken.get(position);
        if (other !== undefined && (other !== entry || seen.has(name))) {
          this.#reportTwice(name, this.systems[position], [other, entry], pointer);
          return;
        }
        // Several components may move in one system.
        if (other === undefined && this.#suits(entry, this.systems[position], pointer, name))
          this.#take(entry, position);
      }
      seen.add(name);
    });
  }

  #reportUnknown({ definition: { type } }: Entry, name: string, pointer: string): void {
    const isDrawn = this.systems.some(({ names }) => names !== undefined);
    const known = this.systems.slice(0, 12).map(shownName);
    const remedy =
      known.length === 0
        ? 'Add the system first.'
        : `Systems of this model: ${known.join(', ')}${this.systems.length > known.length ? ', …' : ''}.`;
    this.#report(
      pointer,
      'unknown-system',
      isDrawn
        ? `The integrator ${type} names “${name}”, which is neither a system nor a component that has a motion of its own.`
        : `The integrator ${type} names the system “${name}”, which does not exist.`,
      remedy,
    );
  }

  #reportTwice(name: string, system: IntegratedSystem, entries: readonly Entry[], pointer: string): void {
    const [first, second] = entries.map(({ definition }) => definition.type);
    const partners = (system.names ?? []).filter((other) => other !== name).slice(0, 3);
    if (system.id === name || entries[0] === entries[1] || partners.length === 0)
      this.#report(
        pointer,
        'system-twice',
        `The system “${name}” is named by two integrators, ${first} and ${second}.`,
        'Name each system once.',
      );
    else
      this.#report(
        pointer,
        'system-twice',
        `“${name}” moves in one system with ${partners.map((one) => `“${one}”`).join(', ')}, and two integrators, ${first} and ${second}, name it.`,
        'Let one integrator advance what springs and dampers join.',
      );
  }

  /** Whether an integrator can advance a system. @param name by which it is named */
  #suits(
    { definition }: Entry,
    system: IntegratedSystem,
    pointer: string,
    name = shownName(system),
  ): boolean {
    const { order } = system;
    if (!advances(definition, order)) {
      const suited = integratorDefinitions.filter((d) => advances(d, order)).map(({ type }) => type);
      this.#report(
        pointer,
        'integrator-order',
        `${definition.type} advances ${wordsOf(definition)} systems; “${name}” (${system.type}) is ${ORDER_WORDS[order]}.`,
        `Integrators for “${name}”: ${suited.join(', ')}.`,
      );
      return false;
    }
    if (definition.type === 'ZeroOrderHold' && !system.isLinear) {
      this.#report(
        pointer,
        'integrator-linear',
        `ZeroOrderHold is exact for linear systems; “${name}” (${system.type}) is not linear.`,
        'Choose EulerMoreau for it.',
      );
      return false;
    }
    return true;
  }

  #takeRest(entry: Entry): void {
    this.systems.forEach((system, position) => {
      const other = this.#taken.get(position);
      if (!advances(entry.definition, system.order)) return;
      if (other !== undefined) {
        if (other.document.systems === undefined) this.#reportRivals(entry, other);
        return;
      }
      if (this.#suits(entry, system, entry.pointer)) this.#take(entry, position);
    });
  }

  /** Two integrators that each take what is left. */
  #reportRivals({ definition, pointer }: Entry, other: Entry): void {
    const code = 'integrator-rivals';
    if (this.context.issues.some((issue) => issue.code === code && issue.pointer === pointer)) return;
    this.#report(
      pointer,
      code,
      `${other.definition.type} and ${definition.type} both take every ${wordsOf(definition)} system that is not named.`,
      'Name the systems of one of them, or remove it.',
    );
  }

  /**
   * The integrator of a type with its default settings, for the systems that are left and have it by default.
   */
  #default(definition: ElementDefinition): Entry {
    const entry: Entry = { definition, document: { type: definition.type }, pointer: '', systems: [] };
    this.systems.forEach((system, position) => {
      if (defaultOf(system) === definition && !this.#taken.has(position)) this.#take(entry, position);
    });
    return entry;
  }

  #settings({ definition, document, pointer, systems }: Entry): ElementSettings {
    for (const field of definition.fields) {
      const { key, label, systems: order } = field;
      if (order === undefined || document[key] === undefined || systems.length === 0) continue;
      if (systems.some((position) => this.systems[position].order === order)) continue;
      this.context.issues.push({
        severity: 'warning',
        code: 'setting-of-order',
        pointer: `${pointer}/${key}`,
        message: `“${label}” is for ${ORDER_WORDS[order]} systems, and ${definition.type} advances none here.`,
        remedy: 'Leave it out: it has no effect.',
      });
    }
    const settings = readSettings(
      definition,
      new FieldValues('simulation', definition, document, pointer, this.context),
    );
    const { given, numbers } = settings;
    if (definition === eulerMoreau && given.has('gamma') && given.has('thetaR') && numbers.thetaR !== 1)
      this.#report(
        `${pointer}/thetaR`,
        'weights-contradict',
        'With γ the input of a step acts throughout it; θr would divide it between two steps.',
        'Leave out one of both: θr for a law at the end of the step, γ for one within it.',
      );
    return settings;
  }
}

/** What systems have that no integrator takes. */
export const DEFAULTS: readonly ElementDefinition[] = [moreauJean, eulerMoreau, moreauHalfStep];

function defaultOf({ order, isJointed = false }: IntegratedSystem): ElementDefinition {
  if (order === 1) return eulerMoreau;
  return order === 'body' || isJointed ? moreauHalfStep : moreauJean;
}

function definitionOf(type: string): ElementDefinition {
  const definition = integratorDefinitions.find((d) => d.type === type);
  if (definition === undefined) throw new Error(`type ${type} passed the schema without a definition`);
  return definition;
}

/** Assigns every system to one integrator. Defects go to `context.issues`. */
export function assignmentsOf(
  documents: readonly IntegratorDocument[],
  systems: readonly IntegratedSystem[],
  areAll: boolean,
  context: EvaluationContext,
): IntegratorAssignment[] {
  return new Assignment(documents, systems, areAll, context).assign();
}
