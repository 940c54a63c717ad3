import { basename } from 'node:path';
import { plural } from '@engine/plural';
import type { NetlistIssue } from '@engine/netlist/import';
import { saveAtomically } from '@main/files/atomic';
import { readNetlistFile } from '@main/files/netlist-file';
import { EngineHost } from '@main/host/host';
import { type CliCommand, EXIT } from '../command';

/** `moreau import`: a model of a netlist. */
export const importCommand: CliCommand = {
  name: 'import',
  summary: 'make a model of a SPICE netlist',
  positionals: [{ name: 'NETLIST', help: 'file of the netlist (.cir, .net, .sp)', required: true }],
  flags: {
    out: {
      type: 'string',
      value: 'FILE',
      help: 'write the model to this file instead of standard output',
    },
    include: {
      type: 'string',
      value: 'FILE',
      multiple: true,
      help: 'a file that the netlist includes; found by its name, whatever folder the netlist says',
    },
  },
  notes: [
    'Messages have the file, line and column of the netlist. An error leaves no model, and the exit code is 2: a circuit that is not that of the netlist is worse than none. Files that the netlist names are read only where --include names them.',
  ],
  run: async (args, context) => {
    const [path] = args.positionals;
    const host = new EngineHost({ ...context.place.host, door: 'command-line' });
    try {
      const files: Record<string, string> = {};
      for (const file of args.texts('include')) files[basename(file)] = await readNetlistFile(file);
      const { document, issues } = await host.dispatch('netlist.import', {
        name: basename(path),
        text: await readNetlistFile(path),
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
