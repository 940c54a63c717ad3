/**
 * Products of signals. A network is linear: one factor has to be known without it, as a number or an
 * expression of time, or to be on or off, which a switch is. What is left would need states times states.
 */
import type { ComponentDocument } from '../document/types';
import type { Branch, NetworkNode, Term } from '../model/components/circuit';
import { GROUND, type Network } from './network';
import type { Report } from './result';

/** What a signal is by the time alone. */
interface Timed {
  readonly text: string;
  readonly isConstant: boolean;
}

export function multiply(network: Network, components: readonly ComponentDocument[], report: Report): void {
  if (network.products.size > 0) new Products(network, components, report).run();
}

class Products {
  readonly #outputAt = new Map<NetworkNode, Branch>();
  readonly #known = new Map<NetworkNode, Timed | null>();

  constructor(
    private readonly network: Network,
    private readonly components: readonly ComponentDocument[],
    private readonly report: Report,
  ) {
    network.branches.forEach(({ a, element }, k) => {
      if (element.kind === 'controlledVoltage' && network.signals.has(a)) this.#outputAt.set(a, k);
    });
  }

  run(): void {
    for (const [branch, factors] of this.network.products) this.#write(branch, factors);
  }

  #write(branch: Branch, [a, b]: readonly [NetworkNode, NetworkNode]): void {
    const { network } = this;
    const product = network.branches[branch];
    const { component } = product;
    const [first, second] = [this.#timed(a), this.#timed(b)];
    if (first !== null && second !== null) {
      const text = `(${first.text})*(${second.text})`;
      const waveform = { text, pointer: `/components/${component}` };
      product.element = { kind: 'voltage', value: waveform };
      return;
    }
    const factorOf = (own: Timed | null): number | null =>
      own?.isConstant === true ? Number(own.text) : null;
    const [left, right] = [factorOf(first), factorOf(second)];
    if (left !== null || right !== null) {
      const term = this.#read(left === null ? a : b, component, left ?? right ?? 0);
      product.element = { kind: 'controlledVoltage', terms: [term] };
      return;
    }
    const gate = [a, b].find((node) => network.signals.get(node)?.isLogic === true);
    if (gate !== undefined) {
      const other = gate === a ? b : a;
      if (network.signals.get(other)?.isLogic === true) network.numbers.add(other);
      const from = network.newNode();
      const terms = [this.#read(other, component, 1)];
      network.add(component, from, GROUND, { kind: 'controlledVoltage', terms });
      network.add(component, from, product.a, { kind: 'switch', gate: { node: gate }, hysteresis: null });
      product.element = { kind: 'resistor', R: 1 };
      return;
    }
    const { id } = this.components[component];
    this.report(
      'error',
      `/components/${component}`,
      id,
      'product-of-states',
      `A factor of “${id}” follows the state, and the other one changes as well: the equations of a drawing are linear, with constant coefficients.`,
      'Let one factor be a constant, or on or off, or both be expressions of time; other products are written as a FirstOrderNonLinear system.',
    );
  }

  #read(node: NetworkNode, component: number, factor: number): Term {
    return { branch: this.network.add(component, node, GROUND, { kind: 'open' }), of: 'v', factor };
  }

  /** Null where a signal follows states, or is on or off. */
  #timed(node: NetworkNode): Timed | null {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    // A loop of signals is found elsewhere.
    this.#known.set(node, null);
    const output = this.#outputAt.get(node);
    const element = output === undefined ? null : this.network.branches[output].element;
    const timed = element?.kind === 'controlledVoltage' ? this.#sum(element.terms) : null;
    this.#known.set(node, timed);
    return timed;
  }

  #sum(terms: readonly Term[]): Timed | null {
    let constant = 0;
    const texts: string[] = [];
    for (const { branch, of, factor } of terms) {
      const own = of === 'v' ? this.#voltage(branch) : null;
      if (own === null) return null;
      if (own.isConstant) constant += factor * Number(own.text);
      else texts.push(`${String(factor)}*(${own.text})`);
    }
    if (texts.length === 0) return { text: String(constant), isConstant: true };
    return { text: [...texts, ...(constant === 0 ? [] : [`(${constant})`])].join(' + '), isConstant: false };
  }

  #voltage(branch: Branch): Timed | null {
    const { a, element } = this.network.branches[branch];
    const factors = this.network.products.get(branch);
    if (factors !== undefined) {
      const [first, second] = factors.map((node) => this.#timed(node));
      if (first === null || second === null) return null;
      if (first.isConstant && second.isConstant)
        return { text: String(Number(first.text) * Number(second.text)), isConstant: true };
      return { text: `(${first.text})*(${second.text})`, isConstant: false };
    }
    if (element.kind === 'open') return this.#timed(a);
    if (element.kind !== 'voltage') return null;
    const { value } = element;
    return typeof value === 'number'
      ? { text: String(value), isConstant: true }
      : { text: value.text, isConstant: false };
  }
}
