/**
 * Signals of a drawing. A signal is the voltage of a node that its output holds against ground and from which
 * inputs take nothing, so that linear blocks are controlled sources, integrators capacitors, and limits
 * characteristics. What is on or off is an expression that is positive where it is on, which gates take as
 * their condition; only where it is read as a number it is a switch between 1 and 0.
 */
import type { NetworkNode } from '../model/components/circuit';
import { componentTypes } from '../model/components/registry';
import type { Domain } from '../model/definition';
import type { Drawing } from './flatten';
import { GROUND, listed, type Network } from './network';
import type { Report } from './result';

/** A signal has one source. */
export function checkSignals(
  { components, wires }: Drawing,
  domains: readonly (Domain | undefined)[],
  report: Report,
): void {
  const typeOf = new Map(components.map(({ id, type }) => [id, type]));
  wires.forEach(({ id, ends }, w) => {
    if (domains[w] !== 'signal') return;
    const outputs = ends.filter((end) => {
      const point = end.lastIndexOf('.');
      const pins = componentTypes.get(typeOf.get(end.slice(0, point)) ?? '')?.definition.pins;
      return pins?.find(({ name }) => name === end.slice(point + 1))?.direction === 'out';
    });
    if (outputs.length === 0)
      report(
        'error',
        `/wires/${w}`,
        id,
        'no-source',
        `Nothing gives the signal “${id}”: the wire joins inputs only.`,
        'Draw a wire to it from the output of a block or of a meter.',
      );
    else if (outputs.length > 1)
      report(
        'error',
        `/wires/${w}`,
        id,
        'two-sources',
        `${listed(outputs.map((end) => `“${end}”`))} are outputs, and the wire “${id}” joins them: a signal has one source.`,
        'Take one away, or put both through a sum.',
      );
  });
}

/** Gives those signals that are on or off and are read as numbers a voltage: that of a switch to 1. */
export function readAsNumbers(network: Network): void {
  for (const [node, { component, isLogic }] of network.signals) {
    if (!isLogic || !network.numbers.has(node)) continue;
    const one = network.newNode();
    network.add(component, one, GROUND, { kind: 'voltage', value: 1 });
    network.add(component, one, node, { kind: 'switch', gate: { node }, hysteresis: null });
    network.add(component, node, GROUND, { kind: 'resistor', R: 1 });
  }
}

/** Outputs of which each asks for the next at the same instant, and the last for the first; or none. */
export function signalLoop({ branches, signals }: Network, output: number): number[] {
  const outputAt = new Map<NetworkNode, number>();
  branches.forEach(({ a, element }, k) => {
    if (element.kind === 'controlledVoltage' && signals.has(a)) outputAt.set(a, k);
  });
  const way: number[] = [];
  const seen = new Set<number>();
  const leadsBack = (k: number): boolean => {
    const { element } = branches[k];
    if (seen.has(k) || element.kind !== 'controlledVoltage') return false;
    seen.add(k);
    way.push(k);
    for (const { branch } of element.terms) {
      const next = outputAt.get(branches[branch].a);
      if (branches[branch].element.kind !== 'open' || next === undefined) continue;
      if (next === output || leadsBack(next)) return true;
    }
    way.pop();
    return false;
  };
  return leadsBack(output) ? way : [];
}
