/** What a figure is made of: one view, all one below the other, or a dashboard as it stands in the window. */
import { MoreauError } from '@contract/errors';
import { PX_PER_MM } from '@contract/figures';
import type { ModelDocument, ViewDocument } from '@engine/document/types';
import { leastHeight, shownDashboards } from '@figures/dashboard-layout';
import type { UnitsDocument } from '@figures/display-units';
import { pictureParts, type PictureBox } from '@figures/dashboard-picture';

/** A view of a figure and its place in it. */
interface FigurePart {
  readonly view: ViewDocument;
  /** above it; empty where there is none */
  readonly title: string;
  /** px */
  readonly box: PictureBox;
}

export interface FigurePlan {
  /** whose units values are shown in */
  readonly document: UnitsDocument;
  readonly parts: readonly FigurePart[];
  /** px */
  readonly width: number;
  readonly height: number;
}

/** Names a dashboard, by its id behind a colon or the first one. */
const DASHBOARD = /^dashboard(?::(.*))?$/s;

/** Sides in mm. */
export interface FigureSize {
  readonly width: number;
  /** of each view */
  readonly height: number;
  /** whether the height was asked for: then it is that of a whole dashboard */
  readonly isHeightGiven?: boolean;
}

const px = (mm: number): number => Math.round(mm * PX_PER_MM);

/** The view with an id, or all of them. @throws {MoreauError} `unknown-view` */
function viewsNamed({ views }: ModelDocument, id: string): ViewDocument[] {
  const found = views.filter((view) => id === 'all' || view.id === id);
  if (found.length > 0) return found;
  const known = views.map((view) => view.id);
  throw new MoreauError({
    code: 'unknown-view',
    message: id === 'all' ? 'The model has no view.' : `The model has no view “${id}”.`,
    where: id,
    remedy:
      known.length === 0
        ? 'Add a plot to the model.'
        : `Views are ${known.join(', ')}; all draws all of them, dashboard those of a dashboard as they stand there.`,
  });
}

/** @throws {MoreauError} `unknown-dashboard`, `not-drawable` */
function dashboardPlan(document: ModelDocument, id: string | undefined, size: FigureSize): FigurePlan {
  const all = shownDashboards(document.views, document.dashboards, () => 1);
  const chosen = id === undefined ? all[0] : all.find((one) => one.id === id);
  if (chosen === undefined)
    throw new MoreauError({
      code: 'unknown-dashboard',
      message: `The model has no dashboard “${id ?? ''}”.`,
      where: id ?? '',
      remedy: `Dashboards are ${all.map((one) => one.id).join(', ')}.`,
    });
  const { layout } = chosen;
  if (layout === null)
    throw new MoreauError({
      code: 'not-drawable',
      message: `The dashboard “${chosen.title ?? chosen.id}” has no view.`,
      where: chosen.id,
      remedy: 'Add a plot to it, or name another one.',
    });
  const width = px(size.width);
  const height = px(size.isHeightGiven === true ? size.height : leastHeight(layout, () => size.height));
  const viewOf = (name: string): ViewDocument | undefined => document.views.find((view) => view.id === name);
  const parts = pictureParts(layout, { width, height }, (name) => viewOf(name)?.title ?? '').flatMap(
    ({ id: name, title, box }) => {
      const view = viewOf(name);
      return view === undefined ? [] : [{ view, title, box }];
    },
  );
  return { document, parts, width, height };
}

/**
 * @param name id of a view, `all`, `dashboard` for the first one, or `dashboard:ID`
 * @throws {MoreauError} `unknown-view`, `unknown-dashboard`, `not-drawable`
 */
export function figurePlan(document: ModelDocument, name: string, size: FigureSize): FigurePlan {
  const dashboard = DASHBOARD.exec(name);
  if (dashboard !== null && !document.views.some(({ id }) => id === name))
    return dashboardPlan(document, dashboard[1], size);
  const width = px(size.width);
  const height = px(size.height);
  const parts = viewsNamed(document, name).map((view, k) => ({
    view,
    title: '',
    box: { left: 0, top: k * height, width, height },
  }));
  return { document, parts, width, height: height * parts.length };
}
