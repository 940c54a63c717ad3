import { basename } from 'node:path';
import { plural } from '@engine/plural';
import type { NetlistIssue } from '@engine/netlist/import';
import { saveAtomically } from '@main/files/atomic';
import { readTextFile } from '@main/files/text-file';
import { EngineHost } from '@main/host/host';
import { type CliCommand, EXIT, UsageError } from '../command';
import { DATA_FLAGS, importData, isData } from '../import-data';

/** `moreau import`: a model of a netlist, or tables of a model of a file of data. */
export const importCommand: CliCommand = {
  name: 'import',
  summary: 'make a model of a SPICE netlist, or put data into a model as tables',
  positionals: [
    {
      name: 'FILE',
      help: 'a netlist (.cir, .net, .sp, .asc), or columns of data (.csv, .tsv, .txt, .dat)',
      required: true,
    },
  ],
  flags: {
    out: {
      type: 'string',
      value: 'FILE',
      help: 'write the model to this file instead of standard output',
    },
    ...DATA_FLAGS,
    include: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      help: 'a file that the netlist includes; found by its name, whatever folder the netlist says',
    },
  },
  notes: [
    'Messages have the file, line and column of the netlist. An error leaves no model, and the exit code is 2: a circuit that is not that of the netlist is worse than none. Files that the netlist names are read only where --include names them.',
    'Columns of data become tables of the model that --into names, which expressions read as table(NAME, t); with several columns, NAME_COLUMN. Separator, decimal sign, header and units as “force [N]” are found out. A cell that is no number leaves its row out, with a warning; times that do not rise leave everything as it was, and the exit code is 2.',
  ],
  run: async (args, context) => {
    const [path] = args.positionals;
    const host = new EngineHost({ ...context.place.host, door: 'command-line' });
    try {
      if (isData(path)) {
        if (args.has('include')) throw new UsageError('--include goes with netlists.');
        return await importData(path, args, context, host);
      }
      const alien = Object.keys(DATA_FLAGS).find((flag) => args.flags.includes(flag));
      if (alien !== undefined) throw new UsageError(`--${alien} goes with files of data.`);
      const files: Record<string, string> = {};
      for (const file of args.texts('include')) files[basename(file)] = await readTextFile(file);
      const { document, issues } = await host.dispatch('netlist.import', {
        name: basename(path),
        text: await readTextFile(path),
        files,
      });
      for (const issue of issues) context.note(netlistIssueText(issue));
      if (document === null) {
        const errors = issues.filter(({ severity }) => severity === 'error').length;
        context.note(`The netlist has ${plural(errors, 'error')}.\n`);
        return EXIT.invalid;
      }
      const { text } = await host.dispatch('document.write', { document });
      const out = args.text('out');
      if (out === undefined) context.out(text);
      else {
        await saveAtomically(out, text, { backup: false });
        context.out(`${out}\n`);
      }
      return EXIT.done;
    } finally {
      await host.dispose();
    }
  },
};

const netlistIssueText = ({ severity, file, line, column, message, remedy }: NetlistIssue): string =>
  `${severity}: ${file}:${line}:${column}: ${message}\n  ${remedy}\n`;
