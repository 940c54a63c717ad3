/** What is recorded of components and wires: sums of states, multipliers and sources. */
import type { Named } from './explanations';
import { type ReducedNetwork, sumOf } from './reduction';
import { MOTIONS } from '../model/components/mechanical/domains';
import { componentTypes } from '../model/components/registry';
import type { OutputSignal, Report } from './result';

export function outputsOf(
  reduced: ReducedNetwork,
  { network, components, wireIds, nodeOfWire, isSignal, motionOf }: Named,
  report: Report,
): OutputSignal[] {
  const { forms, isOpen } = reduced;
  const signals: OutputSignal[] = [];
  const left = new Map<number, string[]>();
  for (const { component, name, terms, times } of network.recorded) {
    const { id, type } = components[component];
    const quantity = componentTypes.get(type)?.definition.quantities.find((one) => one.name === name);
    const form = sumOf(network, forms, terms);
    const factor = times === undefined ? null : sumOf(network, forms, times);
    if (isOpen(form) || (factor !== null && isOpen(factor))) {
      left.set(component, [...(left.get(component) ?? []), name]);
      continue;
    }
    signals.push({
      name: `${id}.${name}`,
      unit: quantity?.unit ?? '',
      description: `${quantity?.description ?? name} of ${id}`,
      element: id,
      form,
      times: factor,
      ...(quantity?.power !== undefined && { power: quantity.power }),
    });
  }
  for (const [component, names] of left) {
    const { id } = components[component];
    report(
      'warning',
      `/components/${component}`,
      id,
      'not-recorded',
      `${names.map((name) => `${id}.${name}`).join(', ')} would be the rate of a source, and ${names.length === 1 ? 'is' : 'are'} not recorded.`,
      'Put a small resistor in series with the capacitor that is in a loop with the source.',
    );
  }
  wireIds.forEach((ids, w) => {
    const node = nodeOfWire[w];
    const motion = motionOf?.(w) ?? null;
    if (motion !== null) {
      for (const of of ['position', 'velocity'] as const) {
        const terms = motion[of];
        const { name, unit, description } = MOTIONS[motion.domain][of];
        if (terms === null) continue;
        const form = sumOf(network, forms, terms);
        for (const id of ids)
          signals.push({
            ...{ name: `${id}.${name}`, unit, description: `${description} of ${id}` },
            ...{ element: id, form, times: null },
          });
      }
      return;
    }
    if (node === null || (isSignal(w) && network.signals.get(node)?.isLogic !== false)) return;
    for (const id of ids)
      signals.push({
        ...(isSignal(w)
          ? { name: `${id}.value`, unit: '', description: `Signal ${id}` }
          : { name: `${id}.v`, unit: 'V', description: `Node voltage of ${id}` }),
        element: id,
        form: forms.potentials[network.earth.find(node)],
        times: null,
      });
  });
  return signals;
}
