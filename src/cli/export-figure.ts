/**
 * Figures of a model on the command line: it is computed, and its views are drawn as the window draws them.
 */
import { MoreauError } from '@contract/errors';
import { MOST_FIGURE_DPI, MOST_FIGURE_MM } from '@contract/figures';
import type { Dispatcher, RunInfo } from '@contract/methods';
import type { AnimationView, ModelDocument } from '@engine/document/types';
import { figureFile, figureFormat, type FigureLook } from '@main/export/figures/figure-file';
import { type FigurePlan, figurePlan, type FigureSize } from '@main/export/figures/figure-parts';
import { type FrameNames, frameNames, writeFrames } from '@main/export/figures/frames';
import { AtomicFile, saveAtomically } from '@main/files/atomic';
import { type CliCommand, type CommandArguments, type CliContext, EXIT, UsageError } from './command';
import { exitOf } from './exit-code';
import { openHost } from './host';
import { openModel } from './model';
import { detailsOf, failureText } from './report';
import { numberFlag, schemeOption, spanOption, startOptions } from './run-options';

/** Width of a column of many journals, mm, and a height that goes with it. */
const WIDTH = 160;
const HEIGHT = 80;
const DPI = 300;
/** Most pictures a second: of slow motion of what is fast, more than any camera takes. */
const MOST_RATE = 1e6;

export const FIGURE_FLAGS: CliCommand['flags'] = {
  figure: {
    type: 'string',
    value: 'VIEW',
    help: 'compute the model and draw this view, all, or dashboard[:ID]',
  },
  width: {
    type: 'string',
    value: 'MM',
    help: `width of each view or a whole dashboard, mm; default: ${WIDTH}`,
  },
  height: {
    type: 'string',
    value: 'MM',
    help: `height of each view or a whole dashboard, mm; default: ${HEIGHT} per view`,
  },
  dpi: { type: 'string', value: 'N', help: `dots per inch of .png; default: ${DPI}` },
  style: { type: 'string', value: 'STYLE', help: 'publication (black on white) or screen' },
  from: { type: 'string', value: 'T', help: 'start of the visible time span, s' },
  until: { type: 'string', value: 'T', help: 'end of that span, s' },
  time: { type: 'string', value: 'T', help: 'time that animations show, s; default: the end' },
  frames: {
    type: 'string',
    value: 'FPS',
    help: 'draw an animation as numbered pictures, FPS per second; --out is a folder or a name with %04d',
  },
  scheme: { type: 'string', value: 'SCHEME', help: 'time-stepping or event-driven' },
  compare: { type: 'string', value: 'SCHEME', help: 'draw the run by this scheme behind it, dashed' },
  h: { type: 'string', value: 'H', help: 'time step, s' },
  't-end': { type: 'string', value: 'T', help: 'end time, s' },
};

const isOver = ({ state }: RunInfo): boolean => ['done', 'failed', 'cancelled'].includes(state);

/** The run when it is over. @throws {MoreauError} why it failed */
async function computed(host: Dispatcher, start: Parameters<typeof startRun>[1]): Promise<RunInfo> {
  const run = await startRun(host, start);
  if (run.error !== undefined) throw new MoreauError(run.error);
  return run;
}

async function startRun(
  host: Dispatcher,
  start: Parameters<typeof host.dispatch<'run.start'>>[1],
): Promise<RunInfo> {
  let finish: (run: RunInfo) => void = () => undefined;
  const ended = new Promise<RunInfo>((resolve) => (finish = resolve));
  const off = host.onEvent((event) => {
    if (event.event === 'run.progress' && isOver(event.data.run)) finish(event.data.run);
  });
  try {
    const run = await host.dispatch('run.start', { ...start, measure: false });
    return isOver(run) ? run : await ended;
  } finally {
    off();
  }
}

/** Figures with bands of errors need what finer runs say of them. */
async function measured(host: Dispatcher, run: RunInfo, { parts }: FigurePlan): Promise<RunInfo> {
  const hasBands = parts.some(({ view }) => view.type === 'time-series' && view.hasErrorBand === true);
  return hasBands ? host.dispatch('run.accuracy', { runId: run.runId, long: true }) : run;
}

function lookOf(args: CommandArguments): FigureLook & FigureSize {
  const side = (flag: string, usual: number, most: number): number => {
    const value = numberFlag(args, flag) ?? usual;
    if (value > 0 && value <= most) return value;
    throw new UsageError(`--${flag} must lie between 0 and ${most}.`);
  };
  const style = args.text('style') ?? 'publication';
  if (style !== 'publication' && style !== 'screen')
    throw new UsageError(`There is no style “${style}”; there are publication and screen.`);
  return {
    width: side('width', WIDTH, MOST_FIGURE_MM),
    height: side('height', HEIGHT, MOST_FIGURE_MM),
    isHeightGiven: args.has('height'),
    dpi: side('dpi', DPI, MOST_FIGURE_DPI),
    style,
    ...spanOption(args),
    time: numberFlag(args, 'time'),
  };
}

/** Pictures a second. @throws {UsageError} */
function rateOf(args: CommandArguments): number | null {
  if (!args.has('frames')) return null;
  const rate = numberFlag(args, 'frames') ?? 0;
  if (!(rate > 0 && rate <= MOST_RATE))
    throw new UsageError(`--frames must lie between 0 and ${MOST_RATE} pictures a second.`);
  if (args.has('time')) throw new UsageError('--frames draws a span of time, --time one moment.');
  if (args.has('compare')) throw new UsageError('--frames draws one run; leave out --compare.');
  return rate;
}

/** The animation that a film is drawn of. @throws {MoreauError} `not-an-animation` */
function filmed({ parts: [first, ...others] }: FigurePlan): AnimationView {
  if (others.length === 0 && first.view.type === 'animation') return first.view;
  throw new MoreauError({
    code: 'not-an-animation',
    message: 'Only an animation can be drawn as numbered pictures.',
    where: '--frames',
    remedy: 'Name an animation with --figure, or leave out --frames.',
  });
}

/** Draws a film and writes its pictures. */
async function exportFrames(
  host: Dispatcher,
  document: ModelDocument,
  { rate, look, plan, names, ...start }: FilmOptions,
  context: CliContext,
): Promise<number> {
  const view = filmed(plan);
  const run = await computed(host, { document, ...start.options });
  const end = run.statistics.simulatedTime;
  const from = look.from ?? Math.min(0, end);
  const to = Math.min(look.to ?? end, end);
  if (to < from)
    throw new MoreauError({
      code: 'empty-film',
      message: `The run ends at ${end} s, before the film begins.`,
      where: '--from',
      remedy: 'Choose an earlier --from or a later --t-end.',
    });
  const film = { from, to, rate, speed: view.speed ?? 1 };
  const { width, height } = plan;
  await writeFrames(host, run, { view, plan: film, names, look, width, height }, (path, done, count) => {
    if (done === 1 || done === count) context.out(`${path}\n`);
  });
  return EXIT.done;
}

interface FilmOptions {
  readonly rate: number;
  readonly look: FigureLook;
  readonly plan: FigurePlan;
  readonly names: FrameNames;
  readonly options: ReturnType<typeof startOptions>;
}

export async function exportFigure(args: CommandArguments, context: CliContext): Promise<number> {
  const file = args.text('out');
  if (file === undefined) throw new UsageError('--figure needs --out FILE.');
  const look = lookOf(args);
  const options = startOptions(args);
  const other = schemeOption(args, 'compare');
  const rate = rateOf(args);
  const host = await openHost(context);
  try {
    if (rate !== null) {
      const names = frameNames(file);
      const document = await openModel(host, args.positionals[0], context);
      const plan = figurePlan(document, args.text('figure') ?? '', look);
      return await exportFrames(host, document, { rate, look, plan, names, options }, context);
    }
    const format = figureFormat(file);
    // Found out before a computation is spent on it.
    await (await AtomicFile.create(file, { backup: false })).abort();
    const document = await openModel(host, args.positionals[0], context);
    const plan = figurePlan(document, args.text('figure') ?? '', look);
    const run = await measured(host, await computed(host, { document, ...options }), plan);
    const compared =
      other === undefined ? [] : [await computed(host, { document, ...options, scheme: other })];
    const bytes = await figureFile(host, run, compared, plan, format, look);
    await saveAtomically(file, bytes, { backup: false });
    context.out(`${file}\n`);
    return EXIT.done;
  } catch (error) {
    const details = detailsOf(error);
    context.note(failureText(details));
    return exitOf(details);
  } finally {
    await host.dispose();
  }
}
