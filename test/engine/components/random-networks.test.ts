/**
 * Random networks: what the reduction says of voltages, currents and rates has to obey Kirchhoff's laws at
 * every node and the equation of every branch, whatever states, multipliers and sources are. The equations
 * are linear, so that no other voltages and currents do.
 */
import { describe, expect, it } from 'vitest';
import type { LinearForm } from '@engine/components/linear-form';
import { ComponentCircuit, Network } from '@engine/components/network';
import { type NetworkInput, type ReducedNetwork, reduce } from '@engine/components/reduction';
import { type Random, seeded } from '../support/random';
import { sample } from '../../support/prove';

const gate = { text: 't', pointer: '' };

/** Branches of all kinds between random nodes; the network need not have a solution. */
function randomNetwork(random: Random): Network {
  const network = new Network();
  const nodes = [0];
  const count = random.integer(1, 9);
  for (let k = 0; k < count; k++) nodes.push(network.newNode());
  const node = (): number => nodes[random.integer(0, nodes.length - 1)];
  const pair = (): [number, number] => {
    const a = node();
    let b = node();
    while (b === a) b = node();
    return [a, b];
  };
  const value = (): number => 10 ** random.uniform(-2, 2);
  const elements = random.integer(count, 3 * count + 2);
  for (let k = 0; k < elements; k++) {
    const circuit = new ComponentCircuit(
      network,
      k,
      () => 0,
      () => ({ text: 't', pointer: '' }),
      () => false,
    );
    const [a, b] = pair();
    const known = network.branches.length;
    const terms = (): { branch: number; of: 'v' | 'i'; factor: number }[] =>
      Array.from({ length: known === 0 ? 0 : random.integer(1, 2) }, () => ({
        branch: random.integer(0, known - 1),
        of: random.chance(0.5) ? ('v' as const) : ('i' as const),
        factor: random.uniform(-2, 2),
      }));
    const kind = random.integer(0, 21);
    if (kind < 6) circuit.resistor(a, b, value());
    else if (kind < 9) circuit.capacitor(a, b, value(), 0);
    else if (kind < 12) circuit.inductor(a, b, value(), 0);
    else if (kind < 15) circuit.diode(a, b);
    else if (kind === 15) circuit.switch(a, b, gate);
    else if (kind === 16) circuit.voltage(a, b, random.chance(0.5) ? 'value' : random.uniform(-5, 5));
    else if (kind === 17) circuit.current(a, b, random.chance(0.5) ? 'value' : random.uniform(-5, 5));
    else if (kind === 18)
      circuit.transformer([a, b], [{ a: node(), b: node(), ratio: random.uniform(0.2, 3) }]);
    else if (kind === 19) circuit.controlledVoltage(a, b, terms());
    else if (kind === 20) circuit.controlledCurrent(a, b, terms());
    else if (random.chance(0.5)) circuit.wire(a, b);
    else
      circuit.characteristic(a, b, {
        points: [[0, 0]],
        start: [-1, 0],
        end: [1, 0],
      });
  }
  return network;
}

/** Values of the inputs at random, and the rates of those that have rates: sources in loops are constant. */
function at(
  random: Random,
  { inputs, rates }: ReducedNetwork,
): { value(form: LinearForm): number; rate(form: LinearForm): number } {
  const values = inputs.map(({ kind }) => (kind === 'one' ? 1 : random.uniform(-3, 3)));
  const value = (form: LinearForm): number =>
    [...form].reduce((sum, [input, factor]) => sum + factor * (values[input] ?? Number.NaN), 0);
  const rateOf = (input: number): number => {
    const own = inputs[input] as NetworkInput | undefined;
    if (own === undefined || own.kind === 'source') return Number.NaN;
    return own.kind === 'state' ? value(rates[own.index]) : 0;
  };
  return {
    value,
    rate: (form) => [...form].reduce((sum, [input, factor]) => sum + factor * rateOf(input), 0),
  };
}

/** Largest defect of an equation, in parts of its terms. */
function defectOf(network: Network, reduced: ReducedNetwork, random: Random): number {
  const { voltages, currents, potentials } = reduced.forms;
  const { value, rate } = at(random, reduced);
  let worst = 0;
  const check = (...terms: number[]): void => {
    // The rate of a source, which a capacitor in a loop with it would follow, has no value.
    if (terms.some(Number.isNaN)) return;
    const size = terms.reduce((sum, term) => sum + Math.abs(term), 1e-3);
    worst = Math.max(worst, Math.abs(terms.reduce((sum, term) => sum + term, 0)) / size);
  };
  const leaving = new Map<number, number[]>();
  const rowOf = new Map(reduced.rows.map((row, r) => [row.branch, r]));
  const multiplier = (branch: number): number => {
    const input = reduced.inputs.findIndex(
      (own) => own.kind === 'multiplier' && own.index === rowOf.get(branch),
    );
    return value(new Map([[input, 1]]));
  };
  const output = (branch: number): number => value(reduced.rows[rowOf.get(branch) ?? -1].output);
  network.branches.forEach(({ a, b, element }, k) => {
    const [v, i] = [value(voltages[k]), value(currents[k])];
    check(v, -value(potentials[network.earth.find(a)]), value(potentials[network.earth.find(b)]));
    for (const [node, sign] of [
      [network.earth.find(a), 1],
      [network.earth.find(b), -1],
    ])
      leaving.set(node, [...(leaving.get(node) ?? []), sign * i]);
    const isVoltage = reduced.orientation.isVoltage[k] === 1;
    switch (element.kind) {
      case 'resistor':
        return check(v, -element.R * i);
      case 'capacitor':
        return check(element.C * rate(voltages[k]), -i);
      case 'inductor':
        return check(element.L * rate(currents[k]), -v);
      case 'wire':
        return check(v);
      case 'open':
        return check(i);
      case 'voltage':
        if (typeof element.value === 'number') check(v, -element.value);
        return;
      case 'current':
        if (typeof element.value === 'number') check(i, -element.value);
        return;
      case 'controlledVoltage':
      case 'controlledCurrent': {
        const sum = element.terms.map(
          ({ branch, of, factor }) => factor * value(of === 'v' ? voltages[branch] : currents[branch]),
        );
        return check(element.kind === 'controlledVoltage' ? v : i, ...sum.map((term) => -term));
      }
      case 'winding': {
        const windings = network.branches.flatMap((one, w) =>
          one.element.kind === 'winding' && one.element.core === element.core
            ? [{ w, ratio: one.element.ratio }]
            : [],
        );
        check(...windings.map(({ w, ratio }) => ratio * value(currents[w])));
        return check(v / element.ratio, -value(voltages[windings[0].w]) / windings[0].ratio);
      }
      case 'diode':
      case 'switch':
        check(isVoltage ? v : i, isVoltage ? multiplier(k) : -multiplier(k));
        return check(output(k), isVoltage ? -i : v);
      case 'characteristic':
        check(isVoltage ? v : i, multiplier(k));
        return check(output(k), isVoltage ? -i : -v);
      default:
        throw new Error(element.kind);
    }
  });
  // The reference of an island has what is left, which is nothing where all others have nothing.
  for (const currentsThere of leaving.values()) check(...currentsThere);
  return worst;
}

describe('random networks', () => {
  it('obey Kirchhoff’s laws and the equation of every branch', { timeout: 600_000 }, () => {
    const random = seeded(27_001);
    let solved = 0;
    const refused = new Map<string, number>();
    for (let k = 0; k < sample(3000, 100_000); k++) {
      const network = randomNetwork(random);
      const reduction = reduce(network, network.mutual);
      if (!reduction.ok) {
        for (const { kind } of reduction.defects) refused.set(kind, (refused.get(kind) ?? 0) + 1);
        continue;
      }
      solved++;
      const defect = defectOf(network, reduction.reduced, random);
      expect(defect, `network ${k}`).toBeLessThan(1e-8);
    }
    expect(solved).toBeGreaterThan(sample(3000, 100_000) / 10);
    for (const kind of ['loop', 'cut', 'dependent']) expect(refused.get(kind), kind).toBeGreaterThan(0);
  });
});
