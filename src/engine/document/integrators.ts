/**
 * Which integrator advances which system. An integrator that names systems takes those; one that names none takes every
 * system of its order that no other names; what is left gets the default of its order, which with joints is that by half steps.
 */
import type { ElementDefinition, Order } from '../model/definition';
import { advances, integratorDefinitions } from '../model/registry';
import { eulerMoreau, moreauJean } from '../model/settings-integrators';
import { moreauHalfStep } from '../model/settings-space-integrators';
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

/** Words for an order of equations of motion. */
export const ORDER_WORDS: Readonly<Record<Order, string>> = {
  1: 'first-order',
  2: 'Lagrangian',
  body: 'spatial',
};

/** What systems an integrator advances, in words. */
const wordsOf = ({ order = 1, advances: orders = [order] }: ElementDefinition): string =>
  orders.map((one) => ORDER_WORDS[one]).join(' and ');

/** What an integrator is told of a system. */
export interface IntegratedSystem {
  readonly id: string;
  readonly type: string;
  readonly order: Order;
  /** whether it is of first order and linear */
  readonly isLinear: boolean;
  /** whether it hangs together with a joint, whose motion half steps keep to order 2; false where absent */
  readonly isJointed?: boolean;
}

class Assignment {
  /** entry of each system that has one */
  readonly #taken = new Map<number, Entry>();
  readonly #entries: Entry[];
  readonly #index: ReadonlyMap<string, number>;

  constructor(
    documents: readonly IntegratorDocument[],
    private readonly systems: readonly IntegratedSystem[],
    private readonly context: EvaluationContext,
  ) {
    this.#index = new Map(systems.map(({ id }, position) => [id, position]));
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
    const entries = [
      ...this.#entries,
      ...[moreauJean, eulerMoreau, moreauHalfStep].map((definition) => this.#default(definition)),
    ];
    return entries
      .map((entry) => ({ ...this.#settings(entry), systems: entry.systems.sort((a, b) => a - b) }))
      .filter(({ systems }) => systems.length > 0);
  }

  #report(pointer: string, code: string, message: string, remedy: string): void {
    this.context.issues.push({ severity: 'error', code, pointer, message, remedy });
  }

  #take(entry: Entry, position: number): void {
    this.#taken.set(position, entry);
    entry.systems.push(position);
  }

  #takeNamed(entry: Entry): void {
    entry.document.systems?.forEach((id, k) => {
      const pointer = `${entry.pointer}/systems/${k}`;
      const position = this.#index.get(id);
      if (position === undefined) {
        const known = this.systems.slice(0, 12).map((system) => system.id);
        this.#report(
          pointer,
          'unknown-system',
          `The integrator ${entry.definition.type} names the system “${id}”, which does not exist.`,
          known.length === 0 ? 'Add the system first.' : `Systems of this model: ${known.join(', ')}.`,
        );
        return;
      }
      const other = this.#taken.get(position);
      if (other !== undefined) {
        this.#report(
          pointer,
          'system-twice',
          `The system “${id}” is named by two integrators, ${other.definition.type} and ${entry.definition.type}.`,
          'Name each system once.',
        );
        return;
      }
      if (this.#suits(entry, this.systems[position], pointer)) this.#take(entry, position);
    });
  }

  /** Whether an integrator can advance a system that it names. */
  #suits({ definition }: Entry, system: IntegratedSystem, pointer: string): boolean {
    const { order } = system;
    if (!advances(definition, order)) {
      const suited = integratorDefinitions.filter((d) => advances(d, order)).map(({ type }) => type);
      this.#report(
        pointer,
        'integrator-order',
        `${definition.type} advances ${wordsOf(definition)} systems; “${system.id}” (${system.type}) is ${ORDER_WORDS[order]}.`,
        `Integrators for “${system.id}”: ${suited.join(', ')}.`,
      );
      return false;
    }
    if (definition.type === 'ZeroOrderHold' && !system.isLinear) {
      this.#report(
        pointer,
        'integrator-linear',
        `ZeroOrderHold is exact for linear systems; “${system.id}” (${system.type}) is not linear.`,
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

  /** The integrator of a type with its default settings, for the systems that are left and have it by default. */
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
    return readSettings(
      definition,
      new FieldValues('simulation', definition, document, pointer, this.context),
    );
  }
}

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
export function assignIntegrators(
  documents: readonly IntegratorDocument[],
  systems: readonly IntegratedSystem[],
  context: EvaluationContext,
): IntegratorAssignment[] {
  return new Assignment(documents, systems, context).assign();
}
