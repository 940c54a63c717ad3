/** The interaction graph of a whole model: handles are the positions of the elements in it. */
import { InteractionGraph } from './interaction-graph';
import type { TopologyModel } from './topology-model';

export function graphOf({ systems, interactions }: TopologyModel): InteractionGraph {
  const graph = new InteractionGraph();
  for (const { id } of systems) graph.insertSystem(id);
  for (const { id, systems: linked } of interactions) graph.insertInteraction(id, linked);
  return graph;
}
