/** Signals that the plots of a document show. */
import type { ModelDocument } from '@engine/document/types';

export function shownSignals({ views }: ModelDocument): string[] {
  const names = views.flatMap((view) => {
    if ('signals' in view) return view.signals;
    if ('z' in view) return [view.x, view.y, view.z];
    return 'x' in view ? [view.x, ...('y' in view ? [view.y] : [])] : [];
  });
  return [...new Set(names)];
}
