/** Takes away what is chosen in the graph. */
import { deleteElements, disconnectElements } from './edits';
import { useGraphStore } from '../graph-store';

/** Removes the chosen link, or the chosen nodes with their links. */
export function deleteChosen(): void {
  const graph = useGraphStore();
  const { chosen, chosenLink } = graph;
  if (chosenLink !== null && chosen.size === 0) {
    const [interaction = '', system = ''] = chosenLink.split('--');
    disconnectElements([{ interaction, system }]);
    graph.chosenLink = null;
    return;
  }
  deleteElements([...chosen]);
  graph.choose([]);
}
