/** What a diagram can show of the analyses that its view names, in the units of the model. */
import type { BifurcationView } from '@engine/document/types';
import { type DiagramPart, isDiagramPart } from '@views/bifurcation/drawing';
import { useAnalysesStore } from '../../stores/analyses';

export function partsOfDiagram(view: Pick<BifurcationView, 'analyses'>): DiagramPart[] {
  const analyses = useAnalysesStore();
  return view.analyses.flatMap((id) => {
    const outcome = analyses.list.some((one) => one.id === id) ? analyses.outcomeOf(id) : null;
    return outcome !== null && isDiagramPart(outcome) ? [outcome] : [];
  });
}
