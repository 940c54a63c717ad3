/** Drawn circuits for tests: a line for each component, nodes by name, as in a netlist. */
import type { ComponentDocument, ModelDocument, WireDocument } from '@engine/document/types';
import { componentTypes } from '@engine/model/components/registry';
import { model } from '../support/models';

/** @param parts `[id, type, nodes of its pins in their order, fields]`; the node `0` is ground */
export type Part = readonly [id: string, type: string, nodes: readonly string[], fields?: object];

export function drawn(
  parts: readonly Part[],
  { h = 1e-6, tEnd = 1e-3 }: { h?: number; tEnd?: number } = {},
): ModelDocument & { components: ComponentDocument[]; wires: WireDocument[] } {
  const ends = new Map<string, string[]>();
  const components = parts.map(([id, type, nodes, fields]): ComponentDocument => {
    const pins = componentTypes.get(type)?.definition.pins ?? [];
    pins.forEach(({ name }, k) => {
      const node = nodes[k];
      if (node !== undefined) ends.set(node, [...(ends.get(node) ?? []), `${id}.${name}`]);
    });
    return { id, type, ...fields };
  });
  const ground = ends.get('0');
  if (ground !== undefined) {
    components.push({ id: 'ground', type: 'Ground' });
    ground.push('ground.p');
  }
  const wires = [...ends].map(([node, list]) => ({ id: node === '0' ? 'node0' : node, ends: list }));
  const document = model([], [], { h, tEnd });
  return {
    ...document,
    components,
    wires,
    simulation: {
      ...document.simulation,
      integrators: [{ type: 'EulerMoreau', theta: 1, thetaR: 1 }],
      problem: { type: 'auto' },
    },
  };
}
