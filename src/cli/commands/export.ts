import { MODEL_FORMATS, type ModelFormatName } from '@contract/methods';
import { pageOfDrawing } from '@figures/drawing-page';
import { saveAtomically } from '@main/files/atomic';
import { exportFigure, FIGURE_FLAGS } from '../export-figure';
import { type CliCommand, type CommandArguments, EXIT, UsageError } from '../command';
import { openHost } from '../host';
import { closest } from '@engine/closest';
import { MODEL, openModel } from '../model';
import { parameters } from '../run-options';

/** A drawing is written as SVG, and made a page of. */
const FORMATS = [...MODEL_FORMATS, 'pdf'] as const;

/** `moreau export`: a model in another form, to a file or to standard output. */
export const exportCommand: CliCommand = {
  name: 'export',
  summary: 'write a model in another form, or figures of its run',
  positionals: [MODEL],
  flags: {
    to: { type: 'string', value: 'FORMAT', help: FORMATS.join(', ') },
    out: { type: 'string', value: 'FILE', help: 'write to this file instead of standard output' },
    set: {
      type: 'string',
      value: 'NAME=VALUE',
      multiple: true,
      help: 'value of a parameter, instead of the model’s',
    },
    ...FIGURE_FLAGS,
    expand: {
      type: 'boolean',
      help: 'with json: write out the elements that builder scripts make and drawings become',
    },
  },
  notes: [
    '--figure computes the model and draws one of its views, all of them one below the other, or a dashboard as it stands in the window; dashboard alone is the first one. The ending of --out decides the format: .svg, .pdf, .png.',
    '--frames draws a view that is an animation as numbered pictures: as many a second, of the simulated time at the speed of the view, from --from until --until. --out is a folder for frame-0001.png and so on, which is made, or a name such as drop-%04d.svg.',
    'svg, pdf: the drawing of the model with its names and values, for papers; pdf goes to a file, on a page of its own size.',
    'siconos-python: a script that builds and runs the model in Siconos and writes its states to a table. A model without a counterpart in Siconos is refused with exit code 2; omissions and differences are noted on standard error.',
  ],
  run: async (args, context) => {
    if (args.has('figure')) return exportFigure(args, context);
    const format = formatOf(args);
    const set = Object.fromEntries(parameters(args.texts('set')));
    const file = args.text('out');
    if (format === 'pdf' && file === undefined) throw new UsageError('--to pdf needs --out FILE.');
    if (args.has('expand') && format !== 'json') throw new UsageError('--expand goes with --to json.');
    const host = await openHost(context);
    try {
      const document = await openModel(host, args.positionals[0], context);
      const { text, warnings } = await host.dispatch('document.export', {
        document,
        format: format === 'pdf' ? 'svg' : format,
        set,
        expand: args.has('expand'),
      });
      for (const warning of warnings) context.note(`warning: ${warning}\n`);
      if (file === undefined) context.out(text);
      else {
        const pages = [pageOfDrawing(text)];
        const content =
          format === 'pdf'
            ? (await host.dispatch('figure.pdf', { title: document.title.slice(0, 300), pages })).data
            : text;
        await saveAtomically(file, content, { backup: false });
        context.out(`${file}\n`);
      }
      return EXIT.done;
    } finally {
      await host.dispose();
    }
  },
};

function formatOf(args: CommandArguments): ModelFormatName | 'pdf' {
  const given = args.text('to');
  if (given === undefined) throw new UsageError(`export needs --to FORMAT: ${FORMATS.join(', ')}.`);
  const known = FORMATS.find((name) => name === given);
  if (known !== undefined) return known;
  const meant = closest(given, FORMATS);
  throw new UsageError(
    `There is no format “${given}”. ${meant === null ? `There are ${FORMATS.join(', ')}.` : `Did you mean ${meant}?`}`,
  );
}
