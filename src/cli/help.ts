/** Help texts, made from the definitions of the commands. */
import type { CliCommand } from './command';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
};

/** Overview of all commands. */
export function overview(commands: readonly CliCommand[]): string {
  return `Moreau: modelling and simulation of non-smooth dynamical systems.

Usage: moreau COMMAND [ARGUMENTS]

Commands:
${columns(commands.map((command) => [command.name, command.summary]))}
  moreau COMMAND --help   the arguments of a command
  moreau --version        the version

A MODEL is a file NAME.moreau.json, or example:NAME for one of the examples.

Exit codes: 0 done; 2 the model or the arguments are invalid; 3 the computation failed; 4 cancelled;
5 done, but a verdict fails: something is not solved, not complete or not as accurate as asked for;
1 anything unexpected.
`;
}

/** Help of one command. */
export async function commandHelp(command: CliCommand): Promise<string> {
  const { notes = [] } = command;
  const flags: (readonly [string, string])[] = Object.entries(command.flags).map(([name, flag]) => [
    `--${name}${flag.type === 'string' ? ` ${flag.value ?? 'VALUE'}` : ''}`,
    flag.help + (flag.multiple === true ? ' (repeatable)' : ''),
  ]);
  const places = command.positionals.map((one) => {
    const name = one.repeated === true ? `${one.name} …` : one.name;
    return one.required ? name : `[${name}]`;
  });
  const paragraphs = [
    `Usage: moreau ${[command.name, ...places].join(' ')} [FLAGS]\n\n${command.summary[0].toUpperCase()}${command.summary.slice(1)}.\n`,
    ...(command.positionals.length === 0
      ? []
      : [`Arguments:\n${columns(command.positionals.map((one) => [one.name, one.help]))}`]),
    `Flags:\n${columns([...flags, ['--help', 'this text']])}`,
    ...(typeof notes === 'function' ? await notes() : notes).map((note) => `${note}\n`),
  ];
  return paragraphs.join('\n');
}
