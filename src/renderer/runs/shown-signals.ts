/** Signals that the plots of a document show. */
import type { ModelDocument } from '@engine/document/types';

export function shownSignals({ views }: ModelDocument): string[] {
  const names = views.flatMap((view) => {
    if (view.type === 'time-series') return view.signals;
    return view.type === 'phase-portrait' ? [view.x, view.y] : [];
  });
  return [...new Set(names)];
}
