/** Views of a document: what its dashboard shows when the author has not said. */
import type { ModelDocument, SignalInfo, ViewDocument } from '@engine/document/types';
import { isBody } from './bodies';
import { isAutomaticName } from '@figures/circuit/wires';
import { freshName } from './factory';
import { phasePortrait } from '@views/phase-portrait/offer';
import { text } from '../i18n';
import { viewKind } from '@views/offers';
import { saysPortrait, seriesChoices } from '@views/shared/signal-choice';
import { section } from '@views/section/offer';
import { timeSeries } from '@views/time-series/offer';

/**
 * Time series of what the model is about, quantities of different units apart, and a portrait where it says
 * something of the model; without one, rates and what acts on the states. Sections that the model takes are
 * shown, too.
 */
export function defaultViews(document: ModelDocument, signals: readonly SignalInfo[]): ViewDocument[] {
  const circuit = circuitViews(document, signals);
  if (circuit.length > 0) return circuit;
  const sources = { document, signals };
  const hasPortrait = saysPortrait(signals);
  const choices = seriesChoices(signals).filter(
    ({ id }) => !hasPortrait || (id !== 'velocities' && id !== 'multipliers'),
  );
  const views: ViewDocument[] = [];
  for (const { id, signals: names } of choices) {
    const taken = views.map((view) => view.id);
    views.push({ type: 'time-series', id: freshName(id, taken), signals: names });
  }
  if (views.length === 0) views.push(timeSeries.create('time-series', sources));
  if (hasPortrait) views.splice(1, 0, phasePortrait.create('phase-portrait', sources));
  for (const { id } of document.simulation.sections ?? [])
    views.push({ ...section.create(`section-${id}`, sources), section: id });
  return views;
}

/** As many curves of a circuit can be told apart in a plot. */
const MOST_CURVES = 4;

/** Of a drawing the positions of bodies, the voltages of nodes, named ones first, and currents. */
function circuitViews(
  { components = [], wires = [] }: ModelDocument,
  signals: readonly SignalInfo[],
): ViewDocument[] {
  const known = new Map(signals.map(({ name, unit }) => [name, unit]));
  const grounds = new Set(components.flatMap(({ id, type }) => (type === 'Ground' ? [`${id}.p`] : [])));
  const nodes = wires.filter(({ ends }) => !ends.some((end) => grounds.has(end))).map(({ id }) => id);
  const voltages = [
    ...nodes.filter((id) => !isAutomaticName(id)),
    ...nodes.filter((id) => isAutomaticName(id)),
  ]
    .map((id) => `${id}.v`)
    .filter((name) => !/^(?:m|rad)\/s$/.test(known.get(name) ?? ''));
  const bodies = components.filter(({ type }) => type === 'Mass' || type === 'Inertia');
  const positions = bodies.flatMap(({ id }) => [`${id}.x`, `${id}.phi`]);
  const currents = components.map(({ id }) => `${id}.i`);
  const series = (id: string, names: string[]): ViewDocument[] => {
    const shown = names.filter((name) => known.has(name)).slice(0, MOST_CURVES);
    return shown.length === 0 ? [] : [{ type: 'time-series', id, signals: shown }];
  };
  return [
    ...series('positions', positions),
    ...series('voltages', voltages),
    ...series('currents', currents),
  ];
}

/**
 * What a document without views of its own is shown with: 3D bodies are seen before anything is known
 * of them.
 */
function startingViews(document: ModelDocument, signals: readonly SignalInfo[]): ViewDocument[] {
  const views = defaultViews(document, signals);
  return document.systems.some(isBody)
    ? [newView('animation', { ...document, views: [] }, signals), ...views]
    : views;
}

/** Height of the panel of a view, relative to that of curves. */
export const shareOf = ({ type }: ViewDocument): number => viewKind(type)?.share ?? 1;

/** Signals that are named where a view has no title. */
const NAMED_SIGNALS = 2;

/** What a view is called where several stand side by side. */
export function viewName(view: ViewDocument): string {
  if (view.title !== undefined && view.title !== '') return view.title;
  const kind = viewKind(view.type);
  const name = kind === undefined ? view.type : text(kind.title);
  const shown =
    'signals' in view ? view.signals : 'x' in view ? [...('y' in view ? [view.y] : []), view.x] : [];
  if (!Array.isArray(shown) || shown.length === 0) return name;
  return `${name}: ${shown.slice(0, NAMED_SIGNALS).join(', ')}${shown.length > NAMED_SIGNALS ? ', …' : ''}`;
}

/** The views a document is shown with. */
export function effectiveViews(document: ModelDocument, signals: readonly SignalInfo[]): ViewDocument[] {
  return document.views.length > 0 ? document.views : startingViews(document, signals);
}

/** Writes the default views into the document, so that one of them can be edited. */
export function materialiseViews(document: ModelDocument, signals: readonly SignalInfo[]): void {
  if (document.views.length === 0) document.views = startingViews(document, signals);
}

/**
 * Gives a document that receives its first 3D body an animation, so that the body is seen. One whose
 * author has said nothing of views has it among those it starts with; one that has bodies keeps what its
 * author made of it.
 */
export function showFirstBody(document: ModelDocument): void {
  const { views, systems } = document;
  if (views.length === 0 || systems.some(isBody) || views.some(({ type }) => type === 'animation')) return;
  views.unshift(newView('animation', document, []));
}

/** A further view of a document, its signals chosen so that it shows something at once. */
export function newView(
  type: ViewDocument['type'],
  document: ModelDocument,
  signals: readonly SignalInfo[],
): ViewDocument {
  const id = freshName(
    type,
    document.views.map((view) => view.id),
  );
  const kind = viewKind(type);
  if (kind === undefined) throw new Error(`there is no kind of view named ${type}`);
  return kind.create(id, { document, signals });
}
