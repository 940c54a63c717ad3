/** Views of a document: what its dashboard shows when the author has not said. */
import type { ModelDocument, SignalInfo, ViewDocument } from '@engine/document/types';
import { freshName } from './factory';

/** Most signals a default time series starts with: more curves than colours cannot be told apart. */
const MOST_SIGNALS = 4;

/** A time series of positions and observables, and a portrait of the first system's q against v. */
export function defaultViews(signals: readonly SignalInfo[]): ViewDocument[] {
  const positions = signals.filter((signal) => signal.kind === 'position');
  const observables = signals.filter((signal) => signal.kind === 'observable');
  const shown = [...positions, ...observables].slice(0, MOST_SIGNALS).map((signal) => signal.name);
  const views: ViewDocument[] = [{ type: 'time-series', id: 'time-series', signals: shown }];
  const position = positions[0];
  const velocity = signals.find(
    (signal) => signal.kind === 'velocity' && signal.element === position?.element,
  );
  if (position !== undefined && velocity !== undefined) {
    views.push({ type: 'phase-portrait', id: 'phase-portrait', x: position.name, y: velocity.name });
  }
  return views;
}

/** The views a document is shown with. */
export function effectiveViews(document: ModelDocument, signals: readonly SignalInfo[]): ViewDocument[] {
  return document.views.length > 0 ? document.views : defaultViews(signals);
}

/** Writes the default views into the document, so that one of them can be edited. */
export function materialiseViews(document: ModelDocument, signals: readonly SignalInfo[]): void {
  if (document.views.length === 0) document.views = defaultViews(signals);
}

/** A further view, its signals chosen so that it shows something at once. */
export function newView(
  type: ViewDocument['type'],
  views: readonly ViewDocument[],
  signals: readonly SignalInfo[],
): ViewDocument {
  const id = freshName(
    type,
    views.map((view) => view.id),
  );
  const proposal = defaultViews(signals).find((view) => view.type === type);
  if (proposal !== undefined) return { ...proposal, id };
  if (type === 'time-series') return { type, id, signals: [] };
  const [x, y] = signals;
  return { type, id, x: x?.name ?? '', y: (y ?? x)?.name ?? '' };
}
