/** Takes away what is chosen in the graph. */
import { deleteBranch } from './circuit-edits';
import { deleteElements, disconnectElements } from './edits';
import { useGraphStore } from '../graph-store';

/** Removes the chosen link or stretch of a wire, or the chosen nodes with their links. */
export function deleteChosen(): void {
  const graph = useGraphStore();
  const { chosen, chosenLink, chosenBranch } = graph;
  if (chosenLink !== null && chosen.size === 0) {
    const [interaction = '', system = ''] = chosenLink.split('--');
    disconnectElements([{ interaction, system }]);
    graph.chosenLink = null;
    return;
  }
  if (chosenBranch !== null) {
    deleteBranch(chosenBranch);
    graph.choose([]);
    return;
  }
  deleteElements([...chosen]);
  graph.choose([]);
}
