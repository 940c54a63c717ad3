/** The command line from its arguments to its exit code. */
import { parseCommand } from './arguments';
import { closest } from '@engine/closest';
import { type CliCommand, type CliContext, EXIT, UsageError } from './command';
import { allCommands, commands } from './commands';
import { exitOf } from './exit-code';
import { commandHelp, overview } from './help';
import { detailsOf, failureText } from './report';

/** Executes a command line. @returns the exit code; never throws */
export async function main(argv: readonly string[], context: CliContext): Promise<number> {
  try {
    return await execute(argv, context);
  } catch (error) {
    const details = detailsOf(error);
    context.note(failureText(details));
    return exitOf(details);
  }
}

async function execute(argv: readonly string[], context: CliContext): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const named = first === 'help' ? await commandOf(rest[0]) : null;
    const text = named === null ? overview(await allCommands()) : await commandHelp(named);
    if (first === undefined) {
      context.note(text);
      return EXIT.invalid;
    }
    context.out(text);
    return EXIT.done;
  }
  if (first === '--version' || first === '-v') {
    context.out(`${context.place.host.version}\n`);
    return EXIT.done;
  }
  const command = await commandOf(first);
  if (command === null) {
    const meant = closest(first, Object.keys(commands));
    const kind = first.startsWith('-') ? 'flag' : 'command';
    throw new UsageError(
      `There is no ${kind} “${first}”. ${meant === null ? 'See moreau --help.' : `Did you mean moreau ${meant}?`}`,
    );
  }
  const args = parseCommand(command, rest);
  if (args === 'help') {
    context.out(await commandHelp(command));
    return EXIT.done;
  }
  return command.run(args, context);
}

/** The command of this name, loaded; null where there is none. */
const commandOf = async (name = ''): Promise<CliCommand | null> =>
  Object.hasOwn(commands, name) ? commands[name]() : null;
