/**
 * Signals as expressions, for conditions and for what is recorded: of states and sources where they follow
 * from these by sums, else of what they are made of.
 */
import type { EvaluationContext } from '../document/field-values';
import type { TypedElement } from '../document/types';
import { ExpressionError } from '../document/expressions';
import type {
  Guard,
  NetworkNode,
  SignalPart,
  Term,
  WiredGate,
  WrittenGate,
} from '../model/components/circuit';
import { componentTypes } from '../model/components/registry';
import type { Named } from './explanations';
import { gateText, type GateUse, presenceOf, sumText, textOf as textOfSignal } from './gates';
import { guardText } from './guards';
import { inputForm, type LinearForm } from './linear-form';
import { listed } from './network';
import { type NetworkInput, type ReducedNetwork, sumOf } from './reduction';
import type { OutputSignal, Report } from './result';

const isWritten = (part: SignalPart): part is { readonly written: WrittenGate } =>
  typeof part === 'object' && 'written' in part;

/** From where on a number counts as on. */
const HALF = 0.5;

export class SignalTexts {
  /** nodes that are being written, and those that have been found to ask for themselves */
  readonly #open: NetworkNode[] = [];
  readonly #looped = new Set<NetworkNode>();
  /** places of guards whose defects have been reported */
  readonly #said = new Set<string>();

  constructor(
    private readonly reduced: ReducedNetwork,
    private readonly named: Named,
    readonly outputs: readonly OutputSignal[],
    readonly textOf: (input: number) => string,
    private readonly context: EvaluationContext,
    private readonly report: Report,
  ) {}

  /** The condition of a gate that a signal opens. */
  gate({ node }: WiredGate, use: GateUse): TypedElement {
    // A signal has the hysteresis that it is drawn with.
    const own = 'latch' in use ? use : { isInverse: use.isInverse };
    const presence = presenceOf(this.#condition(node), own);
    const [condition] = presence.condition;
    const wire = this.named.nodeOfWire.indexOf(node);
    const written = this.named.network.signals.get(node)?.parts.find(isWritten)?.written;
    if (wire >= 0) {
      const { id } = this.named.wires[wire];
      this.context.gates?.set(condition, { text: id, pointer: `/wires/${wire}`, element: id });
    } else if (written !== undefined)
      this.context.gates?.set(condition, { ...written.gate, element: written.element });
    return presence;
  }

  /**
   * What is on or off, recorded as 1 or 0.
   * @param firstInput place of the first of the further inputs @param firstSource of their expressions
   */
  recorded(
    firstInput: number,
    firstSource: number,
  ): { outputs: OutputSignal[]; inputs: NetworkInput[]; sources: string[] } {
    const { network, components, wireIds, nodeOfWire, isSignal } = this.named;
    const outputs: OutputSignal[] = [];
    const sources: string[] = [];
    for (const [node, { component, pin, isLogic }] of network.signals) {
      const { id, type } = components[component];
      const { quantities = [], pins = [] } = componentTypes.get(type)?.definition ?? {};
      // That a stop is closed is no output.
      if (!isLogic || pins.every(({ name }) => name !== pin)) continue;
      const form = inputForm(firstInput + sources.length);
      sources.push(`((${this.#condition(node)}) > 0 ? 1 : 0)`);
      const quantity = quantities.find(({ name }) => name === pin);
      const what = `${quantity?.description ?? pin} of ${id}`;
      const signal = { unit: '', form, times: null };
      outputs.push({ ...signal, name: `${id}.${pin}`, description: what, element: id });
      nodeOfWire.forEach((own, w) => {
        if (own === node && isSignal(w))
          for (const wire of wireIds[w])
            outputs.push({ ...signal, name: `${wire}.value`, description: `Signal ${wire}`, element: wire });
      });
    }
    const inputs = sources.map((_, k): NetworkInput => ({ kind: 'source', index: firstSource + k }));
    return { outputs, inputs, sources };
  }

  /** An expression that a component has. */
  text(parts: readonly SignalPart[]): string {
    return parts.map((part) => this.#part(part)).join('');
  }

  /** What is positive where the signal of a node is on. */
  #condition(node: NetworkNode): string {
    const signal = this.named.network.signals.get(node);
    if (signal?.isLogic === true) return this.#parts(node, signal.parts);
    return `${this.#value(node)} - ${HALF}`;
  }

  #value(node: NetworkNode): string {
    const { network } = this.named;
    const form = this.reduced.forms.potentials[network.earth.find(node)];
    const signal = network.signals.get(node);
    if (signal === undefined || signal.isLogic || !this.#hasMultiplier(form)) return this.#sumText(form);
    return this.#parts(node, signal.parts);
  }

  #parts(node: NetworkNode, parts: readonly SignalPart[]): string {
    if (this.#open.includes(node)) {
      this.#reportLoop(node);
      return '0';
    }
    this.#open.push(node);
    const text = this.text(parts);
    this.#open.pop();
    return text;
  }

  #part(part: SignalPart): string {
    if (typeof part === 'string') return part;
    if ('sum' in part) return this.#sum(part.sum);
    if ('written' in part) return this.#written(part.written);
    return 'guard' in part ? this.#guard(part.guard) : `(${this.#condition(part.gate.node)})`;
  }

  /** What is positive where a gate is on; never of one with a defect, which is reported. */
  #written({ gate, element }: WrittenGate): string {
    const { context } = this;
    const report: Report = (...issue) => {
      if (!this.#said.has(gate.pointer)) this.report(...issue);
      this.#said.add(gate.pointer);
    };
    const text = gateText(gate, this, { element, context, report });
    if (text === null) return '-1';
    return typeof text === 'string' ? `(${text})` : text ? '1' : '-1';
  }

  /** A defect of it is reported, and it never holds. */
  #guard({ expression: { text, pointer }, element, names, isTolerant }: Guard): string {
    const own = (name: string): WiredGate | readonly SignalPart[] | null =>
      Object.hasOwn(names, name) ? names[name] : null;
    const number = (name: string): string | null => {
      const meant = own(name);
      if (meant !== null) return `(${'node' in meant ? this.#number(meant.node, name) : this.text(meant)})`;
      const output = this.outputs.find((one) => one.name === name);
      return output === undefined ? null : `(${textOfSignal(output, this)})`;
    };
    const on = (name: string): string | null => {
      const meant = own(name);
      return meant !== null && 'node' in meant ? `(${this.#condition(meant.node)})` : null;
    };
    try {
      return guardText(text, { on, number }, isTolerant);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const remedy = error.remedy ?? 'Correct the expression.';
      if (!this.#said.has(pointer))
        this.report('error', pointer, element, 'expression', `“${text}”: ${error.message}.`, remedy);
      this.#said.add(pointer);
      return '-1';
    }
  }

  #number(node: NetworkNode, name: string): string {
    if (this.named.network.signals.get(node)?.isLogic !== true) return this.#value(node);
    throw new ExpressionError(
      `“${name}” is on or off, and no number`,
      `Write “${name}” or “not ${name}” by itself, joined to others by “and” and “or”.`,
    );
  }

  /** A sum without multipliers as what it is of; else of the signals in it. */
  #sum(terms: readonly Term[]): string {
    const { network } = this.named;
    const form = sumOf(network, this.reduced.forms, terms);
    if (!this.#hasMultiplier(form)) return `(${this.#sumText(form)})`;
    const texts = terms.map((term) => {
      const { a, element } = network.branches[term.branch];
      const text =
        element.kind === 'open' && network.signals.has(a) && term.of === 'v'
          ? this.#value(a)
          : this.#sumText(sumOf(network, this.reduced.forms, [{ ...term, factor: 1 }]));
      return `${String(term.factor)}*(${text})`;
    });
    return `(${texts.join(' + ')})`;
  }

  #hasMultiplier(form: LinearForm): boolean {
    return [...form.keys()].some((input) => this.reduced.inputs[input].kind === 'multiplier');
  }

  #sumText(form: LinearForm): string {
    return sumText(form, { textOf: this.textOf });
  }

  #reportLoop(node: NetworkNode): void {
    const { network, components } = this.named;
    const loop = this.#open.slice(this.#open.indexOf(node));
    if (loop.some((one) => this.#looped.has(one))) return;
    for (const one of loop) this.#looped.add(one);
    const places = loop.map((one) => network.signals.get(one)?.component ?? 0);
    const names = listed(places.map((place) => components[place].id));
    this.report(
      'error',
      `/components/${places[0]}`,
      components[places[0]].id,
      'algebraic-loop',
      `${names} make a loop of signals that nothing gives a value: each asks for the others at the same instant.`,
      'Put a memory into the loop, such as a latch or a relay with hysteresis.',
    );
  }
}
