import type { ModelDocument } from '@engine/document/types';

/** Components but grounds as lines: id, type, pins by net, fields. */
export function lines({ components = [], wires = [] }: ModelDocument): string[] {
  const netOf = new Map(wires.flatMap(({ id, ends }) => ends.map((end) => [end, id] as const)));
  const grounds = new Set(
    wires.filter(({ ends }) => ends.some((end) => end.startsWith('GND'))).map(({ id }) => id),
  );
  return components
    .filter(({ type }) => type !== 'Ground')
    .map(({ id, type, ...fields }) => {
      const pins = [...netOf].filter(([end]) => end.startsWith(`${id}.`));
      const nets = pins.map(([end, net]) => `${end.slice(id.length + 1)}=${grounds.has(net) ? '0' : net}`);
      const values = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      return `${id} ${type} ${nets.sort().join(' ')} {${values.join(', ')}}`;
    });
}
