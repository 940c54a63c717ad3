/**
 * Ideal switches that make states jump: what comes through a closing switch or a voltage over an opening one
 * is an impulse where nothing but states is in the loop or the cut. Charge and flux stay, energy does not.
 */
import type { ComponentDocument } from '../document/types';
import { componentTypes } from '../model/components/registry';
import type { Named } from './explanations';
import { listed } from './network';
import type { ReducedNetwork } from './reduction';
import type { Report } from './result';

const FIGURES = 4;

const isOfMechanisms = ({ type }: ComponentDocument): boolean =>
  'assemble' in (componentTypes.get(type) ?? {});

/**
 * Warns of each of them, with the energy that it loses. With v = c x over an open switch, whose current i
 * drives c ẋ = … + i/C, closing takes C v of charge and ½ C v² of energy; of an opening one likewise with L
 * and its current.
 */
export function reportImpulses(
  { rows, rates, states, inputs }: ReducedNetwork,
  named: Named,
  report: Report,
): void {
  const { network, components } = named;
  const multipliers = new Map<number, number>();
  inputs.forEach((input, k) => {
    if (input.kind === 'multiplier') multipliers.set(input.index, k);
  });
  rows.forEach(({ branch, isVoltage, isBlocking, output }, k) => {
    if (branch < 0 || isBlocking) return;
    const { element, component } = network.branches[branch];
    const isSwitch =
      element.kind === 'switch' ||
      element.kind === 'thyristor' ||
      (element.kind === 'diode' && element.gate?.isInverse === false);
    const own = multipliers.get(k);
    // A rigid coupling is there to make velocities jump.
    if (!isSwitch || own === undefined || isOfMechanisms(components[component])) return;
    if (
      [...output.keys()].every((input) => ['one', 'source'].includes(inputs[input].kind)) &&
      output.size > 0
    ) {
      const { id } = components[component];
      report(
        'warning',
        `/components/${component}`,
        id,
        'shorts-source',
        isVoltage
          ? `Where “${id}” opens, it cuts off ${besides(named, branch, 'current')}: the run ends there, as the current has no other way.`
          : `Where “${id}” closes, it short-circuits ${besides(named, branch, 'voltage')}: the run ends there, as nothing limits the current.`,
        isVoltage ? 'Put a resistor beside it.' : 'Put a resistor in series with it.',
        isVoltage ? named.mender.beside(id) : named.mender.series(named.mender.ends(id)[0]),
      );
      return;
    }
    const joined: string[] = [];
    let drive = 0;
    for (const [input, factor] of output) {
      const of = inputs[input];
      // What resists, or lets a current go on, is in the row as a multiplier.
      if (of.kind === 'multiplier') return;
      if (of.kind !== 'state') continue;
      const part = factor * (rates[of.index].get(own) ?? 0);
      if (part === 0) continue;
      drive += part;
      joined.push(components[network.branches[states[of.index].branch].component].id);
    }
    if (drive === 0) return;
    const { id } = components[component];
    const size = Number((1 / Math.abs(drive)).toPrecision(FIGURES));
    const names = listed(joined);
    report(
      'warning',
      `/components/${component}`,
      id,
      'state-jumps',
      isVoltage
        ? `Where “${id}” opens, the current of ${names} ends at once: the energy ½ · ${size} H · i² is lost, with i the current through it just before.`
        : `Where “${id}” closes, ${names} ${joined.length === 1 ? 'takes' : 'share'} charge at once, with nothing between: the energy ½ · ${size} F · v² is lost, with v the voltage over it just before.`,
      isVoltage
        ? 'Give the current a way on, by a diode or a resistor, where that is not meant.'
        : 'Put a resistor in series where that is not meant.',
    );
  });
}

/** Sources between the ends of a branch, by name where there are such. */
function besides(
  { network: { branches, earth }, components }: Named,
  branch: number,
  kind: 'voltage' | 'current',
): string {
  const nodes = (k: number): number[] => [branches[k].a, branches[k].b].map((node) => earth.find(node));
  const own = nodes(branch);
  const isShared = (k: number): boolean => {
    const shared = nodes(k).filter((node) => own.includes(node)).length;
    return kind === 'voltage' ? shared === 2 : shared > 0;
  };
  const names = branches.flatMap(({ element, component }, k) =>
    element.kind === kind && isShared(k) ? [`“${components[component].id}”`] : [],
  );
  return names.length === 0 ? `sources of ${kind}` : listed(names);
}
