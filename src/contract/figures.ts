/** Methods that write plots as files. */
import { MAX_COMPARED_RUNS } from './reading';
import { anyDocumentSchema, runId, z } from './schemas';

export const FIGURE_FORMATS = ['.svg', '.pdf', '.png'] as const;
export type FigureFormat = (typeof FIGURE_FORMATS)[number];
export const FIGURE_STYLES = ['publication', 'screen'] as const;
export type FigureStyle = (typeof FIGURE_STYLES)[number];

/** Largest side of a figure, mm. */
export const MOST_FIGURE_MM = 2000;
/** Finest picture, dots to the inch. */
export const MOST_FIGURE_DPI = 2400;
/** px to a millimetre in the drawing of a figure: a px is 1/96 of an inch. */
export const PX_PER_MM = 96 / 25.4;

/** Longest drawing of a plot, characters. */
const MAX_DRAWING = 64 * 1024 * 1024;
/** Views of a dashboard, at most. */
const MAX_VIEWS = 1000;

const svg = z.string().max(MAX_DRAWING);
/** px */
const side = z.number().positive().max(20_000);
/** mm */
const length = z.number().positive().max(MOST_FIGURE_MM);
const format = z.enum(FIGURE_FORMATS);
/** of pictures, dots to the inch */
const dpi = z.number().positive().max(MOST_FIGURE_DPI);
/** s */
const span = z.strictObject({ from: z.number(), to: z.number() });

export const figureParams = {
  /** drawings of plots as a PDF document, a page each */
  'figure.pdf': z.strictObject({
    title: z.string().max(300),
    pages: z
      .array(z.strictObject({ svg, width: side, height: side }))
      .min(1)
      .max(100),
  }),
  /** a drawing as a file, with the fonts that it uses */
  'figure.convert': z.strictObject({
    title: z.string().max(300),
    svg,
    width: side,
    height: side,
    format,
    dpi,
  }),
  /** views of a document, redrawn from what runs have recorded, as the command line draws them */
  'figure.draw': z.strictObject({
    document: anyDocumentSchema,
    /** id of a view, `all`, `dashboard` or `dashboard:ID` */
    figure: z.string().max(200),
    runId,
    /** drawn behind it */
    compared: z.array(runId).max(MAX_COMPARED_RUNS),
    format,
    width: length,
    height: length,
    dpi,
    style: z.enum(FIGURE_STYLES),
    /** what is shown of the time, by the id of a view; all of it where that is left out */
    spans: z.record(z.string().max(200), span).refine((all) => Object.keys(all).length <= MAX_VIEWS),
  }),
} as const;

/** The bytes of a file. */
interface FigureBytes {
  data: Uint8Array;
}

export interface FigureResults {
  'figure.pdf': FigureBytes;
  'figure.convert': FigureBytes;
  'figure.draw': FigureBytes;
}
