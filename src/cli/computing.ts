/** What commands that compute share: the user may interrupt them, and a failure is reported in one form. */
import type { CliCommand, CliContext, CommandArguments } from './command';
import { exitOf } from './exit-code';
import { Interruption } from './interruption';
import { detailsOf, failureText } from './report';

type Details = ReturnType<typeof detailsOf>;

export const printJson = (context: CliContext, value: unknown): void =>
  context.out(`${JSON.stringify(value, null, 2)}\n`);

/**
 * @param execute what the command does; @throws what went wrong
 * @param failed what `--json` prints then
 */
export const computing =
  (
    execute: (args: CommandArguments, context: CliContext, interruption: Interruption) => Promise<number>,
    failed: (error: Details, args: CommandArguments) => unknown = (error) => ({ status: 'failed', error }),
  ): CliCommand['run'] =>
  async (args, context) => {
    const interruption = new Interruption(context);
    try {
      return await execute(args, context, interruption);
    } catch (error) {
      const details = detailsOf(error);
      context.note(failureText(details));
      if (args.has('json')) printJson(context, failed(details, args));
      return exitOf(details);
    } finally {
      interruption.end();
    }
  };
