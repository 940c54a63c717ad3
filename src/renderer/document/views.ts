/** Views of a document: what its dashboard shows when the author has not said. */
import type { ModelDocument, SignalInfo, ViewDocument } from '@engine/document/types';
import { isBody } from './bodies';
import { freshName } from './factory';

/** Most signals a default time series starts with: more curves than colours cannot be told apart. */
const MOST_SIGNALS = 4;

/** Numbers that are the position of a body in space: x, y, z and a quaternion, whose entries have no unit. */
const POSE = 7;
/** Place of the height among them, and of its rate among the velocities. */
const HEIGHT = 2;

/** Positions of each element, in their order. */
function positionsByElement(signals: readonly SignalInfo[]): SignalInfo[][] {
  const elements = new Map<string | undefined, SignalInfo[]>();
  for (const signal of signals) {
    if (signal.kind !== 'position') continue;
    const list = elements.get(signal.element);
    if (list === undefined) elements.set(signal.element, [signal]);
    else list.push(signal);
  }
  return [...elements.values()];
}

const isPose = (positions: readonly SignalInfo[]): boolean =>
  positions.length === POSE && positions.at(-1)?.unit === '' && positions[0]?.unit === 'm';

/** Positions worth a curve: of one body in space its place, of several their heights; quaternions say little in a plot. */
function positionNames(elements: readonly SignalInfo[][]): string[] {
  const isSingle = elements.length === 1;
  return elements
    .flatMap((positions) => {
      if (!isPose(positions)) return positions;
      return isSingle ? positions.slice(0, HEIGHT + 1) : positions.slice(HEIGHT, HEIGHT + 1);
    })
    .map(({ name }) => name);
}

/** The two quantities whose portrait shows most: q against v, or the first two states of a system. */
function portraitAxes(signals: readonly SignalInfo[]): [SignalInfo, SignalInfo] | null {
  const [first] = positionsByElement(signals);
  const place = first !== undefined && isPose(first) ? HEIGHT : 0;
  const position = first?.[place];
  const velocity = signals.filter(
    ({ kind, element }) => kind === 'velocity' && element === position?.element,
  )[place];
  if (position !== undefined && velocity !== undefined) return [position, velocity];
  const states = signals.filter(({ kind }) => kind === 'state');
  for (const [i, state] of states.entries()) {
    const next = states[i + 1];
    if (next !== undefined && next.element === state.element) return [state, next];
  }
  return null;
}

/**
 * A time series of positions, states and observables, and a portrait; where there is nothing to portray, what acts on
 * the states instead.
 */
export function defaultViews(signals: readonly SignalInfo[]): ViewDocument[] {
  const names = (...kinds: SignalInfo['kind'][]): string[] =>
    signals.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const places = positionNames(positionsByElement(signals));
  const shown = [...places, ...names('state'), ...names('observable')].slice(0, MOST_SIGNALS);
  const views: ViewDocument[] = [{ type: 'time-series', id: 'time-series', signals: shown }];
  const axes = portraitAxes(signals);
  const multipliers = names('multiplier', 'impulse').slice(0, MOST_SIGNALS);
  if (axes !== null) {
    views.push({ type: 'phase-portrait', id: 'phase-portrait', x: axes[0].name, y: axes[1].name });
  } else if (multipliers.length > 0) {
    views.push({ type: 'time-series', id: 'multipliers', signals: multipliers });
  }
  return views;
}

/** What a document without views of its own is shown with: bodies in space are seen before anything is known of them. */
function startingViews({ systems }: ModelDocument, signals: readonly SignalInfo[]): ViewDocument[] {
  const views = defaultViews(signals);
  return systems.some(isBody) ? [newView('animation', [], signals), ...views] : views;
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
 * Gives a document that receives its first body in space an animation, so that the body is seen. One whose author has said nothing of
 * views has it among those it starts with; one that has bodies keeps what its author made of it.
 */
export function showFirstBody(document: ModelDocument): void {
  const { views, systems } = document;
  if (views.length === 0 || systems.some(isBody) || views.some(({ type }) => type === 'animation')) return;
  views.unshift(newView('animation', views, []));
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
  if (type === 'animation') return { type, id };
  if (type === 'time-series') return { type, id, signals: [] };
  const [x, y] = signals;
  return { type, id, x: x?.name ?? '', y: (y ?? x)?.name ?? '' };
}
