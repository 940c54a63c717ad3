import { plural } from '@engine/plural';
import { type CliCommand, EXIT } from '../command';
import { openHost } from '../host';
import { distinctIssues, MODEL, readModel } from '../model';
import { issueText } from '../report';

/** `moreau validate`: every defect of a model, with its place and how to mend it. */
export const validateCommand: CliCommand = {
  name: 'validate',
  summary: 'list every defect of a model with its remedy',
  positionals: [MODEL],
  flags: { json: { type: 'boolean', help: 'print the defects as one JSON object' } },
  run: async (args, context) => {
    const host = await openHost(context);
    try {
      const { document, issues: readIssues } = await readModel(host, args.positionals[0]);
      const report = document === null ? null : await host.dispatch('document.report', { document });
      const issues = distinctIssues([...readIssues, ...(report?.issues ?? [])]);
      const errors = issues.filter((issue) => issue.severity === 'error').length;
      const valid = document !== null && errors === 0;
      if (args.has('json')) {
        context.out(`${JSON.stringify({ valid, issues }, null, 2)}\n`);
      } else {
        for (const issue of issues) context.out(issueText(issue));
        context.out(valid ? 'The model is valid.\n' : `The model has ${plural(errors, 'error')}.\n`);
      }
      return valid ? EXIT.done : EXIT.invalid;
    } finally {
      await host.dispose();
    }
  },
};
