/** Figures of a model on the command line: it is computed, and its views are drawn as the window draws them. */
import { MoreauError } from '@contract/errors';
import type { Dispatcher, RunInfo } from '@contract/methods';
import { figureFile, figureFormat, type FigureLook } from '@main/export/figures/figure-file';
import { figurePlan, type FigureSize } from '@main/export/figures/figure-parts';
import { AtomicFile, saveAtomically } from '@main/files/atomic';
import { EngineHost } from '@main/host/host';
import { type Command, type CommandArguments, type CommandContext, EXIT, UsageError } from './command';
import { exitOf } from './exit-code';
import { openModel } from './model';
import { detailsOf, failureText } from './report';
import { numberFlag, schemeOption, spanOption, startOptions } from './run-options';

/** Width of a column of many journals, mm, and a height that goes with it. */
const WIDTH = 160;
const HEIGHT = 80;
const DPI = 300;
/** Largest side of a figure, mm, and finest picture, dots to the inch. */
const MOST_MM = 2000;
const MOST_DPI = 2400;

export const FIGURE_FLAGS: Command['flags'] = {
  figure: {
    type: 'string',
    value: 'VIEW',
    help: 'compute the model and draw this view, all, or dashboard[:ID]',
  },
  width: {
    type: 'string',
    value: 'MM',
    help: `of each view or a whole dashboard, mm; ${WIDTH} when left out`,
  },
  height: {
    type: 'string',
    value: 'MM',
    help: `of each view or a whole dashboard, mm; ${HEIGHT} for each view when left out`,
  },
  dpi: { type: 'string', value: 'N', help: `dots to the inch of .png; ${DPI} when left out` },
  style: { type: 'string', value: 'STYLE', help: 'publication (black on white) or screen' },
  from: { type: 'string', value: 'T', help: 'visible span of time, s: its beginning' },
  until: { type: 'string', value: 'T', help: 'end of that span, s' },
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
    const run = await host.dispatch('run.start', start);
    return isOver(run) ? run : await ended;
  } finally {
    off();
  }
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
    width: side('width', WIDTH, MOST_MM),
    height: side('height', HEIGHT, MOST_MM),
    isHeightGiven: args.has('height'),
    dpi: side('dpi', DPI, MOST_DPI),
    style,
    ...spanOption(args),
  };
}

export async function exportFigure(args: CommandArguments, context: CommandContext): Promise<number> {
  const file = args.text('out');
  if (file === undefined) throw new UsageError('--figure needs --out FILE.');
  const look = lookOf(args);
  const options = startOptions(args);
  const other = schemeOption(args, 'compare');
  const host = new EngineHost({ ...context.place.host, door: 'command-line' });
  try {
    const format = figureFormat(file);
    // Found out before a computation is spent on it.
    await (await AtomicFile.create(file, { backup: false })).abort();
    const document = await openModel(host, args.positionals[0], context);
    const plan = figurePlan(document, args.text('figure') ?? '', look);
    const run = await computed(host, { document, ...options });
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
