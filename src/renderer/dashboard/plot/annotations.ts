/**
 * Texts in plots, of every kind of view that can have them: at a point, or at an upright line. Time series
 * say `t` of what planes call `x`; here it is one and the same.
 */
import type { Annotation, PlaneAnnotation, TimeSeriesView, ViewDocument } from '@engine/document/types';
import { axisGroups } from '@figures/vertical-axes';
import { diagramUnits } from '@views/shared/shown-analyses';
import type { ShownUnit } from '@figures/shown-units';
import { spectrumUnit } from '@views/spectrum/drawing';
import { text } from '../../i18n';
import { useDashboardsStore } from '../../stores/dashboards';
import { useDisplayUnitsStore } from '../../stores/display-units';
import { usePlotCursorStore } from '../../stores/plot-cursor';
import { useWorkspaceStore } from '../../stores/workspace';
import { partsOfDiagram } from '../plane/diagram-parts';
import { changeMembers } from '../options/change-view';
import { plotIds, plotOf } from './plot-registry';
import { knownSignals, plainUnit, shownOfSignal, shownOfUnit } from '../options/shown-of';

/** A text and its place in the units of the model. */
export type PlacedNote = PlaneAnnotation;

type Annotated = Extract<ViewDocument, { annotations?: unknown }>;

/** An axis on which texts stand. */
interface NoteAxis {
  readonly name: string;
  /** a letter, for a narrow form */
  readonly symbol: string;
  readonly shown: ShownUnit;
}

export interface NoteAxes {
  readonly x: NoteAxis;
  readonly y: NoteAxis;
}

/** One line for each kind that can have texts. @returns the units of its axes */
const UNITS: {
  readonly [K in Annotated['type']]: (view: Extract<ViewDocument, { type: K }>) => [ShownUnit, ShownUnit];
} = {
  'time-series': ({ signals, axes }) => {
    const [group] = axisGroups(signals, knownSignals(), axes);
    return [shownOfUnit('s'), shownOfUnit(group?.units[0] ?? '')];
  },
  'phase-portrait': ({ x, y }) => [shownOfSignal(x), shownOfSignal(y)],
  section: ({ x, y }) => [shownOfSignal(x), shownOfSignal(y)],
  spectrum: ({ signals, quantity = 'amplitude' }) => {
    const { unit, factor } = shownOfSignal(signals[0] ?? '');
    const value = quantity === 'amplitude' ? factor : factor * factor;
    return [plainUnit('Hz'), { unit: spectrumUnit(unit, quantity), factor: value }];
  },
  bifurcation: (view) => {
    const { x, y } = diagramUnits(partsOfDiagram(view), view.y, useDisplayUnitsStore());
    return [x, y];
  },
};

/** Letters of horizontal axes that are not called x. */
const SYMBOLS: Partial<Record<ViewDocument['type'], string>> = { 'time-series': 't', spectrum: 'f' };

export const canAnnotate = (view: ViewDocument): view is Annotated => Object.hasOwn(UNITS, view.type);

/** What stands on the axes of a view. */
export function annotatedAxes(view: ViewDocument): NoteAxes {
  const units = canAnnotate(view)
    ? (UNITS[view.type] as (one: ViewDocument) => [ShownUnit, ShownUnit])(view)
    : [plainUnit(''), plainUnit('')];
  const [x = plainUnit(''), y = plainUnit('')] = units;
  const isTime = view.type === 'time-series';
  return {
    x: {
      name: text(isTime ? 'plotOptions.timeAxis' : 'plotOptions.horizontal'),
      symbol: SYMBOLS[view.type] ?? 'x',
      shown: x,
    },
    y: { name: text('plotOptions.vertical'), symbol: 'y', shown: y },
  };
}

const fromTime = ({ t, ...rest }: Annotation): PlacedNote => ({ ...rest, x: t });
const toTime = ({ text: words, x, y }: PlacedNote): Annotation =>
  y === undefined ? { text: words, t: x } : { text: words, t: x, y };

const isTimeSeries = (view: ViewDocument): view is TimeSeriesView => view.type === 'time-series';

/** The texts of a view. */
export function annotationsOf(view: ViewDocument): PlacedNote[] {
  if (isTimeSeries(view)) return (view.annotations ?? []).map(fromTime);
  return canAnnotate(view) ? [...(view.annotations ?? [])] : [];
}

/** The members of a view with these texts; none are not written down. */
export const withAnnotations = (
  view: ViewDocument,
  notes: readonly PlacedNote[],
): { annotations: readonly unknown[] | undefined } => ({
  annotations: notes.length === 0 ? undefined : isTimeSeries(view) ? notes.map(toTime) : notes,
});

/** A place of a plot in the units of the model; of time series, the time is enough. */
export interface NotePlace {
  x: number;
  y?: number;
}

/** What is under the pointer in the plot of a view; null where it has no plot. */
export function pointedPlace(viewId: string): NotePlace | null {
  const view = useDashboardsStore().viewOf(viewId);
  const at = plotOf(viewId)?.notePlace?.();
  if (view === undefined || at === undefined) return null;
  return isTimeSeries(view) ? { x: at.x } : at;
}

/**
 * Default place of a text: in time series a vertical line at the cursor of the plots, elsewhere a point,
 * under the pointer or in the middle of what is seen.
 */
export function notePlace(view: ViewDocument): NotePlace {
  const seen = plotOf(view.id)?.notePlace?.();
  if (!isTimeSeries(view)) return seen ?? { x: 0, y: 0 };
  return { x: usePlotCursorStore().mark?.t ?? seen?.x ?? 0 };
}

/** Adds a text, as one step. */
export function addAnnotation(view: ViewDocument, note: PlacedNote): void {
  const label = text('plotOptions.annotations');
  changeMembers(view, label, withAnnotations(view, [...annotationsOf(view), note]));
}

/**
 * The view that a command puts a text into: the active one, else the first that can have texts; null where
 * there is none.
 */
export function annotatable(): string | null {
  const dashboards = useDashboardsStore();
  const fits = (id: string): boolean => {
    const view = dashboards.viewOf(id);
    return view !== undefined && canAnnotate(view);
  };
  const { activeView } = useWorkspaceStore();
  if (activeView !== null && fits(activeView)) return activeView;
  return plotIds().find(fits) ?? null;
}
