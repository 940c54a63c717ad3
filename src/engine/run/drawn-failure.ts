/** A failure of what components have become, said of the components. */
import { drawnNames, inDrawnNames } from '../components/drawn-names';
import type { EngineErrorDetails } from '../errors';
import type { ModelDocument } from '../document/types';
import type { PreparedModel } from '../preparation/prepare';

/** What was drawn, and how its rows are called. */
export interface DrawnRun {
  readonly document: Pick<ModelDocument, 'components' | 'wires'>;
  readonly labels: PreparedModel['labels'];
}

/** Neighbours beyond this number are not named. */
const MAX_NEIGHBOURS = 8;

/**
 * Names components as they are drawn, `S1` and not `junctions.S1`, and what joins them where they are few: a
 * source that an open switch leaves without a way is one of those.
 */
export function asDrawn(details: EngineErrorDetails, { document, labels }: DrawnRun): EngineErrorDetails {
  const { components = [] } = document;
  const names = drawnNames(labels);
  const source = details.entry === undefined ? '' : labels[details.where ?? '']?.sources?.[details.entry];
  if (source !== undefined && source !== '') {
    const message = details.message.replace(/“[^”]*” of “[^”]+”/, `“${source}”`).replace(/ in entry \d+/, '');
    return { ...details, message, where: source };
  }
  const places = (details.where ?? '').split(', ').map((name) => names.get(name)?.name ?? name);
  const message = inDrawnNames(
    details.message.replaceAll(/“([^”]+)”/g, (quoted, name: string) =>
      names.has(name) ? `“${names.get(name)?.name ?? name}”` : quoted,
    ),
    names,
  );
  const gated = components.find(({ id }) => places[0] === id || places[0].startsWith(`${id}.`));
  if (details.code === 'presence-unsuitable' && typeof gated?.gate === 'string')
    return {
      ...details,
      where: gated.id,
      message: `The gate “${gated.gate}” of “${gated.id}” reads what the elements that switch decide at the same instant; the event-driven scheme asks for time, voltages of capacitors, currents of inductors, positions and velocities.`,
      remedy: `Write the gate in these, as by a small capacitor where the voltage is read, or simulate the model by time-stepping.`,
    };
  if (message === details.message && places.join(', ') === (details.where ?? '')) return details;
  const near = neighbours(places, document);
  const joined =
    near.length === 0 || near.length > MAX_NEIGHBOURS
      ? ''
      : ` “${places[0]}” is joined to ${near.join(', ')}.`;
  return { ...details, message: places.length === 1 ? message + joined : message, where: places.join(', ') };
}

/** Components at the wires of others, grounds left out. */
function neighbours(ids: readonly string[], { components = [], wires = [] }: DrawnRun['document']): string[] {
  const ownerOf = (end: string): string => end.slice(0, end.lastIndexOf('.'));
  const near = wires
    .map(({ ends }) => ends.map(ownerOf))
    .filter((owners) => owners.some((owner) => ids.includes(owner)))
    .flat();
  const grounds = new Set(components.filter(({ type }) => type === 'Ground').map(({ id }) => id));
  return [...new Set(near)].filter((id) => !ids.includes(id) && !grounds.has(id)).map((id) => `“${id}”`);
}
