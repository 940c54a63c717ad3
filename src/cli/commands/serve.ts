import { type CliCommand, EXIT, UsageError } from '../command';

/** `moreau serve`: the workbench in a browser on this machine. */
export const serveCommand: CliCommand = {
  name: 'serve',
  summary: 'open the workbench for a browser on this machine',
  positionals: [],
  flags: { port: { type: 'string', value: 'P', help: 'port; default: any free port' } },
  notes: [
    'The printed address contains a secret; anyone who has it can use the workbench. Ctrl-C stops the server.',
  ],
  run: async (args, context) => {
    const text = args.text('port') ?? '0';
    const port = Number(text);
    if (!/^\d+$/.test(text) || port > 65535)
      throw new UsageError(`--port needs a number up to 65535, not “${text}”.`);
    // Other commands need no server.
    const { runBrowserDoor } = await import('@main/server/run-door');
    await runBrowserDoor(context.place, port);
    return EXIT.done;
  },
};
