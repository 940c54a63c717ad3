/** What every view has, and the forms that several of them use. */
import { z } from 'zod';

// The window's content security policy forbids code generation, which zod would otherwise use.
z.config({ jitless: true });

/** Ids of elements, as in the rest of the document. */
export const elementId = z.string().regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/);

export const viewId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/**
 * Keys that a view begins with, in the order in which they are written. The type of a kind of view is written
 * out beside its schema, which knows it by the entry `~view` that nothing has: that which Zod infers allows
 * undefined where a key may be left out.
 */
export const head = <V extends ViewHead<string>>(
  type: V['type'],
): {
  type: z.ZodLiteral<V['type']> & { readonly '~view'?: V };
  id: z.ZodString;
  title: z.ZodOptional<z.ZodString>;
} => ({
  type: z.literal(type),
  id: viewId.describe('Its name in dashboards; letters, digits, _ and -.'),
  title: z.string().optional().describe('Heading in the window; the kind of the view when absent.'),
});

/** The views that a schema describes. */
export type ViewOf<S> = S extends { shape: { type: { readonly '~view'?: infer V } } } ? V : never;

export interface ViewHead<T extends string> {
  type: T;
  id: string;
  title?: string;
}

/** Name of a signal. */
export const signal = z.string();
/** Names of signals that a view shows. */
export const signals = z.array(signal).describe('Names of the signals that are shown.');
export const horizontal = signal.describe('Signal on the horizontal axis.');
export const vertical = signal.describe('Signal on the vertical axis.');

/*
 * How plots are drawn, as several kinds of views say it. Numbers are in the units of the model; what is left
 * out follows the data.
 */

/** Ends of an axis that do not follow the data. */
export interface FixedRange {
  min?: number;
  max?: number;
}

const min = z.number().optional().describe('Lower end, in the unit of the model; absent: follows the data.');
const max = z.number().optional().describe('Upper end, in the unit of the model; absent: follows the data.');

export const fixedRange = z.strictObject({ min, max });

/** A vertical axis of a time series. */
export interface PlotAxis extends FixedRange {
  /** signals that are drawn on it; others go where their unit is */
  signals?: string[];
  /** logarithmic; values that are not positive are not drawn */
  isLog?: boolean;
}

/** Vertical axes of a plot, at most: more leave no room for the curves. */
const MAX_AXES = 4;

export const plotAxes = z
  .array(
    z.strictObject({
      signals: z.array(signal).optional().describe('Signals drawn on it; others go where their unit is.'),
      isLog: z.boolean().optional().describe('Logarithmic; values that are not positive are not drawn.'),
      min,
      max,
    }),
  )
  .max(MAX_AXES)
  .optional()
  .describe('Vertical axes: the first at the left, the others at the right.');

const LEGEND_PLACES = ['above', 'below', 'inside', 'none'] as const;
export type LegendPlace = (typeof LEGEND_PLACES)[number];

export const legendPlace = z
  .enum(LEGEND_PLACES)
  .optional()
  .describe('Where the names of the curves stand; above when absent.');

const LINE_STYLES = ['solid', 'dashed', 'dotted', 'none'] as const;
export type LineStyle = (typeof LINE_STYLES)[number];

/** How curves of some signals are drawn. */
export interface CurveStyle {
  signals: string[];
  line?: LineStyle;
  /** px */
  width?: number;
  /** a mark at every point that is drawn */
  hasMarkers?: boolean;
}

/** Widths and sizes of what is drawn, px. */
const pixels = z.number().min(0.2).max(40);

export const curveStyles = z
  .array(
    z.strictObject({
      signals: z.array(signal).describe('Names of the signals that are drawn so.'),
      line: z.enum(LINE_STYLES).optional().describe('Solid when absent; none leaves the markers.'),
      width: pixels.optional().describe('Width of the line, px.'),
      hasMarkers: z.boolean().optional().describe('A mark at every point that is drawn.'),
    }),
  )
  .optional()
  .describe('How curves are drawn; the first that names a signal counts.');

/** A text in a plot: at a time, or at a point of the first axis. */
export interface Annotation {
  text: string;
  /** s */
  t: number;
  /** in the unit of the first axis; absent: an upright line */
  y?: number;
}

/** Texts in a plot, at most. */
const MAX_ANNOTATIONS = 200;

export const annotations = z
  .array(
    z.strictObject({
      text: z.string().max(200).describe('What stands there.'),
      t: z.number().describe('Time, s.'),
      y: z.number().optional().describe('Value on the first axis; absent: an upright line at the time.'),
    }),
  )
  .max(MAX_ANNOTATIONS)
  .optional()
  .describe('Texts at a time or at a point.');

/** A text in a plane of two quantities: at a point, or at a value of the horizontal axis. */
export interface PlaneAnnotation {
  text: string;
  /** in the unit of the horizontal axis */
  x: number;
  /** in the unit of the vertical axis; absent: an upright line */
  y?: number;
}

export const planeAnnotations = z
  .array(
    z.strictObject({
      text: z.string().max(200).describe('What stands there.'),
      x: z.number().describe('Value on the horizontal axis.'),
      y: z.number().optional().describe('Value on the vertical axis; absent: an upright line.'),
    }),
  )
  .max(MAX_ANNOTATIONS)
  .optional()
  .describe('Texts at points, or at values of the horizontal axis.');

/** Ends of both axes of a plane. */
export interface PlaneEnds {
  xRange?: FixedRange;
  yRange?: FixedRange;
}

export const planeEnds = {
  xRange: fixedRange.optional().describe('Ends of the horizontal axis.'),
  yRange: fixedRange.optional().describe('Ends of the vertical axis.'),
};

/** How curves and points of a plane are drawn. */
export interface PlaneMarks {
  /** width of the curve or diameter of the points, px */
  size?: number;
  /** 0 … 1 */
  opacity?: number;
}

export const planeMarks = {
  size: pixels.optional().describe('Width of the curve or diameter of the points, px.'),
  opacity: z.number().min(0.02).max(1).optional().describe('From 0.02, hardly to be seen, to 1.'),
};

/** What plots of one signal against another have in common. */
export interface PlaneOptions extends PlaneEnds, PlaneMarks {
  /** a unit is equally long on both axes */
  equalAspect?: boolean;
  annotations?: PlaneAnnotation[];
}

export const planeOptions = {
  ...planeEnds,
  equalAspect: z.boolean().optional().describe('A unit is equally long on both axes.'),
  ...planeMarks,
  annotations: planeAnnotations,
};

/** Views of interactions. */
export interface OfConstraints {
  /** ids of interactions, in the order of their lanes; all of them when absent */
  interactions?: string[];
}

export const interactions = z
  .array(z.string().min(1).max(200))
  .optional()
  .describe('Ids of the interactions that are shown; all of them when absent.');
