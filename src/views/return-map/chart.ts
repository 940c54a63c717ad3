/**
 * The return map of a signal y at the points of a section: yₙ₊₁ over yₙ, with the diagonal on which fixed
 * points lie.
 */
import type { RunInfo } from '@contract/methods';
import type { ViewDocument } from '@engine/document/types';
import { planeRanges, type PlaneRanges } from '@figures/plane';
import { extent, padded } from '@figures/ranges';
import { scaled } from '@figures/shown-units';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { SECTION_MARGINS, sectionOption } from '../section/drawing';
import { hasSignals } from '../shared/chart';
import { type PlaneChart, planeInput } from '../shared/plane-chart';

type ReturnMapView = Extract<ViewDocument, { type: 'return-map' }>;

/** Points from one return to the next. */
interface Returns {
  readonly kind: 'points';
  readonly rows: number;
  readonly inView: number;
  readonly bounds: null;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** More points are not read: the latest ones are drawn. */
export const MOST_RETURNS = 50_000;

/** Returns that a cobweb leads through, the latest ones: more of them fill the plane. */
const MOST_STEPS = 200;

/** The diagonal goes on beyond what is seen, in lengths of the axes. */
const BEYOND = 10;

/** Points that a run has in a section. */
export const pointsIn = ({ sections }: RunInfo, id: string): number =>
  sections.find((one) => one.id === id)?.points ?? 0;

/**
 * From each return up or down to its point, and from there across to the diagonal, where the next one begins:
 * (yₙ, yₙ) → (yₙ, yₙ₊₁) → (yₙ₊₁, yₙ₊₁).
 */
function cobweb({ x, y }: Returns): [number, number][] {
  const first = Math.max(0, x.length - MOST_STEPS);
  const steps: [number, number][] = x.length === 0 ? [] : [[x[first], x[first]]];
  for (let n = first; n < x.length; n++) steps.push([x[n], y[n]], [y[n], y[n]]);
  return steps;
}

/** Ranges that show all; both axes are of one quantity and show the same of it. */
function returnRanges(results: readonly Returns[]): PlaneRanges {
  const both = padded(extent(results.flatMap(({ x, y }) => [x, y])));
  return { x: both, y: both };
}

export const returnMap: PlaneChart<ReturnMapView, Returns> = {
  settle: (view, { sections }) => ({ ...view, section: view.section || (sections[0]?.id ?? '') }),
  compares: ({ section, x }, run) => hasSignals(run, [x]) && pointsIn(run, section) > 0,
  margins: () => SECTION_MARGINS,
  ask: async ({ section, x: signal }, { run }, dispatcher) => {
    const points = pointsIn(run, section);
    const count = Math.min(points, MOST_RETURNS);
    const none: readonly Float64Array[] = [];
    const { columns } =
      count === 0
        ? { columns: none }
        : await dispatcher.dispatch('run.sectionRows', {
            runId: run.runId,
            section,
            signals: [signal],
            firstRow: points - count,
            count,
          });
    const values = columns[0] ?? new Float64Array(0);
    const [x, y] = [values.slice(0, -1), values.slice(1)];
    return { kind: 'points', rows: x.length, inView: x.length, bounds: null, x, y };
  },
  axes: ({ x }) => ({ x: `${x} (n)`, y: `${x} (n+1)` }),
  ranges: returnRanges,
  scaled: (result, fx, fy) => ({ ...result, x: scaled(result.x, fx), y: scaled(result.y, fy) }),
  draw: (view, answers, look): EChartsOption => {
    const input = planeInput(returnMap, view, answers, look);
    const sets = [...input.compared, ...(input.current === null ? [] : [input.current])];
    const area = {
      width: look.width - SECTION_MARGINS.left - SECTION_MARGINS.right,
      height: look.height - SECTION_MARGINS.top - SECTION_MARGINS.bottom,
    };
    const shown = planeRanges(returnRanges(sets.map(({ result }) => result)), input.options, area);
    const [x, y] = [look.x ?? shown.x, look.y ?? shown.y];
    const length = BEYOND * Math.max(x.max - x.min, y.max - y.min);
    const [from, to] = [Math.min(x.min, y.min) - length, Math.max(x.max, y.max) + length];
    const diagonal: LineSeriesOption = {
      type: 'line',
      id: 'diagonal',
      data: [
        [from, from],
        [to, to],
      ],
      showSymbol: false,
      silent: true,
      animation: false,
      clip: true,
      lineStyle: { color: look.theme.muted, width: 1, type: 'dashed' },
      z: 1,
    };
    const lines = [diagonal];
    if (view.cobweb === true && input.current !== null)
      lines.push({
        ...diagonal,
        id: 'cobweb',
        data: cobweb(input.current.result),
        lineStyle: { color: look.theme.muted, width: 1, type: 'solid', opacity: 0.8 },
      });
    const option = sectionOption({ ...input, x, y });
    return { ...option, series: lines.concat((option.series ?? []) as LineSeriesOption[]) };
  },
};
